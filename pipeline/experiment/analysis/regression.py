"""The mixed model of right answers: place and pronoun, with people and items as crossed random intercepts."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from ...evaluation.cloze.items import PLACES
from ...language.pronoun_classes import GENDERS
from ...statistics.mixed_models import MixedModel, crossed_logistic
from .judgements import Judgement

#: Names of the fixed effects: second against first place, and each pronoun against the first of `GENDERS`.
SECOND = "second place"
#: Names of the effects of pronouns for readers, by gender.
LABELS: Mapping[str, str] = {"fem": "feminine pronoun", "neut": "neuter pronoun"}


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


def regression(judgements: Sequence[Judgement]) -> dict[str, Any]:
    """Return the model as JSON values; without a fit, ``why`` has the reason."""
    try:
        model = fit(judgements)
    except ValueError as error:
        return {"why": str(error), "effects": [], "deviations": {}, "observations": len(judgements)}
    return {
        "why": None,
        "effects": [
            {"name": effect.name, "estimate": effect.estimate, "standard_error": effect.standard_error,
             "interval": list(effect.interval), "p": effect.p}
            for effect in model.effects
        ],
        "deviations": {
            name: {"value": value, "standard_error": None if math.isnan(spread) else spread}
            for (name, value), spread in zip(model.deviations.items(), model.deviation_errors.values(), strict=True)
        },
        "groups": dict(model.groups),
        "observations": model.observations,
        "log_likelihood": model.log_likelihood,
    }  # fmt: skip
