"""Which records a study asks about."""

from dataclasses import replace

import pytest

from pipeline.studies.design.fields import StudyRecord
from pipeline.studies.design.selection import MisfitError, disagreements, disputed_or_rejected, doubtful
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
