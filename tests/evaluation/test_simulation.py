"""Systems with known errors: the report recovers what was put into them."""

from dataclasses import astuple, replace
from random import Random

import pytest

from pipeline.evaluation.measures.comparisons import zero_against_overt
from pipeline.evaluation.measures.places import PlaceBias, place_bias
from pipeline.evaluation.predictions import Response, Run, response
from pipeline.evaluation.report.drawings import draw
from pipeline.evaluation.report.evaluation import Evaluation
from pipeline.evaluation.report.figures import Chance, breakdown, figures
from pipeline.evaluation.report.page import element_ids, page
from pipeline.evaluation.report.tables import caution
from pipeline.language.answers.choice import ParsedAnswer
from tests.support.simulated_systems import simulated_items, simulated_runs

#: Probability of a right answer by level, the cost of a zero, and how often the system goes by place.
RIGHT = {"easy": 0.95, "moderate": 0.8, "hard": 0.5}
COST, FIRST = 0.15, 0.2
#: People's accuracy that gives an item its level.
PEOPLE = {"easy": 0.95, "moderate": 0.7, "hard": 0.4}
SEEDS = 20


def simulated(seed: int) -> Evaluation:
    random = Random(seed)
    items = simulated_items(90)
    levels = {entry.item.id: random.choice(list(RIGHT)) for entry in items}
    right = {item: RIGHT[level] for item, level in levels.items()}
    runs = simulated_runs(items, right, random, zero_cost=COST, first_place=FIRST)
    return Evaluation("s", items, runs, {item: PEOPLE[level] for item, level in levels.items()}, permutations=99)


def bias_of_run(evaluation: Evaluation, number: int = 0) -> PlaceBias:
    """Return the bias of a run, by its number."""
    run, responses = list(evaluation.runs.items())[number]
    return place_bias(run, responses, evaluation.options, evaluation.clusters)


def test_level_zero_and_place_are_recovered() -> None:
    """95 % intervals hold the truth in at least 90 % of 20 systems with seven figures each, and are not so wide as to say nothing."""
    intervals: dict[str, list[tuple[list[float], float]]] = {"level": [], "zero": [], "place": []}
    for seed in range(SEEDS):
        given = simulated(seed)
        for row in breakdown(given, given.traits["level"]):
            # half of the answers by place are right, since both orders were run; the others with the level's probability
            truth = FIRST / 2 + (1 - FIRST) * (RIGHT[row.value] - COST)
            intervals["level"].append((row.models["simulated"].interval, truth))
        rows = zero_against_overt(given.runs, given.clusters, own=given.own, seed=0, permutations=9)
        intervals["zero"] += [(row.interval, -(1 - FIRST) * COST) for row in rows[:2]]
        # without bias, the first place is chosen in half of the items, since it is right in half of them
        intervals["place"] += [(bias_of_run(given, run).interval, FIRST + (1 - FIRST) / 2) for run in (0, 1)]
    assert {name: len(of) for name, of in intervals.items()} == {"level": 60, "zero": 40, "place": 40}
    for of in intervals.values():
        assert sum(low <= truth <= high for (low, high), truth in of) >= 0.9 * len(of)
        assert max(high - low for (low, high), _ in of) < 0.25


def test_differences_that_were_put_in_are_significant() -> None:
    measured = figures(simulated(1))
    assert measured.levels.models["simulated"]["p"] < 0.001
    (together,) = [row for row in measured.zero_against_overt if row.mode == "all"]
    assert together.holm < 0.02  # the least that 99 permutations can give is 0.01
    assert together.n == 360


def test_a_system_that_goes_by_place_is_at_chance_and_shown_as_that() -> None:
    items = simulated_items(20)
    runs = simulated_runs(items, {entry.item.id: 1.0 for entry in items}, Random(0), first_place=1)
    measured = figures(Evaluation("s", items, runs, permutations=99))
    for run in measured.runs:
        assert run.accuracy.value == 0.5
        assert (run.pairs.value, run.pairs.chance) == (0, 0.25)
        assert (run.places.first, run.places.bias) == (1, 0.5)
        assert [estimate.value for estimate in run.places.by_place] == [1, 0]
        # precision of A 20/40, of B 0; recall 1 and 0; F1 of A 2/3: means 1/4, 1/2, 1/3; harmonic mean of the first two 1/3
        assert run.macro is not None
        assert astuple(run.macro) == pytest.approx((0.25, 0.5, 1 / 3, 1 / 3))
        assert caution(run) == "all 40 choices are A: it goes by place alone"
        assert run.chance == Chance(0.5, "includes")
    for row in measured.order:
        assert (row.same, row.right, row.place) == (0, 0, 1)


def test_a_system_without_errors_differs_in_nothing() -> None:
    items = simulated_items(20)
    right = {entry.item.id: 1.0 for entry in items}
    measured = figures(Evaluation("s", items, simulated_runs(items, right, Random(0)), permutations=99))
    assert {run.accuracy.value for run in measured.runs} == {1}
    assert {(row.same, row.right, row.place) for row in measured.order} == {(1, 1, 0)}
    assert {(row.difference, row.p, row.interval) for row in measured.zero_against_overt} == {(0, 1, None)}
    assert measured.overlap == []


def test_refusals_are_wrong_and_told_apart() -> None:
    items = simulated_items(50)
    right = {entry.item.id: 1.0 for entry in items}
    runs = simulated_runs(items, right, Random(3), unparsed=0.3)
    measured = figures(Evaluation("s", items, runs, permutations=99))
    for run in measured.runs:
        assert run.unparsed == run.outcomes["refusal"] == run.accuracy.n - run.accuracy.right > 0
        assert run.places.n == run.accuracy.right
        assert run.macro.precision == 1
        assert run.macro.recall == pytest.approx(run.accuracy.value, abs=0.1)


def test_two_systems_of_different_accuracy_are_told_apart_and_equal_ones_are_not() -> None:
    items = simulated_items(60)
    runs = {}
    for model, share in (("good", 0.9), ("poor", 0.6), ("also poor", 0.6)):
        right = {entry.item.id: share for entry in items}
        runs |= simulated_runs(items, right, Random(model), model=model)
    measured = figures(Evaluation("s", items, runs, permutations=999))
    rows = {tuple(row.models): row for row in measured.comparisons}
    assert rows["good", "poor"].permutation_holm < 0.01
    assert rows["good", "poor"].t_holm < 0.01
    assert rows["poor", "also poor"].permutation_holm > 0.05
    assert sum(row.any for row in measured.overlap) == sum(
        any(not modes["zero-shot"][entry.item.id] for modes in Evaluation("s", items, runs).marks.values())
        for entry in items
    )


def test_no_printed_bound_beside_people_of_other_items_or_overt_items() -> None:
    items = simulated_items(2)
    runs = simulated_runs(items, {entry.item.id: 1.0 for entry in items}, Random(0))
    some = {run: {item: given for item, given in of.items() if item != "s-0000-a"} for run, of in runs.items()}
    others = figures(Evaluation("s", items, some, {"s-0000-a": 0.5}, permutations=9))
    assert {(run.gap.value, run.gap.n) for run in others.runs} == {(None, 0)}
    overt = [replace(entry, text_zero="") for entry in items]
    measured = figures(Evaluation("s", overt, runs, permutations=9))
    assert measured.people.value is None
    assert {run.gap.value for run in measured.runs} == {None}
    evaluation = Evaluation("s", overt, {run: of for run, of in runs.items() if run.form == "overt"}, permutations=9)
    measured = figures(evaluation)
    html = page(evaluation, measured, draw(evaluation, measured, element_ids(evaluation)))
    assert "n/a" in html
    assert "(printed)" not in html


def test_the_gap_to_people_is_over_the_items_that_they_answered() -> None:
    items = simulated_items(10)
    right = {entry.item.id: 1.0 for entry in items}
    people = {entry.item.id: 0.5 for entry in items[:4]} | {items[4].item.id: 1.0, "other": 0.1}
    measured = figures(Evaluation("s", items, simulated_runs(items, right, Random(0)), people, permutations=9))
    for run in measured.runs:
        # four items by 0.5 and one by 0: the system is 0.4 ahead
        assert (run.gap.value, run.gap.n) == (pytest.approx(-0.4), 5)
        assert run.gap.interval[0] < -0.4 < run.gap.interval[1]
    assert (measured.people.value, measured.people.items) == (pytest.approx(0.6), 5)


def test_the_interval_of_a_bias_worked_by_hand() -> None:
    # four clusters x, right first: chosen first 2 of 2, right later: 1 of 2; four clusters y: 1 of 2, and 0 of 2
    # p 12/16 = 3/4 and 4/16 = 1/4; bias (3/4 + 1/4) / 2 - 1/2 = 0
    # deviation of x: ((2 - 3/4 * 2) / 16 + (1 - 1/4 * 2) / 16) / 2 = 1/32, of y -1/32
    # v = 8 / 7 * 8 / 32^2 = 1/112; t(7) = 2.3646; 2.3646 / 112^0.5 = 0.2234
    def measured(clusters: str) -> PlaceBias:
        names = [f"{cluster}{number}" for cluster in clusters for number in range(4)]
        choices = {
            name: (0, 0, 0, 1)[int(name[1])] if name[0] in "abcd" else (0, 1, 1, 1)[int(name[1])] for name in names
        }
        responses = {name: Response("", ParsedAnswer("letter", choices[name]), False) for name in names}
        options = {name: (2, int(name[1]) // 2) for name in names}
        return place_bias(Run("m", "x", "zero", "written"), responses, options, {name: name[0] for name in names})

    assert measured("abcdefgh").bias == 0
    assert measured("abcdefgh").bias_interval == pytest.approx((-0.2234, 0.2234), abs=1e-4)
    # two clusters have t(1) = 12.7, but no bias is beyond one half
    assert measured("ae").bias_interval == (-0.5, 0.5)


def test_a_few_choices_of_one_place_say_nothing() -> None:
    items = simulated_items(40)
    texts = ["A"] * 3 + ["抱歉，我无法回答。"] * 77
    responses = {entry.item.id: response(text, entry) for entry, text in zip(items, texts, strict=True)}
    runs = {Run("m", "zero-shot", "zero", "written"): responses}
    run = figures(Evaluation("s", items, runs, permutations=9)).runs[0]
    assert (run.places.first, run.places.n) == (1, 3)
    assert caution(run) == "77 of 80 answers choose nothing (refusal 77): look at them before its accuracy"


def test_modes_that_see_a_part_or_score_texts_are_baselines_of_a_system_that_is_asked() -> None:
    items = simulated_items(30)

    def runs(model: str, **accuracies: float) -> dict[Run, dict[str, Response]]:
        return {
            replace(run, mode=mode): responses
            for mode, share in ((name.replace("_", "-"), share) for name, share in accuracies.items())
            for run, responses in simulated_runs(
                items, {entry.item.id: share for entry in items}, Random(mode), model=model
            ).items()
        }

    answered = runs("a", zero_shot=1.0, clause_only=0.0, full_score=0.0) | runs(
        "b", partial_score=1.0, candidates_only_zh=0.0
    )
    evaluation = Evaluation("s", items, answered, permutations=9)
    measured = figures(evaluation)
    assert {(run.model, run.mode) for run in measured.runs if run.own} == {("a", "zero-shot"), ("b", "partial-score")}
    assert {row.value for row in measured.modes_together} == {1}
    assert set(measured.item_accuracy.values()) == {1}
    assert measured.overlap == []
    assert {row.value for rows in measured.breakdowns.values() for entry in rows for row in entry.models.values()} == {
        1
    }
    assert {(row.model, row.n) for row in measured.zero_against_overt if row.mode == "all"} == {("a", 120), ("b", 120)}
    assert {row.mode for row in measured.order} == {"zero-shot", "clause-only", "candidates-only-zh"}
    html = page(evaluation, measured, draw(evaluation, measured, element_ids(evaluation)))
    assert "sees the target&#39;s clause alone" in html
    only = figures(Evaluation("s", items, runs("c", clause_only=1.0), permutations=9))
    assert [run.own for run in only.runs] == [True] * 4


def test_bars_by_form_compare_the_same_items_in_the_same_modes() -> None:
    items = simulated_items(10)
    right = {entry.item.id: 1.0 for entry in items}
    runs = simulated_runs(items, right, Random(0))
    runs = {run: given for run, given in runs.items() if run.order == "written"}
    # a hard mode of zero forms only
    runs |= {
        replace(run, mode="one-shot"): given
        for run, given in simulated_runs(items, dict.fromkeys(right, 0.0), Random(0)).items()
        if run.form == "zero"
    }
    measured = figures(Evaluation("s", items, runs, permutations=9))
    assert [(row.value, row.models["simulated"].value) for row in measured.by_form] == [("zero", 1), ("overt", 1)]
