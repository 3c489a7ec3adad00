"""Agreement of raters two by two: percent, Cohen's kappa."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from .ratings import Category, Row, category_counts, require_numbers
from .ratios import ratio

#: How disagreement grows with the distance of two ratings: as |i - j|, or as its square (Cohen 1968).
Weights = Literal["linear", "quadratic"]


def percent_agreement(rows: Iterable[Row]) -> float | None:
    """Return the share of agreeing pairs of judgements within an item, averaged over items.

    It is the mean of P_i = sum_j n_ij (n_ij - 1) / (n_i (n_i - 1)) of Fleiss (1971, Psychological Bulletin 76); of two raters it
    is the share of items on which they agree. Every item weighs the same, however many judged it.

    Returns:
        Between 0 and 1; None where no item was judged twice.
    """
    _, counts = category_counts(rows)
    shares = [sum(count * (count - 1) for count in row) / (sum(row) * (sum(row) - 1)) for row in counts if sum(row) > 1]
    return sum(shares) / len(shares) if shares else None


def cohen_kappa(said: Iterable[tuple[Category, Category]], weights: Weights | None = None) -> float | None:
    """Return Cohen's kappa of two raters, (p_o - p_e) / (1 - p_e), where p_e comes from each rater's own shares.

    Cohen (1960, Educational and Psychological Measurement 20), equation 1; weighted, 1 - sum(v p_o) / sum(v p_e) over the
    cells with disagreement v (Cohen 1968, Psychological Bulletin 70). Computed by statsmodels. It is given the
    ratings as scores: the distance from 1 to 3 is two even where nobody said 2. Where kappa is undefined it divides 0 by 0
    and warns; so it is not asked.

    Args:
        said: what the first and the second rater said of each item that both judged.
        weights: for ratings; None takes every disagreement for the same.

    Returns:
        At most 1; 0 where one rater always says the same and the other does not; None without items, and where both raters
        said nothing but one same category, which leaves no room for disagreement.

    Raises:
        ValueError: weights for categories that are no whole numbers.
    """
    pairs = list(said)
    used, _ = category_counts({"one": one, "other": other} for one, other in pairs)
    if weights:
        require_numbers(used)
    if len(used) < 2:
        return None
    from statsmodels.stats.inter_rater import cohens_kappa

    place = {category: index for index, category in enumerate(used)}
    table = [[0] * len(used) for _ in used]
    for one, other in pairs:
        table[place[one]][place[other]] += 1
    scores = used if weights else None
    return float(cohens_kappa(table, weights=scores, wt=weights, return_results=False))


@dataclass(frozen=True, slots=True)
class RaterPair:
    """The agreement of two raters over the items that both judged; `kappa` is None where it is undefined."""

    raters: tuple[str, str]
    items: int
    agreed: int
    kappa: float | None

    @property
    def percent(self) -> float | None:
        """The share of items on which they agree."""
        return ratio(self.agreed, self.items)


def rater_pairs(rows: Iterable[Row], weights: Weights | None = None) -> list[RaterPair]:
    """Return the agreement of each two raters who judged an item in common, in the order of their names.

    Args:
        rows: what was said of each item.
        weights: see `cohen_kappa`.
    """
    shared: dict[tuple[str, str], list[tuple[Category, Category]]] = {}
    for row in rows:
        for one, other in combinations(sorted(row), 2):
            shared.setdefault((one, other), []).append((row[one], row[other]))
    return [
        RaterPair(raters, len(said), sum(one == other for one, other in said), cohen_kappa(said, weights))
        for raters, said in sorted(shared.items())
    ]


def mean_kappa(pairs: Iterable[RaterPair]) -> float | None:
    """Return the mean of the pairs' kappas, each pair weighing the same (Light 1971, Psychological Bulletin 76).

    What WSC-ZA reports of its five raters (section 3.2, 0.87) is one number of Cohen's kappa without saying how; this mean is
    the usual reading.

    Returns:
        The mean of the defined ones; None where none is.
    """
    kappas = [pair.kappa for pair in pairs if pair.kappa is not None]
    return sum(kappas) / len(kappas) if kappas else None


#: What the categories are: labels, ranks, or numbers whose differences count.
Measurement = Literal["nominal", "ordinal", "interval"]


def krippendorff_alpha(rows: Iterable[Row], measurement: Measurement = "nominal") -> float | None:
    """Return Krippendorff's alpha, 1 - D_o / D_e over the coincidences of values within items.

    Krippendorff (2019, Content Analysis, 4th edition, section 12.3), computed by the package krippendorff. Items may have been
    judged by different raters and unequal numbers of them; one that was judged once has nothing to coincide with and is left
    out, with its value. The package takes intervals unless told otherwise, raises where nothing coincides and gives NaN for a
    single category that has company in its domain; so it is asked only where alpha is defined.

    Args:
        rows: what was said of each item.
        measurement: ordinal distances count the values between two ranks, interval ones are squared differences.

    Returns:
        At most 1; None where no item was judged twice, and where those that were hold one same category.

    Raises:
        ValueError: ranks or intervals of categories that are no whole numbers.
    """
    used, counts = category_counts(row for row in rows if len(row) > 1)
    if measurement != "nominal":
        require_numbers(used)
    if len(used) < 2:
        return None
    from krippendorff import alpha

    domain = range(len(used)) if measurement == "nominal" else used
    return float(alpha(value_counts=counts, value_domain=list(domain), level_of_measurement=measurement))


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
