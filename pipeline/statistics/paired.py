"""Tests of paired differences: Student's t, McNemar, permutation of clusters, with Holm's correction for several tests."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev

#: Differences that are nearer to each other are the same: 0.8 - 0.6 and 0.6 - 0.4 differ by the noise of floating point.
_NOISE = 1e-9
#: Maximum number of clusters with a difference whose permutations are all counted: 2^12 of them.
_ALL_COUNTED = 12
#: Number of permutations drawn at a time: a million of 120 clusters would take 1 GB.
_BLOCK = 10_000


@dataclass(frozen=True, slots=True)
class PairedT:
    """Student's t of paired differences, with its degrees of freedom and the two-sided p value."""

    t: float
    df: int
    p: float


def paired_t(differences: Iterable[float]) -> PairedT | None:
    """Return the paired t test that the mean difference is 0 (Student 1908, Biometrika 6).

    Returns:
        None for fewer than two differences, and for differences that are all the same, whose t is infinite or undefined.
    """
    sample = list(differences)
    if len(sample) < 2 or max(sample) - min(sample) < _NOISE:
        return None
    from scipy.stats import t as student

    value = fmean(sample) / (stdev(sample) / math.sqrt(len(sample)))
    return PairedT(value, len(sample) - 1, 2 * float(student.sf(abs(value), len(sample) - 1)))


@dataclass(frozen=True, slots=True)
class McNemar:
    """McNemar's exact test of two systems on the same items: the items that only the first, and only the second, has right."""

    only_first: int
    only_second: int
    p: float


def mcnemar(pairs: Iterable[tuple[bool, bool]]) -> McNemar:
    """Return the exact test that each system is as likely to be the only one that is right (McNemar 1947, Psychometrika 12).

    It is the two-sided binomial test of the discordant pairs against one half; p is 1 without any. The pairs are taken as independent:
    items of one schema are not quite, see `cluster_permutation`.

    Args:
        pairs: for each item whether the first and whether the second system is right.
    """
    rows = list(pairs)
    first, second = sum(a and not b for a, b in rows), sum(b and not a for a, b in rows)
    if first + second == 0:
        return McNemar(0, 0, 1.0)
    from scipy.stats import binomtest

    return McNemar(first, second, float(binomtest(first, first + second).pvalue))


@dataclass(frozen=True, slots=True)
class ClusterPermutation:
    """Permutation test of paired differences in clusters: mean difference, two-sided p, and whether all permutations were counted."""

    difference: float
    clusters: int
    p: float
    exact: bool


def cluster_permutation(
    clusters: Iterable[Sequence[float]], *, seed: int, permutations: int = 9999
) -> ClusterPermutation | None:
    """Return the test that the sign of each cluster's differences is a coin's (Fisher 1935, The Design of Experiments, section 21).

    All differences of a cluster, such as a schema, change their sign together, so that they may depend on each other. Up to 12 clusters
    with a sum other than 0, all permutations are counted; else `permutations` are drawn, and the observed one counts as one of them:
    p = (b + 1) / (m + 1) (Phipson and Smyth 2010, Statistical Applications in Genetics and Molecular Biology 9, equation 2).

    Args:
        clusters: the differences of each cluster; empty clusters are ignored.
        seed: of numpy's PCG64.
        permutations: number of permutations drawn, at least 1.

    Returns:
        None without differences.
    """
    sample = [tuple(cluster) for cluster in clusters if cluster]
    if not sample:
        return None
    import numpy

    sums = numpy.array([sum(cluster) for cluster in sample if not math.isclose(sum(cluster), 0, abs_tol=1e-12)])
    size, exact = sum(map(len, sample)), len(sums) <= _ALL_COUNTED
    if exact:
        counted = 2 ** len(sums)
        blocks = iter([1 - 2 * (numpy.arange(counted)[:, None] >> numpy.arange(len(sums)) & 1)])
    else:
        counted, draw = permutations, numpy.random.default_rng(seed)
        sizes = (min(_BLOCK, counted - start) for start in range(0, counted, _BLOCK))
        blocks = (draw.choice((-1, 1), size=(block, len(sums))) for block in sizes)
    extreme = sum(int((abs(signs @ sums) >= abs(sums.sum()) - 1e-9).sum()) for signs in blocks)
    p = extreme / counted if exact else (extreme + 1) / (counted + 1)
    return ClusterPermutation(float(sums.sum()) / size, len(sample), p, exact)


def holm(values: Sequence[float | None]) -> list[float | None]:
    """Return the p values of several tests corrected together (Holm 1979, Scandinavian Journal of Statistics 6); None stays None.

    The k-th smallest of m is multiplied by m - k + 1, and is at least what the smaller ones became, at most 1.

    >>> holm([0.01, None, 0.04, 0.03])
    [0.03, None, 0.06, 0.06]
    """
    known = sorted((value, place) for place, value in enumerate(values) if value is not None)
    corrected: list[float | None] = [None] * len(values)
    least = 0.0
    for rank, (value, place) in enumerate(known):
        least = max(least, min(1.0, value * (len(known) - rank)))
        corrected[place] = least
    return corrected
