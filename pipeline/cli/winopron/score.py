"""Score a system's answers."""

import json
from pathlib import Path
from typing import Annotated

import typer

from ...language.pronouns import pronoun_table
from ...winopron.predictions import COLUMNS, read_predictions
from ...winopron.report import score_report
from ..output import percent


def command(
    predictions: Annotated[
        Path,
        typer.Argument(
            help=f"Table with the columns {', '.join(COLUMNS)}; or answers by id: a table or JSON Lines (.jsonl, "
            ".jsonlines) with id and answer.",
            show_default=False,
        ),
    ],
    items: Annotated[
        Path | None, typer.Option(help="Sentences (double.jsonl); required for answers by id.", show_default=False)
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print all measures as JSON.")] = False,
    lang: Annotated[str, typer.Option(help="Language of the pronoun table.")] = "en",
) -> None:
    """Score a system's answers: performance, consistency, pronominal bias."""
    system = read_predictions(predictions, pronoun_table(lang), items)
    report = score_report(system.responses) | {"unanswered": system.unanswered}
    if as_json:
        typer.echo(json.dumps(report, ensure_ascii=False, allow_nan=False, indent=2))
        return
    for name, numbers in {"overall": report["overall"], **report["by_case"], **report["by_pronouns"]}.items():
        shares = ", ".join(f"{key} {percent(numbers[key])}" for key in ("precision", "recall", "f1"))
        low, high = map(percent, numbers["accuracy_interval"] or (None, None))
        typer.echo(f"{name}: {shares} of {numbers['sentences']}; accuracy between {low} and {high}")
    for name in ("pronoun_consistency", "disambiguation_consistency"):
        share, chance = percent(report[name]["share"]), percent(report[name]["chance"], digits=2)
        typer.echo(f"{name.replace('_', ' ')}: {share} of {report[name]['groups']} groups (chance {chance})")
    for case, by_set in report["bias"].items():
        for name, numbers in by_set.items():
            positive, negative = percent(numbers["positive_share"]), percent(numbers["negative_share"])
            typer.echo(
                f"bias, {case} {name}: positive {positive}, negative {negative} of {numbers['resolvable']} pairs"
            )
    if system.unanswered:
        typer.echo(f"{predictions}: {system.unanswered} sentences without an answer, counted as not attempted")
