"""Bootstrap intervals of any statistic, from resamples of clusters of observations."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

T = TypeVar("T")


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
    `clustered_interval` has neither problem. The seed is of numpy's PCG64: the same order of clusters gives the same interval.

    Returns:
        None for fewer than two clusters, and where the statistic is undefined on the sample itself or on all resamples. A
        resample on which it is undefined is left out and counted.

    Raises:
        ValueError: no resamples, or a level that is not a probability.
    """
    require_settings(resamples, level)
    sample = [tuple(cluster) for cluster in clusters if cluster]
    if len(sample) < 2 or statistic([value for cluster in sample for value in cluster]) is None:
        return None
    import numpy

    generator = numpy.random.default_rng(seed)
    results = []
    for _ in range(resamples):
        drawn = generator.integers(len(sample), size=len(sample))
        results.append(statistic([value for index in drawn for value in sample[index]]))
    return percentile_interval(numpy.array([math.nan if value is None else value for value in results]), level)


def require_settings(resamples: int, level: float) -> None:
    """Raise `ValueError` for no resamples, or a level that is not a probability."""
    if resamples < 1 or not 0 < level < 1:
        raise ValueError(
            f"[bootstrap] impossible settings; found {resamples} resamples and level {level}, expected at least 1 and a probability"
        )


def percentile_interval(values: "NDArray[numpy.float64]", level: float) -> BootstrapInterval | None:
    """Return the percentile interval of the values of resamples, NaN where a statistic is undefined; None if it always is."""
    import numpy

    defined = values[~numpy.isnan(values)]
    if not len(defined):
        return None
    low, high = numpy.quantile(defined, [(1 - level) / 2, (1 + level) / 2])
    return BootstrapInterval(float(low), float(high), len(defined), len(values) - len(defined))
