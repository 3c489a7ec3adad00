"""Intervals of clustered shares: against published and hand-worked numbers, and by how often they hold the truth."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.statistics.intervals import clustered_interval

CLUSTERS = st.lists(st.integers(1, 8).flatmap(lambda size: st.tuples(st.integers(0, size), st.just(size))), max_size=30)


def test_independent_observations_have_wilsons_interval() -> None:
    # Newcombe 1998 (Statistics in Medicine 17), table I: 81 of 263 gives 0.2553 to 0.3662 by Wilson's method. Of clusters of one
    # the design effect is 265 / 264, so 262 observations count instead of 263; the limits agree to three digits.
    limits = clustered_interval([(1, 1)] * 81 + [(0, 1)] * 182)
    assert limits == (pytest.approx(0.2553, abs=2e-4), pytest.approx(0.3662, abs=2e-4))


def test_clusters_of_like_answers_count_as_one_each() -> None:
    # 20 clusters of 8, of which 15 are right throughout; with the two added 16 of 22, p = 8/11. Each right one deviates by
    # 8 * 3/11, each wrong one by 8 * 8/11: spread 16 * (24/11)^2 + 6 * (64/11)^2 = 279.2727. d = 22/21 * 279.2727 / 176 /
    # (24/121) = 8.380952, effective 160 / d = 19.0909. Wilson for 3/4 of 19.0909: z^2 / n = 0.201219, centre
    # 0.850610 / 1.201219 = 0.708122, half width 1.631646 * sqrt(0.1875 / 19.0909 + 0.201219 / 76.3636) = 0.182105
    low, high = clustered_interval([(8, 8)] * 15 + [(0, 8)] * 5) or (0, 0)
    assert (low, high) == (pytest.approx(0.526017, abs=2e-6), pytest.approx(0.890227, abs=2e-6))


def test_all_right_is_not_taken_for_certain() -> None:
    # ten clusters of four, all right; with the two added p = 11/12, spread 11 * (1/3)^2 + (11/3)^2 = 14.6667, d = 12/11 *
    # 14.6667 / 48 / (11/144) = 4.363636, effective 9.166667. Wilson for all of n: n / (n + z^2) = 0.704688
    assert clustered_interval([(4, 4)] * 10) == (pytest.approx(0.704688, abs=1e-6), 1.0)
    assert clustered_interval([(0, 4)] * 10) == (0.0, pytest.approx(1 - 0.704688, abs=1e-6))


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


@pytest.mark.parametrize("share", [0.5, 0.8, 0.95, 0.99])
def test_it_holds_the_truth_as_often_as_it_says(share: float) -> None:
    """With 60 pairs of 8 answers that are often alike, as WinoPron's are, 95 % are 95 %; ignoring the pairs they are not."""
    chance = random.Random(20261121)
    draws = [covered(60, 8, 0.7, share, chance) for _ in range(1000)]
    right, naive = (sum(column) / len(draws) for column in zip(*draws, strict=True))
    assert 0.93 <= right <= 0.995  # 1,000 draws: a standard error of 0.7 percent
    assert naive < 0.75
