"""The command line: every stage is one command; a `PipelineError` becomes a line on standard error and exit 2."""

import sys
from collections.abc import Mapping, Sequence
from importlib import import_module

import typer

from .core.errors import PipelineError

#: The commands in the order of the help, each with the module of its stage.
STAGES: Mapping[str, str] = {
    "ingest": "ingest",
    "parse": "parse",
    "analyse": "analyse",
    "exclude": "exclude",
    "modify": "modify",
    "zero": "zero",
    "variants": "variants",
    "validate": "validate",
    "audit": "audit",
    "release": "release",
    "verify": "verify",
    "pmi": "pmi",
    "manifest": "manifest",
    "instantiate": "instantiate",
    "corpus count": "count_corpus",
    "corpus fetch": "fetch_corpus",
    "annotate design": "annotate_design",
    "annotate push": "annotate_push",
    "annotate pull": "annotate_pull",
    "annotate agree": "annotate_agree",
    "annotate adjudicate": "annotate_adjudicate",
    "annotate apply": "annotate_apply",
    "winopron check": "check_templates",
    "winopron score": "score_winopron",
    "winopron compare": "compare_winopron",
    "winopron figures": "draw_winopron",
    "winopron export": "export_winopron",
    "winopron import": "import_winopron",
}
#: What the first word of a command of two words stands for.
GROUPS: Mapping[str, str] = {
    "corpus": "Large corpora: download a dump, count words in windows.",
    "annotate": "Studies: lay out, push, pull, agree, adjudicate.",
    "winopron": "Occupation templates after WinoPron: check them, score systems.",
}


def application(arguments: Sequence[str] = ()) -> typer.Typer:
    """Return the command line.

    Only the stage that the arguments name is imported and has its command, for all of them take a second, which is most of what many
    a command takes. Where the arguments name none, as in a request for help, all are there.
    """
    named = {name: module for name, module in STAGES.items() if name.split() == list(arguments[: len(name.split())])}
    app = typer.Typer(
        name="winoforge",
        help="Construct and validate Winograd-style coreference datasets.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
    )
    app.callback()(_nothing)
    groups = {"": app}
    for name, module in (named or STAGES).items():
        group, _, word = name.rpartition(" ")
        if group not in groups:
            groups[group] = typer.Typer(help=GROUPS[group], no_args_is_help=True)
            app.add_typer(groups[group], name=group)
        groups[group].command(word)(import_module(f".stages.{module}", __package__).command)
    return app


def _nothing() -> None:  # a program of one command would go without its name
    pass


def main() -> None:
    """Run the command line."""
    try:
        application(sys.argv[1:])()
    except PipelineError as error:
        sys.stderr.write(f"{error}\n")
        raise SystemExit(2) from None
