"""Pull a study: submitted annotations become judgements under pseudonyms, and every annotation is accounted for."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from ...core.errors import PipelineError
from ..model.judgements import MAX_LEAD_TIME, Answer, Judgement
from ..model.labelled import label_faults
from ..model.study import Study, Task
from .client import Client
from .places import placed_config, without_place
from .push import find_project, stray_projects
from .remote import RemoteAnnotation, RemoteProject, RemoteTask, same_json
from .results import MalformedError, option_fields, read_result


@dataclass(slots=True)
class PullResult:
    """The judgements of a study, and what became of everything that was read.

    Attributes:
        judgements: the judgements, sorted.
        read: number of annotations and drafts read: `judged` + `superseded` + `refused` + `drafts`.
        judged: number of annotations taken, each one judgement for every item of its task.
        superseded: number of annotations with a newer one by the same rater on the same task.
        refused: number of annotations that are invalid, each with a finding.
        drafts: number of tasks that a rater has started without submitting.
        findings: a line for each thing that a person must look at.
        notes: a line for each thing that needs no action.
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

    Raises:
        PipelineError: the server has no project of the study or two of one list, or fails for too long.
    """
    by_list = {name: find_project(study, name, client) for name in study.lists}
    projects = [(project, client.tasks(project.id)) for project in by_list.values() if project is not None]
    if not projects:
        reason = f"[project] no project of {study.id} on the server; run `annotate push` first"
        raise PipelineError(None, None, reason)
    result = judgements_of(study, tasks, projects, raters)
    result.findings += [
        f"{study.title}: [project] missing for list {name}; run `annotate push`"
        for name, project in by_list.items()
        if project is None
    ]
    result.findings += stray_projects(study, client)
    return result


def judgements_of(
    study: Study,
    tasks: Sequence[Task],
    projects: Sequence[tuple[RemoteProject, Sequence[RemoteTask]]],
    raters: Mapping[int, str],
) -> PullResult:
    """Return the judgements of the annotations in some projects. A rater's newest annotation of a task counts.

    Raises:
        PipelineError: see `option_fields`.
    """
    fields = option_fields(study)
    by_key = {task.key: task for task in tasks}
    result = PullResult()
    submitted: dict[tuple[str, str], list[tuple[str, RemoteAnnotation]]] = defaultdict(list)
    for project, remote_tasks in projects:
        if project.settings["label_config"] not in (study.config.strip(), placed_config(study)):
            result.findings.append(f"{project.title}: [label_config] not the study's; raters saw another config")
        for remote in remote_tasks:
            result.read += len(remote.annotations) + remote.drafted
            result.drafts += remote.drafted
            for annotation in remote.annotations:
                place = f"{project.title}: {remote.key or f'task {remote.id}'}: annotation {annotation.id}"
                try:
                    rater = _rater(remote, annotation, by_key, raters)
                except MalformedError as reason:
                    result.refused += 1
                    result.findings.append(f"{place}: {reason}")
                else:
                    submitted[remote.key, rater].append((place, annotation))
    for (key, rater), annotations in sorted(submitted.items()):
        *older, (place, newest) = sorted(annotations, key=lambda pair: (pair[1].updated_at, pair[1].id))
        result.superseded += len(older)
        result.notes += [f"{before}: superseded by annotation {newest.id} of the same rater" for before, _ in older]
        try:
            judgements = _judgements(study, by_key[key], fields, newest, rater)
        except MalformedError as reason:
            result.refused += 1
            result.findings.append(f"{place}: {reason}")
            continue
        result.judged += 1
        result.judgements += judgements
        result.findings += [
            f"{place}: {fault}; kept as it is" for fault in label_faults(study, by_key[key], judgements)
        ]
        if newest.lead_time is not None and _seconds(newest.lead_time) is None:
            result.notes.append(f"{place}: impossible lead time ignored; found {newest.lead_time:g} s")
    result.judgements.sort(key=lambda judgement: (judgement.task, judgement.item, judgement.rater))
    return result


def _rater(
    remote: RemoteTask, annotation: RemoteAnnotation, tasks: Mapping[str, Task], raters: Mapping[int, str]
) -> str:
    """Return the rater of an annotation.

    Raises:
        MalformedError: the task is not the study's, or the author is not certain.
    """
    if remote.key not in tasks:
        raise MalformedError(f"[task] unknown task; found {remote.key!r}, expected a task of the study")
    if not same_json(without_place(remote.data), tasks[remote.key].data):
        raise MalformedError("[data] not the study's; the rater saw another text")
    if annotation.completed_by is None or annotation.completed_by not in raters:
        raise MalformedError("[completed_by] unknown account; expected one of the server's")
    rater = raters[annotation.completed_by]
    # The server lets anyone submit in another's name, and change what another submitted.
    if annotation.updated_by not in (None, annotation.completed_by):
        raise MalformedError(f"[completed_by] wrong author; found {rater}, but another account sent it")
    return rater


def _judgements(
    study: Study, task: Task, fields: Mapping[str, str], annotation: RemoteAnnotation, rater: str
) -> list[Judgement]:
    no_answers: list[dict[str, Answer]] = [{} for _ in task.items]
    answers = no_answers if annotation.skipped else read_result(study, task, fields, annotation.result)
    return [
        Judgement(
            study=study.id,
            list=task.list,
            task=task.key,
            item=item,
            phase=task.phase,
            rater=rater,
            answers=of_item,
            lead_time=None if annotation.lead_time is None else _seconds(annotation.lead_time),
            skipped=annotation.skipped,
            submitted=_second(annotation.created_at),
            updated=_second(annotation.updated_at),
        )
        for item, of_item in zip(task.items, answers, strict=True)
    ]


def _second(moment: datetime) -> str:
    """Return a time as an export holds it."""
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def _seconds(lead_time: float) -> float | None:
    """Return a possible time; None for an impossible one."""
    return lead_time if 0 <= lead_time <= MAX_LEAD_TIME else None
