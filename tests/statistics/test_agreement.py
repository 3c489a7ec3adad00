"""Agreement of raters: published values, values worked by hand, definitions written out."""

from collections.abc import Callable, Iterable, Sequence
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.statistics.agreement import (
    Measurement,
    Weights,
    cohen_kappa,
    fleiss_kappa,
    fleiss_test,
    krippendorff_alpha,
    masi_distance,
    mean_kappa,
    percent_agreement,
    rater_pairs,
    set_alpha,
)
from pipeline.statistics.ratings import Row, category_counts, clusters
from tests.support.judgements import from_counts, full_rows, like_wsc_za, sparse_rows

Coefficient = Callable[[Iterable[Row]], float | None]


def light_kappa(rows: Iterable[Row]) -> float | None:
    return mean_kappa(rater_pairs(rows))


NOMINAL: list[Coefficient] = [percent_agreement, light_kappa, fleiss_kappa, krippendorff_alpha]

#: Ten subjects, fourteen raters, five categories: the worked example of Wikipedia's article on Fleiss' kappa (0.210).
TEN_SUBJECTS = [
    (0, 0, 0, 0, 14),
    (0, 2, 6, 4, 2),
    (0, 0, 3, 5, 6),
    (0, 3, 9, 2, 0),
    (2, 2, 8, 1, 1),
    (7, 7, 0, 0, 0),
    (3, 2, 6, 3, 0),
    (2, 5, 3, 2, 2),
    (6, 5, 2, 1, 0),
    (0, 2, 2, 3, 7),
]
#: Six psychiatrists' diagnoses of thirty patients (Fleiss 1971, Table 1), each patient's as digits.
DIAGNOSES = (
    "444444 222555 233335 555555 222444 113333 333355 113334 114444 555555 144444 124444 222333 144444 224445 "
    "333335 111455 111112 224444 133555 555555 244444 224555 114444 144445 222224 111155 224444 133333 555555"
)
#: Four observers of twelve units, with blanks (Krippendorff 2011, Computing Krippendorff's Alpha-Reliability).
OBSERVERS = ["123321412...", "1233224125.3", ".3332342251.", "12332441251."]


def observed() -> list[Row]:
    return [
        {f"observer{number}": int(value) for number, value in enumerate(unit) if value != "."}
        for unit in zip(*OBSERVERS, strict=True)
    ]


def test_percent_agreement_by_hand() -> None:
    # of three who say A, A, B one pair of three agrees; two who say B agree; one alone is no pair: (1/3 + 1) / 2
    rows: list[Row] = [{"ana": "A", "ben": "A", "cyd": "B"}, {"ana": "B", "cyd": "B"}, {"ben": "A"}, {}]
    assert percent_agreement(rows) == pytest.approx(2 / 3)
    # the means of the worked example are (828 - 140) / (10 * 14 * 13), see below
    assert percent_agreement(from_counts(TEN_SUBJECTS)) == pytest.approx(688 / 1820)


def test_a_constant_rater_has_no_kappa_above_chance() -> None:
    """As in WinoPron (section 3.3): both authors found 100 % of the sentences right, a third annotator 98.2 %."""
    pairs = [("right", "right")] * 982 + [("right", "wrong")] * 18
    assert sum(first == second for first, second in pairs) == 982
    assert cohen_kappa(pairs) == pytest.approx(0)
    assert cohen_kappa([("right", "right")] * 1000) is None


def test_pairs_are_compared_over_what_both_judged() -> None:
    rows: list[Row] = [
        {"ben": "A", "ana": "A"},
        {"ben": "B", "ana": "A"},
        {"ben": "B", "ana": "B", "cyd": "B"},
        {"cyd": "A"},
        {"ben": "A", "ana": "A"},
    ]
    ana_ben, ana_cyd, ben_cyd = rater_pairs(rows)
    # p_o 3/4; ana says A 3 of 4 times, ben 2: p_e 3/4 * 1/2 + 1/4 * 1/2 = 1/2
    assert (ana_ben.raters, ana_ben.items, ana_ben.agreed, ana_ben.percent) == (("ana", "ben"), 4, 3, 0.75)
    assert ana_ben.kappa == pytest.approx(0.5)
    assert (ana_cyd.raters, ana_cyd.items, ana_cyd.kappa) == (("ana", "cyd"), 1, None)
    assert (ben_cyd.items, ben_cyd.kappa) == (1, None)
    assert mean_kappa([ana_ben, ana_cyd, ben_cyd]) == ana_ben.kappa
    assert mean_kappa([ana_cyd]) is None
    assert mean_kappa([]) is None


def test_fleiss_kappa_and_its_z_by_hand() -> None:
    # squares of the rows: 196 + 60 + 70 + 94 + 74 + 98 + 58 + 46 + 66 + 66 = 828, P = (828 - 140) / 1820 = 0.378022; the columns
    # 20, 28, 39, 21, 32 of 140: P_e = 4170 / 19600 = 0.212755; kappa = 0.165267 / 0.787245 = 0.209931. s = 0.787245,
    # sum p q (q - p) = 1 - 3 * 0.212755 + 2 * 131300 / 2744000 = 0.457434; variance 2 / 1820 * (0.619755 - 0.457434) / 0.619755
    # = 0.00028781, its root 0.0169651; z = 12.3743
    kappa, result = fleiss_kappa(from_counts(TEN_SUBJECTS)), fleiss_test(from_counts(TEN_SUBJECTS))
    assert result is not None
    assert (result.items, result.raters) == (10, 14)
    assert kappa == pytest.approx(0.209931, abs=1e-6)
    assert kappa / result.z == pytest.approx(0.0169651, abs=1e-6)
    assert result.z == pytest.approx(12.3743, abs=1e-3)
    assert result.p is not None
    assert 0 < result.p < 1e-30


def test_fleiss_own_example() -> None:
    # R's package irr prints Kappa = 0.4302445, z = 17.65183 for these; Fleiss (1971) has 0.430
    rows = [{f"r{place}": category for place, category in enumerate(patient)} for patient in DIAGNOSES.split()]
    result = fleiss_test(rows)
    assert result is not None
    assert (result.items, result.raters) == (30, 6)
    assert fleiss_kappa(rows) == pytest.approx(0.4302445, abs=5e-8)
    assert result.z == pytest.approx(17.65183, abs=5e-6)


def test_p_is_two_sided() -> None:
    # two raters and two categories, each used half the time: s = 1/2, no skew, standard error sqrt(2 / (N * 2)) = 1/4 for N = 16.
    # Ten agreements of 16: kappa = (10/16 - 1/2) / (1/2) = 1/4, z = 1; beyond one standard deviation lie 31.731 %
    result = fleiss_test(from_counts([(2, 0)] * 5 + [(0, 2)] * 5 + [(1, 1)] * 6))
    assert result is not None
    assert result.z == pytest.approx(1)
    assert result.p == pytest.approx(0.31731, abs=1e-5)
    worse = fleiss_test(from_counts([(2, 0)] * 3 + [(0, 2)] * 3 + [(1, 1)] * 10))
    assert worse is not None
    assert (worse.z, worse.p) == (pytest.approx(-1), pytest.approx(result.p))


def test_the_kappa_of_wsc_za_follows_from_its_table_4() -> None:
    """Section 3.3 publishes 0.803: what the spread of item accuracies in Table 4 gives, six answers an item, A and B alike often.

    Its p of 0.493 cannot be of a test that kappa is zero: z is near 48.
    """
    judgements, _ = like_wsc_za()
    # 1 - 2 * (6 * 106 - 282) / (240 * 30) = 0.90167 agree; half would by chance: 0.40167 / 0.5; 1 / sqrt(240 * 15) in the null
    kappa, result = fleiss_kappa(judgements.values()), fleiss_test(judgements.values())
    assert result is not None
    assert kappa is not None
    assert round(kappa, 3) == 0.803
    assert (result.items, result.raters) == (240, 6)
    assert kappa / result.z == pytest.approx(1 / 60, abs=1e-5)
    assert (result.p, result.log10_p < -300) == (None, True)


@pytest.mark.parametrize(("measurement", "alpha"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_krippendorffs_own_example(measurement: Measurement, alpha: float) -> None:
    assert krippendorff_alpha(observed(), measurement) == pytest.approx(alpha, abs=5e-4)


def distance(first: int, second: int, measurement: Measurement, values: Sequence[int]) -> float:
    if measurement == "interval":
        return (first - second) ** 2
    if measurement == "nominal" or first == second:
        return float(first != second)
    between = sum(min(first, second) <= value <= max(first, second) for value in values)
    return (between - (values.count(first) + values.count(second)) / 2) ** 2


@given(sparse_rows((1, 2, 3, 5)), st.sampled_from(["nominal", "ordinal", "interval"]))
def test_alpha_is_what_its_definition_says(rows: list[dict[str, int]], measurement: Measurement) -> None:
    units = [list(row.values()) for row in rows if len(row) > 1]
    values = [value for unit in units for value in unit]
    result = krippendorff_alpha(rows, measurement)
    if len(set(values)) < 2:
        assert result is None
        return
    disagreed = sum(
        distance(first, second, measurement, values) / (len(unit) - 1)
        for unit in units
        for first, second in permutations(unit, 2)
    ) / len(values)
    expected = sum(distance(first, second, measurement, values) for first, second in permutations(values, 2))
    assert result == pytest.approx(1 - disagreed / (expected / (len(values) * (len(values) - 1))))


@given(st.lists(st.tuples(st.integers(1, 5), st.integers(1, 5)), max_size=20), st.sampled_from([None, 1, 2]))
def test_cohens_kappa_is_what_its_definition_says(pairs: list[tuple[int, int]], power: int | None) -> None:
    def cost(first: int, second: int) -> float:
        return float(first != second) if power is None else abs(first - second) ** power

    weights: dict[int | None, Weights | None] = {None: None, 1: "linear", 2: "quadratic"}
    result = cohen_kappa(pairs, weights[power])
    expected = sum(cost(first, second) for first, _ in pairs for _, second in pairs)
    if not expected:  # nothing judged, or all alike
        assert result is None
        return
    assert result == pytest.approx(1 - sum(cost(first, second) for first, second in pairs) * len(pairs) / expected)


@given(full_rows("ABC"))
def test_fleiss_and_krippendorff_differ_by_the_small_sample_alone(rows: list[Row]) -> None:
    """For n values 1 - alpha = (1 - kappa) (n - 1) / n: the one draws pairs of values without replacement, the other with."""
    kappa, alpha = fleiss_kappa(rows), krippendorff_alpha(rows)
    assert (kappa is None) == (alpha is None)
    if kappa is not None and alpha is not None:
        n = sum(map(len, rows))
        assert 1 - alpha == pytest.approx((1 - kappa) * (n - 1) / n)


@pytest.mark.parametrize("coefficient", NOMINAL)
@pytest.mark.parametrize(
    "rows",
    [[], [{}], [{"ana": "A"}, {"ana": "B"}], [{"ana": "A"}, {"ben": "A"}]],
    ids=["none", "empty", "one", "apart"],
)
def test_without_a_second_judgement_there_is_no_agreement(coefficient: Coefficient, rows: list[Row]) -> None:
    assert coefficient(rows) is None


@pytest.mark.parametrize("coefficient", NOMINAL[1:])
def test_with_one_category_only_percent_is_defined(coefficient: Coefficient) -> None:
    rows: list[Row] = [{"ana": "A", "ben": "A"}] * 5
    assert coefficient(rows) is None
    assert percent_agreement(rows) == 1
    # a second category on an item with one judgement changes nothing
    assert krippendorff_alpha([*rows, {"cyd": "B"}]) is None


def test_fleiss_refuses_unequal_numbers_of_raters() -> None:
    rows: list[Row] = [{"ana": "A", "ben": "A"}, {"ana": "B", "ben": "B", "cyd": "B"}]
    assert fleiss_kappa(rows) is None
    assert fleiss_test(rows) is None
    assert krippendorff_alpha(rows) == pytest.approx(1)
    # an item without judgements does not make the numbers of raters unequal
    assert fleiss_kappa([rows[0], {}, {"ana": "B", "cyd": "B"}]) == pytest.approx(1)


def test_labels_have_no_distance() -> None:
    rows: list[Row] = [{"ana": "high", "ben": "low"}]
    for measure in (
        lambda: krippendorff_alpha(rows, "ordinal"),
        lambda: krippendorff_alpha(rows, "interval"),
        lambda: rater_pairs(rows, "linear"),
    ):
        with pytest.raises(ValueError, match=r"^\[category\] .*; found 'high', expected a whole number$"):
            measure()


def test_counts_have_ratings_in_order() -> None:
    assert category_counts([{"ana": 5, "ben": 2}, {"ana": 2}]) == ([2, 5], [[1, 1], [1, 0]])
    assert category_counts([]) == ([], [])


def test_clusters_hold_the_rows_of_a_pair() -> None:
    judgements = {"p1-a": {"ana": "A"}, "p2-a": {"ana": "B"}, "p1-b": {"ben": "B"}}
    pairs = {"p1-a": "p1", "p1-b": "p1", "p2-a": "p2"}
    assert clusters(judgements, pairs) == [[{"ana": "A"}, {"ben": "B"}], [{"ana": "B"}]]
    del pairs["p1-b"]
    with pytest.raises(
        ValueError, match=r"^\[item\] item without a cluster; found 'p1-b', expected one of the 2 that have one$"
    ):
        clusters(judgements, pairs)


# --- sets of labels -----------------------------------------------------------------------------------------------------

S = frozenset


@pytest.mark.parametrize(
    ("first", "second", "distance"),
    [
        ("ab", "ab", 0),
        ("a", "b", 1),
        ("", "a", 1),
        ("a", "ab", 1 - 1 / 2 * 2 / 3),  # J = 1/2, one contains the other
        ("ab", "bc", 1 - 1 / 3 * 1 / 3),  # J = 1/3, they overlap
        ("abc", "abcd", 1 - 3 / 4 * 2 / 3),
    ],
)
def test_masi_by_hand(first: str, second: str, distance: float) -> None:
    assert masi_distance(S(first), S(second)) == masi_distance(S(second), S(first)) == pytest.approx(distance)


def test_alpha_of_sets_by_hand() -> None:
    # Sets in items of two: a a, ab a, b c; the last item has one set and is left out. n = 6.
    # D_o: (0 + 2 * 2/3 + 2 * 1) / 6 = 5/9.
    # D_e: of 15 pairs three a-ab have 2/3, three a-b and three a-c 1, ab-b 2/3, ab-c 1, b-c 1, three a-a 0: 32/3 of 15 = 32/45.
    # alpha = 1 - (5/9) / (32/45) = 7/32.
    rows = [{"r": S("a"), "s": S("a")}, {"r": S("ab"), "s": S("a")}, {"r": S("b"), "s": S("c")}, {"r": S("d")}]
    assert set_alpha(rows) == pytest.approx(7 / 32)


@given(st.lists(st.lists(st.sampled_from("abc"), min_size=1, max_size=3), max_size=8))
def test_sets_of_one_label_have_the_nominal_alpha(rows: list[list[str]]) -> None:
    nominal = krippendorff_alpha([{str(rater): label for rater, label in enumerate(row)} for row in rows])
    sets = set_alpha([{str(rater): S(label) for rater, label in enumerate(row)} for row in rows])
    assert sets == (None if nominal is None else pytest.approx(nominal))


@pytest.mark.parametrize("rows", [[], [{"r": S("a")}], [{"r": S("ab"), "s": S("ab")}]])
def test_without_disagreement_to_expect_alpha_is_undefined(rows: list[dict[str, frozenset[str]]]) -> None:
    assert set_alpha(rows) is None
