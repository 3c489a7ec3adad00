"""Agreement before and after reconsideration, as Mandarinograd reports it."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from pipeline.studies.agreement.report import reconsidered_lines
from pipeline.studies.agreement.single_studies import reconsidered
from pipeline.studies.model.answers import TaskJudgement
from pipeline.studies.model.design import Control
from pipeline.studies.model.judgements import Answer
from pipeline.studies.model.study import Study, Task
from tests.support.agreement import judge

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
