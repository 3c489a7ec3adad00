"""Which records a study asks about."""

from dataclasses import replace

import pytest

from pipeline.studies.design.fields import StudyRecord
from pipeline.studies.design.selection import (
    EarlierStudy,
    MisfitError,
    changed,
    disagreements,
    disputed_or_rejected,
    doubtful,
    explained,
)
from pipeline.studies.model.judgements import Judgement
from pipeline.studies.model.study import Study, Task
from pipeline.winograd.zero_forms import to_zero
from tests.support.studies import judgement, kites, skipped

RECORDS = [StudyRecord(item=item) for item in map(kites, range(4))]  # right answers 0, 1, 1, 0


def test_raters_verify_what_they_disagreed_on() -> None:
    judgements = [
        judgement("kite-000-a", "ana", reference=0),
        judgement("kite-001-a", "ana", reference=0, naturalness=2),
        judgement("kite-000-b", "ana", answer=0),
        judgement("kite-001-b", "ben", reference=0),
        judgement("kite-000-a", "cyd", comment="?"),
        skipped("kite-000-b", "cyd"),
    ]
    selected = disagreements(RECORDS, judgements)
    assert {rater: [(record.id, record.own) for record in records] for rater, records in selected.items()} == {
        "ana": [("kite-000-b", 0), ("kite-001-a", 0)]
    }


def test_doubtful_are_the_low_the_split_and_the_disputed() -> None:
    judgements = [
        *(
            judgement("kite-000-a", rater, reference=0, naturalness=3) for rater in ("ana", "ben")
        ),  # right, mean 3: fine
        judgement("kite-000-b", "ana", reference=1, naturalness=3),
        judgement("kite-000-b", "ben", reference=1, naturalness=2),  # mean 2.5, under 3
        judgement("kite-001-a", "ana", reference=1, naturalness=5),
        judgement("kite-001-a", "ben", reference=0, naturalness=5),  # split
    ]
    assert [(record.id, record.doubt) for record in doubtful(RECORDS, judgements, {"kite-001-b"})] == [
        ("kite-000-b", "阿菊 0 · 小舟 2 · ★ 2.50"),
        ("kite-001-a", "阿菊 1 · 小舟 1 · ★ 5.00"),
        ("kite-001-b", ""),
    ]
    against = [
        judgement("kite-000-a", rater, reference=1) for rater in ("ana", "ben")
    ]  # they agree, but not with the right answer
    assert [record.id for record in doubtful(RECORDS, against, ())] == ["kite-000-a"]


def test_judgements_that_do_not_fit_are_refused() -> None:
    stray = judgement("kite-099-a", "ana", reference=0)
    with pytest.raises(MisfitError, match=r"^\[item\] unknown record; found 'kite-099-a'") as caught:
        doubtful(RECORDS, [stray], ())
    assert caught.value.judgement is stray
    for answer in ("阿菊", 2, -1):
        with pytest.raises(MisfitError, match=r"^\[reference\] found"):
            disagreements(RECORDS, [judgement("kite-000-a", "ana", reference=answer)])
    with pytest.raises(MisfitError, match=r"^\[naturalness\] found 'five'"):
        doubtful(RECORDS, [judgement("kite-000-a", "ana", naturalness="five")], ())


def test_the_audit_has_the_rejected_and_the_disputed() -> None:
    selected = disputed_or_rejected(RECORDS[2:3], RECORDS[:2], {"kite-000-b", "kite-001-a"})
    assert [record.id for record in selected] == ["kite-000-b", "kite-001-a"]


def test_a_second_answer_in_another_list_is_ignored() -> None:
    first = judgement("kite-000-a", "ana", reference=0, naturalness=2)
    again = replace(first, list="2", task=first.task.replace("/1/", "/2/"))
    assert again.task != first.task
    other = judgement("kite-000-a", "bo", reference=0, naturalness=4)
    # The mean is (2 + 4) / 2 = 3, not (2 + 2 + 4) / 3: not under 3, and nothing else is doubtful.
    assert doubtful(RECORDS, [first, again, other], ()) == []


def earlier(*judgements: Judgement, show: str = "text_zero") -> EarlierStudy:
    """Return a study that asked about all records as they are, a practice sentence first."""
    design = {"show": {"text": show, "question": "question"}}
    study = Study("kites", "kites", "zh", 1, (), ("1",), "", "<View/>", design=design)
    tasks = [
        Task(f"kites/1/{place:03}", "1", place, phase, (item.id,), ((0, 1),), (item.answer,),
             {"study": "kites", "task": f"kites/1/{place:03}", "text": to_zero(item)[show], "question": item.question})
        for place, (phase, item) in enumerate([("practice", kites(8)), *(("main", record.item) for record in RECORDS)], 1)
    ]  # fmt: skip
    return EarlierStudy(study, tasks, judgements)


def reworded(record: StudyRecord, **fields: str) -> StudyRecord:
    item = replace(record.item, **(fields or {"text": record.item.text.replace("借给", "送给")}))
    return replace(record, item=item)


def test_the_explained_come_with_their_explanations() -> None:
    judgements = [
        judgement("kite-000-b", "ana", verdict="explain", reason="两人\t都行\u202e"),
        judgement("kite-000-b", "ben", verdict="explain", reason="小舟也可能"),
        judgement("kite-000-a", "ana", verdict="withdraw"),
        judgement("kite-001-a", "cyd", verdict="explain", reason="怪"),
        judgement("kite-007-a", "cyd", verdict="explain", reason="怪"),  # rejected by the rules: no record
        skipped("kite-001-b", "cyd"),
        replace(judgement("kite-001-b", "ben", verdict="explain", reason="怪"), phase="practice"),
    ]
    selected, missing = explained([*RECORDS[:2], reworded(RECORDS[2]), RECORDS[3]], earlier(*judgements))
    assert [(record.id, record.doubt) for record in selected] == [("kite-000-b", "两人 都行 · 小舟也可能")]
    assert missing == ["kite-001-a", "kite-007-a"]  # the former is in other words by now


def test_what_nobody_was_asked_about_as_it_is_has_changed() -> None:
    back = StudyRecord(item=kites(8))  # it was practice alone, so nobody judged it
    asked_anew = reworded(RECORDS[1], question="谁没有风筝？")
    records = [RECORDS[0], asked_anew, reworded(RECORDS[2]), RECORDS[3], back]
    assert [record.id for record in changed(records, earlier())] == ["kite-000-b", "kite-001-a", "kite-004-a"]
    assert changed(RECORDS, earlier()) == []
    assert changed(RECORDS, earlier(show="text_dropped")) == []
    # Another answer is no other question: raters chose between the same candidates.
    relabelled = replace(RECORDS[0], item=replace(RECORDS[0].item, answer=1))
    assert changed([relabelled], earlier()) == []


def test_a_study_whose_design_is_unknown_is_compared_by_its_texts() -> None:
    unknown = replace(earlier(), study=replace(earlier().study, design=None))
    assert [record.id for record in changed([reworded(RECORDS[0]), RECORDS[1]], unknown)] == ["kite-000-a"]
