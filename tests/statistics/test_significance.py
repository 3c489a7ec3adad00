"""Tests of paired differences and of groups: published numbers, numbers worked by hand, and how often they err without a difference."""

import math

import pytest

from pipeline.statistics.significance import cluster_permutation, kruskal_wallis, mcnemar, paired_t


def test_t_by_hand() -> None:
    # differences 1, 2, 3, 6: mean 3, sd sqrt((4 + 1 + 0 + 9) / 3) = 2.160247, t = 3 / (2.160247 / 2) = 2.777460 with 3 df;
    # Student's t of 3 df: F(t) = 1/2 + (atan(x) + x / (1 + x^2)) / pi for x = t / sqrt(3) = 1.603567
    test = paired_t([1, 2, 3, 6])
    assert test is not None
    assert (test.t, test.df) == (pytest.approx(2.777460, abs=1e-6), 3)
    x = 2.777460 / math.sqrt(3)
    assert test.p == pytest.approx(1 - 2 / math.pi * (math.atan(x) + x / (1 + x * x)), abs=1e-6)
    assert paired_t([0.5, 0.5]) is None
    assert paired_t([0.8 - 0.6, 0.6 - 0.4]) is None  # 0.2 and 0.19999999999999996
    assert paired_t([1]) is None


def test_mcnemar_by_hand() -> None:
    # 1 and 7 discordant of 20: 2 (C(8,0) + C(8,1)) / 2^8 = 18 / 256
    test = mcnemar([(True, False)] + [(False, True)] * 7 + [(True, True)] * 10 + [(False, False)] * 2)
    assert (test.only_first, test.only_second) == (1, 7)
    assert test.p == pytest.approx(18 / 256)
    assert mcnemar([(True, True)]).p == 1
    assert mcnemar([(True, False), (False, True)]).p == 1


def test_permutation_by_hand() -> None:
    # sums 1, 1, 2 and one of 0: of 8 signs, those with |sum| >= 4 are all plus and all minus: p = 2 / 8; 4 over 7 differences
    test = cluster_permutation([[1, 0], [1], [1, 1], [1, -1], []], seed=0)
    assert test is not None
    assert (test.p, test.exact, test.clusters) == (0.25, True, 4)
    assert test.difference == pytest.approx(4 / 7)
    assert cluster_permutation([[]], seed=0) is None
    same = cluster_permutation([[0, 0], [1, -1]], seed=0)
    assert same is not None
    assert same.p == 1


def test_drawn_permutations_come_near_all_of_them() -> None:
    # 20 clusters of one, 15 up and 5 down: as a sign test, 2 * sum of C(20, k) for k <= 5, over 2^20
    expected = 2 * sum(math.comb(20, k) for k in range(6)) / 2**20
    test = cluster_permutation([[1]] * 15 + [[-1]] * 5, seed=1)
    assert test is not None
    assert not test.exact
    assert test.p == pytest.approx(expected, abs=3 * math.sqrt(expected / 9999))
    assert test == cluster_permutation([[1]] * 15 + [[-1]] * 5, seed=1)
    more = cluster_permutation([[1]] * 15 + [[-1]] * 5, seed=1, permutations=25_000)  # in three blocks
    assert more is not None
    assert more.p == pytest.approx(expected, abs=3 * math.sqrt(expected / 25_000))


# --- groups -------------------------------------------------------------------------------------------------------------


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


def test_the_printed_accuracies_of_the_papers_levels_differ_more_than_it_says() -> None:
    # WSC-ZA 5.3.1: GPT-4, ChatGLM-4 and LLaMA-3 on easy, moderate, hard items, printed with p = 0.202. Ranks of the nine accuracies:
    # hard 1 to 3, moderate 4, 5, 7, easy 6, 8, 9; H = 12 / 90 * (36 + 256 + 529) / 3 - 30 = 6.488889, p = exp(-H / 2) = 0.039
    test = kruskal_wallis([[0.956, 0.969, 0.878], [0.809, 0.887, 0.681], [0.139, 0.444, 0.528]])
    assert (test["value"], test["p"]) == (pytest.approx(6.488889), pytest.approx(math.exp(-3.244444)))
