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
LEAST = 30
#: Restarts of the optimiser, which may end early.
_RESTARTS = 3
#: Steps to the mode of the random effects, and how near the last one must come.
_STEPS, _MODE = 50, 1e-9
#: Difference by which the curvature is taken.
_H = 0.01
#: A standard deviation below this is at the edge of what is possible.
_EDGE = 0.05
#: Longest step of the polish; a longer one would be a search of its own.
_POLISH = 0.1


@dataclass(frozen=True, slots=True)
class Effect:
    """A fixed effect in log-odds with its standard error, Wald's 95 % interval and the two-sided p value of Wald's z."""

    name: str
    estimate: float
    standard_error: float
    interval: tuple[float, float]
    p: float


@dataclass(frozen=True, slots=True)
class MixedModel:
    """A fitted model: the intercept and the fixed effects, and for each factor the random intercepts in log-odds.

    Laplace's approximation puts their standard `deviations` somewhat too low where members have few answers; the errors of these are
    not a number at the edge, where a deviation is about 0. `groups` has the number of members of each factor.
    """

    effects: tuple[Effect, ...]
    deviations: Mapping[str, float]
    deviation_errors: Mapping[str, float]
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
    require_packages("experiment", "gpboost", "threadpoolctl")  # gpboost brings the second by scikit-learn
    import numpy
    from threadpoolctl import threadpool_limits

    used = {name: column for name, column in columns.items() if len(set(column)) > 1}
    matrix = numpy.column_stack([numpy.ones(len(right)), *used.values()])
    if numpy.linalg.matrix_rank(matrix) < matrix.shape[1]:
        raise ValueError("a predictor follows from the others")
    answers = numpy.asarray(right, dtype=float)
    start = _fitted(matrix, answers, factors)
    likelihood = _Laplace(matrix, answers, list(factors.values()))
    names = ("intercept", *used)
    for name, value in zip(names, start, strict=False):
        if not abs(value) < _RUNAWAY:
            raise ValueError(f"{name} separates right from wrong answers")
    if max(start[len(names) :]) > _RUNAWAY:
        raise ValueError("the answers of a person, or to an item, are all the same")
    with threadpool_limits(1):  # matrices this small take many times as long on several threads of a busy machine
        values, errors = likelihood.polished(start)
        reached = likelihood.at(numpy.asarray(values))
    return MixedModel(
        tuple(_effect(*effect) for effect in zip(names, values, errors, strict=False)),
        dict(zip(factors, values[len(names) :], strict=True)),
        dict(zip(factors, errors[len(names) :], strict=True)),
        {name: len(set(members)) for name, members in factors.items()},
        len(right),
        reached,
    )


def _effect(name: str, estimate: float, error: float) -> Effect:
    interval = estimate - _NORMAL * error, estimate + _NORMAL * error
    return Effect(name, estimate, error, interval, math.erfc(abs(estimate) / error / math.sqrt(2)))


def _fitted(matrix: Any, right: Any, factors: Mapping[str, Sequence[str]]) -> list[float]:
    """Return the coefficients and the standard deviations that gpboost finds."""
    import gpboost
    import numpy

    silent = logging.getLogger("winoforge.gpboost")
    silent.setLevel(logging.CRITICAL)
    gpboost.register_logger(silent)
    groups = numpy.column_stack([numpy.asarray(members, dtype=object) for members in factors.values()])
    model = gpboost.GPModel(group_data=groups, likelihood="bernoulli_logit", num_parallel_threads=1)
    try:
        model.fit(y=right, X=matrix, params={"max_num_restarts_lbfgs": _RESTARTS})
    except gpboost.basic.GPBoostError as error:
        raise ValueError(f"gpboost ended without a fit: {' '.join(str(error).split())[:200]}") from error
    coefficients = model.get_coef(std_err=False, format_pandas=False).ravel()
    variances = model.get_cov_pars(std_err=False, format_pandas=False).ravel()
    return [*map(float, coefficients), *(math.sqrt(max(0.0, value)) for value in variances)]


class _Laplace:
    """Laplace's approximation of the log-likelihood at given coefficients and standard deviations.

    With spherical effects u, b = s u (Bates et al. 2015, Journal of Statistical Software 67, section 3): the log-likelihood of the
    answers at the mode of u, less |u|^2 / 2 and half the log-determinant of S Z'WZ S + I.
    """

    def __init__(self, matrix: Any, right: Any, factors: Sequence[Sequence[str]]) -> None:
        import numpy

        self.matrix, self.right = matrix, right
        self.places, self.sizes = list[Any](), list[int]()
        for members in factors:
            known = {name: place for place, name in enumerate(dict.fromkeys(members))}
            self.places.append(numpy.asarray([known[name] for name in members]) + sum(self.sizes))
            self.sizes.append(len(known))
        self.mode = numpy.zeros(sum(self.sizes))

    def at(self, values: Any) -> float:
        """Return the log-likelihood at coefficients and standard deviations, in one row; `mode` is where the search begins."""
        import numpy
        from scipy.linalg import cho_factor, cho_solve

        columns = self.matrix.shape[1]
        fixed, scale = self.matrix @ values[:columns], numpy.repeat(values[columns:], self.sizes)
        mode, size = self.mode, len(self.mode)
        for _ in range(_STEPS):
            odds = fixed + sum((scale * mode)[place] for place in self.places)
            chance = 1 / (1 + numpy.exp(-odds))
            weight, missing = chance * (1 - chance), self.right - chance
            slope = scale * sum(numpy.bincount(place, missing, size) for place in self.places) - mode
            curve = numpy.zeros(size * size)
            for first in self.places:
                for second in self.places:
                    curve += numpy.bincount(first * size + second, weight, size * size)
            factor = cho_factor(scale[:, None] * curve.reshape(size, size) * scale + numpy.eye(size), lower=True)
            step = cho_solve(factor, slope)
            mode = mode + step
            if abs(step).max() < _MODE:
                break
        odds = fixed + sum((scale * mode)[place] for place in self.places)
        self.last = mode
        fit = float(self.right @ odds - numpy.logaddexp(0, odds).sum() - mode @ mode / 2)
        return fit - float(numpy.log(numpy.diag(factor[0])).sum())

    def polished(self, start: Sequence[float]) -> tuple[list[float], list[float]]:
        """Return the values after one step of Newton's from gpboost's, and their standard errors.

        gpboost ends within 0.01 log-odds of the maximum, and its standard errors come from differences that can fail. Ours are from
        the curvature over coefficients and deviations, as lme4's are. A deviation near 0 is at the edge: it is held, without an error.
        """
        import numpy

        values = numpy.asarray(start)
        columns = self.matrix.shape[1]
        free = [place for place, value in enumerate(start) if place < columns or value > _EDGE]
        middle = self.at(values)
        self.mode = self.last
        steps = numpy.eye(len(values))[free] * _H
        up, down = ([self.at(values + sign * step) for step in steps] for sign in (1, -1))
        slope = numpy.asarray([(high - low) / (2 * _H) for high, low in zip(up, down, strict=True)])
        curve = numpy.empty((len(free), len(free)))
        for row in range(len(free)):
            curve[row, row] = (2 * middle - up[row] - down[row]) / _H**2
            for column in range(row):
                both = self.at(values + steps[row] + steps[column]) + self.at(values - steps[row] - steps[column])
                mixed = both + 2 * middle - up[row] - down[row] - up[column] - down[column]
                curve[row, column] = curve[column, row] = -mixed / (2 * _H**2)
        if numpy.linalg.eigvalsh(curve).min() <= 0:
            raise ValueError("no maximum of the likelihood was found")
        inverse = numpy.linalg.inv(curve)
        step = inverse @ slope
        if abs(step).max() < _POLISH:
            values[free] += step
        errors = numpy.full(len(values), math.nan)
        errors[free] = numpy.sqrt(numpy.diag(inverse))
        return [float(value) for value in values], [float(error) for error in errors]
