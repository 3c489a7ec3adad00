"""Correlations of accuracy, confidence and response time by unit, and the mixed model of right answers."""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean
from typing import Any

from msgspec import Struct

from ...evaluation.cloze.items import PLACES
from ...language.pronoun_classes import GENDERS
from ...statistics.association import Correlation, correlation, ranks, resampled_weights
from ...statistics.mixed_models import Effect, MixedModel, crossed_logistic
from .people import ItemFigures, Judgement

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


#: Name of the fixed effect of the second place against the first; those of pronouns have the name of their gender.
SECOND = "second place"
#: Names of the effects of pronouns for readers, by gender.
LABELS: Mapping[str, str] = {"fem": "feminine pronoun", "neut": "neuter pronoun"}


@dataclass(frozen=True, slots=True)
class Relation:
    """The correlations of two measures, Pearson's and Spearman's, over `n` members of a unit; None where undefined."""

    unit: str
    first: str
    second: str
    n: int
    pearson: Correlation | None
    spearman: Correlation | None


@dataclass(frozen=True, slots=True)
class Deviation:
    """The standard deviation of random intercepts, in log-odds; its standard error is None at the edge, near 0."""

    value: float
    standard_error: float | None


class Regression(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A mixed model; without a fit, `why` has the reason."""

    why: str | None
    effects: tuple[Effect, ...]
    deviations: Mapping[str, Deviation]
    groups: Mapping[str, int] = {}
    observations: int
    log_likelihood: float | None = None


def coefficients(
    first: Sequence[float], second: Sequence[float], weights: Any
) -> tuple[int, Correlation | None, Correlation | None]:
    """Return the number of observations, Pearson's and Spearman's correlation."""
    return len(first), correlation(first, second, weights), correlation(ranks(first), ranks(second), weights)


def relations(judgements: Sequence[Judgement], items: Sequence[ItemFigures], seed: int) -> list[Relation]:
    """Return the correlations of each two measures by unit.

    The paper correlates means of 100 items and 100 people, and gives r = -0.194, 0.256 and -0.142 with p < .001; for 100 observations
    they are 0.053, 0.010 and 0.159, for the 1,000 answers they are below .001. So every unit stands here under its name. ``p`` takes the
    observations as independent, which answers are not; ``p_clustered`` and the interval do not.
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
        Relation(unit, first, second, *coefficients(measured[first], measured[second], weights))
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


def regression_columns(judgements: Sequence[Judgement]) -> dict[str, list[float]]:
    """Return the predictors of each answer: place as -1/2 and 1/2, pronouns against that of the first gender.

    So the intercept is the log-odds of a right answer with this pronoun, midway between the places.
    """
    columns = {SECOND: [PLACES.index(judgement.item.place) - 0.5 for judgement in judgements]}
    for gender in GENDERS[1:]:
        columns[gender] = [float(judgement.item.gender == gender) for judgement in judgements]
    return columns


def fit(judgements: Sequence[Judgement]) -> MixedModel:
    """Return the model of answers; see `crossed_logistic` for its errors."""
    return crossed_logistic(
        [judgement.right for judgement in judgements],
        regression_columns(judgements),
        {
            "participant": [judgement.participant for judgement in judgements],
            "item": [judgement.item.id for judgement in judgements],
        },
    )


def regression(judgements: Sequence[Judgement]) -> Regression:
    """Return the mixed model of right answers: place and pronoun, with people and items as crossed random intercepts."""
    try:
        model = fit(judgements)
    except ValueError as error:
        return Regression(why=str(error), effects=(), deviations={}, observations=len(judgements))
    return Regression(
        why=None,
        effects=model.effects,
        deviations={
            factor: Deviation(
                value, None if math.isnan(model.deviation_errors[factor]) else model.deviation_errors[factor]
            )
            for factor, value in model.deviations.items()
        },
        groups=model.groups,
        observations=model.observations,
        log_likelihood=model.log_likelihood,
    )
