"""The commands, a module for each family: read files, call a function of a room, write files, return a report.

`application` builds the command line, `main` runs it: wrong usage or malformed input becomes one line on standard error and exit
status 2, a fault of ours another line and 70.
"""

import ast
import contextlib
import os
import re
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, TextIO

import typer
import typer.core

from .. import __version__
from ..core.errors import PipelineError, shown
from ..core.outputs import ending_on_signals
from .report import CLOSED_PIPE, Report, runnable

#: The module of each command, in the order of the help. `corpus count` is the function `count_command` in `cli/corpus.py`.
COMMANDS: Mapping[str, str] = {
    "init": "collections",
    "build": "collections",
    "check": "collections",
    "ingest": "sources",
    "translate": "sources",
    "parse": "sources",
    "exclude": "items",
    "modify": "items",
    "zero": "items",
    "variants": "items",
    "licence": "items",
    "validate": "releases",
    "audit": "records",
    "browse": "records",
    "artefacts": "records",
    "rules diff": "records",
    "release": "releases",
    "verify": "releases",
    "diff": "releases",
    "fetch": "releases",
    "pmi": "corpus",
    "manifest": "releases",
    "instantiate": "winopron",
    "corpus count": "corpus",
    "corpus fetch": "corpus",
    "annotate design": "annotate_studies",
    "annotate push": "annotate_studies",
    "annotate pull": "annotate_studies",
    "annotate agree": "annotate_judgements",
    "annotate adjudicate": "annotate_judgements",
    "annotate apply": "annotate_judgements",
    "annotate checklist": "annotate_studies",
    "annotate plan": "annotate_studies",
    "winopron check": "winopron",
    "winopron ask": "winopron",
    "winopron prompts": "winopron",
    "winopron score": "winopron",
    "winopron tables": "winopron",
    "winopron compare": "winopron",
    "winopron figures": "winopron",
    "winopron export": "winopron",
    "winopron import": "winopron",
    "evaluate run": "evaluate_runs",
    "evaluate report": "evaluate_reports",
    "evaluate prompts": "evaluate_runs",
    "evaluate import": "evaluate_runs",
    "evaluate errors": "evaluate_errors",
    "evaluate diagnose": "evaluate_errors",
    "evaluate codes": "evaluate_errors",
    "evaluate difficulty": "evaluate_difficulty",
    "evaluate select": "evaluate_reports",
    "evaluate score": "evaluate_runs",
    "evaluate cloze": "evaluate_runs",
    "evaluate contamination": "evaluate_reports",
    "experiment build": "experiment",
    "experiment serve": "experiment",
    "experiment import": "experiment",
    "experiment analyse": "experiment",
    "zp stats": "zp_texts",
    "zp agree": "zp_texts",
    "zp anonymise": "zp_texts",
    "zp align": "zp_translation",
    "zp aer": "zp_translation",
    "zp azpt": "zp_translation",
    "zp recover": "zp_translation",
    "zp export": "zp_exports",
    "zp metrics": "zp_translation",
    "zp parse": "zp_exports",
    "zp conllu": "zp_exports",
    "zp coref": "zp_exports",
    "zp items": "zp_exports",
    "zp report": "zp_texts",
    "doctor": "doctor",
}
#: Help text of each group of commands.
GROUPS: Mapping[str, str] = {
    "rules": "Exclusion rules: what a change of them decides otherwise.",
    "corpus": "Large corpora: download a dump, count words.",
    "annotate": "Studies with human raters, from the design to decisions in the data.",
    "winopron": "Occupation templates after WinoPron: check templates, score systems.",
    "evaluate": "Language models and other systems on the items of a release.",
    "experiment": "The cloze experiment with people: lists, page, server, results, analysis.",
    "zp": "Zero pronouns in running text and its translation, after GuoFeng.",
}

#: What one wants, the commands and groups for it, and an example: the sections of the help.
PURPOSES: Mapping[str, tuple[str, str]] = {
    "Make a collection of your own": ("init build check", "winoforge init mine --lang zh"),
    "Build it stage by stage": (
        "ingest translate parse exclude modify zero variants instantiate",
        "winoforge ingest schemas.yaml --format schema-yaml --out items.jsonl --skipped skipped.jsonl",
    ),
    "Look at it": ("audit browse artefacts rules diff", "winoforge browse items.jsonl --out items"),
    "Check and publish": ("validate release verify fetch manifest", "winoforge validate items,pairs items.jsonl"),
    "Ask people": ("annotate experiment", "winoforge annotate design annotation/designs/naturalness.yaml --out study"),
    "Evaluate systems": (
        "evaluate winopron",
        "winoforge evaluate report build/release/zh --predictions answers.jsonl --out report",
    ),
    "Corpora and running text": ("licence corpus pmi zp", "winoforge licence novel.txt"),
    "See what is installed": ("doctor", "winoforge doctor"),
}

#: Exit status after wrong usage or malformed input, and after a fault of ours (EX_SOFTWARE).
_WRONG_USAGE, _OUR_FAULT = 2, 70
_INTERRUPTED = 130
#: A fault of ours shows its traceback if this variable is set.
DEBUG = "WINOFORGE_DEBUG"
#: The shell asks for completions with the first variable, and gives what is typed in one of the others, by the shell.
_COMPLETE = "_WINOFORGE_COMPLETE"
_TYPED = ("COMP_WORDS", "_TYPER_COMPLETE_ARGS")
#: Options of Typer that print or install the completion of a shell and end the program.
_COMPLETION = ("--install-completion", "--show-completion")
#: How the library that Typer checks values with begins what it says.
_SHOULD = "Input should be "
#: What Typer says of a value that is not among the choices.
_CHOICE = re.compile(r"(?:Value error, )?(.*) is not one of (.*)")


#: What stands for a hyphen within a word while the help is divided into lines.
_UNBROKEN = "\N{NON-BREAKING HYPHEN}"
_CONTEXT: Any = typer.core.TyperCommand.context_class


class _WholeWords(_CONTEXT.formatter_class):  # type: ignore[misc]
    """A help whose lines end between words, never at a hyphen: `schema-yaml` can be copied."""

    def write_text(self, text: str) -> None:
        super().write_text(text.replace("-", _UNBROKEN))

    def write_dl(self, rows: Sequence[tuple[str, str]], *widths: Any, **more: Any) -> None:
        super().write_dl([(term, text.replace("-", _UNBROKEN)) for term, text in rows], *widths, **more)

    def getvalue(self) -> str:
        return str(super().getvalue()).replace(_UNBROKEN, "-")


class _Context(_CONTEXT):  # type: ignore[misc]
    formatter_class = _WholeWords


class _Command(typer.core.TyperCommand):
    context_class = _Context


class _Group(typer.core.TyperGroup):
    context_class = _Context


class _ByPurpose(_Group):
    """The command `winoforge`, whose help lists the commands by what one wants."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write a section for each purpose, with an example."""
        known = self.list_commands(ctx)
        width = max(map(len, known))
        for purpose, (names, example) in PURPOSES.items():
            listed = [name for name in names.split() if name in known]
            with formatter.section(purpose):
                formatter.write_dl(
                    [(name.ljust(width), self.commands[name].get_short_help_str(limit=200)) for name in listed]
                )
                formatter.write_text(f"Example: {example}")


def application(arguments: Sequence[str] | None = None) -> typer.Typer:
    """Return the command line.

    Importing all commands takes seconds. If the arguments name a command, only the module of its family is imported; otherwise, as for
    `--help`, none is, and a command has its name and its first line only.

    Args:
        arguments: the words after `winoforge`; None for all commands with their options.
    """
    named = [name for name in COMMANDS if arguments and name.split() == list(arguments[: len(name.split())])]
    app = typer.Typer(
        name="winoforge",
        cls=_ByPurpose,
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
            groups[group] = typer.Typer(cls=_Group, help=GROUPS[group], no_args_is_help=True, rich_markup_mode=None)
            app.add_typer(groups[group], name=group, short_help=GROUPS[group])
        if named or arguments is None:
            groups[group].command(word, cls=_Command)(runnable(load_command(name)))
        else:
            groups[group].command(word, cls=_Command, short_help=summary(name))(_nothing)
    return app


def load_command(name: str) -> Callable[..., Report]:
    """Import the module of a command and return its function."""
    command: Callable[..., Report] = getattr(import_module(f".{COMMANDS[name]}", __package__), _function_name(name))
    return command


def summary(name: str) -> str:
    """Return the first line of the help of a command, without importing its module.

    >>> summary("zero")
    'Write the zero forms of the kept items.'
    """
    module = ast.parse(Path(__file__).with_name(f"{COMMANDS[name]}.py").read_bytes())
    functions = {node.name: node for node in module.body if isinstance(node, ast.FunctionDef)}
    return (ast.get_docstring(functions[_function_name(name)]) or "").split("\n\n")[0]


def _function_name(command: str) -> str:
    return f"{command.split()[-1]}_command"


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
            status = run(_typed_words() if _COMPLETE in os.environ else sys.argv[1:])
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


def _typed_words() -> list[str]:
    """Return the words after `winoforge` that are typed where the shell asks for a completion."""
    return next((os.environ[name].split() for name in _TYPED if name in os.environ), [])[1:]


def _ended_early() -> int:
    """Report that something ended the program with exit status 0, as no command does, and return the right status."""
    if _COMPLETE in os.environ or any(word.startswith(_COMPLETION) for word in sys.argv[1:2]):
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


def run(arguments: Sequence[str] | None) -> int:
    """Run a command and return its exit status; wrong usage raises `PipelineError`."""
    try:
        status: int | None = application(arguments)(arguments, prog_name="winoforge", standalone_mode=False)
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
        reason = f"wrong value; {_limit(error, reason)}"
    command = error.ctx.command_path if getattr(error, "ctx", None) else "winoforge"
    return PipelineError(
        None,
        None,
        f"[{field.strip('-<>').lower()}] {reason[:1].lower()}{reason[1:].rstrip('.')}; see `{command} --help`",
    )


def _limit(error: Any, reason: str) -> str:
    """Return why a value is refused: with what was found, where the library that refuses a number out of range keeps it."""
    faults: list[dict[str, object]] = getattr(error.__cause__, "errors", list)()
    if not faults or not reason.startswith(_SHOULD):
        return reason
    expected = reason.removeprefix(_SHOULD)
    kind = "a number " if expected.startswith(("greater", "less")) else ""
    return f"found {shown(faults[0].get('input'))}, expected {kind}{expected}"
