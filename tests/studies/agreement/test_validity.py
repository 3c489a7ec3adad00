"""Sentences of templates, forms for blanks, hypotheses and exclusions: judged against what they should be."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pipeline.studies.agreement.figures import figures
from pipeline.studies.agreement.measures import Bootstrap
from pipeline.studies.agreement.records import Figures, to_json
from pipeline.studies.agreement.report import summary
from pipeline.studies.model.answers import TaskJudgement
from pipeline.studies.model.design import Control
from pipeline.studies.model.judgements import Answer
from pipeline.studies.model.study import Study, Task
from tests.support.agreement import COMMENT, VERDICT, judge, make_study, measure

YES_NO = ("yes", "no", "not-sure")
GRAMMATICAL = Control("grammatical", "choice", choices=YES_NO)
REFERS = Control("refers", "choice", choices=YES_NO)
FOLLOWS = Control("follows", "choice", choices=YES_NO)
PRONOUN = Control("pronoun", "text")
CLASS = Control("class", "choice", required=False, choices=("direct-object", "defect"))


def task(number: int, item: str, gold: int | None, phase: str = "main", **data: str) -> Task:
    key = f"natural/1/{number:03}"
    return Task(key, "1", number, phase, (item,), ((),), (gold,), {"study": "natural", "task": key, **data})


def figures_with(study: Study, tasks: list[Task], answers: list[tuple[int, str, Mapping[str, Answer]]]) -> Figures:
    rows = [TaskJudgement(judge(tasks[number], rater, **given), tasks[number], 0) for number, rater, given in answers]
    return figures(study, tasks, rows, Bootstrap(1, 10))


def measured(study: Study, tasks: list[Task], given: Any) -> dict[str, Any]:
    return to_json(figures_with(study, tasks, given))


def test_sentences_are_grammatical_with_one_right_reference() -> None:
    """Two sentences with two people, one with one; what ana and ben say of (grammatical, refers) to each question."""
    items = ("en-d-x-a/0", "en-d-x-a/1", "en-d-y-b/0", "en-d-y-b/1", "en-s-z-a/0")
    tasks = [task(number, item, int("-b/" in item)) for number, item in enumerate(items, 1)]
    answers = {
        # x means its first entity, y its second; ana finds y ungrammatical once, ben leaves x's second question open
        "ana": [("yes", "yes"), ("yes", "no"), ("no", "no"), ("yes", "yes"), ("yes", "yes")],
        "ben": [("yes", "yes"), None, ("yes", "not-sure"), ("yes", "yes"), ("yes", "no")],
    }
    rows = [
        (number, rater, {"grammatical": of_task[0], "refers": of_task[1]})
        for rater, given in answers.items()
        for number, of_task in enumerate(given)
        if of_task
    ]
    report = measured(make_study(GRAMMATICAL, REFERS), tasks, rows)
    sentences = report["sentences"]
    # ana: x y z, ben: y z. Grammatical: all but ana's y. Unique: ana's three; ben is not sure about y and wrong about z
    assert (sentences["sentences"], sentences["grammatical"]["right"], sentences["grammatical"]["n"]) == (3, 4, 5)
    assert (sentences["unique"]["value"], sentences["unique"]["n"]) == (3 / 5, 5)
    low, high = sentences["unique"]["interval"]
    assert 0 <= low < 3 / 5 < high <= 1
    assert {rater: part["unique"]["value"] for rater, part in sentences["raters"].items()} == {"ana": 1, "ben": 0}
    assert sentences["kinds"]["one entity"]["unique"]["value"] == 1 / 2
    assert sentences["kinds"]["two entities"]["grammatical"]["value"] == 2 / 3
    # nine answers: right are all but ben's last two wrong ones
    refers = report["controls"]["refers"]
    assert (refers["accuracy"]["micro"]["right"], refers["accuracy"]["micro"]["n"]) == (7, 9)
    assert [(row["expected"], row["items"], row["right"], row["answers"]) for row in refers["crosstab"]] == [
        ("no", 2, 2, 3),
        ("yes", 3, 5, 6),
    ]
    assert refers["crosstab"][0]["given"] == {"no": 2, "not-sure": 1}
    assert "accuracy" not in report["controls"]["grammatical"]
    lines = summary(figures_with(make_study(GRAMMATICAL, REFERS), tasks, rows))
    assert "3 sentences: 80.0 % grammatical, 60.0 % with a unique and correct reference" in lines


def test_a_blank_wants_the_form_that_it_replaces(tmp_path: Path) -> None:
    def row(name: str, text: str, start: int, end: int) -> dict[str, Any]:
        return {"item": {"id": name, "text": text, "target": {"start": start, "end": end}}}

    design = {
        "show": {"text": "blanked", "set": "pronouns"},
        "practice": [row("p", "The pilot said that xe slept.", 20, 22)],
        "selected": {"": [row("en-a", "The chef lost xyr hat.", 14, 17), row("en-b", "We saw Her there.", 7, 10)]},
    }
    study = replace(make_study(PRONOUN), design=design)
    tasks = [task(1, "p", 0, "practice"), task(2, "en-a", 0), task(3, "en-b", 1)]
    given = [
        (0, "ana", "Xe"),
        (0, "ben", "xem"),
        (1, "ana", " XYR "),
        (1, "ben", "xem"),
        (2, "ana", "her"),
        (2, "ben", "hers"),
    ]
    report = measured(study, tasks, [(number, rater, {"pronoun": text}) for number, rater, text in given])
    pronoun = report["controls"]["pronoun"]
    assert (pronoun["accuracy"]["micro"]["right"], pronoun["accuracy"]["micro"]["n"]) == (2, 4)
    assert {row["expected"]: row["given"] for row in pronoun["crosstab"]} == {
        "her": {"her": 1, "hers": 1},
        "xyr": {"xem": 1, "xyr": 1},
    }
    assert report["practice"]["right"] == {"pronoun": {"ana": {"right": 1, "n": 1}, "ben": {"right": 0, "n": 1}}}
    # a design that shows no blank has no right form
    shown = measured(replace(study, design=design | {"show": {"text": "text"}}), tasks, [])
    assert "accuracy" not in shown["controls"]["pronoun"]


def test_hypotheses_follow_for_the_right_candidate_alone() -> None:
    tasks = [task(number, f"zh-01-a/{number}", 0, hypothesis="…") for number in range(2)]
    tasks.append(task(2, "practice-zh-01/1", 1, "practice"))
    rows = [(0, "ana", "yes"), (0, "ben", "yes"), (1, "ana", "yes"), (1, "ben", "no"), (2, "ana", "no")]
    report = measured(make_study(FOLLOWS), tasks, [(number, rater, {"follows": says}) for number, rater, says in rows])
    crosstab = {row["expected"]: row for row in report["controls"]["follows"]["crosstab"]}
    assert (crosstab["yes"]["right"], crosstab["yes"]["answers"], crosstab["yes"]["majority"]) == (2, 2, 1)
    assert (crosstab["no"]["right"], crosstab["no"]["answers"], crosstab["no"]["majority"]) == (
        1,
        2,
        0,
    )  # a tie is not no
    assert report["practice"]["right"] == {"follows": {"ana": {"right": 0, "n": 1}}}
    assert "sentences" not in report


def test_a_hypothesis_and_a_sentence_that_raters_refuse_are_reviewed_first() -> None:
    """Two of three say that the wrong hypothesis follows; all of two find a sentence ungrammatical, and its reference right."""
    tasks = [task(1, "zh-01-a/0", 0), task(2, "zh-01-a/1", 0)]
    rows = [(1, rater, {"follows": says}) for rater, says in (("ana", "yes"), ("ben", "yes"), ("cyd", "no"))]
    doubts = measured(make_study(FOLLOWS), tasks, [*rows, (0, "ana", {"follows": "yes"})])["look_first"]
    assert doubts == [{"item": "zh-01-a/1", "reasons": {"against-gold": 1 / 3}}]
    both = [(0, rater, {"grammatical": "no", "refers": "yes"}) for rater in ("ana", "ben")]
    doubts = measured(make_study(GRAMMATICAL, REFERS), tasks[:1], both)["look_first"]
    assert doubts == [{"item": "zh-01-a/0", "reasons": {"against-gold": 0}}]


def test_each_rule_has_the_share_of_raters_who_confirm_it(tmp_path: Path) -> None:
    rules = ("zh/ba", "zh/ba", "zh/object", "")
    tasks = [
        task(number, f"zh-0{number}-a", None, rule=rule, class_name="ba-object" if rule == "zh/ba" else "")
        for number, rule in enumerate(rules, 1)
    ]
    design = {"show": {"rule": "rule", "class_name": "class"}}
    study = replace(make_study(VERDICT, CLASS, COMMENT), design=design)
    says = {"ana": ("agree", "agree", "keep", "keep"), "ben": ("agree", "other", "keep", "agree")}
    judgements = [
        judge(tasks[number], rater, verdict=verdict, **({"class": "defect"} if verdict == "other" else {}))
        for rater, verdicts in says.items()
        for number, verdict in enumerate(verdicts)
    ]
    rows = measure(tmp_path, study, tasks, judgements)["rules"]
    assert [(row["rule"], row["class"], row["items"], row["majority"]) for row in rows] == [
        ("", "", 1, 0), ("zh/ba", "ba-object", 2, 1), ("zh/object", "", 1, 0),
    ]  # fmt: skip
    assert [(row["confirmed"]["right"], row["confirmed"]["n"]) for row in rows] == [(1, 2), (3, 4), (0, 2)]
    assert rows[1]["verdicts"] == {"agree": 3, "other": 1}
    assert rows[1]["other_classes"] == {"defect": 1}
    assert rows[0]["confirmed"]["why"] == "fewer than two schemas"  # one item has no interval
    html = (tmp_path / "report" / "index.html").read_text(encoding="utf-8")
    assert "<bdi>zh/ba</bdi>" in html
    assert "75.0 %" in html


@pytest.mark.parametrize("controls", [(REFERS,), (GRAMMATICAL,), (VERDICT,)])
def test_a_study_that_asks_less_has_no_such_figures(controls: tuple[Control, ...]) -> None:
    report = measured(make_study(*controls), [task(1, "en-d-x-a/0", 0)], [])
    assert "sentences" not in report
    assert "rules" not in report
