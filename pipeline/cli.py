"""The command line: every stage adds one command; a `PipelineError` becomes a line on standard error and exit 2."""

import sys

import typer

from .errors import PipelineError
from .stages import (
    analyse,
    annotate_adjudicate,
    annotate_agree,
    annotate_apply,
    annotate_design,
    annotate_pull,
    annotate_push,
    audit,
    check_templates,
    compare_winopron,
    count_corpus,
    draw_winopron,
    exclude,
    export_winopron,
    fetch_corpus,
    import_winopron,
    ingest,
    instantiate,
    manifest,
    modify,
    parse,
    pmi,
    release,
    score_winopron,
    validate,
    variants,
    verify,
    zero,
)

app = typer.Typer(
    name="winoforge",
    help="Construct and validate Winograd-style coreference datasets.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
for _name, _stage in {
    "ingest": ingest,
    "parse": parse,
    "analyse": analyse,
    "exclude": exclude,
    "modify": modify,
    "zero": zero,
    "variants": variants,
    "validate": validate,
    "audit": audit,
    "release": release,
    "verify": verify,
    "pmi": pmi,
    "manifest": manifest,
    "instantiate": instantiate,
}.items():
    app.command(_name)(_stage.command)

corpus = typer.Typer(help="Large corpora: download a dump, count words in windows.", no_args_is_help=True)
corpus.command("count")(count_corpus.command)
corpus.command("fetch")(fetch_corpus.command)
app.add_typer(corpus, name="corpus")
annotate = typer.Typer(help="Studies: lay out, push, pull, agree, adjudicate.", no_args_is_help=True)
for _name, _stage in {
    "design": annotate_design,
    "push": annotate_push,
    "pull": annotate_pull,
    "agree": annotate_agree,
    "adjudicate": annotate_adjudicate,
    "apply": annotate_apply,
}.items():
    annotate.command(_name)(_stage.command)
app.add_typer(annotate, name="annotate")

winopron = typer.Typer(help="Occupation templates after WinoPron: check them, score systems.", no_args_is_help=True)
winopron.command("check")(check_templates.command)
winopron.command("score")(score_winopron.command)
winopron.command("compare")(compare_winopron.command)
winopron.command("figures")(draw_winopron.command)
winopron.command("export")(export_winopron.command)
winopron.command("import")(import_winopron.command)
app.add_typer(winopron, name="winopron")


def main() -> None:
    """Run the command line."""
    try:
        app()
    except PipelineError as error:
        sys.stderr.write(f"{error}\n")
        raise SystemExit(2) from None
