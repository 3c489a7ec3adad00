"""The commands, one module each: read files, call one function of a room, write files, return a report.

`application` builds the command line, `main` runs it: wrong usage or malformed input becomes one line on standard error and exit
status 2, a fault of ours another line and 70.
"""

import ast
import contextlib
import os
import re
import sys
import traceback
from collections.abc import Mapping, Sequence
from importlib import import_module
from keyword import iskeyword
from pathlib import Path
from typing import Annotated, Any, TextIO

import typer

from .. import __version__
from ..core.errors import PipelineError
from ..core.outputs import ending_on_signals
from .report import CLOSED_PIPE, runnable

#: The commands in the order of the help. `corpus count` is the function `command` in `cli/corpus/count.py`.
COMMANDS = (
    "ingest",
    "translate",
    "parse",
    "exclude",
    "modify",
    "zero",
    "variants",
    "validate",
    "audit",
    "release",
    "verify",
    "pmi",
    "manifest",
    "instantiate",
    "corpus count",
    "corpus fetch",
    "annotate design",
    "annotate push",
    "annotate pull",
    "annotate agree",
    "annotate adjudicate",
    "annotate apply",
    "annotate checklist",
    "annotate plan",
    "winopron check",
    "winopron ask",
    "winopron score",
    "winopron tables",
    "winopron compare",
    "winopron figures",
    "winopron export",
    "winopron import",
    "evaluate run",
    "evaluate report",
    "evaluate import",
    "evaluate errors",
    "evaluate diagnose",
    "evaluate codes",
    "evaluate select",
    "evaluate score",
    "evaluate cloze",
    "evaluate contamination",
    "experiment build",
    "experiment serve",
    "experiment import",
    "experiment analyse",
    "zp stats",
    "zp agree",
    "zp anonymise",
    "zp align",
    "zp aer",
    "zp azpt",
    "zp recover",
    "zp export",
    "zp metrics",
    "zp parse",
    "zp conllu",
    "zp coref",
    "zp items",
    "zp report",
)
#: Help text of each group of commands.
GROUPS: Mapping[str, str] = {
    "corpus": "Large corpora: download a dump, count words.",
    "annotate": "Studies with human raters, from the design to decisions in the data.",
    "winopron": "Occupation templates after WinoPron: check templates, score systems.",
    "evaluate": "Language models and other systems on the items of a release.",
    "experiment": "The cloze experiment with people: lists, page, server, results, analysis.",
    "zp": "Zero pronouns in running text and its translation, after GuoFeng.",
}


#: The modules of commands that lie with others of their room, not where the name says.
_MODULES = {"pmi": "corpus.pmi"}
#: Exit status after wrong usage or malformed input, and after a fault of ours (EX_SOFTWARE).
_WRONG_USAGE, _OUR_FAULT = 2, 70
_INTERRUPTED = 130
#: A fault of ours shows its traceback if this variable is set.
DEBUG = "WINOFORGE_DEBUG"
#: The shell asks for completions with this variable.
_COMPLETE = "_WINOFORGE_COMPLETE"
#: What Typer says of a value that is not among the choices.
_CHOICE = re.compile(r"(?:Value error, )?(.*) is not one of (.*)")


def application(arguments: Sequence[str] | None = None) -> typer.Typer:
    """Return the command line.

    Importing all commands takes a second. If the arguments name a command, only its module is imported; otherwise, as for
    `--help`, none is, and a command has its name and its first line only.

    Args:
        arguments: the words after `winoforge`; None for all commands with their options.
    """
    named = [name for name in COMMANDS if arguments and name.split() == list(arguments[: len(name.split())])]
    app = typer.Typer(
        name="winoforge",
        help="Build and check Winograd-style coreference datasets.",
        no_args_is_help=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_top)
    groups = {"": app}
    for name in named or COMMANDS:
        group, _, word = name.rpartition(" ")
        if group not in groups:
            groups[group] = typer.Typer(help=GROUPS[group], no_args_is_help=True, rich_markup_mode=None)
            app.add_typer(groups[group], name=group, short_help=GROUPS[group])
        if named or arguments is None:
            command = import_module(f".{module_of(name)}", __package__).command
            groups[group].command(word)(runnable(command))
        else:
            groups[group].command(word, short_help=summary(name))(_nothing)
    return app


def module_of(command: str) -> str:
    """Return the module of a command, below this package.

    >>> module_of("winopron import")
    'winopron.import_'
    """
    name = _MODULES.get(command, command.replace(" ", "."))
    return f"{name}_" if iskeyword(command.split()[-1]) else name


def summary(command: str) -> str:
    """Return the first line of the help of a command, without importing its module.

    >>> summary("zero")
    'Write the zero forms of the kept items.'
    """
    path = Path(__file__).parent.joinpath(*module_of(command).split(".")).with_suffix(".py")
    functions = [node for node in ast.parse(path.read_bytes()).body if isinstance(node, ast.FunctionDef)]
    (docstring,) = (ast.get_docstring(function) for function in functions if function.name == "command")
    return (docstring or "").split("\n\n")[0]


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"winoforge {__version__}")
        raise typer.Exit


def _top(
    _: Annotated[
        bool, typer.Option("--version", help="Print the version, and exit.", callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    pass


def _nothing() -> None:
    pass


def main() -> None:
    """Run the command line."""
    try:
        with ending_on_signals():
            status = _run(None if _COMPLETE in os.environ else sys.argv[1:])
        if sys.stdout is not None:
            sys.stdout.flush()
    except KeyboardInterrupt:
        status = _INTERRUPTED
    except SystemExit as ended:  # by a signal, or with 1 by Typer if nobody reads the help that it prints
        status = CLOSED_PIPE if ended.code == 1 else int(ended.code or 0) or _ended_early()
    except PipelineError as error:
        _print_error(error)
        status = _WRONG_USAGE
    except OSError as error:  # standard output is full, or closed by a reader such as `head`
        _drop_rest(sys.stdout)
        status = CLOSED_PIPE
        if not isinstance(error, BrokenPipeError):
            _print_error(PipelineError(error.filename, None, f"[system] {error.strerror or error}"))
            status = _WRONG_USAGE
    except MemoryError:
        sys.stderr.write("[memory] not enough memory; give winoforge more, or divide the file\n")
        status = _WRONG_USAGE
    except Exception as error:  # a fault of ours must not look like findings
        if os.environ.get(DEBUG):
            traceback.print_exc()
        reason = f"[internal] a fault of winoforge, not of your files: {type(error).__name__}: {error}"
        _print_error(f"{PipelineError(None, None, reason)}; run again with {DEBUG}=1 and report what it prints")
        status = _OUR_FAULT
    raise SystemExit(status)


def _ended_early() -> int:
    """Report that something ended the program with exit status 0, as no command does, and return the right status."""
    if _COMPLETE in os.environ:
        return 0
    _print_error("[internal] a library ended winoforge before it was done; expected a result, so nothing is sure")
    return _OUR_FAULT


def _print_error(error: object) -> None:
    """Print a line on standard error; if that is full or closed, only the exit status tells of the error."""
    try:
        sys.stderr.write(f"{error}\n")
        sys.stderr.flush()
    except (OSError, AttributeError):
        _drop_rest(sys.stderr)


def _drop_rest(stream: TextIO | None) -> None:
    """Send what is left in the buffer of a stream nowhere: Python would try to print it again when it ends."""
    if stream is not None:
        with contextlib.suppress(OSError):  # a stream in memory has no descriptor
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _run(arguments: Sequence[str] | None) -> int:
    """Run a command and return its exit status; wrong usage raises `PipelineError`."""
    try:
        status: int | None = application(arguments)(prog_name="winoforge", standalone_mode=False)
    except typer.TyperException as error:
        if type(error).__name__ == "NoArgsIsHelpError":
            sys.stderr.write(f"{error.message}\n")
            return _WRONG_USAGE
        raise _usage_error(error) from None
    return status or 0


def _usage_error(error: Any) -> PipelineError:
    """Return wrong usage as one line: what is wrong, and how to see what is right."""
    parameter = getattr(error, "param", None)
    field = (parameter.metavar or parameter.opts[0]) if parameter else getattr(error, "option_name", "usage")
    reason = (parameter and error.message) or error.format_message()
    if choice := _CHOICE.fullmatch(reason):
        reason = f"unknown value; found {choice[1]}, expected one of {choice[2]}"
    elif parameter and error.message:
        reason = f"wrong value; {reason}"
    command = error.ctx.command_path if getattr(error, "ctx", None) else "winoforge"
    return PipelineError(
        None,
        None,
        f"[{field.strip('-<>').lower()}] {reason[:1].lower()}{reason[1:].rstrip('.')}; see `{command} --help`",
    )
