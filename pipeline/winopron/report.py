"""The JSON that `winopron score` and `winopron compare` print."""

from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Any

from .bias import Bias, Biases, between_cases, between_sets, between_systems, bias
from .performance import (
    Consistency,
    Performance,
    Response,
    disambiguation_consistency,
    performance,
    pronoun_consistency,
)


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


Overlap = dict[str, dict[str, float | None]]


def compare(systems: Mapping[str, Biases]) -> dict[str, Overlap]:
    """Return by pair of systems, by case and pronoun set, the Jaccard index of their biased occupations (Table 5)."""
    found = {}
    for one, other in combinations(systems, 2):
        overlap: Overlap = {}
        for (case, name), value in between_systems(systems[one], systems[other]).items():
            overlap.setdefault(case, {})[name] = value
        found[f"{one}/{other}"] = overlap
    return found
