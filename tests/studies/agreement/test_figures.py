"""Figures of a study: worked by hand, known from simulated errors, and undefined with a reason."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core.files import write_jsonl
from pipeline.studies.agreement.figures import figures
from pipeline.studies.agreement.measures import Bootstrap, accuracies
from pipeline.studies.agreement.records import to_json
from pipeline.studies.model.answers import TaskJudgement, shown_fields
from pipeline.studies.model.design import Control
from pipeline.studies.model.judgements import Judgement, judgement_to_json
from pipeline.studies.model.study import Task, write_study
from tests.conftest import Refused
from tests.support.agreement import (
    COMMENT,
    NATURALNESS,
    REFERENCE,
    VERDICT,
    agree,
    figures_of,
    items,
    judge,
    make_study,
    make_task,
    measure,
    simulated,
)
from tests.support.commands import winoforge

FAST = Bootstrap(seed=7, resamples=40)


def undefined(figure: Mapping[str, Any], why: str) -> bool:
    return figure["value"] is None and figure["interval"] is None and why in figure["why"]


def test_a_study_worked_by_hand(tmp_path: Path) -> None:
    # Right: A B A B. What ana, ben and cyd say of the four items:
    answers = ((0, 0, 0), (1, 1, 0), (0, 1, 1), (1, 1, 1))
    rated = ((5, 5, 4), (4, 4, 4), (2, 3, 2), (5, 4, 5))
    practice = make_task(
        1, ("p-1", 0, {"text": "外公教外孙下棋，Ø很有耐心。", "names": ("外公", "外孙")}), phase="practice"
    )
    tasks = [practice, *(make_task(number, item) for number, item in enumerate(items(2), 2))]
    raters = ("ana", "ben", "cyd")
    judgements = [
        judge(practice, "ana", 99, reference=0, naturalness=1),
        judge(practice, "ben", reference=1, naturalness=1),
    ]
    for number, task in enumerate(tasks[1:]):
        for place, rater in enumerate(raters):
            time = 10.0 * (number + 1) if rater == "ana" else None
            judgements.append(
                judge(task, rater, time, reference=answers[number][place], naturalness=rated[number][place])
            )
    run = agree(tmp_path, make_study(REFERENCE, NATURALNESS, COMMENT), tasks, judgements)
    assert run.exit_code == 0
    report = figures_of(tmp_path)
    assert report["counts"] == {"judgements": 12, "items": 4, "raters": 3, "skipped": 0, "again": 0}
    assert report["practice"] == {
        "judgements": 2,
        "skipped": 0,
        "right": {"reference": {"ana": {"right": 1, "n": 1}, "ben": {"right": 0, "n": 1}}},
    }
    done = {"done": 4, "skipped": 0, "begun": 0}
    assert report["progress"][0]["tasks"] == {"practice": 1, "main": 4}
    assert [counts["main"] for counts in report["progress"][0]["raters"].values()] == [done] * 3
    assert [counts["practice"]["done"] for counts in report["progress"][0]["raters"].values()] == [1, 1, 0]
    # 10, 20, 30, 40: half way between the middle two; a quarter of the way from 10 to 40 lies at 17.5
    times = {"n": 4, "median": 25, "quartiles": [17.5, 32.5]}
    assert report["lead_times"] == {"lists": {"1": times}, "raters": {"ana": times}}

    reference = report["controls"]["reference"]
    agreement = reference["agreement"]
    assert (reference["items"], reference["judgements"], reference["left_open"]) == (4, 12, 0)
    # Agreeing pairs within an item: 3/3, 1/3, 1/3, 3/3; the mean is 2/3
    assert agreement["percent"]["value"] == pytest.approx(2 / 3)
    # Five of twelve say A: P_e = (25 + 49) / 144 = 37/72; (48/72 - 37/72) / (35/72) = 11/35
    assert agreement["fleiss"]["value"] == pytest.approx(11 / 35)
    # p q (q - p) of A and of B cancel out, so the variance is 2 / (4 * 3 * 2): z = 11/35 * sqrt(12) = 1.0887
    assert agreement["fleiss_test"] == {
        "items": 4,
        "raters": 3,
        "z": pytest.approx(1.0887, abs=1e-4),
        "p": pytest.approx(0.276, abs=1e-3),
        "log10_p": pytest.approx(-0.559, abs=1e-3),
    }
    # D_o = 1/3, D_e = 1 - (5 * 4 + 7 * 6) / (12 * 11) = 70/132: 1 - 44/70
    assert agreement["alpha"]["value"] == pytest.approx(26 / 70)
    # ana and ben agree on 3 of 4, ana and cyd on 2, ben and cyd on 3; by chance on half each time: 0.5, 0, 0.5
    assert [pair["kappa"] for pair in agreement["pairs"]] == pytest.approx([0.5, 0, 0.5])
    assert [pair["agreed"] for pair in agreement["pairs"]] == [3, 2, 3]
    assert (agreement["cohen"]["value"], agreement["cohen"]["pairs"]) == (pytest.approx(1 / 3), 3)
    # Pairs are drawn as a whole: the first twice gives (24 - 20) / 16, the second twice (24 - 26) / 10, else it is 11/35
    assert agreement["fleiss"]["interval"] == pytest.approx([-0.2, 11 / 35])
    accuracy = reference["accuracy"]
    assert accuracy["raters"] == {"ana": 1, "ben": 0.75, "cyd": 0.5}
    # mean 0.75, sd 0.25, t of two degrees of freedom 4.30265: half 4.30265 * 0.25 / sqrt(3) = 0.62104, cut at 1
    assert (accuracy["subjects"]["value"], accuracy["subjects"]["sd"]) == (pytest.approx(0.75), pytest.approx(0.25))
    assert accuracy["subjects"]["interval"] == pytest.approx([0.12896, 1], abs=1e-5)
    # 1, 2/3, 1/3, 1: squares of deviations 0.0625, 0.0069, 0.1736, 0.0625 over 3 give 0.10185
    assert accuracy["items"]["value"] == pytest.approx(0.75)
    assert accuracy["items"]["sd"] == pytest.approx(0.10185**0.5, abs=1e-5)
    assert (accuracy["micro"]["right"], accuracy["micro"]["n"], accuracy["micro"]["value"]) == (9, 12, 0.75)
    assert (accuracy["majority"]["right"], accuracy["majority"]["n"], accuracy["majority"]["tied"]) == (3, 4, 0)
    assert reference["votes"] == {"winners": {"0": 1, "1": 3}, "tied": 0, "unanimous": 2}
    assert reference["confusion"]["majority"] == {"A": {"A": 1, "B": 1, "tie": 0}, "B": {"A": 0, "B": 2, "tie": 0}}
    # Tasks 2 and 3 show B first, 4 and 5 A. Right at the places 2, 1, 1, 2; chosen (2 2 2), (1 1 2), (1 2 2), (2 2 2)
    assert reference["confusion"]["places"] == [[3, 3], [0, 6]]
    levels = {level: mean["n"] for level, mean in reference["difficulty"].items()}
    assert levels == {"easy": 2, "moderate": 1, "hard": 1}

    naturalness = report["controls"]["naturalness"]
    assert naturalness["histogram"] == {"1": 0, "2": 2, "3": 1, "4": 5, "5": 4}
    # the sum is 47, that of squares 197: (197 - 47 * 47 / 12) / 11 = 1.174242
    assert naturalness["ratings"] == {"n": 12, "mean": pytest.approx(47 / 12), "sd": pytest.approx(1.174242**0.5)}
    # D_o = (2 + 0 + 2 + 2) / 12 = 0.5, D_e twice the variance: 1 - 0.5 / 2.348485
    assert naturalness["agreement"]["alpha_interval"]["value"] == pytest.approx(0.787097, abs=1e-6)
    # Between ranks 2 and 3 lie (2 + 1) / 2 values, between 4 and 5 (5 + 4) / 2: D_o = (2 * 1.5^2 + 4 * 4.5^2) / 12 = 7.125; with
    # 3 and 4 3 apart, 2 and 4 4.5, 3 and 5 7.5, 2 and 5 9, D_e = 2 / 132 * (4.5 + 45 + 405 + 202.5 + 225 + 648) = 23.1818
    assert naturalness["agreement"]["alpha_ordinal"]["value"] == pytest.approx(1 - 7.125 / 23.181818)
    # Mean differences 0.5, 0.25, 0.75; of all 16 pairings 18/16, 20/16, 16/16
    linear = (1 - 0.5 / 1.125 + 1 - 0.25 / 1.25 + 1 - 0.75 / 1) / 3
    assert naturalness["agreement"]["cohen_linear"]["value"] == pytest.approx(linear)
    # Mean squares of differences 0.5, 0.25, 0.75; by chance 1.5 + 0.5, 1.5 + 1.1875 + 0.0625, 0.5 + 1.1875 + 0.0625
    kappas = [pair["kappa"] for pair in naturalness["agreement"]["pairs"]]
    assert kappas == pytest.approx([1 - 0.5 / 2, 1 - 0.25 / 2.75, 1 - 0.75 / 1.75])
    assert naturalness["agreement"]["cohen_quadratic"]["value"] == pytest.approx(sum(kappas) / 3)
    # 14/3, 4, 7/3, 14/3
    assert {level: mean["n"] for level, mean in naturalness["difficulty"].items()} == {
        "easy": 3,
        "moderate": 0,
        "hard": 1,
    }
    # Accuracies of the easy 1, 2/3, 1 with the ranks 3.5, 2, 3.5, of the hard 1/3 with 1:
    # 12 / 20 * (81 / 3 + 1) - 15 = 1.8, over 1 - 6/60 for the tie: 2, of which chi squared has 0.1573
    test = naturalness["accuracy_by_level"]["reference"]
    assert (test["value"], test["df"], test["p"]) == (pytest.approx(2), 1, pytest.approx(0.1573, abs=1e-4))
    assert report["look_first"] == [{"item": "zh-02-a", "reasons": {"against-gold": 1 / 3, "low-rating": 7 / 3}}]
    # a remark that nobody made is no answer, and has no figures
    assert report["controls"]["comment"] == {"kind": "text", "items": 0, "judgements": 0, "left_open": 12}
    assert "reference: 12 answers, fleiss 0.314, alpha 0.371, micro 0.750, majority 0.750\n" in run.output


def test_the_same_seed_gives_the_same_bytes_whatever_the_order(tmp_path: Path) -> None:
    study, tasks, judgements = simulated((1, 2, 3), pairs=5)

    def written(order: Sequence[Judgement], seed: int) -> list[bytes]:
        write_jsonl(tmp_path / "judgements.jsonl", map(judgement_to_json, order))
        words = ["annotate", "agree", tmp_path / "study", "--judgements", tmp_path / "judgements.jsonl"]
        run = winoforge(*words, "--out", tmp_path / "report", "--seed", seed, "--resamples", 40)
        assert run.returncode == 0, run.stderr
        return [(tmp_path / "report" / name).read_bytes() for name in ("figures.json", "index.html")]

    write_study(tmp_path / "study", study, tasks)
    first = written(judgements, 3)
    assert first == written(judgements, 3) == written(judgements[::-1], 3)
    assert first[0] != written(judgements, 4)[0]


def test_without_judgements_all_is_undefined_with_a_reason(tmp_path: Path) -> None:
    tasks = [make_task(number, item) for number, item in enumerate(items(2), 1)]
    run = agree(tmp_path, make_study(REFERENCE, NATURALNESS, VERDICT), tasks, [])
    assert run.exit_code == 1
    assert "no judgement; run winoforge annotate pull again" in run.stderr
    controls = figures_of(tmp_path)["controls"]
    for name in ("percent", "cohen", "fleiss", "alpha"):
        assert undefined(controls["reference"]["agreement"][name], "no answers")
    assert controls["naturalness"]["ratings"] == {"n": 0, "mean": None, "sd": None}
    assert "reference: 0 answers, fleiss n/a, alpha n/a, micro n/a, majority n/a\n" in run.output


def test_one_rater_has_accuracy_without_agreement(tmp_path: Path) -> None:
    tasks = [make_task(number, item) for number, item in enumerate(items(2), 1)]
    judgements = [judge(task, "ana", reference=0) for task in tasks]
    report = measure(tmp_path, make_study(REFERENCE), tasks, judgements)["controls"]["reference"]
    for name in ("percent", "cohen", "fleiss", "alpha"):
        assert undefined(report["agreement"][name], "no item has answers from two raters")
    assert report["accuracy"]["micro"]["value"] == 0.5  # each pair has one member of each answer
    assert report["accuracy"]["subjects"] == {
        "value": 0.5,
        "interval": None,
        "why": "a single value has no spread",
        "n": 1,
        "sd": None,
    }


def test_identical_answers_leave_kappa_undefined(tmp_path: Path) -> None:
    tasks = [make_task(number, item) for number, item in enumerate(items(2), 1)]
    judgements = [judge(task, rater, reference=1) for task in tasks for rater in ("ana", "ben")]
    agreement = measure(tmp_path, make_study(REFERENCE), tasks, judgements)["controls"]["reference"]["agreement"]
    assert (agreement["percent"]["value"], agreement["percent"]["interval"]) == (1, None)
    for name in ("fleiss", "alpha"):
        assert undefined(agreement[name], "disagreement is impossible")
    assert undefined(agreement["cohen"], "single category")


def test_unequal_numbers_of_raters_leave_only_alpha(tmp_path: Path) -> None:
    first, second, *_ = tasks = [make_task(number, item) for number, item in enumerate(items(2), 1)]
    judgements = [judge(task, rater, reference=task.gold[0] or 0) for task in tasks for rater in ("ana", "ben")]
    judgements += [judge(first, "cyd", reference=1), judge(second, "cyd", skipped=True)]
    report = measure(tmp_path, make_study(REFERENCE), tasks, judgements)
    agreement = report["controls"]["reference"]["agreement"]
    assert undefined(agreement["fleiss"], "2 to 3 raters")
    assert agreement["fleiss_test"] is None
    # The first item has A A B, which weigh 1/2 * 4 = 2 of 9 values, of which 4 are A, 5 B: 1 - (2/9) / (40/72)
    assert agreement["alpha"]["value"] == pytest.approx(0.6)
    assert report["counts"]["skipped"] == 1
    assert report["progress"][0]["raters"]["cyd"]["main"] == {"done": 1, "skipped": 1, "begun": 0}
    # two of three votes are two thirds, so the first item is not split
    assert report["look_first"] == [{"item": "zh-01-b", "reasons": {"skipped": -1}}]


def test_votes_of_a_choice_and_of_a_text(tmp_path: Path) -> None:
    pronoun = Control("pronoun", "text")
    tasks = [make_task(number, item) for number, item in enumerate(items(1), 1)]
    verdicts = (("agree", "keep"), ("agree", "agree"))
    pronouns = (("Xe", " xe"), ("they", "she"))
    judgements = [
        judge(task, rater, verdict=verdicts[number][place], pronoun=pronouns[number][place])
        for number, task in enumerate(tasks)
        for place, rater in enumerate(("ana", "ben"))
    ]
    controls = measure(tmp_path, make_study(VERDICT, pronoun), tasks, judgements)["controls"]
    assert controls["verdict"]["votes"] == {"winners": {"agree": 1}, "tied": 1, "unanimous": 1}
    assert controls["verdict"]["answers"] == {"agree": 3, "keep": 1}
    assert controls["pronoun"]["answers"] == {"she": 1, "they": 1, "xe": 2}  # capitals and blanks tell nothing apart
    assert controls["pronoun"]["agreement"]["percent"]["value"] == 0.5
    assert "accuracy" not in controls["verdict"]


def test_a_tie_is_neither_right_nor_wrong(tmp_path: Path) -> None:
    tasks = [make_task(number, item) for number, item in enumerate(items(1), 1)]
    judgements = [judge(task, rater, reference=place) for task in tasks for place, rater in enumerate(("ana", "ben"))]
    report = measure(tmp_path, make_study(REFERENCE), tasks, judgements)
    reference = report["controls"]["reference"]
    assert reference["confusion"]["majority"] == {"A": {"A": 0, "B": 0, "tie": 1}, "B": {"A": 0, "B": 0, "tie": 1}}
    assert reference["accuracy"]["majority"]["of_decided"] is None
    assert [list(doubt["reasons"]) for doubt in report["look_first"]] == [["split"], ["split"]]


def test_items_to_review_are_sorted_by_reason_then_severity(tmp_path: Path) -> None:
    tasks = [make_task(number, item) for number, item in enumerate(items(4), 1)]
    answers = {  # the right answers are A B A B A B A B
        "zh-01-a": ((0, 5), (0, 5), (0, 5)),
        "zh-01-b": ((1, 2), (1, 3), (1, 2)),  # 7/3
        "zh-02-a": ((1, 5), (1, 5), (0, 5)),  # a third are right
        "zh-02-b": ((0, 1), (0, 1), (0, 1)),  # nobody is, and it is rated 1
        "zh-03-a": ((0, 5), (1, 5)),  # a tie
        "zh-03-b": ((1, 1), (1, 2), (1, 1)),  # 4/3
        "zh-04-a": (),
        "zh-04-b": ((1, 5), (1, 5)),
    }
    judgements = []
    for task in tasks:
        of_item = answers[task.items[0]]
        for place, rater in enumerate(("ana", "ben", "cyd")):
            if place < len(of_item):
                reference, naturalness = of_item[place]
                judgements.append(judge(task, rater, reference=reference, naturalness=naturalness))
            else:
                judgements.append(judge(task, rater, skipped=True))
    report = measure(tmp_path, make_study(REFERENCE, NATURALNESS), tasks, judgements)["look_first"]
    assert [doubt["item"] for doubt in report] == [
        "zh-03-a", "zh-02-b", "zh-02-a", "zh-03-b", "zh-01-b", "zh-04-a", "zh-04-b",
    ]  # fmt: skip
    assert list(report[1]["reasons"]) == ["against-gold", "low-rating"]
    assert report[0]["reasons"] == {"split": 0.5, "skipped": -1}


def screen() -> Task:
    """A screen of two items, each with fields and options of its own."""
    data = {
        "study": "natural",
        "task": "natural/1/001",
        "text_1": "他在等谁？",
        "options_1": ["甲"],
        "text_2": "谁在等？",
    }
    return Task("natural/1/001", "1", 1, "main", ("zh-01-a", "zh-02-b"), ((0, 1), (1, 0)), (0, 1), data)


def test_a_screen_has_one_time_and_is_done_when_all_its_items_are(tmp_path: Path) -> None:
    task = screen()
    judgements = [
        judge(task, "ana", 60, 0, reference=0),
        judge(task, "ana", 60, 1, reference=1),
        judge(task, "ben", 20, 0, reference=1),
    ]
    study = make_study(REFERENCE, screen=2)
    report = measure(tmp_path, study, [task], judgements)
    main = {rater: part["main"] for rater, part in report["progress"][0]["raters"].items()}
    assert main == {"ana": {"done": 1, "skipped": 0, "begun": 0}, "ben": {"done": 0, "skipped": 0, "begun": 1}}
    assert report["lead_times"]["raters"]["ana"] == {"n": 1, "median": 60, "quartiles": None}
    assert shown_fields(study, task, 0) == {"text": "他在等谁？", "options": ["甲"]}
    assert shown_fields(study, task, 1) == {"text": "谁在等？"}


def test_an_item_repeated_in_another_list_counts_once(tmp_path: Path) -> None:
    item = items(1)[0]
    tasks = [make_task(1, item), make_task(1, item, name="2")]
    judgements = [
        judge(tasks[1], "ana", reference=1),
        judge(tasks[0], "ana", reference=0),
        judge(tasks[1], "ben", reference=0),
    ]
    report = measure(tmp_path, make_study(REFERENCE, lists=("1", "2")), tasks, judgements)
    assert report["counts"] == {"judgements": 3, "items": 1, "raters": 2, "skipped": 0, "again": 1}
    assert report["controls"]["reference"]["answers"] == {"0": 2}
    assert [part["raters"].keys() for part in report["progress"]] == [{"ana"}, {"ana", "ben"}]


def test_items_without_a_right_answer_are_excluded_from_accuracy(tmp_path: Path) -> None:
    first, second = (make_task(number, item) for number, item in enumerate(items(1), 1))
    tasks = [first, replace(second, gold=(None,))]
    judgements = [judge(task, "ana", reference=0) for task in tasks]
    accuracy = measure(tmp_path, make_study(REFERENCE), tasks, judgements)["controls"]["reference"]["accuracy"]
    assert (accuracy["micro"]["n"], accuracy["without_gold"]) == (1, 1)


def test_an_optional_candidate_has_no_accuracy(tmp_path: Path) -> None:
    other = replace(REFERENCE, required=False)  # in a consensus study: who should be the right one instead
    tasks = [make_task(number, item) for number, item in enumerate(items(1), 1)]
    judgements = [judge(task, rater, verdict="other", reference=1) for task in tasks for rater in ("ana", "ben")]
    report = measure(tmp_path, make_study(VERDICT, other), tasks, judgements)
    assert report["controls"]["reference"]["answers"] == {"1": 4}
    assert "accuracy" not in report["controls"]["reference"]
    assert report["look_first"] == []


def test_levels_of_difficulty_need_a_scale_of_five(tmp_path: Path) -> None:
    wide = Control("naturalness", "rating", low=0, high=10)
    tasks = [make_task(number, item) for number, item in enumerate(items(1), 1)]
    judgements = [judge(task, rater, naturalness=2) for task in tasks for rater in ("ana", "ben")]
    report = measure(tmp_path, make_study(wide), tasks, judgements)
    assert report["controls"]["naturalness"]["difficulty"] is None
    assert report["look_first"] == []


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"study": "other"}, "study"),
        ({"task": "natural/1/999"}, "task"),
        ({"item": "zh-99-a"}, "item"),
        ({"list": "2"}, "list"),
        ({"phase": "practice"}, "phase"),
        ({"lead_time": -1.0}, "lead_time"),
        ({"lead_time": 1e300}, "lead_time"),
        ({"answers": {"verdict": "agree"}}, "answers"),
        ({"answers": {"reference": 2}}, "reference"),
        ({"answers": {"reference": "0"}}, "reference"),
        ({"answers": {"reference": 0}}, "naturalness"),
        ({"answers": {}}, "reference"),
        ({"rater": "Ana"}, "rater"),
        ({"answers": {"naturalness": 6}}, "naturalness"),
        ({"answers": {"naturalness": "5"}}, "naturalness"),
        ({"answers": {"comment": 5}}, "comment"),
    ],
)
def test_a_judgement_that_fits_no_task_stops_at_its_line(
    tmp_path: Path, refused: Refused, change: dict[str, Any], field: str
) -> None:
    tasks = [make_task(number, item) for number, item in enumerate(items(1), 1)]
    good, bad = (judge(task, "ana", reference=0, naturalness=5) for task in tasks)
    study = make_study(REFERENCE, NATURALNESS, COMMENT)
    judgements = sorted(
        (good, replace(bad, **change)), key=lambda judgement: (judgement.study, judgement.task, judgement.item)
    )
    line = judgements.index(good) ^ 1
    where = f"{tmp_path / 'judgements.jsonl'}:{line + 1}"
    refused(lambda: agree(tmp_path, study, tasks, judgements), where, field)
    assert not (tmp_path / "report").exists()


def test_a_rating_in_quotes_is_called_a_text(tmp_path: Path, refused: Refused) -> None:
    task = make_task(1, items(1)[0])
    judgements = [judge(task, "ana", naturalness="4")]
    message = refused(
        lambda: agree(tmp_path, make_study(NATURALNESS), [task], judgements),
        f"{tmp_path / 'judgements.jsonl'}:1",
        "naturalness",
    )
    assert "found '4', a text, expected a number, 1 to 5" in message


ANSWERS = st.dictionaries(
    st.sampled_from(("ana", "ben", "cyd")), st.tuples(st.sampled_from((0, 1, None)), st.integers(1, 5))
)


@given(st.lists(ANSWERS, min_size=1, max_size=6))
def test_every_judgement_is_counted_and_every_undefined_figure_has_a_reason(drawn: list[dict[str, Any]]) -> None:
    tasks = [make_task(number, item) for number, item in enumerate(items(3), 1)][: len(drawn)]
    answers = []
    for task, row in zip(tasks, drawn, strict=True):
        for rater, (reference, naturalness) in row.items():
            study = {} if reference is None else {"reference": reference, "naturalness": naturalness}
            answers.append(TaskJudgement(judge(task, rater, skipped=reference is None, **study), task, 0))
    report = to_json(figures(make_study(REFERENCE, NATURALNESS), tasks, answers, replace(FAST, resamples=5)))
    counts, reference = report["counts"], report["controls"]["reference"]
    assert counts["judgements"] == len(answers) == counts["skipped"] + reference["judgements"]
    done = [counts["main"] for part in report["progress"] for counts in part["raters"].values()]
    assert sum(counts["done"] + counts["skipped"] for counts in done) == len(answers)
    assert sum(map(sum, reference["confusion"]["places"])) == sum(
        report["controls"]["naturalness"]["histogram"].values()
    )
    votes = sum(sum(row.values()) for row in reference["confusion"]["majority"].values())
    assert votes == reference["items"] == sum(mean["n"] for mean in reference["difficulty"].values())
    for control in report["controls"].values():
        for figure in [*control["agreement"].values(), *control.get("accuracy", {}).values()]:
            if isinstance(figure, dict) and "why" in figure:
                assert (figure["interval"] is None) == bool(figure["why"])


def test_a_tied_vote_is_not_right() -> None:
    table = {
        "1-a": {"ana": "A", "ben": "A", "cyd": "B"},
        "2-a": {"ana": "A", "ben": "A"},
        "3-a": {"ana": "A", "ben": "B"},
    }
    vote = accuracies(table, {"1-a": "A", "2-a": "B", "3-a": "A"}).majority
    assert (vote.n, vote.right, vote.tied, vote.of_decided) == (3, 1, 1, 0.5)
    assert vote.value == pytest.approx(1 / 3)
