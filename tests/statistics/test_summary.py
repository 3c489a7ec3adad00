"""Shrunken means: worked by hand, between an item's own mean and that of all, nearer to the truth than means."""

from collections.abc import Sequence
from itertools import pairwise
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.statistics.intervals import Components, shrunken_means, variance_components


def test_by_hand_with_equal_numbers() -> None:
    # means 4 and 2 of two ratings each: MSW = 2 / 2, MSB = 2 * 1 + 2 * 1, n_0 = (4 - 8 / 4) / 1 = 2, between = (4 - 1) / 2 = 1.5;
    # each mean keeps 1.5 / (1.5 + 1 / 2) = 3 / 4 of its distance to 3
    ratings = {"x": [5, 3], "y": [2, 2], "nobody": []}
    assert variance_components(ratings) == Components(pytest.approx(1), pytest.approx(1.5))
    assert shrunken_means(ratings) == pytest.approx({"x": 3.75, "y": 2.25})


def test_an_item_with_fewer_values_is_drawn_further() -> None:
    # MSW = 2 / 1, MSB = 2 (2/3)^2 + (4/3)^2 = 8/3, n_0 = 3 - 5/3 = 4/3, between = (8/3 - 2) / (4/3) = 0.5. Weights 1 / (0.5 + 2/2) and
    # 1 / (0.5 + 2): the mean of all is (2/3 * 4 + 0.4 * 2) / (16/15) = 3.25; x keeps a third of 0.75, y a fifth of -1.25
    assert shrunken_means({"x": [5, 3], "y": [2]}) == pytest.approx({"x": 3.5, "y": 3.0})


def test_items_that_differ_less_than_their_values_get_the_mean_of_all() -> None:
    # MSW = 8, MSB = 0: the negative estimate is 0
    assert shrunken_means({"x": [5, 1], "y": [1, 5], "z": [3]}) == {"x": 3, "y": 3, "z": 3}


@pytest.mark.parametrize("ratings", [{}, {"x": [4, 5]}, {"x": [4], "y": [5]}, {"x": [], "y": [1, 2]}])
def test_without_two_items_or_two_values_of_one_nothing_is_known(ratings: dict[str, list[float]]) -> None:
    assert shrunken_means(ratings) == {}


@given(st.lists(st.lists(st.integers(1, 5), min_size=1, max_size=5), min_size=2, max_size=8))
def test_a_shrunken_mean_lies_between_the_items_mean_and_the_others(groups: list[list[int]]) -> None:
    ratings: dict[str, Sequence[float]] = {str(number): group for number, group in enumerate(groups)}
    means = {item: fmean(group) for item, group in ratings.items()}
    shrunken = shrunken_means(ratings)
    assert (shrunken == {}) == (sum(map(len, groups)) == len(groups))
    for value in shrunken.values():
        assert min(means.values()) - 1e-9 <= value <= max(means.values()) + 1e-9
    by_mean = sorted((means[item], len(ratings[item]), value) for item, value in shrunken.items())
    for (low, raters, first), (high, others, second) in pairwise(by_mean):
        assert raters != others or low > high or first <= second + 1e-9  # equally reliable means keep their order
