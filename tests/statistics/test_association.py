"""Correlations and Cramér's V by hand, against scipy, and with clusters."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import contingency, pearsonr, spearmanr

from pipeline.statistics.association import correlation, cramers_v, deciles, ranks, resampled_weights

NUMBERS = st.lists(st.tuples(st.integers(-50, 50), st.integers(-50, 50)), min_size=3, max_size=30)


@given(NUMBERS)
def test_correlations_are_those_of_scipy(rows: list[tuple[int, int]]) -> None:
    first, second = [float(row[0]) for row in rows], [float(row[1]) for row in rows]
    result = correlation(first, second)
    if len(set(first)) == 1 or len(set(second)) == 1:
        assert result is None
        return
    spearman = correlation(ranks(first), ranks(second))
    assert result is not None
    assert spearman is not None
    assert result.value == pytest.approx(pearsonr(first, second).statistic, abs=1e-9)
    assert (result.interval, result.p_clustered) == (None, None)
    assert spearman.value == pytest.approx(spearmanr(first, second).statistic, abs=1e-9)
    if abs(result.value) < 0.999999:
        assert result.p == pytest.approx(pearsonr(first, second).pvalue, rel=1e-5, abs=1e-9)


def test_answers_that_repeat_ten_times_are_no_more_certain() -> None:
    """Ten copies of each observation, clustered by original: the interval stays, the naive p shrinks."""
    draw = random.Random(5)
    x = [draw.gauss(0, 1) for _ in range(60)]
    y = [value / 2 + draw.gauss(0, 1) for value in x]
    single = correlation(x, y, resampled_weights([range(60)], seed=1))
    copies = correlation(x * 10, y * 10, resampled_weights([[*range(60)] * 10], seed=1))
    assert single is not None
    assert copies is not None
    assert copies.value == pytest.approx(single.value)
    assert copies.interval == pytest.approx(single.interval)
    assert copies.p_clustered == pytest.approx(single.p_clustered)
    assert copies.p < single.p / 1000


def test_the_weights_of_crossed_clusters_are_products() -> None:
    people, items = [0, 0, 1, 1], ["a", "b", "a", "b"]
    weights = resampled_weights([people, items], seed=3, resamples=50)
    assert weights.shape == (50, 4)
    # each factor's draws sum to 2, so that the four products sum to 4
    assert set(weights.sum(axis=1)) == {4}
    # (p0 a)(p1 b) = (p0 b)(p1 a), since both are p0 p1 a b
    assert (weights[:, 0] * weights[:, 3] == weights[:, 1] * weights[:, 2]).all()
    assert resampled_weights([[0, 0], [0, 1]], seed=3) is None


def test_cramers_v_by_hand() -> None:
    # er er x 6, er sie x 2, sie er x 1, sie sie x 3: rows 8 and 4, columns 7 and 5, n = 12.
    # phi2 = (6 * 3 - 2 * 1)^2 / (8 * 4 * 7 * 5) = 256 / 1120 = 0.22857; V = 0.47809.
    # corrected: phi2 - 1 / 11 = 0.13766; r = c = 2 - 1 / 11 = 1.90909, less 1 = 0.90909; sqrt(0.13766 / 0.90909) = 0.38914.
    pairs = [("er", "er")] * 6 + [("er", "sie")] * 2 + [("sie", "er")] + [("sie", "sie")] * 3
    table = cramers_v(pairs)
    assert table is not None
    assert table.chi_square == pytest.approx(12 * 256 / 1120)
    assert table.v == pytest.approx(0.47809, abs=1e-5)
    assert table.corrected == pytest.approx(0.38914, abs=1e-5)


def test_labels_without_relation_have_a_corrected_v_of_zero() -> None:
    table = cramers_v([(row, column) for row in "abc" for column in "xyz"])
    assert table is not None
    assert (table.v, table.corrected) == (0, 0)


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("xyz")), min_size=2, max_size=40))
def test_cramers_v_is_that_of_scipy(pairs: list[tuple[str, str]]) -> None:
    rows, columns = (sorted(set(labels)) for labels in zip(*pairs, strict=True))
    table = cramers_v(pairs)
    if len(rows) < 2 or len(columns) < 2:
        assert table is None
        return
    counts = [[pairs.count((row, column)) for column in columns] for row in rows]
    assert table is not None
    assert table.v == pytest.approx(contingency.association(counts, correction=False), abs=1e-7)
    assert table.corrected is None or table.corrected <= table.v + 1e-9 or table.v > 0.99


def test_no_association_has_no_v() -> None:
    assert cramers_v([]) is None
    assert cramers_v([("a", "x"), ("a", "y")]) is None


def test_deciles_by_hand() -> None:
    # Twenty answers, times 1 to 20, right from 11 on: two in each tenth, so five tenths of 0 and five of 1.
    parts = deciles([float(key) for key in range(1, 21)], [0.0] * 10 + [1.0] * 10)
    assert [part.value for part in parts] == [0] * 5 + [1] * 5
    assert (parts[0].lowest, parts[9].highest) == (1, 20)


def test_a_tie_gives_its_mean_to_every_tenth() -> None:
    # Ratings 1 x 5 (one right) and 5 x 15 (12 right): the first 2.5 tenths have 0.2, the rest 0.8; the third tenth
    # half of each: 0.5. The order of the rows does not matter.
    keys, values = [1.0] * 5 + [5.0] * 15, [1.0] + [0.0] * 4 + [1.0] * 12 + [0.0] * 3
    parts = deciles(keys, values)
    assert [part.value for part in parts] == pytest.approx([0.2, 0.2, 0.5] + [0.8] * 7)
    assert deciles(keys[::-1], values[::-1]) == parts
    assert deciles([1.0] * 9, [1.0] * 9) == []
