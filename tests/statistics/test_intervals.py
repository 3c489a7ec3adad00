"""Intervals of clustered shares: published numbers, numbers worked by hand, and coverage in simulations."""

import random

import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from pipeline.statistics.intervals import clustered_interval

CLUSTERS = st.lists(st.integers(1, 8).flatmap(lambda size: st.tuples(st.integers(0, size), st.just(size))), max_size=30)


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


@given(CLUSTERS)
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
