"""Fleiss' kappa of many raters."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from .ratings import Row, category_counts


@dataclass(frozen=True, slots=True)
class FleissTest:
    """The test that Fleiss' kappa of `items` judged by `raters` each is zero.

    `standard_error` supposes that it is: it is fit for `z`, not for an interval (Gwet 2021, Educational and Psychological
    Measurement 81). For that see `bootstrap_interval`.
    """

    kappa: float
    items: int
    raters: int
    standard_error: float

    @property
    def z(self) -> float:
        """Kappa in standard errors."""
        return self.kappa / self.standard_error

    @property
    def p(self) -> float:
        """The probability of a z as far from zero on either side; 0 where it is too small for a float."""
        return math.erfc(abs(self.z) / math.sqrt(2))


def fleiss_kappa(rows: Iterable[Row]) -> float | None:
    """Return Fleiss' kappa, (P - P_e) / (1 - P_e): the agreement of pairs within items beyond that of the raters' pooled shares.

    With n_ij of n raters putting item i in category j, P is the mean over items of sum_j n_ij (n_ij - 1) / (n (n - 1)), and P_e
    the sum of p_j^2 for the share p_j of category j in all judgements (Fleiss 1971, Psychological Bulletin 76). Computed by
    statsmodels, which stops at unequal numbers with an `AssertionError` and divides 0 by 0 for a single category; so it is
    asked for neither. Who the raters are does not matter, only that each item has as many.

    Args:
        rows: what was said of each item; an item that nobody judged is passed over.

    Returns:
        At most 1; None where items have unequal numbers of raters (use `krippendorff_alpha`) or fewer than two, and where all
        raters said one same category, which leaves no room for disagreement.
    """
    counts = _balanced_counts(rows)
    if counts is None:
        return None
    from statsmodels.stats.inter_rater import fleiss_kappa as kappa

    return float(kappa(counts))


def fleiss_test(rows: Iterable[Row]) -> FleissTest | None:
    """Return the z test of Fleiss' kappa against zero.

    The variance, which statsmodels lacks, is that of Fleiss, Nee and Landis (1979, Psychological Bulletin 86), who correct the
    one of Fleiss (1971): with N items, n raters and shares p_j = 1 - q_j it is 2 / (N n (n - 1)) * (s^2 - sum p_j q_j (q_j - p_j))
    / s^2 for s = sum p_j q_j.

    Args:
        rows: what was said of each item; an item that nobody judged is passed over.

    Returns:
        None where `fleiss_kappa` is.
    """
    rows = list(rows)
    kappa, counts = fleiss_kappa(rows), _balanced_counts(rows)
    if kappa is None or counts is None:
        return None
    items, raters = len(counts), sum(counts[0])
    shares = [sum(column) / (items * raters) for column in zip(*counts, strict=True)]
    spread = sum(p * (1 - p) for p in shares)
    skew = sum(p * (1 - p) * (1 - 2 * p) for p in shares)
    variance = 2 / (items * raters * (raters - 1)) * (spread**2 - skew) / spread**2
    return FleissTest(kappa, items, raters, math.sqrt(variance))


def _balanced_counts(rows: Iterable[Row]) -> list[list[int]] | None:
    used, counts = category_counts(rows)
    numbers = {sum(row) for row in counts}
    return counts if len(used) > 1 and len(numbers) == 1 and min(numbers) > 1 else None
