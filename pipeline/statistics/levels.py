"""Test of values across the levels of a factor."""

from collections.abc import Iterable, Sequence
from typing import Any


def kruskal_wallis(groups: Iterable[Sequence[float]]) -> dict[str, Any]:
    """Return the test by scipy that all groups come from one distribution: H, corrected for ties, with its p.

    Kruskal and Wallis (1952, Journal of the American Statistical Association 47). WSC-ZA tests naturalness by difficulty levels
    (section 3.2) that are cut by this naturalness: such groups differ by construction.

    Args:
        groups: the values of each group; empty groups are ignored.
    """
    filled = [group for group in groups if group]
    result: dict[str, Any] = {"value": None, "df": None, "p": None, "why": None, "n": sum(map(len, filled))}
    if len(filled) < 2:
        return result | {"why": "fewer than two levels have items"}
    if len({value for group in filled for value in group}) < 2:
        return result | {"why": "all items have the same accuracy"}
    from scipy.stats import kruskal

    test = kruskal(*filled)
    return result | {"value": float(test.statistic), "df": len(filled) - 1, "p": float(test.pvalue)}
