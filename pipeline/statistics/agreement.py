"""Agreement of raters two by two: percent, Cohen's kappa."""

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
class Pairwise:
    """The agreement of two raters over the items that both judged; `kappa` is None where it is undefined."""

    raters: tuple[str, str]
    items: int
    agreed: int
    kappa: float | None

    @property
    def percent(self) -> float | None:
        """The share of items on which they agree."""
        return ratio(self.agreed, self.items)


def pairwise(rows: Iterable[Row], weights: Weights | None = None) -> list[Pairwise]:
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
        Pairwise(raters, len(said), sum(one == other for one, other in said), cohen_kappa(said, weights))
        for raters, said in sorted(shared.items())
    ]


def mean_kappa(pairs: Iterable[Pairwise]) -> float | None:
    """Return the mean of the pairs' kappas, each pair weighing the same (Light 1971, Psychological Bulletin 76).

    What WSC-ZA reports of its five raters (section 3.2, 0.87) is one number of Cohen's kappa without saying how; this mean is
    the usual reading.

    Returns:
        The mean of the defined ones; None where none is.
    """
    kappas = [pair.kappa for pair in pairs if pair.kappa is not None]
    return sum(kappas) / len(kappas) if kappas else None
