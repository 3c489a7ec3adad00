"""Agreement: of raters (per cent, Cohen's and Fleiss' kappa, Krippendorff's alpha), and of two segmentations or sets of findings."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, combinations
from typing import TYPE_CHECKING, Literal

from .intervals import BootstrapInterval, percentile_interval, ratio, require_settings
from .ratings import Category, Row, category_counts, require_numbers

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

#: Growth of disagreement with the distance of two ratings: as |i - j|, or as its square (Cohen 1968).
Weights = Literal["linear", "quadratic"]
#: Kind of the categories: labels, ranks, or numbers whose differences count.
Measurement = Literal["nominal", "ordinal", "interval"]
#: Coefficients that are functions of sums over items; Krippendorff's alpha goes by the kind of its categories.
Coefficient = Literal["percent", "fleiss"] | Measurement
#: The labels that each rater gave an item. A rater who did not judge it is absent.
SetRow = Mapping[str, frozenset[str]]


@dataclass(frozen=True, slots=True)
class RaterPair:
    """Agreement of two raters over the items that both judged, as number and share; `kappa` is None where it is undefined."""

    raters: tuple[str, str]
    items: int
    agreed: int
    percent: float | None
    kappa: float | None


@dataclass(frozen=True, slots=True)
class FleissTest:
    """Test of the hypothesis that Fleiss' kappa is zero, for `items` that `raters` raters each judged.

    z is kappa in the standard errors that hold under this hypothesis, which give no interval (Gwet 2021, Educational and Psychological
    Measurement 81): see `bootstrap_interval`. The p value is two-sided; None where it is too small for a float, unlike its logarithm.
    """

    z: float
    p: float | None
    log10_p: float
    items: int
    raters: int


def percent_agreement(rows: Iterable[Row]) -> float | None:
    """Return the share of agreeing pairs of judgements within an item, averaged over items.

    This is the mean of P_i = sum_j n_ij (n_ij - 1) / (n_i (n_i - 1)) of Fleiss (1971, Psychological Bulletin 76); for two raters,
    the share of items on which they agree. Every item weighs the same, regardless of the number of its judgements. None where no item
    was judged twice.
    """
    return _coefficient_of(rows, "percent")


def cohen_kappa(judgements: Iterable[tuple[Category, Category]], weights: Weights | None = None) -> float | None:
    """Return Cohen's kappa of two raters, (p_o - p_e) / (1 - p_e), where p_e comes from each rater's own shares.

    Cohen (1960, Educational and Psychological Measurement 20), equation 1. Weighted kappa is 1 - sum(v p_o) / sum(v p_e) over
    the cells with disagreement v (Cohen 1968, Psychological Bulletin 70). Computed by statsmodels, which takes the ratings as
    scores: the distance from 1 to 3 is 2 even where no rating is 2. Without weights all disagreements weigh the same.

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
    """Return Cohen's kappa from the number of items with each pair of judgements; see `cohen_kappa`."""
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
    """Return the agreement of every two raters who judged an item in common, in the order of their names; see `cohen_kappa`."""
    shared: dict[tuple[str, str], list[tuple[Category, Category]]] = {}
    for row in rows:
        for first, second in combinations(sorted(row), 2):
            shared.setdefault((first, second), []).append((row[first], row[second]))
    agreed = {raters: sum(first == second for first, second in pairs) for raters, pairs in shared.items()}
    return [
        RaterPair(raters, len(pairs), agreed[raters], ratio(agreed[raters], len(pairs)), cohen_kappa(pairs, weights))
        for raters, pairs in sorted(shared.items())
    ]


def mean_kappa(pairs: Iterable[RaterPair]) -> float | None:
    """Return the mean of the pairs' kappas that are defined, each of the same weight (Light 1971, Psychological Bulletin 76).

    WSC-ZA reports one Cohen's kappa for five raters (section 3.2, 0.87) and does not say how; this mean is the usual reading.
    """
    kappas = [pair.kappa for pair in pairs if pair.kappa is not None]
    return sum(kappas) / len(kappas) if kappas else None


def krippendorff_alpha(rows: Iterable[Row], measurement: Measurement = "nominal") -> float | None:
    """Return Krippendorff's alpha, 1 - D_o / D_e over the coincidences of values within items.

    Krippendorff (2019, Content Analysis, 4th edition, section 12.3). Items may have different raters and different numbers of raters.
    An item with one judgement is left out, because nothing coincides with it. Ordinal distances count the values between two ranks,
    interval distances are squared differences.

    Returns:
        At most 1; None if no item has two judgements, or if all judgements of such items are one category.

    Raises:
        ValueError: ranks or intervals of categories that are not whole numbers.
    """
    rows = [row for row in rows if len(row) > 1]
    if measurement != "nominal":
        require_numbers(category for row in rows for category in row.values())
    return _coefficient_of(rows, measurement)


def fleiss_kappa(rows: Iterable[Row]) -> float | None:
    """Return Fleiss' kappa, (P - P_e) / (1 - P_e): the agreement of pairs within items beyond that of the raters' pooled shares.

    With n_ij of n raters putting item i in category j, P is the mean over items of sum_j n_ij (n_ij - 1) / (n (n - 1)), and P_e
    the sum of p_j^2 for the share p_j of category j in all judgements (Fleiss 1971, Psychological Bulletin 76). The raters may differ
    from item to item; their number may not. An item without judgements is ignored.

    Returns:
        At most 1; None if items have unequal numbers of raters (use `krippendorff_alpha`) or fewer than two, and if all judgements
        are one category, which leaves no room for disagreement.
    """
    return _coefficient_of(rows, "fleiss")


def fleiss_test(rows: Iterable[Row]) -> FleissTest | None:
    """Return the z test of Fleiss' kappa against zero.

    statsmodels has no variance. This is the one of Fleiss, Nee and Landis (1979, Psychological Bulletin 86), who correct
    Fleiss (1971): with N items, n raters and shares p_j = 1 - q_j it is 2 / (N n (n - 1)) * (s^2 - sum p_j q_j (q_j - p_j))
    / s^2 for s = sum p_j q_j. None where `fleiss_kappa` is None.
    """
    rows = [row for row in rows if row]
    kappa = fleiss_kappa(rows)
    if kappa is None:
        return None
    _, counts = category_counts(rows)
    items, raters = len(counts), sum(counts[0])
    shares = [sum(column) / (items * raters) for column in zip(*counts, strict=True)]
    spread = sum(p * (1 - p) for p in shares)
    skew = sum(p * (1 - p) * (1 - 2 * p) for p in shares)
    variance = 2 / (items * raters * (raters - 1)) * (spread**2 - skew) / spread**2
    z = kappa / math.sqrt(variance)
    from scipy.stats import norm

    log10_p = (math.log(2) + float(norm.logsf(abs(z)))) / math.log(10)
    return FleissTest(z, math.erfc(abs(z) / math.sqrt(2)) or None, log10_p, items, raters)


def agreement_interval(
    clusters: Iterable[Sequence[Row]],
    coefficient: Coefficient,
    *,
    seed: int,
    resamples: int = 2000,
    level: float = 0.95,
) -> BootstrapInterval | None:
    """Return the interval that `bootstrap_interval` gives for a coefficient, from the same draws in far less time.

    The sums of each cluster are computed once, and a resample adds those of its clusters.
    """
    require_settings(resamples, level)
    sample = [tuple(cluster) for cluster in clusters if cluster]
    rows = [row for cluster in sample for row in cluster]
    if len(sample) < 2 or _coefficient_of(rows, coefficient) is None:
        return None
    import numpy

    used, sums = _item_sums(rows, coefficient)
    by_cluster = numpy.add.reduceat(sums, numpy.cumsum([0, *map(len, sample)])[:-1], axis=0)
    generator = numpy.random.default_rng(seed)
    totals = numpy.empty((resamples, sums.shape[1]))
    for number in range(resamples):
        drawn = generator.integers(len(sample), size=len(sample))
        totals[number] = numpy.bincount(drawn, minlength=len(sample)) @ by_cluster
    return percentile_interval(_coefficients(totals, coefficient, used), level)


def _coefficient_of(rows: Iterable[Row], coefficient: Coefficient) -> float | None:
    """Return a coefficient of all rows; None where it is undefined."""
    rows = [row for row in rows if row]
    if not rows or (coefficient == "fleiss" and len({len(row) for row in rows}) > 1):
        return None
    used, sums = _item_sums(rows, coefficient)
    value = float(_coefficients(sums.sum(axis=0)[None, :], coefficient, used)[0])
    return None if math.isnan(value) else value


def _item_sums(rows: Sequence[Row], coefficient: Coefficient) -> tuple[list[Category], "NDArray[numpy.float64]"]:
    """Return the categories in use, and for each item what a coefficient needs the sums of over items.

    The columns are: the share of agreeing pairs, whether there is a pair, coincidences of a category with itself, the counts by category,
    the same where there is a pair, and for categories with distances the coincidences of every two.
    """
    import numpy

    used, _ = category_counts(rows)
    place = {category: number for number, category in enumerate(used)}
    counts = numpy.zeros((len(rows), len(used)))
    for number, row in enumerate(rows):
        for category in row.values():
            counts[number, place[category]] += 1
    raters = counts.sum(axis=1)
    shared = raters > 1
    alike = (counts * (counts - 1)).sum(axis=1)
    others = numpy.where(shared, raters - 1, 1)
    agreed = numpy.where(shared, alike / (numpy.maximum(raters, 1) * others), 0)
    coinciding = numpy.where(shared, alike / others, 0)
    parts = [agreed[:, None], shared[:, None], coinciding[:, None], counts, counts * shared[:, None]]
    if coefficient in ("ordinal", "interval"):
        coincidences = counts[:, :, None] * counts[:, None, :] - counts[:, :, None] * numpy.eye(len(used))
        parts.append((coincidences * (shared / others)[:, None, None]).reshape(len(rows), -1))
    return used, numpy.concatenate(parts, axis=1)


def _coefficients(
    sums: "NDArray[numpy.float64]", coefficient: Coefficient, used: Sequence[Category]
) -> "NDArray[numpy.float64]":
    """Return the coefficient of each row of sums, whose columns are those of `_item_sums`; NaN where it is undefined."""
    import numpy

    size = len(used)
    agreed, items, alike = sums[:, 0], sums[:, 1], sums[:, 2]
    counts, margins = sums[:, 3 : 3 + size], sums[:, 3 + size : 3 + 2 * size]
    number = margins.sum(axis=1)
    with numpy.errstate(divide="ignore", invalid="ignore"):  # 0 / 0 is NaN: undefined
        if coefficient == "percent":
            return numpy.asarray(agreed / items)
        if coefficient == "fleiss":
            chance = ((counts / counts.sum(axis=1, keepdims=True)) ** 2).sum(axis=1)
            kappa = (agreed / items - chance) / (1 - chance)
            return numpy.where((counts > 0).sum(axis=1) > 1, kappa, math.nan)
        if coefficient == "nominal":
            observed, expected = number - alike, number**2 - (margins**2).sum(axis=1)
        else:
            coincidences = sums[:, 3 + 2 * size :].reshape(-1, size, size)
            distances = _distances(margins, coefficient, used)
            observed = (coincidences * distances).sum(axis=(1, 2))
            expected = (margins[:, :, None] * margins[:, None, :] * distances).sum(axis=(1, 2))
        return numpy.where((margins > 0).sum(axis=1) > 1, 1 - (number - 1) * observed / expected, math.nan)


def _distances(
    margins: "NDArray[numpy.float64]", coefficient: Coefficient, used: Sequence[Category]
) -> "NDArray[numpy.float64]":
    """Return the squared distance of every two ranks or numbers, for each row of margins."""
    import numpy

    if coefficient == "interval":
        numbers = numpy.array([float(category) for category in used])
        return numpy.asarray((numbers[:, None] - numbers[None, :]) ** 2)[None, :, :]
    # ordinal: the values between two ranks, with half of those at both ends
    middles = margins.cumsum(axis=1) - margins / 2
    return numpy.asarray((middles[:, :, None] - middles[:, None, :]) ** 2)


# --- several labels at once ---------------------------------------------------------------------------------------------


def masi_distance(first: frozenset[str], second: frozenset[str]) -> float:
    """Return the distance of two sets of labels, 1 - J M (Passonneau 2006, LREC, section 4).

    J is Jaccard's coefficient. M is 1 for equal sets, 2/3 if one contains the other, 1/3 if they only overlap, 0 if they share nothing.
    Two empty sets are equal.

    >>> masi_distance(frozenset("a"), frozenset("ab")), masi_distance(frozenset("a"), frozenset("b"))
    (0.6666666666666667, 1.0)
    """
    if first == second:
        return 0.0
    common = first & second
    if not common:
        return 1.0
    monotonicity = 2 / 3 if common in (first, second) else 1 / 3
    return 1 - len(common) / len(first | second) * monotonicity


def set_alpha(rows: Iterable[SetRow]) -> float | None:
    """Return Krippendorff's alpha of sets, 1 - D_o / D_e with `masi_distance`.

    Krippendorff (2019, Content Analysis, 4th edition, section 12.3): with n sets in items of m_u >= 2 sets, D_o is the sum over items
    of the distances of their ordered pairs, each divided by m_u - 1, over n; D_e the mean distance of all ordered pairs of sets. An
    item with one set is left out. At most 1; None if no item has two sets, or if all sets of such items are the same.
    """
    tallies = [Counter(row.values()) for row in rows if len(row) > 1]
    total = sum(tallies, Counter[frozenset[str]]())
    number = total.total()
    expected = _set_distances(total) / (number * (number - 1)) if number else 0.0
    if expected == 0:
        return None
    observed = sum(_set_distances(tally) / (tally.total() - 1) for tally in tallies) / number
    return 1 - observed / expected


def _set_distances(tally: Counter[frozenset[str]]) -> float:
    """Return the sum of the distances of all ordered pairs of sets."""
    return 2 * sum(
        tally[first] * tally[second] * masi_distance(first, second) for first, second in combinations(tally, 2)
    )


# --- what two have in common --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Overlap:
    """Number of things that we found, that a reference has, and that both have."""

    ours: int
    theirs: int
    both: int

    @property
    def precision(self) -> float | None:
        """The share of ours that are theirs too; None if we have none."""
        return ratio(self.both, self.ours)

    @property
    def recall(self) -> float | None:
        """The share of theirs that are ours too; None if they have none."""
        return ratio(self.both, self.theirs)

    @property
    def f1(self) -> float | None:
        """The harmonic mean of precision and recall, 2 both / (ours + theirs); None where either is None."""
        return ratio(2 * self.both, self.ours + self.theirs) if self.ours and self.theirs else None


@dataclass(frozen=True, slots=True)
class BoundaryAgreement(Overlap):
    """Word boundaries inside a number of texts."""

    texts: int

    def __str__(self) -> str:
        scores = {"precision": self.precision, "recall": self.recall, "F1": self.f1}
        shares = ", ".join(
            f"{name} {'undefined' if score is None else f'{score:.4f}'}" for name, score in scores.items()
        )
        return f"word boundaries of {self.texts} texts: {shares} (ours {self.ours}, theirs {self.theirs}, both {self.both})"


def boundary_agreement(ours: Mapping[str, Sequence[str]], theirs: Mapping[str, Sequence[str]]) -> BoundaryAgreement:
    """Return the agreement of two segmentations of the same texts, with the boundaries of all texts counted together.

    The ends of a text do not count, since both segmentations have a boundary there: this is the boundary measure of Rytting 2004
    (Segment Predictability as a Cue in Word Segmentation, SIGPHON, section 3). The score of the bakeoffs (Sproat and Emerson
    2003) differs: it counts words, which are right if both their boundaries are and none lies between.

    Raises:
        ValueError: the texts are not the same.
    """
    if odd := sorted(ours.keys() ^ theirs.keys()):
        raise ValueError(f"[item] not the same texts; found {odd[0]!r} in one of two, expected each in both")
    counts = Counter(ours=0, theirs=0, both=0)
    for item_id, tokens in ours.items():
        text, expected = "".join(tokens), "".join(theirs[item_id])
        if text != expected:
            raise ValueError(f"[tokens] not the same text of {item_id}; found {text!r}, expected {expected!r}")
        mine, other = _boundaries(tokens), _boundaries(theirs[item_id])
        counts.update(ours=len(mine), theirs=len(other), both=len(mine & other))
    return BoundaryAgreement(**counts, texts=len(ours))


def _boundaries(tokens: Sequence[str]) -> set[int]:
    return set(list(accumulate(map(len, tokens)))[:-1])
