"""Shares, and confidence intervals of shares and means whose observations come in clusters."""

import math
from collections.abc import Iterable, Sequence


def ratio(part: int, whole: int) -> float | None:
    """Return part / whole, or None where `whole` is 0."""
    return part / whole if whole else None


def clustered_interval(clusters: Iterable[tuple[int, int]], level: float = 0.95) -> tuple[float, float] | None:
    """Return the interval of a share by Korn and Graubard (1998, Survey Methodology 24, 193-201).

    It is the exact interval of Clopper and Pearson (1934, Biometrika 26), taken of an effective number of observations n*
    instead of n, because observations of one cluster are alike. For k clusters with x_i successes of m_i, n = sum m_i and
    p = sum x_i / n, the variance of p is that of a ratio estimator, v = k / (k - 1) * sum (x_i - p m_i)^2 / n^2 (Cochran 1977,
    Sampling Techniques, section 3.12). Then n* = p (1 - p) / v * (t(n - 1) / t(k - 1))^2 with quantiles of Student's t, which
    allow for few clusters, but at most n.

    Where all observations are successes, or all failures, v is 0 and says nothing about the clusters. NCHS takes n* = n there
    (Parker et al. 2017, Vital and Health Statistics 2(175)). We take the number of clusters: the effective sample size if the
    observations of a cluster are all the same (Kish 1965, Survey Sampling, section 5.4, with rho = 1).

    In simulations of 20 to 180 clusters, 95 % intervals held the true share in 87 % or more of the samples, with n* = n in 49 %
    or more (see the tests). Coverage is lowest where few clusters deviate, but as a whole: a sample that lacks them all hides
    the design effect.

    Args:
        clusters: successes and observations of each cluster; clusters without observations are ignored.
        level: the coverage.

    Returns:
        The lower and the upper limit; None for fewer than two clusters, whose variance is unknown.
    """
    observed = [(successes, size) for successes, size in clusters if size]
    if len(observed) < 2:
        return None
    from scipy.special import betaincinv

    successes, size = _totals(observed)
    effective = len(observed) if successes in (0, size) else _effective_size(observed, level)
    right = effective * successes / size
    wrong = effective - right
    tail = (1 - level) / 2
    low = float(betaincinv(right, wrong + 1, tail)) if successes else 0.0
    high = float(betaincinv(right + 1, wrong, 1 - tail)) if successes < size else 1.0
    return low, high


def _effective_size(clusters: list[tuple[int, int]], level: float) -> float:
    """Return n* of clusters that hold both successes and failures."""
    from scipy.special import stdtrit

    successes, size = _totals(clusters)
    share, count = successes / size, len(clusters)
    variance = count / (count - 1) * sum((right - share * of) ** 2 for right, of in clusters) / size**2
    if variance == 0:
        return float(size)
    quantile = (1 + level) / 2
    adjustment = float(stdtrit(size - 1, quantile) / stdtrit(count - 1, quantile))
    return min(float(size), share * (1 - share) / variance * adjustment**2)


def _totals(clusters: list[tuple[int, int]]) -> tuple[int, int]:
    return sum(successes for successes, _ in clusters), sum(size for _, size in clusters)


def clustered_mean_interval(clusters: Iterable[Sequence[float]], level: float = 0.95) -> tuple[float, float] | None:
    """Return the interval of a mean over all observations: mean ± t(k - 1) * sqrt(v), with v of `clustered_interval` for sums x_i.

    None for fewer than two clusters, and where no cluster deviates, which says nothing about others.
    """
    sample = [tuple(cluster) for cluster in clusters if cluster]
    if len(sample) < 2:
        return None
    from scipy.special import stdtrit

    size = sum(map(len, sample))
    mean = sum(map(sum, sample)) / size
    count = len(sample)
    variance = count / (count - 1) * sum((sum(cluster) - mean * len(cluster)) ** 2 for cluster in sample) / size**2
    if variance < 1e-18:
        return None
    half = float(stdtrit(count - 1, (1 + level) / 2)) * math.sqrt(variance)
    return mean - half, mean + half
