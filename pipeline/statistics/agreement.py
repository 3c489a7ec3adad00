"""Agreement of raters: percent agreement, Cohen's and Fleiss' kappa, Krippendorff's alpha."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from .ratings import Category, Row, category_counts, require_numbers
from .ratios import ratio

#: Growth of disagreement with the distance of two ratings: as |i - j|, or as its square (Cohen 1968).
Weights = Literal["linear", "quadratic"]
#: Kind of the categories: labels, ranks, or numbers whose differences count.
Measurement = Literal["nominal", "ordinal", "interval"]


@dataclass(frozen=True, slots=True)
class RaterPair:
    """Agreement of two raters over the items that both judged; `kappa` is None where it is undefined."""

    raters: tuple[str, str]
    items: int
    agreed: int
    kappa: float | None

    @property
    def percent(self) -> float | None:
        """The share of items on which they agree."""
        return ratio(self.agreed, self.items)


@dataclass(frozen=True, slots=True)
class FleissTest:
    """Test of the hypothesis that Fleiss' kappa is zero, for `items` that `raters` raters each judged.

    `standard_error` holds under this hypothesis: use it for `z`, not for an interval (Gwet 2021, Educational and Psychological
    Measurement 81). For an interval see `bootstrap_interval`.
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
        """Two-sided p value of z; 0 where it is too small for a float: then see `log10_p`."""
        return math.erfc(abs(self.z) / math.sqrt(2))

    @property
    def log10_p(self) -> float:
        """Decimal logarithm of the two-sided p value, also where p is too small for a float."""
        from scipy.stats import norm

        return (math.log(2) + float(norm.logsf(abs(self.z)))) / math.log(10)


def percent_agreement(rows: Iterable[Row]) -> float | None:
    """Return the share of agreeing pairs of judgements within an item, averaged over items.

    This is the mean of P_i = sum_j n_ij (n_ij - 1) / (n_i (n_i - 1)) of Fleiss (1971, Psychological Bulletin 76); for two raters,
    the share of items on which they agree. Every item weighs the same, regardless of the number of its judgements.

    Returns:
        Between 0 and 1; None where no item was judged twice.
    """
    _, counts = category_counts(rows)
    shares = [sum(count * (count - 1) for count in row) / (sum(row) * (sum(row) - 1)) for row in counts if sum(row) > 1]
    return sum(shares) / len(shares) if shares else None


def cohen_kappa(judgements: Iterable[tuple[Category, Category]], weights: Weights | None = None) -> float | None:
    """Return Cohen's kappa of two raters, (p_o - p_e) / (1 - p_e), where p_e comes from each rater's own shares.

    Cohen (1960, Educational and Psychological Measurement 20), equation 1. Weighted kappa is 1 - sum(v p_o) / sum(v p_e) over
    the cells with disagreement v (Cohen 1968, Psychological Bulletin 70). Computed by statsmodels, which takes the ratings as
    scores: the distance from 1 to 3 is 2 even where no rating is 2.

    Args:
        judgements: the first and the second rater's judgement of each item that both judged.
        weights: for ratings; None if all disagreements weigh the same.

    Returns:
        At most 1; 0 if one rater uses one category only and the other rater several; None without items, and where all
        judgements are one category, which leaves no room for disagreement (statsmodels would divide 0 by 0).

    Raises:
        ValueError: weights for categories that are not whole numbers.
    """
    return cohen_kappa_of_counts(Counter(judgements), weights)


def cohen_kappa_of_counts(
    counts: Mapping[tuple[Category, Category], int], weights: Weights | None = None
) -> float | None:
    """Return Cohen's kappa from the number of items with each pair of judgements; see `cohen_kappa`.

    Raises:
        ValueError: weights for categories that are not whole numbers.
    """
    used, _ = category_counts({"first": first, "second": second} for first, second in counts)
    if weights:
        require_numbers(used)
    if len(used) < 2:
        return None
    from statsmodels.stats.inter_rater import cohens_kappa

    place = {category: index for index, category in enumerate(used)}
    table = [[0] * len(used) for _ in used]
    for (first, second), count in counts.items():
        table[place[first]][place[second]] += count
    scores = used if weights else None
    return float(cohens_kappa(table, weights=scores, wt=weights, return_results=False))


def rater_pairs(rows: Iterable[Row], weights: Weights | None = None) -> list[RaterPair]:
    """Return the agreement of every two raters who judged an item in common, in the order of their names.

    Args:
        rows: the judgements of each item.
        weights: see `cohen_kappa`.
    """
    shared: dict[tuple[str, str], list[tuple[Category, Category]]] = {}
    for row in rows:
        for first, second in combinations(sorted(row), 2):
            shared.setdefault((first, second), []).append((row[first], row[second]))
    return [
        RaterPair(raters, len(pairs), sum(first == second for first, second in pairs), cohen_kappa(pairs, weights))
        for raters, pairs in sorted(shared.items())
    ]


def mean_kappa(pairs: Iterable[RaterPair]) -> float | None:
    """Return the mean of the pairs' kappas, where each pair weighs the same (Light 1971, Psychological Bulletin 76).

    WSC-ZA reports one Cohen's kappa for five raters (section 3.2, 0.87) and does not say how; this mean is the usual reading.

    Returns:
        The mean of the kappas that are defined; None if none is.
    """
    kappas = [pair.kappa for pair in pairs if pair.kappa is not None]
    return sum(kappas) / len(kappas) if kappas else None


def krippendorff_alpha(rows: Iterable[Row], measurement: Measurement = "nominal") -> float | None:
    """Return Krippendorff's alpha, 1 - D_o / D_e over the coincidences of values within items.

    Krippendorff (2019, Content Analysis, 4th edition, section 12.3), computed by the package krippendorff. Items may have
    different raters and different numbers of raters. An item with one judgement is left out, because nothing coincides with it.

    Args:
        rows: the judgements of each item.
        measurement: ordinal distances count the values between two ranks, interval distances are squared differences.

    Returns:
        At most 1; None if no item has two judgements, or if all judgements of such items are one category (the package would
        raise or return NaN).

    Raises:
        ValueError: ranks or intervals of categories that are not whole numbers.
    """
    used, counts = category_counts(row for row in rows if len(row) > 1)
    if measurement != "nominal":
        require_numbers(used)
    if len(used) < 2:
        return None
    from krippendorff import alpha

    domain = range(len(used)) if measurement == "nominal" else used
    return float(alpha(value_counts=counts, value_domain=list(domain), level_of_measurement=measurement))


def fleiss_kappa(rows: Iterable[Row]) -> float | None:
    """Return Fleiss' kappa, (P - P_e) / (1 - P_e): the agreement of pairs within items beyond that of the raters' pooled shares.

    With n_ij of n raters putting item i in category j, P is the mean over items of sum_j n_ij (n_ij - 1) / (n (n - 1)), and P_e
    the sum of p_j^2 for the share p_j of category j in all judgements (Fleiss 1971, Psychological Bulletin 76). Computed by
    statsmodels. The raters may differ from item to item; their number may not.

    Args:
        rows: the judgements of each item; an item without judgements is ignored.

    Returns:
        At most 1; None if items have unequal numbers of raters (use `krippendorff_alpha`) or fewer than two, and if all judgements
        are one category, which leaves no room for disagreement.
    """
    counts = _balanced_counts(rows)
    if counts is None:
        return None
    from statsmodels.stats.inter_rater import fleiss_kappa as kappa

    return float(kappa(counts))


def fleiss_test(rows: Iterable[Row]) -> FleissTest | None:
    """Return the z test of Fleiss' kappa against zero.

    statsmodels has no variance. This is the one of Fleiss, Nee and Landis (1979, Psychological Bulletin 86), who correct
    Fleiss (1971): with N items, n raters and shares p_j = 1 - q_j it is 2 / (N n (n - 1)) * (s^2 - sum p_j q_j (q_j - p_j))
    / s^2 for s = sum p_j q_j.

    Args:
        rows: the judgements of each item; an item without judgements is ignored.

    Returns:
        The test, or None where `fleiss_kappa` returns None.
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
    """Return the counts by item and category, or None where Fleiss' kappa is undefined."""
    used, counts = category_counts(rows)
    numbers = {sum(row) for row in counts}
    return counts if len(used) > 1 and len(numbers) == 1 and min(numbers) > 1 else None
