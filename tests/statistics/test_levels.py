"""The test of accuracy across levels of difficulty."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.statistics.levels import kruskal_wallis


def test_kruskal_wallis_by_hand() -> None:
    # rank sums 6, 15, 24 of three each: H = 12 / 90 * (36 + 225 + 576) / 3 - 30 = 7.2; with two degrees of freedom p is exp(-H / 2)
    test = kruskal_wallis([[0.1, 0.2, 0.3], [1, 2, 3], [10, 20, 30]])
    assert (test["value"], test["df"], test["p"]) == (pytest.approx(7.2), 2, pytest.approx(math.exp(-3.6)))


def test_kruskal_wallis_shares_the_ranks_of_ties() -> None:
    # ranks 1, 3, 3 and 3, 5.5, 5.5: H = 12 / 42 * (49 + 196) / 3 - 21 = 7/3, over 1 - (24 + 6) / 210 = 6/7; with one degree of
    # freedom p is erfc(sqrt(H / 2))
    test = kruskal_wallis([[1, 2, 2], [2, 3, 3]])
    assert (test["value"], test["df"], test["n"]) == (pytest.approx(49 / 18), 1, 6)
    assert test["p"] == pytest.approx(math.erfc(math.sqrt(49 / 36)))


@pytest.mark.parametrize(
    ("groups", "why"),
    [
        ([], "fewer than two levels have items"),
        ([[1, 2]], "fewer than two levels have items"),
        ([[1, 2], []], "fewer than two levels have items"),
        ([[], []], "fewer than two levels have items"),
        ([[3, 3], [3]], "all items have the same accuracy"),
    ],
)
def test_without_two_groups_or_two_values_there_is_no_test(groups: list[list[float]], why: str) -> None:
    test = kruskal_wallis(groups)
    assert test == {"value": None, "df": None, "p": None, "log10_p": None, "why": why, "n": sum(map(len, groups))}


def test_a_p_value_too_small_for_a_float_has_a_logarithm() -> None:
    # two groups of 2000 without ties and without overlap: H = 3 n1 n2 / (N + 1) = 3 * 2000^2 / 4001 = 2999.25; erfc(x) for x = sqrt(H / 2)
    # is exp(-x^2) / (x sqrt(pi)) up to a part in 3000: log10 of it is -(1499.625 + ln(38.7250 * 1.772454)) / ln(10) = -653.1154
    test = kruskal_wallis([[float(value) for value in range(2000)], [float(value) for value in range(2000, 4000)]])
    assert (test["value"], test["p"]) == (pytest.approx(2999.25, abs=0.01), None)
    assert test["log10_p"] == pytest.approx(-653.1154, abs=0.0005)


@given(st.lists(st.lists(st.integers(1, 5), max_size=6), max_size=4))
def test_only_ranks_count(groups: list[list[int]]) -> None:
    test = kruskal_wallis(groups)
    stretched = kruskal_wallis([[value**3 + 7 for value in group] for group in reversed(groups)])
    if test["value"] is None:
        assert stretched == test
        return
    assert (stretched["value"], stretched["df"]) == (pytest.approx(test["value"], abs=1e-9), test["df"])
    assert test["df"] == sum(map(bool, groups)) - 1
    assert 0 <= test["p"] <= 1
    assert test["value"] >= -1e-9


def test_the_printed_accuracies_of_the_papers_levels_differ_more_than_it_says() -> None:
    # WSC-ZA 5.3.1: GPT-4, ChatGLM-4 and LLaMA-3 on easy, moderate, hard items, printed with p = 0.202. Ranks of the nine accuracies:
    # hard 1 to 3, moderate 4, 5, 7, easy 6, 8, 9; H = 12 / 90 * (36 + 256 + 529) / 3 - 30 = 6.488889, p = exp(-H / 2) = 0.039
    test = kruskal_wallis([[0.956, 0.969, 0.878], [0.809, 0.887, 0.681], [0.139, 0.444, 0.528]])
    assert (test["value"], test["p"]) == (pytest.approx(6.488889), pytest.approx(math.exp(-3.244444)))
