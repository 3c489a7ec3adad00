"""Mixed-effects logistic regression with crossed random intercepts."""

import logging
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..core.packages import require_packages

#: Quantile of the normal distribution for 95 % intervals.
_NORMAL = 1.959963984540054
#: A coefficient beyond this, in log-odds, runs away: answers of one kind are all right or all wrong.
_RUNAWAY = 12.0
#: Least number of answers.
LEAST = 20
#: Restarts of the optimiser: without any it may end early, with a standard error that differs from call to call.
_RESTARTS = 3


@dataclass(frozen=True, slots=True)
class Effect:
    """A fixed effect in log-odds with its standard error."""

    name: str
    estimate: float
    standard_error: float

    @property
    def interval(self) -> tuple[float, float]:
        """Limits of Wald's 95 % interval."""
        return self.estimate - _NORMAL * self.standard_error, self.estimate + _NORMAL * self.standard_error

    @property
    def p(self) -> float:
        """Two-sided p value of Wald's z."""
        return math.erfc(abs(self.estimate) / self.standard_error / math.sqrt(2))


@dataclass(frozen=True, slots=True)
class MixedModel:
    """A fitted model.

    Attributes:
        effects: the intercept and the fixed effects.
        deviations: standard deviation of the random intercepts of each factor, in log-odds.
        groups: number of members of each factor.
        observations: number of observations.
        log_likelihood: Laplace's approximation.
    """

    effects: tuple[Effect, ...]
    deviations: Mapping[str, float]
    groups: Mapping[str, int]
    observations: int
    log_likelihood: float


def crossed_logistic(
    right: Sequence[bool], columns: Mapping[str, Sequence[float]], factors: Mapping[str, Sequence[str]]
) -> MixedModel:
    """Return the logistic regression of right answers with a random intercept for each member of crossed factors.

    The model of Baayen, Davidson and Bates (2008, Journal of Memory and Language 59, 390-412), fitted by gpboost (Sigrist 2022, Journal of
    Machine Learning Research 23) with Laplace's approximation, as lme4's glmer does. statsmodels' variational fit is anti-conservative.

    Args:
        right: whether each answer is right.
        columns: the predictors; an intercept is added. A column without variation is left out.
        factors: the member of each factor, such as participant and item, that an answer belongs to.

    Raises:
        PipelineError: gpboost is not installed.
        ValueError: the model cannot be fitted: fewer than `LEAST` answers, no variation in them, a factor with fewer than two members,
            or a predictor that separates right from wrong answers.
    """
    if len(right) < LEAST:
        raise ValueError(f"{len(right)} answers; expected {LEAST} or more")
    if len(set(right)) < 2:
        raise ValueError("all answers are right, or all are wrong")
    for name, members in factors.items():
        if len(set(members)) < 2:
            raise ValueError(f"one {name} only")
    require_packages("experiment", "gpboost")
    import numpy

    used = {name: column for name, column in columns.items() if len(set(column)) > 1}
    matrix = numpy.column_stack([numpy.ones(len(right)), *used.values()])
    if numpy.linalg.matrix_rank(matrix) < matrix.shape[1]:
        raise ValueError("a predictor follows from the others")
    model = _fitted(matrix, [float(mark) for mark in right], factors)
    coefficients = model.get_coef(std_err=True, format_pandas=False)
    variances = [float(value) for value in model.get_cov_pars(std_err=False, format_pandas=False).ravel()]
    effects = tuple(
        Effect(name, float(estimate), float(error))
        for name, estimate, error in zip(("intercept", *used), coefficients[0], coefficients[1], strict=True)
    )
    for effect in effects:
        if not (math.isfinite(effect.standard_error) and abs(effect.estimate) < _RUNAWAY and effect.standard_error > 0):
            raise ValueError(f"{effect.name} separates right from wrong answers")
    return MixedModel(
        effects,
        {name: math.sqrt(variance) for name, variance in zip(factors, variances, strict=True)},
        {name: len(set(members)) for name, members in factors.items()},
        len(right),
        -float(model.get_current_neg_log_likelihood()),
    )


def _fitted(matrix: Any, right: Sequence[float], factors: Mapping[str, Sequence[str]]) -> Any:
    import gpboost
    import numpy

    silent = logging.getLogger("winoforge.gpboost")
    silent.setLevel(logging.CRITICAL)
    gpboost.register_logger(silent)
    groups = numpy.column_stack([numpy.asarray(members, dtype=object) for members in factors.values()])
    model = gpboost.GPModel(group_data=groups, likelihood="bernoulli_logit", num_parallel_threads=1)
    try:
        model.fit(y=numpy.asarray(right), X=matrix, params={"max_num_restarts_lbfgs": _RESTARTS})
    except gpboost.basic.GPBoostError as error:
        raise ValueError(f"gpboost ended without a fit: {' '.join(str(error).split())[:200]}") from error
    return model
