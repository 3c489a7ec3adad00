"""Score a system's answers on WinoPron's sentences: performance, consistency, pronominal bias and its overlaps."""

import json
from pathlib import Path
from typing import Annotated

import typer

from ...language.pronouns import pronoun_table
from ...winopron.predictions import COLUMNS, read_predictions
from ...winopron.report import report
from ..output import percent


def command(
    predictions: Annotated[
        Path,
        typer.Argument(
            help=f"A table with the columns {', '.join(COLUMNS)}; or with id and answer, or JSON Lines of both "
            "(known by a name that ends in .jsonl or .jsonlines).",
            show_default=False,
        ),
    ],
    items: Annotated[
        Path | None,
        typer.Option(
            help="The sentences (JSON Lines, whatever the name: double.jsonl), for answers by id.", show_default=False
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print all measures as JSON.")] = False,
    lang: Annotated[str, typer.Option(help="The language of the pronoun table.")] = "en",
) -> None:
    """Score a system's answers on WinoPron's sentences: performance, consistency, pronominal bias."""
    told = read_predictions(predictions, pronoun_table(lang), items)
    found = report(told.responses) | {"unanswered": told.unanswered}
    if as_json:
        typer.echo(json.dumps(found, ensure_ascii=False, allow_nan=False, indent=2))
        return
    for name, numbers in {"overall": found["overall"], **found["by_case"], **found["by_pronouns"]}.items():
        shares = ", ".join(f"{key} {percent(numbers[key])}" for key in ("precision", "recall", "f1"))
        low, high = map(percent, numbers["accuracy_interval"] or (None, None))
        typer.echo(f"{name}: {shares} of {numbers['sentences']}; accuracy between {low} and {high}")
    for name in ("pronoun_consistency", "disambiguation_consistency"):
        numbers = found[name]
        chance = percent(numbers["chance"], digits=2)
        typer.echo(
            f"{name.replace('_', ' ')}: {percent(numbers['share'])} of {numbers['groups']} groups (chance {chance})"
        )
    for case, by_set in found["bias"].items():
        for name, numbers in by_set.items():
            positive, negative = percent(numbers["positive_share"]), percent(numbers["negative_share"])
            typer.echo(
                f"bias, {case} {name}: positive {positive}, negative {negative} of {numbers['resolvable']} pairs"
            )
    if told.unanswered:
        typer.echo(f"{predictions}: {told.unanswered} sentences without an answer, counted as not attempted")
