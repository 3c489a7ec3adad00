"""Association of two variables: correlation, Cramér's V, with intervals over clusters that may cross."""

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

#: A correlation this near to 1 has no standard error on Fisher's scale.
_NEAR_ONE = 1 - 1e-12


@dataclass(frozen=True, slots=True)
class Correlation:
    """A correlation with two-sided p values; what comes from resamples of clusters is None without clusters.

    `p` is of Student's t with n - 2 degrees of freedom, which takes the observations as independent; `interval` is the percentile
    interval over resamples; `p_clustered` is of atanh(value) in standard deviations of its resamples.
    """

    value: float
    p: float
    interval: tuple[float, float] | None
    p_clustered: float | None


def ranks(values: Sequence[float]) -> list[float]:
    """Return the ranks of values from 1; equal values share the mean of theirs, as Spearman's coefficient takes them.

    >>> ranks([3.0, 1.0, 3.0])
    [2.5, 1.0, 2.5]
    """
    from scipy.stats import rankdata

    return [float(rank) for rank in rankdata(values)]


def correlation(first: Sequence[float], second: Sequence[float], weights: Any = None) -> Correlation | None:
    """Return Pearson's correlation; of `ranks`, it is Spearman's. None for fewer than three observations, or without variation.

    The weights are `resampled_weights` of the clusters of the observations; ranks are those of the sample in every resample.
    """
    import numpy

    x, y = (numpy.asarray(values, dtype=float) for values in (first, second))
    if len(x) < 3 or numpy.ptp(x) == 0 or numpy.ptp(y) == 0:
        return None
    from scipy.stats import pearsonr

    value, p_of_t = map(float, pearsonr(x, y))
    drawn = numpy.empty(0) if weights is None else _weighted(x, y, weights)
    drawn = drawn[numpy.isfinite(drawn)]
    if len(drawn) < 2:
        return Correlation(value, p_of_t, None, None)
    low, high = (float(limit) for limit in numpy.quantile(drawn, [0.025, 0.975]))
    spread = float(numpy.std(numpy.arctanh(numpy.clip(drawn, -_NEAR_ONE, _NEAR_ONE)), ddof=1))
    known = spread > 0 and abs(value) < _NEAR_ONE
    p = math.erfc(abs(math.atanh(value)) / spread / math.sqrt(2)) if known else None
    return Correlation(value, p_of_t, (low, high), p)


def _weighted(x: Any, y: Any, weights: Any) -> Any:
    """Return the correlation under each row of weights; not a number where a variable does not vary."""
    import numpy

    x, y = x - x.mean(), y - y.mean()
    total = weights.sum(axis=1)
    with numpy.errstate(invalid="ignore", divide="ignore"):
        mean_x, mean_y = weights @ x / total, weights @ y / total
        shared = weights @ (x * y) / total - mean_x * mean_y
        spread = (weights @ (x * x) / total - mean_x**2) * (weights @ (y * y) / total - mean_y**2)
        return numpy.clip(shared / numpy.sqrt(numpy.where(spread > 1e-24, spread, numpy.nan)), -1, 1)


def resampled_weights(factors: Sequence[Sequence[Hashable]], *, seed: int, resamples: int = 1000) -> Any:
    """Return how often each observation is in each resample, an array of resamples by observations, from the cluster of each by factor.

    Observations share people and items, so that they are not independent. A resample draws the members of each factor with replacement,
    each factor by itself, and takes an observation as often as the product of how often its members were drawn (Owen 2007, The pigeonhole
    bootstrap, Annals of Applied Statistics 1, 386-411). With one factor this is the bootstrap of clusters. Crossed factors make an
    interval rather too wide than too narrow (Owen 2007, theorem 3). None where a factor has fewer than two members.
    """
    import numpy

    draw = numpy.random.default_rng(seed)
    weights: Any = 1.0
    for factor in factors:
        places = {name: place for place, name in enumerate(dict.fromkeys(factor))}
        if len(places) < 2:
            return None
        counts = draw.multinomial(len(places), [1 / len(places)] * len(places), size=resamples)
        weights = weights * counts[:, [places[name] for name in factor]]
    return weights


@dataclass(frozen=True, slots=True)
class Contingency:
    """Association of two labels: chi-square, Cramér's V, V corrected for bias, with the interval of V over clusters."""

    n: int
    chi_square: float
    v: float
    corrected: float | None
    interval: tuple[float, float] | None


def cramers_v(pairs: Sequence[tuple[Hashable, Hashable]], weights: Any = None) -> Contingency | None:
    """Return Cramér's V of two labels, sqrt(chi2 / (n (k - 1))) with the smaller number of labels k (Cramér 1946, section 21.9).

    V of independent labels is above 0, the more so the fewer observations there are. The corrected V replaces chi2 / n by what exceeds
    (r - 1) (c - 1) / (n - 1), and r by r - (r - 1)^2 / (n - 1), likewise c (Bergsma 2013, Journal of the Korean Statistical Society 42,
    323-328). The weights are those of `correlation`.

    Returns:
        None where a variable has one label only; ``corrected`` is None where the correction leaves fewer than two labels.
    """
    import numpy

    places: list[dict[Hashable, int]] = [{}, {}]
    for pair in pairs:
        for known, label in zip(places, pair, strict=True):
            known.setdefault(label, len(known))
    shape = len(places[0]), len(places[1])
    if min(shape) < 2:
        return None
    n = len(pairs)
    cells = numpy.zeros((n, shape[0] * shape[1]))
    cells[range(n), [places[0][row] * shape[1] + places[1][column] for row, column in pairs]] = 1
    share = float(_mean_square(cells.sum(axis=0, keepdims=True), shape)[0])
    left = min(count - (count - 1) ** 2 / (n - 1) for count in shape) - 1
    excess = max(0.0, share - (shape[0] - 1) * (shape[1] - 1) / (n - 1))
    interval = None
    if weights is not None:
        drawn = _mean_square(weights @ cells, shape)
        low, high = numpy.quantile(numpy.sqrt(drawn[numpy.isfinite(drawn)] / (min(shape) - 1)), [0.025, 0.975])
        interval = float(low), float(high)
    corrected = math.sqrt(excess / left) if left > 1e-12 else None
    return Contingency(n, share * n, math.sqrt(share / (min(shape) - 1)), corrected, interval)


def _mean_square(tables: Any, shape: tuple[int, int]) -> Any:
    """Return chi-square / n of each table, given as a row of cells; a label that does not occur adds nothing."""
    import numpy

    counts = tables.reshape(-1, *shape)
    total = counts.sum(axis=(1, 2), keepdims=True)
    expected = counts.sum(axis=2, keepdims=True) * counts.sum(axis=1, keepdims=True)
    with numpy.errstate(invalid="ignore", divide="ignore"):
        squares = numpy.where(expected > 0, counts**2 / expected, 0.0)
        return numpy.where(total[:, 0, 0] > 0, numpy.maximum(squares.sum(axis=(1, 2)) - 1, 0.0), numpy.nan)


@dataclass(frozen=True, slots=True)
class Decile:
    """A tenth of the observations: the lowest and the highest key in it, the mean value."""

    lowest: float
    highest: float
    value: float


def deciles(keys: Sequence[float], values: Sequence[float]) -> list[Decile]:
    """Return the mean value in each tenth of the observations by key, lowest keys first.

    Observations with equal keys are never torn apart: those at a boundary share its places evenly, so that the order of the rows does not
    matter. A tenth of n observations has weight n / 10: it takes the sum of the values in order, between its ends. None for fewer than ten
    observations.
    """
    if len(keys) < 10:
        return []
    import numpy

    ordered, places, counts = numpy.unique(keys, return_inverse=True, return_counts=True)
    ends = numpy.concatenate([[0], counts.cumsum()])
    sums = numpy.concatenate([[0.0], numpy.bincount(places, values).cumsum()])
    cuts = numpy.linspace(0, len(keys), 11)
    means = numpy.diff(numpy.interp(cuts, ends, sums)) / (len(keys) / 10)
    lowest = ordered[numpy.searchsorted(ends, cuts[:-1] + 1e-9) - 1]
    highest = ordered[numpy.searchsorted(ends, cuts[1:] - 1e-9) - 1]
    return [Decile(*part) for part in zip(lowest.tolist(), highest.tolist(), means.tolist(), strict=True)]
