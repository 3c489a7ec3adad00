"""Measures of runs, with numbers worked by hand."""

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from pipeline.core.errors import PipelineError
from pipeline.evaluation.measures.accuracy import accuracy, item_accuracy, macro_scores, pair_accuracy
from pipeline.evaluation.measures.bounds import Association, baselines, bound, levels_of, read_people
from pipeline.evaluation.measures.comparisons import (
    answered_by_all,
    compare_in_modes,
    compare_models,
    shared_errors,
    zero_against_overt,
)
from pipeline.evaluation.measures.places import order_consistency, place_bias
from pipeline.evaluation.predictions import Order, Response, Run, response
from pipeline.evaluation.report.evaluation import Evaluation
from pipeline.evaluation.report.figures import breakdown
from pipeline.language.answers.choice import ParsedAnswer
from pipeline.statistics.intervals import clustered_interval, clustered_mean_interval
from tests.support.simulated_systems import simulated_items, simulated_runs

SCHEMAS = {"1a": "1", "1b": "1", "2a": "2", "2b": "2", "3a": "3"}


def test_macro_scores_by_hand() -> None:
    # ten items, six with A right, four with B. A: 5 of 6 hit, 1 called B; B: 2 of 4 hit, 1 called A, 1 without a choice.
    # A chosen 6 times, 5 rightly; B chosen 3 times, 2 rightly. Precision (5/6 + 2/3) / 2, recall (5/6 + 1/2) / 2,
    # F1 of A 10/12, of B 4/7; the harmonic mean of 0.75 and 2/3 is 12/17.
    answers = [0] * 6 + [1] * 4
    choices = [0, 0, 0, 0, 0, 1, 1, 1, 0, None]
    scores = macro_scores(answers, choices)
    assert scores is not None
    assert (scores.precision, scores.recall) == (pytest.approx(0.75), pytest.approx(2 / 3))
    assert scores.f1_of_labels == pytest.approx((10 / 12 + 4 / 7) / 2)
    assert scores.f1_of_means == pytest.approx(12 / 17)
    assert macro_scores([], []) is None


def test_the_two_definitions_of_f1_differ_as_in_the_papers_table() -> None:
    # LLaMA-3, zero-shot, in Table 6: precision 0.850, recall 0.846, F1 0.845. A harmonic mean lies between the two; the mean over labels
    # need not. With 120 of each label, 109 of A and 94 of B right: P = (109/135 + 94/105) / 2 = 0.8513, R = 203/240 = 0.8458,
    # F1 = (218/255 + 188/225) / 2 = 0.8452
    scores = macro_scores([0] * 120 + [1] * 120, [0] * 109 + [1] * 11 + [1] * 94 + [0] * 26)
    assert scores is not None
    assert scores.precision == pytest.approx(0.8513, abs=5e-5)
    assert scores.recall == pytest.approx(0.8458, abs=5e-5)
    assert scores.f1_of_labels == pytest.approx(0.8452, abs=5e-5)
    assert scores.f1_of_labels < scores.recall < scores.f1_of_means < scores.precision


def test_accuracy_clusters_by_schema() -> None:
    marks = {"1a": True, "1b": True, "2a": True, "2b": False, "3a": False}
    total = accuracy(marks.items(), SCHEMAS)
    assert (total.right, total.n, total.value) == (3, 5, 0.6)
    assert total.interval == clustered_interval([(2, 2), (1, 2), (0, 1)])
    # of the two schemas with two items one is right in both; the single item of the third is no pair
    pairs = pair_accuracy(marks, SCHEMAS, SCHEMAS, dict.fromkeys(SCHEMAS, 2))
    assert (pairs.right, pairs.n, pairs.value, pairs.chance) == (1, 2, 0.5, 0.25)
    # three and four candidates in schema 1, two and two in schema 2: (1/12 + 1/4) / 2
    pairs = pair_accuracy(marks, SCHEMAS, SCHEMAS, {"1a": 3, "1b": 4, "2a": 2, "2b": 2})
    assert pairs.chance == pytest.approx(1 / 6)
    assert item_accuracy([marks, {"1a": False}]) == {"1a": 0.5, "1b": 1, "2a": 1, "2b": 0, "3a": 0}


def test_interval_of_a_clustered_mean_by_hand() -> None:
    # sums 2, 0, -1 of two each: mean 1/6; deviations 2 - 1/3, -1/3, -4/3: v = 3/2 * (25 + 1 + 16) / 9 / 36 = 7/36,
    # t(2) = 4.302653, half = 4.302653 * sqrt(7) / 6 = 1.897292
    limits = clustered_mean_interval([[1, 1], [0, 0], [-1, 0], []])
    assert limits == (pytest.approx(1 / 6 - 1.897292, abs=2e-6), pytest.approx(1 / 6 + 1.897292, abs=2e-6))
    assert clustered_mean_interval([[1, 1]]) is None
    assert clustered_mean_interval([[1], [1]]) is None


def test_a_difference_of_two_forms_stays_within_a_hundred_points() -> None:
    # Schemas with the differences 0 and 1/2, of two items: mean 1/4, t(1) = 12.706, half = 12.706 * 1/4 = 3.18
    items = simulated_items(2)
    wrong = {"zero": [], "overt": ["s-0000-a"]}
    runs = {
        Run("m", "x", form, "written"): {
            entry.item.id: response("AB"[entry.item.answer ^ (entry.item.id in wrong[form])], entry, "written")
            for entry in items
        }
        for form in ("zero", "overt")
    }
    clusters = {entry.item.id: entry.item.schema for entry in items}
    (row,) = zero_against_overt(runs, clusters, own=runs.keys(), seed=0, permutations=9)  # type: ignore[arg-type]  # the keys are forms
    assert (row.difference, row.interval) == (0.25, (-1.0, 1.0))


def test_distances_stand_in_their_order() -> None:
    items = simulated_items(4)
    labels = ["13 or more characters", "0 to 8 characters", "9 to 12 characters", "no mention before"]
    values = {entry.item.id: labels[number // 2] for number, entry in enumerate(items)}
    runs = simulated_runs(items, {entry.item.id: 1.0 for entry in items}, Random(0))
    rows = breakdown(Evaluation("s", items, runs), values)
    assert [row.value for row in rows] == [labels[1], labels[2], labels[0], labels[3]]


MARKS = {
    "x": {"m": {"1a": True, "1b": True, "2a": True}, "n": {"1a": True, "1b": False, "2a": False}},
    "y": {"m": {"1a": False, "1b": True, "2a": False}, "o": {"1a": True}},
}


def test_systems_are_compared_in_the_modes_that_both_have() -> None:
    (row,) = compare_models(MARKS, SCHEMAS, seed=0, permutations=9)
    # in mode m, x is ahead by 1, 0, 1: mean 2/3, sd 1/sqrt(3), t = 2/3 * sqrt(3) * sqrt(3) = 2 with 2 df, p = 1 - 2 / sqrt(6);
    # schemas 1 and 2 have sums 1 and 1: two of four permutations are as far from 0
    assert (row.modes, row.n, row.difference) == (["m"], 3, pytest.approx(2 / 3))
    assert (row.t.t, row.t.df, row.t.p) == (pytest.approx(2), 2, pytest.approx(1 - 2 / 6**0.5))
    assert (row.permutation, row.permutation_holm, row.t_holm) == (0.5, 0.5, row.t.p)
    (mode,) = compare_in_modes(MARKS)
    assert (mode.mode, mode.only_first, mode.only_second, mode.p) == ("m", 2, 0, 0.5)


def test_systems_are_compared_on_the_same_items_of_each_mode() -> None:
    # y did not answer 1b in n, where x is wrong: 1b counts in m alone, where both are right. Differences 1a: (1 + 1)/2 - (0 + 1)/2, 1b: 0
    marks = {
        "x": {"m": {"1a": True, "1b": True}, "n": {"1a": True, "1b": False}},
        "y": {"m": {"1a": False, "1b": True}, "n": {"1a": True}},
    }
    (row,) = compare_models(marks, SCHEMAS, seed=0, permutations=9)
    assert (row.n, row.difference) == (2, 0.25)


def test_shared_errors_say_what_an_error_is() -> None:
    # x is right in 2, 1, 1 of its two modes on 1a, 1b, 2a; y in 1 of 2 on 1a, in 1 of 1 on 1b, in 0 of 1 on 2a
    rows = {tuple(row.models): (row.any, row.most, row.all) for row in shared_errors(MARKS, ["1a", "1b", "2a"])}
    assert rows == {("x", "y"): (1, 0, 0), ("x",): (1, 0, 0), ("y",): (1, 1, 1)}


def test_overlap_counts_items_that_all_systems_answered_beside_what_independent_errors_would_share() -> None:
    # x errs in 3 of 4 items, y in 2; z answered neither 5 nor 6. Independent: both 4 * 3/4 * 2/4 = 1.5, only x 1.5, only y 0.5
    errors = {"x": "123", "y": "14", "z": ""}
    marks = {model: {"m": {item: item not in wrong for item in "123456"}} for model, wrong in errors.items()}
    del marks["z"]["m"]["5"], marks["z"]["m"]["6"]
    assert answered_by_all(marks, list("123456")) == list("1234")
    rows = {tuple(row.models): row for row in shared_errors(marks, list("123456"))}
    assert {models: row.items for models, row in rows.items()} == {("x", "y"): ["1"], ("x",): ["2", "3"], ("y",): ["4"]}
    assert {models: row.expected for models, row in rows.items()} == {("x", "y"): 1.5, ("x",): 1.5, ("y",): 0.5}


def test_the_middle_of_three_options_keeps_its_place() -> None:
    orders: tuple[Order, ...] = ("written", "swapped")
    runs = {
        Run("m", "x", "overt", order): {
            item: Response("", ParsedAnswer("letter" if choice is not None else "both", choice), right=choice == 0)
            for item, choice in zip(("1a", "1b", "2a", "2b"), choices, strict=True)
        }
        for order, choices in zip(orders, ((0, 1, 0, None), (0, 1, 2, None)), strict=True)
    }
    # 1a: candidate 0 at places 0 and 2; 1b: candidate 1 at place 1 both times; 2a: candidates 0 and 2, both at place 0; 2b: no choice
    (row,) = order_consistency(runs, dict.fromkeys(SCHEMAS, (3, 0)), SCHEMAS)
    assert (row.n, row.same, row.right, row.place) == (4, 0.5, 0.25, 0.5)


def test_a_key_that_is_not_balanced_gives_no_bias() -> None:
    # right first in 1a to 2a, later in 2b and 3a; chosen first in 2 of these 3 and in 2 of those 2: (2/3 + 2/2 - 1) / 2 = 1/3
    run, options = Run("m", "x", "overt", "written"), {item: (2, int(item in ("2b", "3a"))) for item in SCHEMAS}

    def chosen(*choices: int) -> dict[str, Response]:
        rows = zip(SCHEMAS, choices, strict=True)
        return {item: Response("", ParsedAnswer("letter", choice), choice == options[item][1]) for item, choice in rows}

    assert place_bias(run, chosen(0, 0, 1, 0, 0), options, SCHEMAS).bias == pytest.approx(1 / 3)
    # right first in four, later in two, half of each answered rightly: (2/4 + 1/2 - 1) / 2 = 0
    six = {f"{number}": (2, int(number > 3)) for number in range(6)}
    even = {
        item: Response("", ParsedAnswer("letter", choice), choice == six[item][1])
        for item, choice in zip(six, (0, 0, 1, 1, 1, 0), strict=True)
    }
    measured = place_bias(run, even, six, dict.fromkeys(six, "1"))
    assert (measured.first, measured.first_right, measured.bias) == (0.5, pytest.approx(2 / 3), 0)
    assert place_bias(run, {"1a": chosen(0, 0, 0, 0, 0)["1a"]}, options, SCHEMAS).bias is None


def test_the_bias_among_different_numbers_of_options_is_that_of_each_by_its_choices() -> None:
    run, places = Run("m", "x", "overt", "written"), [(2, 0), (2, 1), (3, 0), (3, 1), (3, 2), (3, 2), (4, 1)]
    options = {f"{number}": place for number, place in enumerate(places)}

    def bias(*choices: int) -> float | None:
        given = {
            item: Response("", ParsedAnswer("letter", choice), False)
            for item, choice in zip(options, choices, strict=True)
        }
        return place_bias(run, given, options, dict.fromkeys(options, "1")).bias

    # always right: 0 in each number of options. Of four, no item is right at the first place: they are left out
    assert bias(0, 1, 0, 1, 2, 2, 1) == pytest.approx(0)
    # always first: 1/3 * (1 - 1/2) of two options and 2/3 * (1 - 1/3) of three
    assert bias(0, 0, 0, 0, 0, 0, 0) == pytest.approx(1 / 6 + 4 / 9)
    # of two as before 1 - 1/2; of three first where right first, in none of one, in one of two: (1 + 0 + 1/2) / 3 - 1/3 = 1/6
    assert bias(0, 0, 0, 1, 2, 0, 1) == pytest.approx(1 / 6 + 2 / 3 / 6)


def test_baselines_follow_mentions_counts_and_association() -> None:
    items = simulated_items(2)
    answers = baselines(
        items,
        {
            "s-0000-a": Association((3, 9), 0, True),
            "s-0000-b": Association((9, 3), 1, True),
            "s-0001-a": Association((4, 4), 1, False),
        },
        seed=0,
    )
    choices = {name: [given.parsed.choice for given in of.values()] for name, of in answers.items()}
    assert choices["first"] == [0, 0, 0, 0]
    assert choices["last"] == [1, 1, 1, 1]
    assert choices["frequent"] == [1, 0, *choices["random"][2:]]
    assert choices["association"] == [0, 1, *choices["random"][2:]]
    assert [given.right for given in answers["first"].values()] == [True, False, True, False]
    assert set(baselines(items, {}, 0)) == {"random", "first", "last"}


def test_coins_are_fair_and_the_seeds() -> None:
    items = simulated_items(500)
    draws = [[given.parsed.choice for given in baselines(items, {}, seed)["random"].values()] for seed in (0, 0, 1)]
    assert draws[0] == draws[1] != draws[2]
    assert 430 < sum(choice or 0 for choice in draws[0]) < 570


def test_three_candidates_are_equally_frequent_at_random() -> None:
    # 600 draws, 200 expected of each, sd sqrt(600 * 2 / 9) = 11.5: within four of them
    items = [replace(entry, item=replace(entry.item, candidates=("甲", "乙", "丙"))) for entry in simulated_items(300)]
    draws = [given.parsed.choice for given in baselines(items, {}, 0)["random"].values()]
    assert all(154 < draws.count(choice) < 246 for choice in range(3))


def test_people_give_levels_and_a_bound(tmp_path: Path) -> None:
    path = tmp_path / "items.tsv"
    path.write_text("item\traters\taccuracy\n1a\t20\t0.85\n1b\t20\t0.6\n2a\t20\t0.59\n2b\t0\t\n", encoding="utf-8")
    people = read_people(path)
    assert levels_of(people) == {"1a": "easy", "1b": "moderate", "2a": "hard"}
    assert bound(people, ["1a", "1b", "3a"]) == pytest.approx(0.725)
    assert bound(people, ["3a"]) is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("item\taccuracy\na\t1.2\n", r":2: \[accuracy\] no share; found '1.2', expected a number from 0 to 1"),
        ("item\taccuracy\na\tnan\n", r":2: \[accuracy\]"),
        ("item\taccuracy\na\t1\na\t1\n", r":3: \[item\] not unique"),
        ("item\taccuracy\na\t\n", r"\[accuracy\] no item has one"),
        ("id\taccuracy\n", r":1: \[item\] missing column"),
    ],
)
def test_a_malformed_table_of_people_is_refused(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "items.tsv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(PipelineError, match=message):
        read_people(path)
