"""Test of values across groups, such as levels of difficulty or lists."""

import math
from collections.abc import Iterable, Sequence
from typing import Any


def kruskal_wallis(groups: Iterable[Sequence[float]], group: str = "level", value: str = "accuracy") -> dict[str, Any]:
    """Return the test by scipy that all groups come from one distribution: H, corrected for ties, with its p and log10 of p.

    A p too small for a float is None. Its logarithm is then the leading term of the tail of chi squared, whose next term is smaller by a
    factor near H / df (Abramowitz and Stegun 1964, formula 6.5.32).

    Kruskal and Wallis (1952, Journal of the American Statistical Association 47). WSC-ZA tests naturalness by difficulty levels
    (section 3.2) that are cut by this naturalness: such groups differ by construction.

    Args:
        groups: the values of each group; empty groups are ignored.
        group: what a group is, for the reason why the test is undefined.
        value: what the values are, for the same reason.
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
