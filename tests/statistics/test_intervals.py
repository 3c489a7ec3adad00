"""Intervals of clustered shares and of any statistic: published numbers, numbers worked by hand, and coverage in simulations."""

import random
from collections.abc import Callable, Mapping, Sequence
from statistics import fmean

import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.statistics.agreement import (
    Coefficient,
    agreement_interval,
    fleiss_kappa,
    krippendorff_alpha,
    percent_agreement,
)
from pipeline.statistics.intervals import bootstrap_interval, clustered_interval
from pipeline.statistics.ratings import Row
from tests.support.judgements import like_wsc_za

CLUSTERS = st.lists(st.lists(st.integers(-5, 5), max_size=4), max_size=8)


def mean(values: Sequence[float]) -> float | None:
    return fmean(values) if values else None


@settings(max_examples=30)
@given(CLUSTERS, st.integers(0, 99))
def test_limits_lie_among_the_values_that_the_statistic_can_take(groups: list[list[int]], seed: int) -> None:
    interval = bootstrap_interval(groups, mean, seed=seed, resamples=50)
    filled = [group for group in groups if group]
    if interval is None:
        assert len(filled) < 2
        return
    # a mean of whole clusters lies between the least and the greatest mean of a cluster
    means = [fmean(group) for group in filled]
    assert min(means) - 1e-9 <= interval.low <= interval.high <= max(means) + 1e-9
    assert (interval.defined, interval.undefined) == (50, 0)
    assert bootstrap_interval(filled, mean, seed=seed, resamples=50) == interval
    narrower = bootstrap_interval(groups, mean, seed=seed, resamples=50, level=0.5)
    assert narrower is not None
    assert interval.low <= narrower.low <= narrower.high <= interval.high


def test_two_clusters_by_hand() -> None:
    # 0, 1/2 and 1 are drawn with chances 1/4, 1/2, 1/4: the middle 90 % reach from 0 to 1, the middle 30 % are 1/2
    interval = bootstrap_interval([[0, 0, 0], [1, 1, 1]], mean, seed=1, level=0.9)
    assert interval is not None
    assert (interval.low, interval.high) == (0, 1)
    interval = bootstrap_interval([[0, 0, 0], [1, 1, 1]], mean, seed=1, level=0.3)
    assert interval is not None
    assert (interval.low, interval.high) == (0.5, 0.5)


def test_the_members_of_a_pair_are_drawn_together() -> None:
    # members alike: pairs tell half as much as as many items, so the interval of the mean is wider by a root of two
    answers = [[place % 3 > 0] * 2 for place in range(120)]
    by_pair = bootstrap_interval(answers, mean, seed=7)
    by_item = bootstrap_interval([[answer] for pair in answers for answer in pair], mean, seed=7)
    assert by_pair is not None
    assert by_item is not None
    # a quantile of 2,000 draws is off by some 2 % of the width
    assert (by_pair.high - by_pair.low) / (by_item.high - by_item.low) == pytest.approx(2**0.5, rel=0.1)
    # sd of a share of 2/3 among 120: sqrt(2/9 / 120) = 0.0430; the normal interval of the pairs is 2 * 1.96 of it wide
    assert by_pair.high - by_pair.low == pytest.approx(2 * 1.96 * 0.0430, rel=0.1)


def test_undefined_resamples_are_counted() -> None:
    # undefined without the third cluster, which a resample lacks with the chance (2/3)^3 = 0.296
    interval = bootstrap_interval([[1], [1], [2]], lambda values: 1.0 if 2 in values else None, seed=3)
    assert interval is not None
    assert (interval.low, interval.high) == (1, 1)
    assert interval.defined + interval.undefined == 2000
    assert interval.undefined == pytest.approx(2000 * 8 / 27, rel=0.1)


def test_too_few_clusters_or_an_undefined_statistic_give_no_interval() -> None:
    assert bootstrap_interval([], mean, seed=1) is None
    assert bootstrap_interval([[1, 2, 3], []], mean, seed=1) is None
    assert bootstrap_interval([[1], [2]], lambda _: None, seed=1) is None
    # defined on the sample alone
    assert (
        bootstrap_interval([[1], [1], [2]], lambda values: 1.0 if values == [1, 1, 2] else None, seed=0, resamples=1)
        is None
    )


@pytest.mark.parametrize(("resamples", "level"), [(0, 0.95), (-1, 0.95), (10, 0.0), (10, 1.0), (10, 95)])
def test_impossible_settings_are_refused(resamples: int, level: float) -> None:
    with pytest.raises(ValueError, match=r"^\[bootstrap\] impossible settings; found "):
        bootstrap_interval([[1], [2]], mean, seed=1, resamples=resamples, level=level)


def test_the_interval_of_wsc_zas_kappa() -> None:
    """Section 3.3 publishes 0.758 to 0.846: what resampling items gives, so the authors probably did that."""
    judgements, _ = like_wsc_za()
    # variance of the items' agreement 0.0320 over 240: sd of kappa near 2 * 0.01155 = 0.0231, so some 0.803 -+ 0.045
    interval = bootstrap_interval([[row] for row in judgements.values()], fleiss_kappa, seed=20261121, resamples=1000)
    assert interval is not None
    assert (interval.low, interval.high) == (pytest.approx(0.758, abs=0.006), pytest.approx(0.846, abs=0.006))
    assert interval.undefined == 0


ROWS = st.dictionaries(st.sampled_from("abcd"), st.integers(1, 4), max_size=4)
STATISTICS: Mapping[Coefficient, Callable[[Sequence[Row]], float | None]] = {
    "percent": percent_agreement,
    "fleiss": fleiss_kappa,
    "nominal": krippendorff_alpha,
    "ordinal": lambda rows: krippendorff_alpha(rows, "ordinal"),
    "interval": lambda rows: krippendorff_alpha(rows, "interval"),
}


@pytest.mark.parametrize("coefficient", STATISTICS)
@settings(max_examples=40)
@given(groups=st.lists(st.lists(ROWS, max_size=2), max_size=5), even=st.booleans())
def test_an_interval_from_sums_is_that_of_the_whole_statistic(
    coefficient: Coefficient, groups: list[list[dict[str, int]]], even: bool
) -> None:
    if even:  # Fleiss' kappa wants the same number of raters for each item
        groups = [
            [dict.fromkeys("abc", 1) | {rater: row[rater] for rater in "abc" if rater in row} for row in group]
            for group in groups
        ]
    drawn: list[list[Row]] = [[*group] for group in groups]
    slow = bootstrap_interval(drawn, STATISTICS[coefficient], seed=3, resamples=12)
    fast = agreement_interval(drawn, coefficient, seed=3, resamples=12)
    if slow is None or fast is None:
        assert fast is slow
        return
    assert (fast.defined, fast.undefined) == (slow.defined, slow.undefined)
    assert (fast.low, fast.high) == (pytest.approx(slow.low, abs=1e-9), pytest.approx(slow.high, abs=1e-9))


def test_an_interval_of_labels_that_all_differ_needs_no_square_of_them() -> None:
    """Translations of 2,000 sentences by two people: as a table of every two texts they would take 100 gigabytes."""
    groups: list[list[Row]] = [
        [{"a": f"x{number}", "b": f"y{number}" if number % 2 else f"x{number}"}] for number in range(2000)
    ]
    interval = agreement_interval(groups, "nominal", seed=1, resamples=3)
    assert interval is not None
    assert 0.4 < interval.low <= interval.high < 0.6


# --- clustered shares ---------------------------------------------------------------------------------------------------

COUNTS = st.lists(st.integers(1, 8).flatmap(lambda size: st.tuples(st.integers(0, size), st.just(size))), max_size=30)


def test_independent_observations_have_the_interval_of_clopper_and_pearson() -> None:
    # Newcombe 1998 (Statistics in Medicine 17), table I: 81 of 263 gives 0.2527 to 0.3676 by the method of Clopper and Pearson.
    # The variance of clusters of one has k - 1 below, so 262 observations count instead of 263; the limits agree to three digits.
    limits = clustered_interval([(1, 1)] * 81 + [(0, 1)] * 182)
    assert limits == (pytest.approx(0.2527, abs=2e-4), pytest.approx(0.3676, abs=2e-4))


def test_clusters_of_like_answers_count_as_one_each() -> None:
    # 20 clusters of 8, of which 15 are right throughout: p = 3/4. Each right one deviates by 8 * 1/4, each wrong one by 8 * 3/4:
    # v = 20/19 * (15 * 4 + 5 * 36) / 160^2 = 0.00986842, p (1 - p) / v = 19. With t(159) = 1.974996 and t(19) = 2.093024,
    # n* = 19 * (1.974996 / 2.093024)^2 = 16.91756, of which 12.68817 are right. Clopper and Pearson's limits are quantiles:
    # 0.025 of Beta(12.68817, 5.22939), 0.975 of Beta(13.68817, 4.22939)
    low, high = clustered_interval([(8, 8)] * 15 + [(0, 8)] * 5) or (0, 0)
    assert (low, high) == (pytest.approx(0.484774, abs=2e-6), pytest.approx(0.923851, abs=2e-6))
    assert scipy.stats.beta(12.68817, 5.22939).cdf(low) == pytest.approx(0.025, abs=1e-6)
    assert scipy.stats.beta(13.68817, 4.22939).cdf(high) == pytest.approx(0.975, abs=1e-6)


def test_clusters_that_agree_with_each_other_count_all_their_observations() -> None:
    # each of ten clusters has two of four right: v = 0, so n* is n. 20 of 40: Beta(20, 21) and Beta(21, 20)
    limits = clustered_interval([(2, 4)] * 10)
    assert limits == (
        pytest.approx(scipy.stats.beta(20, 21).ppf(0.025)),
        pytest.approx(scipy.stats.beta(21, 20).ppf(0.975)),
    )


def test_all_right_is_not_taken_for_certain() -> None:
    # ten clusters of four, all right: they count as ten, and 0.025 = low^10
    assert clustered_interval([(4, 4)] * 10) == (pytest.approx(0.025**0.1), 1.0)
    assert clustered_interval([(0, 4)] * 10) == (0.0, pytest.approx(1 - 0.025**0.1))


def test_one_cluster_has_no_spread() -> None:
    assert clustered_interval([]) is None
    assert clustered_interval([(3, 8)]) is None
    assert clustered_interval([(3, 8), (0, 0)]) is None


@given(COUNTS)
def test_the_limits_hold_the_share_and_mirror_each_other(clusters: list[tuple[int, int]]) -> None:
    limits = clustered_interval(clusters)
    if limits is None:
        assert len(clusters) < 2
        return
    low, high = limits
    share = sum(right for right, _ in clusters) / sum(size for _, size in clusters)
    assert 0 <= low <= share + 1e-12
    assert share - 1e-12 <= high <= 1
    mirrored = clustered_interval([(size - right, size) for right, size in clusters])
    assert mirrored == (pytest.approx(1 - high), pytest.approx(1 - low))
    narrower = clustered_interval(clusters, 0.5)
    assert narrower is not None
    assert low - 1e-12 <= narrower[0] <= narrower[1] <= high + 1e-12


def covered(pairs: int, size: int, like: float, share: float, chance: random.Random) -> tuple[bool, bool]:
    """Draw pairs whose answers are alike with probability `like`; tell whether the two intervals hold `share`."""
    clusters = []
    for _ in range(pairs):
        if chance.random() < like:
            clusters.append((size * (chance.random() < share), size))
        else:
            clusters.append((sum(chance.random() < share for _ in range(size)), size))
    low, high = clustered_interval(clusters) or (0, 1)
    right = sum(count for count, _ in clusters)
    naive = clustered_interval([(1, 1)] * right + [(0, 1)] * (pairs * size - right)) or (0, 1)
    return low <= share <= high, naive[0] <= share <= naive[1]


@pytest.mark.parametrize(("share", "least"), [(0.5, 0.94), (0.8, 0.94), (0.95, 0.85), (0.99, 0.94)])
def test_coverage_with_clusters_of_like_answers(share: float, least: float) -> None:
    """60 pairs of 8 answers that are often alike, as WinoPron's are: an interval that ignores the pairs is far too narrow.

    At 95 %, 42 pairs that are alike throughout have some two wrong ones; one sample in eight has none and looks too certain.
    """
    chance = random.Random(20261121)
    draws = [covered(60, 8, 0.7, share, chance) for _ in range(1000)]
    clustered, naive = (sum(column) / len(draws) for column in zip(*draws, strict=True))
    assert least <= clustered <= 0.999  # 1,000 draws: a standard error of at most 1.1 percent
    assert naive < 0.75
