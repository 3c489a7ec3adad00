"""Pull: what raters submitted becomes judgements under pseudonyms, and what is none is told."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ...core.errors import PipelineError
from ..judgements import MAX_LEAD_TIME, Answer, Judgement
from ..study import Study, Task
from .client import Client
from .push import project_of, strays
from .remote import Project, RemoteAnnotation, RemoteTask, same
from .results import MalformedError, answers_of, option_fields


@dataclass(slots=True)
class PullResult:
    """The judgements of a study, and an account of everything that was read.

    Attributes:
        judgements: sorted.
        read: how many annotations and begun tasks were read: `judged` + `superseded` + `refused` + `drafts`.
        judged: how many annotations became judgements, one for each item of their task.
        superseded: how many have a newer one by the same rater on the same task.
        refused: how many say nothing that could be taken, each with a finding.
        drafts: how many tasks somebody has begun without submitting.
        findings: a line on each thing that somebody has to look at.
        notes: a line on each thing that was settled.
    """

    judgements: list[Judgement] = field(default_factory=list)
    read: int = 0
    judged: int = 0
    superseded: int = 0
    refused: int = 0
    drafts: int = 0
    findings: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def pull(study: Study, tasks: Sequence[Task], client: Client, raters: Mapping[int, str]) -> PullResult:
    """Read all projects of a study.

    Args:
        study: the study.
        tasks: all of them.
        client: of the server.
        raters: the pseudonyms by the number of the account.

    Raises:
        PipelineError: the server has no project of the study, two of one list, or fails for too long.
    """
    projects: list[tuple[Project, list[RemoteTask]]] = []
    missing = []
    for name in study.lists:
        project = project_of(study, name, client)
        if project is None:
            missing.append(name)
        else:
            projects.append((project, client.posted(project.id)))
    if not projects:
        raise PipelineError(
            None, None, f"[project] found none of {study.id} on the server, expected `annotate push` first"
        )
    pulled = judgements_of(study, tasks, projects, raters)
    pulled.findings += [f"{study.title}: [project] found none for list {name}, expected one" for name in missing]
    pulled.findings += strays(study, client)
    return pulled


def judgements_of(
    study: Study,
    tasks: Sequence[Task],
    projects: Sequence[tuple[Project, Sequence[RemoteTask]]],
    raters: Mapping[int, str],
) -> PullResult:
    """Return what the annotations of some projects say.

    Args:
        study: the study.
        tasks: all of them.
        projects: with their tasks.
        raters: the pseudonyms by the number of the account.

    Raises:
        PipelineError: see `option_fields`.
    """
    fields = option_fields(study)
    wanted = {task.key: task for task in tasks}
    pulled = PullResult()
    by_rater: dict[tuple[str, str], list[tuple[str, RemoteAnnotation]]] = defaultdict(list)
    for project, posted in projects:
        if project.settings["label_config"] != study.config.strip():
            pulled.findings.append(f"{project.title}: [label_config] raters saw another than the study's")
        for one in posted:
            pulled.read += len(one.annotations) + one.drafted
            pulled.drafts += one.drafted
            for annotation in one.annotations:
                place = f"{project.title}: {one.key or f'task {one.id}'}: annotation {annotation.id}"
                try:
                    rater = _rater(one, annotation, wanted, raters)
                except MalformedError as reason:
                    pulled.refused += 1
                    pulled.findings.append(f"{place}: {reason}")
                else:
                    by_rater[one.key, rater].append((place, annotation))
    for (key, rater), sent in sorted(by_rater.items()):
        *older, (place, newest) = sorted(sent, key=lambda one: (one[1].updated_at, one[1].id))
        pulled.superseded += len(older)
        pulled.notes += [f"{before}: superseded by annotation {newest.id} of the same rater" for before, _ in older]
        try:
            pulled.judgements += _judgements(study, wanted[key], fields, newest, rater)
        except MalformedError as reason:
            pulled.refused += 1
            pulled.findings.append(f"{place}: {reason}")
            continue
        pulled.judged += 1
        if newest.lead_time is not None and _seconds(newest.lead_time) is None:
            pulled.notes.append(f"{place}: lead time left out; found {newest.lead_time:g} s")
    pulled.judgements.sort(key=lambda one: (one.task, one.item, one.rater))
    return pulled


def _rater(one: RemoteTask, annotation: RemoteAnnotation, wanted: Mapping[str, Task], raters: Mapping[int, str]) -> str:
    """Return who said it, if it can be taken for what somebody said of a task of the study."""
    if one.key not in wanted:
        raise MalformedError(f"[task] unknown; found {one.key!r}, expected a task of the study")
    if not same(one.data, wanted[one.key].data):
        raise MalformedError("[data] the rater saw another text than the study has")
    if annotation.completed_by is None or annotation.completed_by not in raters:
        raise MalformedError("[completed_by] found no account of the server")
    rater = raters[annotation.completed_by]
    # The server lets anybody submit in anybody's name, and anybody change what another submitted.
    if annotation.updated_by not in (None, annotation.completed_by):
        raise MalformedError(f"[completed_by] told to be of {rater}; found it sent by another account")
    return rater


def _judgements(
    study: Study, task: Task, fields: Mapping[str, str], annotation: RemoteAnnotation, rater: str
) -> list[Judgement]:
    silent: list[dict[str, Answer]] = [{} for _ in task.items]
    answers = silent if annotation.skipped else answers_of(study, task, fields, annotation.result)
    return [
        Judgement(
            study=study.id,
            list=task.list,
            task=task.key,
            item=item,
            phase=task.phase,
            rater=rater,
            answers=said,
            lead_time=None if annotation.lead_time is None else _seconds(annotation.lead_time),
            skipped=annotation.skipped,
        )
        for item, said in zip(task.items, answers, strict=True)
    ]


def _seconds(lead_time: float) -> float | None:
    """Return a time that can be one."""
    return lead_time if 0 <= lead_time <= MAX_LEAD_TIME else None


def lost(before: Sequence[Judgement], after: Sequence[Judgement]) -> list[str]:
    """Return a line on each judgement that an earlier export has and a new one would not."""
    kept = {(one.task, one.item, one.rater) for one in after}
    return [
        f"{one.task}: {one.item}: [rater] {one.rater} judged it in the earlier export; found nothing of it on the server now"
        for one in before
        if (one.task, one.item, one.rater) not in kept
    ]
