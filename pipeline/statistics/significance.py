"""Tests: of paired differences (Student's t, McNemar, permutation of clusters), of groups; Holm's correction for several tests."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

#: Differences that are nearer to each other are the same: 0.8 - 0.6 and 0.6 - 0.4 differ by the noise of floating point.
_NOISE = 1e-9
#: Number of permutations computed at a time: a million of 120 clusters would take 1 GB.
_BLOCK = 10_000


@dataclass(frozen=True, slots=True)
class PairedT:
    """Student's t of paired differences, with its degrees of freedom and the two-sided p value."""

    t: float
    df: int
    p: float


def paired_t(differences: Iterable[float]) -> PairedT | None:
    """Return the paired t test that the mean difference is 0 (Student 1908, Biometrika 6).

    None for fewer than two differences, and for differences that are all the same, whose t is infinite or undefined.
    """
    sample = list(differences)
    if len(sample) < 2 or max(sample) - min(sample) < _NOISE:
        return None
    from scipy.stats import ttest_1samp

    test = ttest_1samp(sample, 0)
    return PairedT(float(test.statistic), int(test.df), float(test.pvalue))


@dataclass(frozen=True, slots=True)
class McNemar:
    """McNemar's exact test of two systems on the same items: the items that only the first, and only the second, has right."""

    only_first: int
    only_second: int
    p: float


def mcnemar(pairs: Iterable[tuple[bool, bool]]) -> McNemar:
    """Return the exact test that each system is as likely to be the only one that is right (McNemar 1947, Psychometrika 12).

    A pair says of one item whether each system is right. It is the two-sided binomial test of the discordant pairs against one half; p is
    1 without any. The pairs are taken as independent:
    items of one schema are not quite, see `cluster_permutation`.
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

    All differences of a cluster, such as a schema, change their sign together, so that they may depend on each other. Computed by scipy.
    All permutations of the clusters with a sum other than 0 are counted if they are no more than `permutations`; else so many are drawn,
    and the observed one counts as one of them: p = (b + 1) / (m + 1) (Phipson and Smyth 2010, Statistical Applications in Genetics and
    Molecular Biology 9, equation 2). Empty clusters are ignored; None without differences.
    """
    sample = [tuple(cluster) for cluster in clusters if cluster]
    if not sample:
        return None
    from scipy.stats import permutation_test

    sums = [total for total in map(sum, sample) if not math.isclose(total, 0, abs_tol=_NOISE)]
    size, exact = sum(map(len, sample)), 2 ** len(sums) <= permutations
    p = 1.0
    if len(sums) > 1:
        test = permutation_test(
            (sums,),
            lambda signed, axis: abs(signed.sum(axis=axis)).round(9),
            permutation_type="samples",
            vectorized=True,
            n_resamples=permutations,
            batch=_BLOCK,
            alternative="greater",
            rng=seed,
        )
        p = float(test.pvalue)
    return ClusterPermutation(math.fsum(sums) / size, len(sample), p, exact)


def holm(values: Sequence[float | None]) -> list[float | None]:
    """Return the p values of several tests corrected together (Holm 1979, Scandinavian Journal of Statistics 6); None stays None.

    The k-th smallest of m is multiplied by m - k + 1, and is at least what the smaller ones became, at most 1.

    >>> holm([0.01, None, 0.04, 0.03])
    [0.03, None, 0.06, 0.06]
    """
    from statsmodels.stats.multitest import multipletests

    known = [value for value in values if value is not None]
    corrected = iter(multipletests(known, method="holm")[1].tolist() if known else ())
    return [None if value is None else next(corrected) for value in values]


def kruskal_wallis(groups: Iterable[Sequence[float]], group: str = "level", value: str = "accuracy") -> dict[str, Any]:
    """Return the test by scipy that all groups come from one distribution: H, corrected for ties, with its p and log10 of p.

    Empty groups are ignored. A p too small for a float is None. Its logarithm is then the leading term of the tail of chi squared, whose
    next term is smaller by a factor near H / df (Abramowitz and Stegun 1964, formula 6.5.32).

    Kruskal and Wallis (1952, Journal of the American Statistical Association 47). WSC-ZA tests naturalness by difficulty levels
    (section 3.2) that are cut by this naturalness: such groups differ by construction.

    The result says ``why`` the test is undefined, in the words `group` and `value` for groups and their values.
    """
    filled = [group for group in groups if group]
    result: dict[str, Any] = {
        "value": None,
        "df": None,
        "p": None,
        "log10_p": None,
        "why": None,
        "n": sum(map(len, filled)),
    }
    if len(filled) < 2:
        return result | {"why": f"fewer than two {group}s have items"}
    if len({value for group in filled for value in group}) < 2:
        return result | {"why": f"all items have the same {value}"}
    from scipy.stats import kruskal

    test, freedom = kruskal(*filled), len(filled) - 1
    statistic, p, half = float(test.statistic), float(test.pvalue), freedom / 2
    tail = math.log(p) if p else (half - 1) * math.log(statistic / 2) - statistic / 2 - math.lgamma(half)
    return result | {"value": statistic, "df": freedom, "p": p or None, "log10_p": tail / math.log(10)}
