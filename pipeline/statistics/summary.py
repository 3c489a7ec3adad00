"""Mean, standard deviation, interval of the mean."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev


@dataclass(frozen=True, slots=True)
class Summary:
    """`n` values: their mean, the standard deviation with n - 1, the t interval of the mean; both are None for one value."""

    n: int
    mean: float
    sd: float | None
    interval: tuple[float, float] | None


def summarise(values: Iterable[float], level: float = 0.95) -> Summary | None:
    """Return the summary of some values, or None of none.

    The interval is mean ± t * sd / sqrt(n) with Student's t of n - 1 degrees of freedom (Student 1908, Biometrika 6), as in
    WSC-ZA's Table 4. It takes the values for independent and their mean for normal. It is not cut at 0 and 1: shares near them
    may get a limit beyond, and values that are all the same get an interval of no width; `clustered_interval` does neither.

    Args:
        values: such as the accuracy of each rater.
        level: the coverage that is wanted.
    """
    told = list(values)
    if not told:
        return None
    mean = fmean(told)
    if len(told) == 1:
        return Summary(1, mean, None, None)
    from scipy.stats import t

    sd = stdev(told)
    half = float(t.ppf((1 + level) / 2, len(told) - 1)) * sd / math.sqrt(len(told))
    return Summary(len(told), mean, sd, (mean - half, mean + half))


@dataclass(frozen=True, slots=True)
class KruskalWallis:
    """The statistic H, corrected for ties, with its degrees of freedom."""

    h: float
    df: int

    @property
    def p(self) -> float:
        """The probability of such an H by the chi-squared approximation, which is coarse for groups of fewer than five."""
        from scipy.stats import chi2

        return float(chi2.sf(self.h, self.df))


def kruskal_wallis(groups: Iterable[Sequence[float]]) -> KruskalWallis | None:
    """Return the test that all groups come from one distribution.

    H = 12 / (N (N + 1)) * sum R_i^2 / n_i - 3 (N + 1) for rank sums R_i of groups of n_i, over 1 - sum(t^3 - t) / (N^3 - N) for
    t tied values (Kruskal and Wallis 1952, Journal of the American Statistical Association 47, section 1). Computed by scipy,
    which raises on a single group and gives NaN for an empty one; so it is asked for neither.

    WSC-ZA tests naturalness by difficulty levels (section 3.2) that are cut by this naturalness: such groups differ by
    construction, whatever the items.

    Args:
        groups: the values of each group, independent of each other; an empty group is passed over.

    Returns:
        None for fewer than two groups with values, and where all values are the same, which leaves nothing to rank.
    """
    told = [list(group) for group in groups if len(group)]
    if len(told) < 2 or len({value for group in told for value in group}) < 2:
        return None
    from scipy.stats import kruskal

    return KruskalWallis(float(kruskal(*told).statistic), len(told) - 1)
