"""The commands, one module each: read files, call one function of a room, write files.

`application` builds the command line, `main` runs it: a `PipelineError` becomes one line on standard error and exit status 2.
"""

import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from keyword import iskeyword

import typer

from ..core.errors import PipelineError

#: The commands in the order of the help. `corpus count` is the function `command` in `cli/corpus/count.py`.
COMMANDS = (
    "ingest",
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
    "winopron check",
    "winopron score",
    "winopron compare",
    "winopron figures",
    "winopron export",
    "winopron import",
)
#: Help text of each group of commands.
GROUPS: Mapping[str, str] = {
    "corpus": "Large corpora: download a dump, count words.",
    "annotate": "Studies with human raters, from the design to decisions in the data.",
    "winopron": "Occupation templates after WinoPron: check templates, score systems.",
}


def application(arguments: Sequence[str] = ()) -> typer.Typer:
    """Return the command line.

    If the arguments name a command, only its module is imported, because importing all of them takes a second. Otherwise, as for
    `--help`, all commands are there.
    """
    named = [name for name in COMMANDS if name.split() == list(arguments[: len(name.split())])]
    app = typer.Typer(
        name="winoforge",
        help="Build and check Winograd-style coreference datasets.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
    )
    app.callback()(_nothing)
    groups = {"": app}
    for name in named or COMMANDS:
        group, _, word = name.rpartition(" ")
        if group not in groups:
            groups[group] = typer.Typer(help=GROUPS[group], no_args_is_help=True)
            app.add_typer(groups[group], name=group)
        groups[group].command(word)(import_module(f".{module_of(name)}", __package__).command)
    return app


def module_of(command: str) -> str:
    """Return the module of a command, below this package.

    >>> module_of("winopron import")
    'winopron.import_'
    """
    name = command.replace(" ", ".")
    return f"{name}_" if iskeyword(command.split()[-1]) else name


def _nothing() -> None:  # with a callback, Typer keeps the name of a single command
    pass


def main() -> None:
    """Run the command line."""
    try:
        application(sys.argv[1:])()
    except PipelineError as error:
        sys.stderr.write(f"{error}\n")
        raise SystemExit(2) from None
