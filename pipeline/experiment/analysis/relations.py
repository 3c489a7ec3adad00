"""Correlations of accuracy, confidence, response time: of answers, of items, of people, within people."""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations
from statistics import fmean
from typing import Any

from ...statistics.association import Correlation, correlation, ranks, resampled_weights
from .items import ItemFigures
from .judgements import Judgement

#: The units of a correlation, with what an interval resamples.
UNITS: Mapping[str, str] = {
    "answers": "single answers; intervals and p resample people and items",
    "items": "means of items; pairs of items are resampled",
    "people": "means of people; people are resampled",
    "within": "answers less the mean of the person; people and items are resampled",
}
#: What is measured, by the name in the figures.
MEASURED: Mapping[str, str] = {
    "accuracy": "accuracy",
    "confidence": "confidence",
    "rt": "response time",
    "log_rt": "log response time",
}


def coefficients(first: Sequence[float], second: Sequence[float], weights: Any) -> dict[str, Any]:
    """Return Pearson's and Spearman's correlation as JSON values; None where undefined."""
    return {
        "n": len(first),
        "pearson": _json(correlation(first, second, weights)),
        "spearman": _json(correlation(ranks(first), ranks(second), weights)),
    }


def _json(result: Correlation | None) -> dict[str, Any] | None:
    if result is None:
        return None
    interval = list(result.interval) if result.interval else None
    return {"value": result.value, "p": result.p, "interval": interval, "p_clustered": result.p_clustered}


def relations(judgements: Sequence[Judgement], items: Sequence[ItemFigures], seed: int) -> list[dict[str, Any]]:
    """Return the correlations of each two measures by unit.

    The paper correlates means of 100 items and 100 people, and gives r = -0.194, 0.256 and -0.142 with p < .001; for 100 observations
    they are 0.053, 0.010 and 0.159, for the 1,000 answers they are below .001. So every unit stands here under its name. ``p`` takes the
    observations as independent, which answers are not; ``p_clustered`` and the interval do not.

    Args:
        judgements: the answers to items.
        items: `item_figures` of them.
        seed: of the resamples.
    """
    answers = _of_answers(judgements)
    names = [judgement.participant for judgement in judgements]
    ids = [judgement.item.id for judgement in judgements]
    both = resampled_weights((names, ids), seed=seed)
    units: dict[str, tuple[Mapping[str, Sequence[float]], Any]] = {
        "answers": (answers, both),
        "items": (_means(answers, ids), resampled_weights([[entry.item.schema for entry in items]], seed=seed)),
        "people": (_means(answers, names), resampled_weights([sorted(set(names))], seed=seed)),
        "within": (_centred(answers, names), both),
    }
    return [
        {"unit": unit, "first": first, "second": second} | coefficients(measured[first], measured[second], weights)
        for unit, (measured, weights) in units.items()
        for first, second in combinations(MEASURED, 2)
        if {first, second} != {"rt", "log_rt"}
    ]


def _of_answers(judgements: Sequence[Judgement]) -> dict[str, list[float]]:
    """Return the measures of each answer; the logarithm is natural, of milliseconds, at least 1."""
    return {
        "accuracy": [float(judgement.right) for judgement in judgements],
        "confidence": [float(judgement.response.confidence) for judgement in judgements],
        "rt": [float(judgement.response.rt_answer_ms) for judgement in judgements],
        "log_rt": [math.log(max(1, judgement.response.rt_answer_ms)) for judgement in judgements],
    }


def _means(measured: Mapping[str, Sequence[float]], groups: Sequence[str]) -> dict[str, list[float]]:
    """Return the mean of each group, sorted by its name."""
    means = {}
    for name, values in measured.items():
        members: dict[str, list[float]] = defaultdict(list)
        for group, value in zip(groups, values, strict=True):
            members[group].append(value)
        means[name] = [fmean(given) for _, given in sorted(members.items())]
    return means


def _centred(measured: Mapping[str, Sequence[float]], groups: Sequence[str]) -> dict[str, list[float]]:
    order = {group: place for place, group in enumerate(sorted(set(groups)))}
    means = _means(measured, groups)
    return {
        name: [value - means[name][order[group]] for group, value in zip(groups, values, strict=True)]
        for name, values in measured.items()
    }
