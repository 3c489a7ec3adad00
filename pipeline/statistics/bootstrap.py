"""Bootstrap intervals of any statistic, by resampling clusters of observations."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class BootstrapInterval:
    """The limits of an interval, with how many resamples gave them and in how many the statistic was undefined."""

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

    As many clusters as there are get drawn with replacement, each with all that it holds (Davison and Hinkley 1997, Bootstrap
    Methods and their Application, section 3.8, strategy 1): members of a schema's pair are alike, and drawn apart they would
    tell more than they do. `[[row] for row in rows]` makes each item a cluster, `judgements.clusters` each pair. Raters are
    not drawn, so the interval speaks of these raters on other items.

    With few clusters it is too narrow, and where no observation deviates it has no width; for a share `clustered_interval`
    mends both.

    Args:
        clusters: the observations by cluster, such as the rows of a pair; empty clusters are passed over.
        statistic: takes the observations of the clusters drawn, one after the other.
        seed: of numpy's PCG64; the same seed and the same order of clusters give the same interval.
        resamples: how many are drawn; at least one.
        level: the coverage that is wanted, above 0 and below 1.

    Returns:
        None for fewer than two clusters, and where the statistic is undefined on the sample itself or on all resamples. A
        resample on which it is undefined is left out and counted.

    Raises:
        ValueError: no resamples, or a level that is no probability.
    """
    if resamples < 1 or not 0 < level < 1:
        raise ValueError(
            f"[bootstrap] impossible; found {resamples} resamples and level {level}, expected 1 or more and a probability"
        )
    told = [tuple(cluster) for cluster in clusters if cluster]
    if len(told) < 2 or statistic([value for cluster in told for value in cluster]) is None:
        return None
    import numpy

    chance = numpy.random.default_rng(seed)
    found = []
    for _ in range(resamples):
        drawn = chance.integers(len(told), size=len(told))
        found.append(statistic([value for index in drawn for value in told[index]]))
    values = [value for value in found if value is not None]
    if not values:
        return None
    low, high = numpy.quantile(values, [(1 - level) / 2, (1 + level) / 2])
    return BootstrapInterval(float(low), float(high), len(values), resamples - len(values))
