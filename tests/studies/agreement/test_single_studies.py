"""Figures of single studies: sentences of templates, blanks, hypotheses, exclusions, systems, reconsideration."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from msgspec import to_builtins

from pipeline.studies.agreement.figures import figures
from pipeline.studies.agreement.measures import Bootstrap
from pipeline.studies.agreement.records import Figures, to_json
from pipeline.studies.agreement.report import reconsidered_lines, summary
from pipeline.studies.agreement.single_studies import reconsidered, system_figures
from pipeline.studies.model.answers import TaskJudgement
from pipeline.studies.model.design import Control
from pipeline.studies.model.judgements import Answer
from pipeline.studies.model.study import Study, Task
from tests.support.agreement import COMMENT, VERDICT, judge, make_study, measure

# --- expected answers, sentences of templates, rules ------------------------------------------------------------------

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


# --- systems ----------------------------------------------------------------------------------------------------------

#: Two systems, three sentences of two genres, two raters; one translation has one rater.
TABLE = {
    "news-1-002/careful": {"r-1": 5, "r-2": 4},
    "news-1-002/literal": {"r-1": 3, "r-2": 3},
    "news-1-003/careful": {"r-1": 4, "r-2": 3},
    "news-1-003/literal": {"r-1": 2, "r-2": 4},
    "fiction-2-011/careful": {"r-1": 5},
    "fiction-2-011/literal": {"r-1": 1, "r-2": 2},
}


def test_a_score_is_the_mean_over_sentences() -> None:
    figures = to_builtins(system_figures(TABLE, 1, 5))
    systems = figures["systems"]
    assert list(systems) == ["careful", "literal"]
    # careful: (4.5 + 3.5 + 5) / 3; literal: (3 + 3 + 1.5) / 3. The mean over ratings of careful would be 21/5 = 4.2.
    assert systems["careful"]["score"]["value"] == pytest.approx(13 / 3)
    assert systems["literal"]["score"]["value"] == pytest.approx(2.5)
    assert systems["careful"]["score"]["n"] == 3
    assert systems["careful"]["types"] == {"1": 0, "2": 0, "3": 1, "4": 2, "5": 2}
    assert systems["literal"]["types"] == {"1": 1, "2": 2, "3": 2, "4": 1, "5": 0}
    assert systems["careful"]["ratings"] == 5
    assert figures["genres"] == {
        "fiction": {"careful": 5, "literal": 1.5},
        "news": {"careful": pytest.approx(4), "literal": pytest.approx(3)},
    }


def test_raters_agree_where_all_are_on_one_side_of_three() -> None:
    """A.2: over 3 is good, under 3 bad. The side of 3 is neither, and is told apart."""
    # Five translations have two raters. 5 4 good; 3 3 neither; 4 3 differ; 2 4 differ; 1 2 bad: 3 of 5 agree.
    # Without a rating of 3: 5 4, 2 4 and 1 2, of which two agree.
    assert to_builtins(system_figures(TABLE, 1, 5))["sides"] == {
        "translations": 5,
        "agreed": 3,
        "share": 0.6,
        "without_middle": {"translations": 3, "agreed": 2, "share": pytest.approx(2 / 3)},
    }


def test_without_a_second_rater_agreement_is_undefined() -> None:
    sides = to_builtins(system_figures({"news-1-002/careful": {"r-1": 3}}, 1, 5))["sides"]
    assert (sides["share"], sides["without_middle"]["share"]) == (None, None)
    assert to_builtins(system_figures({}, 1, 5)) == {
        "systems": {},
        "genres": {},
        "sides": {
            "translations": 0,
            "agreed": 0,
            "share": None,
            "without_middle": {"translations": 0, "agreed": 0, "share": None},
        },
    }


# --- reconsideration --------------------------------------------------------------------------------------------------

QUESTIONNAIRE = Study("questionnaire", "q", "zh", 1, (Control("answer", "candidate"),), ("1",), "", "<View/>")


def given(item: str, rater: str, phase: str = "main", **answers: Answer) -> TaskJudgement:
    """Return a judgement of an item whose right answer is the first candidate."""
    task = Task(f"s/1/{item}", "1", 1, phase, (item,), ((0, 1),), (0,), {})
    return TaskJudgement(judge(task, rater, **answers), task, 0)


def answers(right: int, wrong: int) -> list[TaskJudgement]:
    """Return so many answers, 144 of each rater, the wrong ones last."""
    marks = [0] * right + [1] * wrong
    return [given(f"wsc-{place % 144:03}-a", f"r-{place // 144}", answer=mark) for place, mark in enumerate(marks)]


def verdicts(wrong: Sequence[TaskJudgement], withdrawn: int) -> list[TaskJudgement]:
    codes = ["withdraw"] * withdrawn + ["explain"] * (len(wrong) - withdrawn)
    return [given(row.item, row.rater, verdict=code) for row, code in zip(wrong, codes, strict=True)]


def test_the_figures_of_the_paper() -> None:
    # LREC 2020, 3.3: 576 answers, 527 (91 %) expected before; 556 (97 %) after, 20 disagreements left. So 49 were verified, 29 withdrawn.
    rows = answers(527, 49)
    result = reconsidered(QUESTIONNAIRE, rows, verdicts(rows[527:], 29))
    assert (result.disagreements, result.withdrawn, result.explained, result.open) == (49, 29, 20, 0)
    shares = [result.before, result.after]
    assert [(share.right, round(share.value or 0, 2)) for share in shares] == [(527, 0.91), (556, 0.97)]
    assert all(share.interval and share.value and share.interval[0] < share.value for share in shares)
    assert len(result.explained_items) == 20
    assert reconsidered_lines(result) == [
        "expected answers: 527 of 576 (91.5 %) before and 556 of 576 (96.5 %) after reconsideration",
        "49 disagreements = 29 withdrawn + 20 explained + 0 open",
    ]


def test_what_is_not_reconsidered_stays_as_it_is() -> None:
    rows = [
        given("p-1-a", "r-1", answer=1),
        given("p-1-b", "r-2", answer=1),
        given("p-2-a", "r-1", answer=0),
        given("warm-up", "r-1", "practice", answer=1),
    ]
    result = reconsidered(QUESTIONNAIRE, rows, [given("p-1-a", "r-1", verdict="withdraw")])
    assert (result.before.right, result.after.right, result.after.n) == (1, 2, 3)
    assert (result.disagreements, result.open, result.explained_items) == (2, 1, [])


def test_no_answers_have_no_share() -> None:
    result = reconsidered(QUESTIONNAIRE, [], [])
    assert (result.before.value, result.before.interval) == (None, None)
    assert reconsidered_lines(result)[0].startswith("expected answers: 0 of 0 (n/a) before")


def test_a_verification_of_other_raters_is_refused() -> None:
    rows = [given("p-1-a", "r-1", answer=1), given("p-2-a", "r-1", answer=0)]
    for item, rater in (("p-1-a", "r-9"), ("p-2-a", "r-1"), ("p-3-a", "r-1")):
        with pytest.raises(ValueError, match=rf"^\[rater\] no answer to reconsider; found {rater} with {item}"):
            reconsidered(QUESTIONNAIRE, rows, [given(item, rater, verdict="explain")])
    skipped = given("p-3-a", "r-1")
    skipped = replace(skipped, judgement=replace(skipped.judgement, skipped=True))
    assert reconsidered(QUESTIONNAIRE, rows, [skipped]).open == 1
    with pytest.raises(ValueError, match=r"^\[controls\] stars asks for no candidate"):
        reconsidered(replace(QUESTIONNAIRE, id="stars", controls=(Control("naturalness", "rating"),)), rows, [])
