"""Judgements of the annotations on a server, and the pseudonyms of the raters. No server is needed."""

import random
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core.servers import KEY, Secret
from pipeline.studies.labelstudio.pull import PullResult, judgements_of, pseudonym, pseudonyms
from pipeline.studies.labelstudio.push import project_settings
from pipeline.studies.labelstudio.remote import OVERLAP, RemoteAnnotation, RemoteProject, RemoteTask
from pipeline.studies.model.design import Control
from pipeline.studies.model.study import Study, Task
from tests.conftest import Refused
from tests.support.small_study import rating, sent, study, tasks_of

STUDY = study()
TASKS = tasks_of(STUDY)
FIRST, SECOND, *_ = TASKS
RATERS = {1: "r-000001", 2: "r-000002"}
GOOD = sent(FIRST, 0, 3)


def annotation(number: int, result: Any, by: int | None = 1, **more: Any) -> RemoteAnnotation:
    fields = {
        "updated_by": by,
        "created_at": datetime(2026, 11, 21, 10, 0, 0, 999_999, UTC),
        "updated_at": datetime(2026, 11, 21, 10, 0, number, tzinfo=UTC),
        "skipped": False,
        "lead_time": 3.5,
    } | more
    return RemoteAnnotation(id=number, completed_by=by, result=result, **fields)


def remote_task(task: Task, *annotations: RemoteAnnotation, number: int = 1, **more: Any) -> RemoteTask:
    return RemoteTask(**{"id": number, "data": task.data, "overlap": OVERLAP, "annotations": annotations} | more)


PROJECT = RemoteProject(7, project_settings(STUDY, "1"))


def pulled(*tasks: RemoteTask) -> PullResult:
    result = judgements_of(STUDY, TASKS, [(PROJECT, tasks)], RATERS)
    assert result.read == result.judged + result.superseded + result.refused + result.drafts
    return result


def test_an_annotation_becomes_a_judgement() -> None:
    result = pulled(remote_task(FIRST, annotation(11, sent(FIRST, 1, 4))))
    (judgement,) = result.judgements
    assert (judgement.study, judgement.list, judgement.task, judgement.item, judgement.phase) == (
        "umbrellas",
        "1",
        FIRST.key,
        "1-001",
        "practice",
    )
    assert (judgement.rater, dict(judgement.answers), judgement.lead_time) == (
        "r-000001",
        {"reference": 1, "naturalness": 4},
        3.5,
    )
    assert (judgement.submitted, judgement.updated) == ("2026-11-21T10:00:00Z", "2026-11-21T10:00:11Z")
    assert (result.findings, result.notes) == ([], [])


def test_the_newest_of_one_rater_counts_and_each_rater_has_one() -> None:
    changed = annotation(11, sent(FIRST, 0, 1), updated_at=datetime(2026, 11, 22, 8, tzinfo=UTC))
    result = pulled(
        remote_task(FIRST, changed, annotation(12, sent(FIRST, 1, 5)), annotation(13, sent(FIRST, 1, 2), by=2))
    )
    assert [(judgement.rater, judgement.answers["naturalness"]) for judgement in result.judgements] == [
        ("r-000001", 1),
        ("r-000002", 2),
    ]
    assert result.notes == [f"伞与雨 · 1: {FIRST.key}: annotation 12: superseded by annotation 11 of the same rater"]
    assert result.findings == []


def test_a_skipped_task_has_no_answers_even_if_some_were_sent() -> None:
    (judgement,) = pulled(remote_task(FIRST, annotation(11, sent(FIRST, 1, 4), skipped=True))).judgements
    assert (judgement.skipped, dict(judgement.answers)) == (True, {})


@pytest.mark.parametrize(
    ("task", "field"),
    [
        (remote_task(FIRST, annotation(11, GOOD, by=9)), "completed_by"),
        (remote_task(FIRST, annotation(11, GOOD, by=None)), "completed_by"),
        (remote_task(FIRST, annotation(11, GOOD, updated_by=2)), "completed_by"),
        (remote_task(FIRST, annotation(11, [rating(2)])), "reference"),
        (remote_task(FIRST, annotation(11, GOOD), data={**FIRST.data, "text": "别的句子。"}), "data"),
        (remote_task(FIRST, annotation(11, GOOD), data={**FIRST.data, "task": "umbrellas/1/099"}), "task"),
        (remote_task(FIRST, annotation(11, GOOD), data={}), "task"),
    ],
)
def test_a_refused_annotation_is_named_by_project_task_and_number(task: RemoteTask, field: str) -> None:
    result = pulled(task, remote_task(SECOND, annotation(12, sent(SECOND, 0, 2)), number=2))
    assert [judgement.task for judgement in result.judgements] == [SECOND.key]
    (line,) = result.findings
    assert line.startswith("伞与雨 · 1: ")
    assert f": annotation 11: [{field}] " in line


@pytest.mark.parametrize("lead_time", [-1.0, 2e8, float("nan"), float("inf")])
def test_an_impossible_time_is_ignored(lead_time: float) -> None:
    result = pulled(remote_task(FIRST, annotation(11, GOOD, lead_time=lead_time)))
    assert [judgement.lead_time for judgement in result.judgements] == [None]
    assert len(result.notes) == 1


def test_another_config_on_the_server_is_reported() -> None:
    other = RemoteProject(7, {**PROJECT.settings, "label_config": "<View/>"})
    (line,) = judgements_of(STUDY, TASKS, [(other, [remote_task(FIRST, annotation(11, GOOD))])], RATERS).findings
    assert "[label_config]" in line


annotations = st.builds(
    annotation,
    st.integers(0, 59),
    st.sampled_from([GOOD, sent(FIRST, 1, 5), [], None, [rating(3)]]),
    st.sampled_from([1, 2, 9, None]),
    skipped=st.booleans(),
)


@given(
    st.lists(
        st.tuples(st.sampled_from([FIRST, SECOND, TASKS[4]]), st.lists(annotations, max_size=4), st.booleans()),
        max_size=5,
    ),
    st.randoms(use_true_random=False),
)
def test_everything_read_is_counted_once_in_any_order(rows: Any, shuffle: random.Random) -> None:
    tasks = [
        remote_task(task, *submitted, number=number, drafted=drafted)
        for number, (task, submitted, drafted) in enumerate(rows, 1)
    ]
    result = pulled(*tasks)
    assert result.read == sum(len(submitted) + drafted for _, submitted, drafted in rows)
    assert (
        len(result.judgements)
        == result.judged
        == len({(judgement.task, judgement.rater) for judgement in result.judgements})
    )
    assert len(result.notes) == result.superseded
    assert len(result.findings) == result.refused
    numbers = [each.id for task in tasks for each in task.annotations]
    if len(set(numbers)) == len(numbers):  # as on a server
        shuffle.shuffle(tasks)
        assert pulled(*tasks).judgements == result.judgements


def test_a_pseudonym_is_the_start_of_the_hmac() -> None:
    # RFC 4231, 4.3: key "Jefe", data "what do ya want for nothing?" give 5bdcc146bf60754e…
    assert pseudonym(Secret(KEY, "Jefe"), "What do ya want for nothing? ") == "r-5bdcc1"


def test_two_accounts_of_one_pseudonym_are_refused(refused: Refused) -> None:
    key = Secret(KEY, "k" * 20)
    assert pseudonyms(key, {3: "a@localhost.invalid", 4: "b@localhost.invalid"})[4] == pseudonym(
        key, "b@localhost.invalid"
    )
    line = refused(lambda: pseudonyms(key, {3: "a@localhost.invalid", 4: "A@localhost.invalid"}), "", "rater")
    assert "accounts 3 and 4" in line
    assert "localhost" not in line


def test_a_malformed_label_is_a_finding_with_its_task_and_is_kept() -> None:
    control = Control("labelled", "labelled", required=False)
    config = '<View><Text name="text" value="$text"/><TextArea name="labelled" toName="text" value="$text"/></View>'
    labelling = Study("labelling", "零代词标注", "zh", 1, (control,), ("news",), "<p>读。</p>", config)
    key = "labelling/news/001"
    data = {"study": "labelling", "task": key, "text": "下雨了，没带伞。"}
    task = Task(key, "news", 1, "main", ("news-1-002",), ((),), (None,), data)
    answers = ("下雨了，<他>_S没带伞。", "下雨了，<他>没带伞。")
    annotations = [
        annotation(number, [{"from_name": "labelled", "type": "textarea", "value": {"text": [answer]}}], by=number)
        for number, answer in enumerate(answers, 1)
    ]
    project = RemoteProject(7, project_settings(labelling, "news"))
    result = judgements_of(labelling, [task], [(project, [remote_task(task, *annotations)])], RATERS)
    assert [judgement.answers["labelled"] for judgement in result.judgements] == list(answers)
    assert (result.judged, result.refused) == (2, 0)
    (finding,) = result.findings
    assert finding.startswith(f"零代词标注 · news: {key}: annotation 2: news-1-002: [labelled] malformed label; ")
    assert finding.endswith("kept as it is")
