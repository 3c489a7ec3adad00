"""The Kruskal-Wallis test of groups by ranks."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


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
