"""An export and what the server has now: nothing vanishes or changes without a line. No server is needed."""

import dataclasses
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from pipeline.studies.model.judgements import (
    Judgement,
    changes_since,
    clear_remarks,
    left_out,
    read_remarks,
    require_same_key,
    with_vanished,
    write_judgements,
    write_remarks,
)
from pipeline.studies.model.study import write_study
from pipeline.studies.validation import studies
from tests.conftest import Refused
from tests.support.agreement import judge
from tests.support.small_study import study, tasks_of

STUDY = study()
TASKS = tasks_of(STUDY)


def judged(number: int, rater: str = "r-000001", stars: int = 3, comment: str = "") -> Judgement:
    task = TASKS[number]
    answers = {"reference": 0, "naturalness": stars} | ({"comment": comment} if comment else {})
    return judge(task, rater, 2.5, **answers)


def test_what_vanished_is_kept_with_a_mark_and_new_ones_are_saved() -> None:
    before = [judged(0), judged(1), judged(2, "r-000002")]
    now = with_vanished(before, [judged(1, stars=5), judged(3)])
    # 2 on the server + 2 vanished; one of the two has other stars, one is new.
    assert [judgement.vanished for judgement in now] == [False, False, True, True]
    changes = changes_since(before, now)
    assert (changes.added, changes.changed, changes.vanished) == (1, 1, 2)
    assert changes.notes == ("list 1: r-000001: 1 judgement changed since the earlier export (naturalness 1)",)
    gone = "no more on the server; kept, marked as vanished: --forget leaves out what vanished"
    assert changes.findings == tuple(f"list 1: [rater] 1 judgement of r-00000{number} {gone}" for number in (1, 2))
    assert left_out(now[2:3]) == ["list 1: [rater] 1 judgement of r-000001 no more on the server; left out"]
    # A second time they are counted, but nobody has to look at them again; and what comes back loses its mark.
    again = changes_since(now, with_vanished(now, now[:2]))
    assert (again.added, again.changed, again.vanished, again.notes, again.findings) == (0, 0, 2, (), ())
    assert not any(judgement.vanished for judgement in with_vanished(now, [*now[:2], judged(0), judged(2, "r-000002")]))


rows = st.lists(
    st.builds(judged, st.integers(0, 3), st.sampled_from(["r-1", "r-2"]), st.integers(1, 2)),
    max_size=6,
    unique_by=lambda judgement: (judgement.task, judgement.rater),
)


@given(rows, rows)
def test_every_judgement_is_counted_once(before: list[Judgement], after: list[Judgement]) -> None:
    now = with_vanished(before, after)
    changes = changes_since(before, now)
    assert len(now) == len(after) + changes.vanished == len(before) + changes.added
    assert changes.changed <= len(before) - changes.vanished
    assert bool(changes.findings) == bool(changes.vanished)
    assert [dataclasses.replace(judgement, vanished=False) for judgement in now[: len(after)]] == after


def test_a_confirmed_remark_stays_until_its_rater_changes_it(tmp_path: Path) -> None:
    path = tmp_path / "remarks.tsv"
    raw = [judged(0, comment="写信给 a@uni.edu"), judged(1, comment="很自然")]
    first = clear_remarks(STUDY, TASKS, raw, read_remarks(path), [])
    assert [judgement.answers.get("comment") for judgement in first.judgements] == ["写信给 ‹e-mail address›", "很自然"]
    assert (first.withheld, len(first.findings)) == (1, 1)
    assert "uni.edu" not in first.findings[0]
    write_remarks(path, first.remarks)
    assert path.read_text(encoding="utf-8").splitlines()[1:] == [
        f"{TASKS[0].key}\t1-001\tr-000001\tcomment\te-mail address\tno"
    ]
    again = clear_remarks(STUDY, TASKS, raw, read_remarks(path), first.judgements)
    assert (again.judgements, again.findings) == (first.judgements, ())
    path.write_text(path.read_text(encoding="utf-8").replace("\tno", "\tyes"), encoding="utf-8")
    confirmed = clear_remarks(STUDY, TASKS, raw, read_remarks(path), again.judgements)
    assert (list(confirmed.judgements), confirmed.withheld, confirmed.findings) == (raw, 0, ())
    assert clear_remarks(STUDY, TASKS, raw, read_remarks(path), confirmed.judgements).judgements == confirmed.judgements
    # The rater adds a number after the confirmation: nobody has confirmed that.
    changed = [judged(0, comment="写信给 a@uni.edu，或打 138 1234 5678")]
    other = clear_remarks(STUDY, TASKS, changed, read_remarks(path), confirmed.judgements)
    assert other.judgements[0].answers["comment"] == "写信给 ‹e-mail address›，或打 ‹number›"
    assert (other.withheld, len(other.findings)) == (1, 1)
    write_remarks(path, [])
    assert not path.exists()


def test_the_suite_reports_an_export_with_a_remark_that_nobody_confirmed(tmp_path: Path) -> None:
    """As a pull of an earlier version wrote it, or a person."""
    write_study(tmp_path, STUDY, TASKS)
    write_judgements(tmp_path / "judgements.jsonl", [judged(0), judged(1, comment="写信给 a@uni.edu")])
    (row,) = [row for row in studies([tmp_path]) if row.id == "judgements.jsonl"]
    assert (row.line, "found personal data in a remark" in row.value["judgements"]) == (2, True)
    cleared = clear_remarks(STUDY, TASKS, [judged(1, comment="写信给 a@uni.edu")], {}, [])
    write_remarks(tmp_path / "remarks.tsv", [dataclasses.replace(cleared.remarks[0], release=True)])
    (row,) = [row for row in studies([tmp_path]) if row.id == "judgements.jsonl"]
    assert row.value["judgements"] == ""


def test_what_the_task_shows_is_no_personal_data() -> None:
    shown = dataclasses.replace(TASKS[0], data={**TASKS[0].data, "text": "他把 a@uni.edu 写错了。"})
    cleared = clear_remarks(STUDY, [shown], [judged(0, comment="a@uni.edu 太长，见 b@uni.edu")], {}, [])
    assert cleared.judgements[0].answers["comment"] == "a@uni.edu 太长，见 ‹e-mail address›"


def test_an_account_may_be_deleted_between_two_pulls(tmp_path: Path) -> None:
    require_same_key(tmp_path, [judged(0), judged(1, "r-000002")], ["r-000002", "r-000009"])


def test_a_table_of_remarks_with_another_answer_is_refused(tmp_path: Path, refused: Refused) -> None:
    path = tmp_path / "remarks.tsv"
    path.write_text("task\titem\trater\tcontrol\tkinds\trelease\na\tb\tr-1\tc\tlink\tperhaps\n", encoding="utf-8")
    assert "found 'perhaps', expected yes or no" in refused(lambda: read_remarks(path), f"{path}:2", "release")
