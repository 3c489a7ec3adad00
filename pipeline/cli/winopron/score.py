"""Score a system's answers on WinoPron's sentences: performance, consistency, pronominal bias and its overlaps."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from ...language.pronouns import pronoun_table
from ...winopron.bias import Bias, between_cases, between_sets, bias
from ...winopron.performance import (
    Consistency,
    Performance,
    Response,
    disambiguation_consistency,
    performance,
    pronoun_consistency,
)
from ...winopron.predictions import COLUMNS, read_predictions


def _numbers(score: Performance) -> dict[str, Any]:
    return {
        "sentences": score.sentences,
        "attempted": score.attempted,
        "correct": score.correct,
        "recall": score.recall,
        "precision": score.precision,
        "f1": score.f1,
        "accuracy": score.accuracy,
        "accuracy_interval": None if score.interval is None else list(score.interval),
    }


def _shares(score: Consistency) -> dict[str, Any]:
    return {"groups": score.groups, "consistent": score.consistent, "share": score.share, "chance": score.chance}


def report(responses: Iterable[Response]) -> dict[str, Any]:
    """Return all measures as a JSON object; shares lie between 0 and 1, what is undefined is null."""
    rows = list(responses)
    cases = list(dict.fromkeys(row.case for row in rows))
    sets = list(dict.fromkeys(row.pronouns for row in rows))
    found = bias(rows)
    return {
        "overall": _numbers(performance(rows)),
        "by_case": {case: _numbers(performance(row for row in rows if row.case == case)) for case in cases},
        "by_pronouns": {name: _numbers(performance(row for row in rows if row.pronouns == name)) for name in sets},
        "pronoun_consistency": _shares(pronoun_consistency(rows)),
        "disambiguation_consistency": _shares(disambiguation_consistency(rows)),
        "bias": {
            case: {name: _biased(one) for (of_case, name), one in found.items() if of_case == case} for case in cases
        },
        "jaccard": {"between_cases": _named(between_cases(found)), "between_sets": _named(between_sets(found))},
    }


def _biased(found: Bias) -> dict[str, Any]:
    return {
        "attempted": found.attempted,
        "resolvable": found.resolvable,
        "positive": list(found.positive),
        "negative": list(found.negative),
        "positive_share": found.positive_share,
        "negative_share": found.negative_share,
        "share": found.share,
    }


def _named(overlaps: Mapping[tuple[str, str], dict[str, float | None]]) -> dict[str, dict[str, float | None]]:
    return {"-".join(pair): values for pair, values in overlaps.items()}


def _percent(value: float | None) -> str:
    return "n/a" if value is None else f"{100 * value:.1f} %"


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
        shares = ", ".join(f"{key} {_percent(numbers[key])}" for key in ("precision", "recall", "f1"))
        low, high = map(_percent, numbers["accuracy_interval"] or (None, None))
        typer.echo(f"{name}: {shares} of {numbers['sentences']}; accuracy between {low} and {high}")
    for name in ("pronoun_consistency", "disambiguation_consistency"):
        numbers = found[name]
        chance = "n/a" if numbers["chance"] is None else f"{100 * numbers['chance']:.2f} %"
        typer.echo(
            f"{name.replace('_', ' ')}: {_percent(numbers['share'])} of {numbers['groups']} groups (chance {chance})"
        )
    for case, by_set in found["bias"].items():
        for name, numbers in by_set.items():
            positive, negative = _percent(numbers["positive_share"]), _percent(numbers["negative_share"])
            typer.echo(
                f"bias, {case} {name}: positive {positive}, negative {negative} of {numbers['resolvable']} pairs"
            )
    if told.unanswered:
        typer.echo(f"{predictions}: {told.unanswered} sentences without an answer, counted as not attempted")
