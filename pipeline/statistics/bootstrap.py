"""Bootstrap intervals of any statistic, from resamples of clusters of observations."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeVar

from .ratings import Category, Row, category_counts

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

T = TypeVar("T")
#: Coefficients that are functions of sums over items: percent agreement, Fleiss' kappa, Krippendorff's alpha of labels, ranks, numbers.
Coefficient = Literal["percent", "fleiss", "nominal", "ordinal", "interval"]
#: Those of categories that have a distance.
_MEASURED = ("ordinal", "interval")


@dataclass(frozen=True, slots=True)
class BootstrapInterval:
    """Limits of an interval, with the number of resamples in which the statistic was defined and undefined."""

    low: float
    high: float
    defined: int
    undefined: int


def bootstrap_interval(
    clusters: Iterable[Sequence[T]],
    statistic: Callable[[Sequence[T]], float | None],
    *,
    seed: int,
    resamples: int = 2000,
    level: float = 0.95,
) -> BootstrapInterval | None:
    """Return the percentile interval of a statistic (Efron and Tibshirani 1993, An Introduction to the Bootstrap, section 13.3).

    A resample draws whole clusters with replacement, as many as the sample has (Davison and Hinkley 1997, Bootstrap Methods and
    their Application, section 3.8, strategy 1). The members of a schema's pair are alike; drawn one by one they would count as
    independent. `[[row] for row in rows]` makes each item a cluster, `ratings.clusters` each pair. Raters are not resampled: the
    interval is about the same raters on other items.

    With few clusters the interval is too narrow, and if no observation deviates, its width is 0. For a share,
    `clustered_interval` has neither problem.

    Args:
        clusters: the observations by cluster, such as the rows of a pair; empty clusters are ignored.
        statistic: takes the observations of the drawn clusters as one sequence.
        seed: of numpy's PCG64; the same seed and the same order of clusters give the same interval.
        resamples: number of resamples, at least 1.
        level: the coverage, above 0 and below 1.

    Returns:
        None for fewer than two clusters, and where the statistic is undefined on the sample itself or on all resamples. A
        resample on which it is undefined is left out and counted.

    Raises:
        ValueError: no resamples, or a level that is not a probability.
    """
    _require_settings(resamples, level)
    sample = [tuple(cluster) for cluster in clusters if cluster]
    if len(sample) < 2 or statistic([value for cluster in sample for value in cluster]) is None:
        return None
    import numpy

    generator = numpy.random.default_rng(seed)
    results = []
    for _ in range(resamples):
        drawn = generator.integers(len(sample), size=len(sample))
        results.append(statistic([value for index in drawn for value in sample[index]]))
    return _interval(numpy.array([math.nan if value is None else value for value in results]), level)


def _require_settings(resamples: int, level: float) -> None:
    if resamples < 1 or not 0 < level < 1:
        raise ValueError(
            f"[bootstrap] impossible settings; found {resamples} resamples and level {level}, expected at least 1 and a probability"
        )


def _interval(values: "NDArray[numpy.float64]", level: float) -> BootstrapInterval | None:
    """Return the percentile interval of the values of resamples, NaN where a statistic is undefined; None if it always is."""
    import numpy

    defined = values[~numpy.isnan(values)]
    if not len(defined):
        return None
    low, high = numpy.quantile(defined, [(1 - level) / 2, (1 + level) / 2])
    return BootstrapInterval(float(low), float(high), len(defined), len(values) - len(defined))


def agreement_interval(
    clusters: Iterable[Sequence[Row]],
    coefficient: Coefficient,
    *,
    seed: int,
    resamples: int = 2000,
    level: float = 0.95,
) -> BootstrapInterval | None:
    """Return the interval that `bootstrap_interval` gives for a coefficient of agreement, from the same draws in far less time.

    Each coefficient is a function of sums over items (of agreeing pairs, of counts by category, of coincidences of categories), so that the
    sums of each cluster are computed once, and a resample adds those of its clusters. The formulas are those of `percent_agreement`,
    `fleiss_kappa` and `krippendorff_alpha`.

    Args:
        clusters: the rows by cluster; empty clusters are ignored.
        coefficient: the name of the coefficient; of alpha the kind of the categories.
        seed: see `bootstrap_interval`.
        resamples: see `bootstrap_interval`.
        level: see `bootstrap_interval`.
    """
    _require_settings(resamples, level)
    sample = [tuple(cluster) for cluster in clusters if cluster]
    rows = [row for cluster in sample for row in cluster]
    used, _ = category_counts(rows)
    if len(sample) < 2 or not used:
        return None
    import numpy

    place = {category: number for number, category in enumerate(used)}
    counts = numpy.zeros((len(rows), len(used)))
    for number, row in enumerate(rows):
        for category in row.values():
            counts[number, place[category]] += 1
    raters = counts.sum(axis=1)
    starts = numpy.cumsum([0, *map(len, sample)])[:-1]
    shared = raters > 1
    pairs = numpy.where(shared, raters * (raters - 1), 1)
    agreed = numpy.where(shared, (counts * (counts - 1)).sum(axis=1) / pairs, 0)
    others = numpy.where(shared, raters - 1, 1)
    alike = numpy.where(shared, (counts * (counts - 1)).sum(axis=1) / others, 0)
    parts = [agreed[:, None], shared[:, None], alike[:, None], counts, counts * shared[:, None]]
    if coefficient in _MEASURED:
        coincidences = counts[:, :, None] * counts[:, None, :] - counts[:, :, None] * numpy.eye(len(used))
        parts.append((coincidences * (shared / others)[:, None, None]).reshape(len(rows), -1))
    sums = numpy.add.reduceat(numpy.concatenate(parts, axis=1), starts, axis=0)
    whole = _coefficient(sums.sum(axis=0)[None, :], coefficient, used)
    if (coefficient == "fleiss" and len(set(raters[raters > 0])) > 1) or numpy.isnan(whole[0]):
        return None
    generator = numpy.random.default_rng(seed)
    totals = numpy.empty((resamples, sums.shape[1]))
    for number in range(resamples):
        drawn = generator.integers(len(sample), size=len(sample))
        totals[number] = numpy.bincount(drawn, minlength=len(sample)) @ sums
    return _interval(_coefficient(totals, coefficient, used), level)


def _coefficient(
    sums: "NDArray[numpy.float64]", coefficient: Coefficient, used: Sequence[Category]
) -> "NDArray[numpy.float64]":
    """Return the coefficient of each row of sums, NaN where it is undefined.

    The columns of the sums are: shares of agreeing pairs, items with two raters, coincidences of a category with itself, the counts by
    category, the same of items with two raters, and for categories with distances the coincidences of every two.
    """
    import numpy

    size = len(used)
    agreed, items, alike = sums[:, 0], sums[:, 1], sums[:, 2]
    counts, margins = sums[:, 3 : 3 + size], sums[:, 3 + size : 3 + 2 * size]
    number = margins.sum(axis=1)
    with numpy.errstate(divide="ignore", invalid="ignore"):  # 0 / 0 is NaN: undefined
        if coefficient == "percent":
            return numpy.asarray(agreed / items)
        if coefficient == "fleiss":
            chance = ((counts / counts.sum(axis=1, keepdims=True)) ** 2).sum(axis=1)
            kappa = (agreed / items - chance) / (1 - chance)
            return numpy.where((counts > 0).sum(axis=1) > 1, kappa, math.nan)
        if coefficient == "nominal":
            observed, expected = number - alike, number**2 - (margins**2).sum(axis=1)
        else:
            coincidences, distances = (
                sums[:, 3 + 2 * size :].reshape(-1, size, size),
                _distances(margins, coefficient, used),
            )
            observed = (coincidences * distances).sum(axis=(1, 2))
            expected = (margins[:, :, None] * margins[:, None, :] * distances).sum(axis=(1, 2))
        return numpy.where((margins > 0).sum(axis=1) > 1, 1 - (number - 1) * observed / expected, math.nan)


def _distances(
    margins: "NDArray[numpy.float64]", coefficient: Coefficient, used: Sequence[Category]
) -> "NDArray[numpy.float64]":
    """Return the squared distance of every two ranks or numbers, for each row of margins."""
    import numpy

    if coefficient == "interval":
        numbers = numpy.array([float(category) for category in used])
        return numpy.asarray((numbers[:, None] - numbers[None, :]) ** 2)[None, :, :]
    # ordinal: the values between two ranks, with half of those at both ends
    middles = margins.cumsum(axis=1) - margins / 2
    return numpy.asarray((middles[:, :, None] - middles[:, None, :]) ** 2)
