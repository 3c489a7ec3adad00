"""The two-parameter logistic model of item response: how hard items are, how well they tell respondents apart, how able these are.

A respondent of ability t answers an item of discrimination a and difficulty b rightly with the probability 1 / (1 + exp(-a (t - b)))
(Birnbaum 1968, in Lord and Novick, Statistical Theories of Mental Test Scores, chapter 17). At t = b it is one half.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

#: Fewest respondents to an item: with fewer, its interval is that of the prior.
FEWEST = 10
#: Fewest items: with fewer, abilities and items cannot be told apart.
FEWEST_ITEMS = 3
#: Greatest ability that is integrated over, and the distance of the nodes: small beside the spread of an ability that 1,000 items tell.
_RANGE, _STEP = 6.0, 0.05
#: Standard deviations of the normal priors of the logarithm of a discrimination and of a difficulty, around 0.
_PRIORS = (0.5, 2.0)
#: Posterior weight under which a node of a respondent is left out of the information.
_NEGLIGIBLE = 1e-10
#: Greatest number of iterations; some hundred are usual.
_ITERATIONS = 5000


@dataclass(frozen=True, slots=True)
class Parameter:
    """An estimate with the limits of its interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class ItemResponseModel:
    """The parameters of the items and the abilities of the respondents, whose distribution is the standard normal one."""

    difficulty: Mapping[str, Parameter]
    discrimination: Mapping[str, Parameter]
    ability: Mapping[str, Parameter]


def fit_item_response(
    marks: Mapping[str, Mapping[str, bool]], *, priors: bool = True, level: float = 0.95
) -> ItemResponseModel:
    """Return the model that fits the marks best, each whether a respondent answered an item rightly, by item and respondent.

    Abilities are standard normal, which identifies the scale, and are integrated out: marginal maximum likelihood (Bock and Aitkin 1981,
    Psychometrika 46), on equally spaced nodes. With priors it is the mode of the marginal posterior (Mislevy 1986, Psychometrika 51), so
    that an item which all have right has finite parameters too. The intervals of items are normal ones, of difficulty and of the logarithm
    of discrimination, with the standard errors of the whole observed information (Louis 1982, JRSS B 44). An ability is the mean of its
    posterior; its interval has the variance of that, and what the errors of the items add. A mark that is missing is ignored.

    Args:
        marks: items with fewer than `FEWEST` respondents have no parameters.
        priors: without them it is maximum likelihood, where each item must have a right and a wrong answer.
        level: the coverage of the intervals.

    Raises:
        ValueError: too few respondents or items, marks that are all the same, or no maximum.
    """
    import numpy
    from scipy.optimize import minimize
    from scipy.special import ndtri

    items = [item for item, row in marks.items() if len(row) >= FEWEST]
    if len(items) < FEWEST_ITEMS:
        most = max(map(len, marks.values()), default=0)
        reason = f"found at most {most} to an item" if most < FEWEST else f"found {len(items)} such items"
        raise ValueError(f"{reason}, expected {FEWEST} or more to each of {FEWEST_ITEMS} items or more")
    if len({mark for item in items for mark in marks[item].values()}) == 1:
        raise ValueError("all answers are right, or all are wrong, so that no item is harder than another")
    respondents = sorted({respondent for item in items for respondent in marks[item]})
    table = numpy.array([[marks[item].get(respondent, numpy.nan) for item in items] for respondent in respondents])
    data = _Likelihood(table, priors)
    result = minimize(
        data.loss, data.start(), jac=True, method="L-BFGS-B", options={"maxiter": _ITERATIONS, "ftol": 1e-13}
    )
    errors, abilities, deviations = data.errors(result.x)
    if not result.success or not numpy.isfinite(errors).all():
        raise ValueError(f"no maximum found: {result.message}")
    quantile = float(ndtri((1 + level) / 2))

    def parameters(names: list[str], values: Any, deviations: Any, scale: Any = numpy.positive) -> dict[str, Parameter]:
        rows = zip(values, values - quantile * deviations, values + quantile * deviations, strict=True)
        return {name: Parameter(*(float(scale(value)) for value in row)) for name, row in zip(names, rows, strict=True)}

    size = len(items)
    return ItemResponseModel(
        difficulty=parameters(items, result.x[size:], errors[size:]),
        discrimination=parameters(items, result.x[:size], errors[:size], numpy.exp),
        ability=parameters(respondents, abilities, deviations),
    )


class _Likelihood:
    """The marginal likelihood of a table of marks (respondents in rows, missing ones not a number) with its derivatives.

    The parameters are the logarithms u of the discriminations, then the difficulties b; z = a (t - b).
    """

    def __init__(self, table: Any, priors: bool) -> None:
        import numpy

        self.answered = (~numpy.isnan(table)).astype(float)
        self.right = numpy.nan_to_num(table)
        self.size = table.shape[1]
        self.nodes = numpy.linspace(-_RANGE, _RANGE, round(2 * _RANGE / _STEP) + 1)
        weights = numpy.exp(-(self.nodes**2) / 2)
        self.log_weights = numpy.log(weights / weights.sum())
        self.precision = numpy.repeat(1 / numpy.square(_PRIORS if priors else (numpy.inf, numpy.inf)), self.size)

    def start(self) -> Any:
        """Return parameters to start from: discriminations of 1, difficulties by the shares of right answers."""
        import numpy
        from scipy.special import logit

        shares = (self.right.sum(0) + 0.5) / (self.answered.sum(0) + 1)
        return numpy.concatenate([numpy.zeros(self.size), -logit(shares)])

    def _at(self, parameters: Any) -> tuple[Any, Any, Any, Any]:
        """Return a, z by node and item, each respondent's log-likelihood, and their posterior weights by node."""
        import numpy
        from scipy.special import log_expit, logsumexp

        slopes, difficulties = numpy.exp(parameters[: self.size]), parameters[self.size :]
        z = slopes * (self.nodes[:, None] - difficulties)
        joint = self.right @ log_expit(z).T + (self.answered - self.right) @ log_expit(-z).T + self.log_weights
        total = logsumexp(joint, axis=1)
        return slopes, z, total, numpy.exp(joint - total[:, None])

    def loss(self, parameters: Any) -> tuple[float, Any]:
        """Return minus the logarithm of the posterior density, and its gradient."""
        import numpy
        from scipy.special import expit

        slopes, z, total, posterior = self._at(parameters)
        residuals = posterior.T @ self.right - (posterior.T @ self.answered) * expit(z)
        gradient = numpy.concatenate([(residuals * z).sum(0), -slopes * residuals.sum(0)])
        penalty = float(self.precision @ parameters**2) / 2
        return penalty - float(total.sum()), self.precision * parameters - gradient

    def errors(self, parameters: Any) -> tuple[Any, Any, Any]:
        """Return the standard errors of the parameters, not a number without any, and the abilities with theirs.

        The information is that of the complete data less the covariance of the complete data's scores, given the marks (Louis 1982).
        """
        import numpy
        from scipy.special import expit

        slopes, z, _, posterior = self._at(parameters)
        p = expit(z)
        expected = posterior.T @ self.answered
        residuals, variances = posterior.T @ self.right - expected * p, expected * p * (1 - p)
        of_u, of_b = (variances * z**2 - residuals * z).sum(0), slopes**2 * variances.sum(0)
        of_both = numpy.diag(slopes * (residuals - variances * z).sum(0))
        information = numpy.diag(self.precision)
        information += numpy.block([[numpy.diag(of_u), of_both], [of_both, numpy.diag(of_b)]])
        abilities = posterior @ self.nodes
        slants = numpy.zeros((len(abilities), len(parameters)))  # how an ability changes with the parameters
        for row, weights in enumerate(posterior):
            near = weights > _NEGLIGIBLE
            error = self.right[row] - self.answered[row] * p[near]
            scores = numpy.concatenate([error * z[near], -slopes * error], 1)
            scores -= weights[near] @ scores
            information -= (scores.T * weights[near]) @ scores
            slants[row] = (weights[near] * (self.nodes[near] - abilities[row])) @ scores
        try:
            covariance = numpy.linalg.inv(information)
        except numpy.linalg.LinAlgError:
            covariance = numpy.full_like(information, numpy.nan)
        variances = numpy.diag(covariance)
        spread = posterior @ self.nodes**2 - abilities**2 + ((slants @ covariance) * slants).sum(1)
        return numpy.sqrt(numpy.where(variances > 0, variances, numpy.nan)), abilities, numpy.sqrt(spread)
