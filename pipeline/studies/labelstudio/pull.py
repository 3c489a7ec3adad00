"""Pull a study: submitted annotations become judgements under pseudonyms, and every annotation is accounted for."""

import hashlib
import hmac
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from xml.etree.ElementTree import Element, ParseError

from defusedxml.ElementTree import fromstring

from ...core.errors import PipelineError
from ...core.servers import KEY, Secret
from ..model.answers import joined_codes, label_faults
from ..model.design import WRITTEN, Control
from ..model.judgements import MAX_LEAD_TIME, Answer, Judgement
from ..model.study import Study, Task
from .client import Client
from .push import find_project, placed_config, stray_projects, without_place
from .remote import RemoteAnnotation, RemoteProject, RemoteTask, same_json

# --- pseudonyms -------------------------------------------------------------------------------------------------------

#: Number of hexadecimal digits in a pseudonym.
_DIGITS = 6


def pseudonym(key: Secret, address: str) -> str:
    """Return ``r-`` and the first six hexadecimal digits of the HMAC-SHA-256 (RFC 2104) of an account's e-mail address.

    A server that is set up again keeps addresses, but not the numbers of accounts. Without the key nobody can link pseudonyms to addresses;
    case and outer blanks of the address make no difference.
    """
    message = address.strip().casefold().encode("utf-8")
    return f"r-{hmac.new(key.value.encode('utf-8'), message, hashlib.sha256).hexdigest()[:_DIGITS]}"


def pseudonyms(key: Secret, accounts: Mapping[int, str]) -> dict[int, str]:
    """Return the pseudonym of each account, from the e-mail addresses by account number.

    Raises:
        PipelineError: two accounts get the same pseudonym.
    """
    by_account: dict[int, str] = {}
    owners: dict[str, int] = {}
    for number, address in sorted(accounts.items()):
        name = by_account[number] = pseudonym(key, address)
        if owners.setdefault(name, number) != number:
            reason = (
                f"[rater] pseudonym not unique; found {name} for accounts {owners[name]} and {number}, expected another "
                f"{KEY}"
            )
            raise PipelineError(None, None, reason)
    return by_account


# --- results ----------------------------------------------------------------------------------------------------------

#: Where an export has no times, the number of an annotation tells which is newer.
_UNKNOWN = datetime.min.replace(tzinfo=UTC)
#: Maximum length of a value quoted in a message.
_QUOTE_LENGTH = 80


class MalformedError(Exception):
    """An annotation that gives no valid answers; its text is the reason."""


def option_fields(study: Study) -> dict[str, str]:
    """Return, for each candidate control in the labelling config, the field of a task's data that holds its options.

    Raises:
        PipelineError: the config is not XML, or a candidate control has no ``value="$field"``.
    """
    try:
        root: Element = fromstring(study.config)
    except (ParseError, ValueError) as error:
        raise PipelineError(None, None, f"[config] not XML; {error}") from error
    values = {tag.get("name", ""): tag.get("value", "") for tag in root.iter()}
    fields = {}
    for control in study.controls:
        if control.kind != "candidate":
            continue
        for number in range(study.screen):
            name = study.control_name(control, number)
            value = values.get(name, "")
            if not value.startswith("$"):
                reason = f'[config] no options for {name}; found value {value!r}, expected value="$field"'
                raise PipelineError(None, None, reason)
            fields[name] = value[1:]
    return fields


def read_result(study: Study, task: Task, fields: Mapping[str, str], result: Any) -> list[dict[str, Answer]]:
    """Return the answers by control, for each item of the task that the rater saw; raises `MalformedError` with the first fault.

    `result` is that of an annotation that was not skipped: a list with an entry for each control answered. `fields` are `option_fields`.
    """
    entries = _by_control(result)
    controls = {
        study.control_name(control, number): (control, number)
        for number in range(len(task.items))
        for control in study.controls
    }
    for name in entries:
        if name not in controls:
            raise MalformedError(f"[from_name] unknown control; found {name!r}, expected one of {', '.join(controls)}")
    answers: list[dict[str, Answer]] = [{} for _ in task.items]
    for name, (control, number) in controls.items():
        if name in entries:
            options = _options(task, fields[name], name, number) if name in fields else {}
            answer = _read_answer(control, name, entries[name], options)
        else:
            answer = None
        if answer is not None:
            answers[number][control.name] = answer
        elif control.required:
            raise MalformedError(f"[{name}] missing answer; expected a {control.kind}")
    return answers


def _by_control(result: Any) -> dict[str, Mapping[str, Any]]:
    if not isinstance(result, list):
        raise MalformedError(f"[result] wrong kind; found {type(result).__name__}, expected a list")
    entries: dict[str, Mapping[str, Any]] = {}
    for entry in result:
        if not isinstance(entry, dict) or not isinstance(entry.get("from_name"), str):
            raise MalformedError(f"[result] wrong kind; found {_short(entry)}, expected the answer to a control")
        if entry["from_name"] in entries:
            raise MalformedError(f"[{entry['from_name']}] answered twice; expected one answer")
        entries[entry["from_name"]] = entry
    return entries


def _options(task: Task, field: str, name: str, number: int) -> dict[str, int]:
    """Return the number of each candidate by the text that raters saw."""
    shown = task.data.get(field)
    if not isinstance(shown, Sequence) or len(shown) != len(task.options[number]):
        raise MalformedError(
            f"[{name}] wrong options; found {_short(shown)} in the data, expected {len(task.options[number])}"
        )
    texts = [option.get("alias") or option.get("value") if isinstance(option, dict) else option for option in shown]
    if len(set(texts)) != len(texts):
        raise MalformedError(f"[{name}] options not unique; found {_short(texts)}")
    return dict(zip(map(str, texts), task.options[number], strict=True))


def _read_answer(control: Control, name: str, entry: Mapping[str, Any], options: Mapping[str, int]) -> Answer | None:
    """Return the answer of an entry; None for an empty text."""
    written = control.kind in WRITTEN
    kind, key = ("textarea", "text") if written else ("choices", "choices")
    value = entry.get("value")
    if control.kind == "rating" and isinstance(value, dict) and "rating" in value:  # of the tag Rating, edited by hand
        entry, value = {"type": kind}, {key: [str(value["rating"])]}
    if entry.get("type") != kind or not isinstance(value, dict) or key not in value:
        raise MalformedError(
            f"[{name}] wrong kind; found {_short(entry.get('type'))} and {_short(value)}, expected {kind}"
        )
    answer: Any = value[key]
    if not isinstance(answer, list) or not all(isinstance(text, str) for text in answer):
        raise MalformedError(f"[{name}] wrong kind; found {_short(answer)}, expected a list of texts")
    if written:
        return "\n".join(text.strip() for text in answer if text.strip()) or None
    if control.kind == "choices":
        try:
            return joined_codes(answer, control.choices)
        except ValueError as error:
            raise MalformedError(f"[{name}] {error}") from error
    if len(answer) != 1:
        raise MalformedError(f"[{name}] wrong number of choices; found {len(answer)}, expected one")
    (chosen,) = answer
    allowed: Mapping[str, Answer] = options
    if control.kind != "candidate":
        numbers = {str(number): number for number in range(control.low, control.high + 1)}
        allowed = numbers if control.kind == "rating" else {code: code for code in control.choices}
    if chosen not in allowed:
        raise MalformedError(f"[{name}] unknown {control.kind}; found {_short(chosen)}, expected {', '.join(allowed)}")
    return allowed[chosen]


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _QUOTE_LENGTH else f"{text[: _QUOTE_LENGTH - 1]}…"


# --- the projects of a study ------------------------------------------------------------------------------------------


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
    """Return the judgements of the annotations in some projects. A rater's newest annotation of a task counts."""
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
        *older, (place, newest) = sorted(annotations, key=lambda pair: (pair[1].updated_at or _UNKNOWN, pair[1].id))
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
    """Return the rater of an annotation; raises `MalformedError` if the task is not the study's, or the author is not certain."""
    if remote.key not in tasks:
        raise MalformedError(f"[task] unknown task; found {remote.key!r}, expected a task of the study")
    if not same_json(without_place(remote.data), tasks[remote.key].data):
        raise MalformedError("[data] not the study's; the rater saw another text")
    if annotation.completed_by is None or annotation.completed_by not in raters:
        raise MalformedError("[completed_by] unknown account, perhaps deleted; expected one of the server's")
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


def _second(moment: datetime | None) -> str | None:
    """Return a time as an export holds it."""
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ") if moment else None


def _seconds(lead_time: float) -> float | None:
    """Return a possible time; None for an impossible one."""
    return lead_time if 0 <= lead_time <= MAX_LEAD_TIME else None
