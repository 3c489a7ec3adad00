"""Label Studio's own exports in place of a server: JSON, JSON-MIN, CSV and TSV, as its web page and its snapshots write them.

A file is read as what the server would have said, and `pull.judgements_of` counts it as a pull does. Source of the formats:
https://labelstud.io/guide/export, and `label_studio_sdk.converter`, which writes them.
"""

import contextlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from ...core.errors import PipelineError, first_names, plural, shown
from ...core.files import from_json, json_values, read_text
from ...core.servers import Secret
from ...core.tables import parse_table
from ..model.answers import TaskJudgement, join_tasks
from ..model.judgements import TABLES, clear_remarks, is_export, numbered_judgements
from ..model.study import PLACE, Study, Task
from .pull import PullResult, judgements_of, pseudonyms
from .push import placed_config
from .remote import OVERLAP, RemoteProject, RemoteTask, annotation_from

#: Columns of JSON-MIN, CSV and TSV that are neither data nor answers.
_COLUMNS = ("id", "annotator", "annotation_id", "created_at", "updated_at", "lead_time", "agreement", "history", PLACE)
#: Where CSV has the data of a field that a control shares its name with.
_DATA = "_data_"
_WAY_OUT = "the study's lists in several files: `winoforge annotate pull STUDY --export FILE --export FILE --out DIR`"


@dataclass(slots=True)
class _Accounts:
    """The accounts that an export names: by number, by e-mail address, or both."""

    numbers: set[int] = field(default_factory=set)
    addresses: dict[int, str] = field(default_factory=dict)

    def add(self, author: object) -> int | None:
        """Return the number of an account, a negative one where the export has its address alone; None for a deleted account."""
        if isinstance(author, Mapping):
            number, address = author.get("id"), str(author.get("email") or "")
        else:
            number, address = author, str(author or "").strip()
            if address.isdecimal():
                number, address = int(address), ""
        if not isinstance(number, int) and address:
            known = {text.casefold(): account for account, text in self.addresses.items()}
            number = known.get(address.casefold(), -len(self.addresses) - 1)
        if not isinstance(number, int) or isinstance(number, bool):
            return None
        self.numbers.add(number)
        if address:
            self.addresses[number] = address
        return number

    def pseudonyms(self, key: Callable[[], Secret]) -> dict[int, str]:
        """Return the pseudonym of each account: that of `annotate pull` where the address is there, else one with its number."""
        named = pseudonyms(key(), self.addresses) if self.addresses else {}
        return {number: f"r-{number:06}" for number in self.numbers if number >= 0} | named


def read_exports(
    study: Study, tasks: Sequence[Task], paths: Sequence[Path], key: Callable[[], Secret]
) -> tuple[PullResult, dict[int, str]]:
    """Return the judgements in exports of the study's projects, and the pseudonym of each account.

    Args:
        key: gives the key of the pseudonyms; called if an export has e-mail addresses.

    Raises:
        PipelineError: a file is no such export, or one of another study.
    """
    accounts = _Accounts()
    by_key = {task.key: task for task in tasks}
    tags = {
        study.control_name(control, place): control.tag for control in study.controls for place in range(study.screen)
    }
    projects, notes, empty = [], [], []
    seen: set[tuple[str, int, datetime | None]] = set()
    for path in paths:
        settings = {"title": str(path), "label_config": placed_config(study)}
        there, predictions, twice, brief = [], 0, 0, False
        for line, row in _rows(read_text(path), path):
            try:
                remote = _task(row, by_key, tags, accounts)
            except (KeyError, TypeError, ValueError, AttributeError) as error:
                reason = (
                    f"[annotations] malformed; found {shown(row)}, expected a task as Label Studio exports it ({error})"
                )
                raise PipelineError(path, line, reason) from error
            _require_study(remote.data, study, path, line)
            brief = brief or not row.keys() & {"annotations", "completions"}
            predictions += len(row.get("predictions") or ()) if isinstance(row.get("predictions"), list) else 0
            fresh = [one for one in remote.annotations if (remote.key, one.id, one.created_at) not in seen]
            twice += len(remote.annotations) - len(fresh)
            seen.update((remote.key, one.id, one.created_at) for one in fresh)
            there.append(RemoteTask(remote.id, remote.data, OVERLAP, remote.drafted, tuple(fresh)))
        projects.append((RemoteProject(0, settings), there))
        if not there:
            notes.append(f"{path}: no task")
        elif not twice and not any(task.annotations for task in there):
            empty.append(
                f"{path}: [annotations] none; found {plural(len(there), 'task')}, expected one that is answered"
            )
        if predictions:
            notes.append(f"{path}: {plural(predictions, 'prediction')} of models left out")
        if twice:
            notes.append(f"{path}: {plural(twice, 'annotation')} read before, counted once")
        if brief:
            notes.append(
                f"{path}: this format leaves out skipped tasks, drafts and who sent an annotation last; JSON has them"
            )
    raters = accounts.pseudonyms(key)
    result = judgements_of(study, tasks, projects, raters)
    result.findings += empty
    result.notes += [*notes, *_missing(tasks, {remote.key for _, there in projects for remote in there})]
    return result, raters


def read_task_judgements(
    path: Path, study: Study, tasks: Sequence[Task], key: Callable[[], Secret]
) -> tuple[list[TaskJudgement], PullResult]:
    """Return judgements with their tasks, from judgements.jsonl or from an export of Label Studio, and what was read of the latter.

    Remarks of an export are without their personal data. See `read_answers` and `read_exports` for the errors.
    """
    if not is_export(read_text(path), path):
        return join_tasks(numbered_judgements(path), path, study, tasks), PullResult()
    result, _ = read_exports(study, tasks, [path], key)
    cleared = clear_remarks(study, tasks, result.judgements, {}, [])
    if cleared.remarks:
        result.notes.append(f"{path}: {plural(cleared.withheld, 'remark')} without the personal data in it")
    return join_tasks([(None, judgement) for judgement in cleared.judgements], path, study, tasks), result


def counts_line(result: PullResult) -> str:
    """Return what became of the annotations and drafts that were read."""
    return (
        f"{result.read} read: {result.judged} taken, {result.superseded} superseded, {result.refused} refused, "
        f"{result.drafts} begun and not submitted"
    )


def _missing(tasks: Sequence[Task], there: set[str]) -> list[str]:
    """Return a line for each list with tasks that no export has."""
    every = Counter(task.list for task in tasks)
    missing = Counter(task.list for task in tasks if task.key not in there)
    lines = [
        f"list {name}: {count} of {plural(every[name], 'task')} not in the export" for name, count in missing.items()
    ]
    return [*lines, _WAY_OUT] if any(count == every[name] for name, count in missing.items()) else lines


def _require_study(data: Mapping[str, Any], study: Study, path: Path, line: int | None) -> None:
    if "study" not in data:
        reason = f"found the fields {shown(first_names(list(data)))}, expected the data that annotate push sent: study, task, …"
        raise PipelineError(path, line, f"[study] not an export of a study; {reason}")
    if data["study"] != study.id:
        reason = f"[study] an export of another study; found {shown(data['study'])}, expected {shown(study.id)}"
        raise PipelineError(path, line, reason)


# --- the formats ------------------------------------------------------------------------------------------------------


def _rows(text: str, path: Path) -> Iterator[tuple[int | None, dict[str, Any]]]:
    """Yield the tasks, or in JSON-MIN and tables the annotations, with their lines where a line has one."""
    if path.suffix.lower() in TABLES:
        for line, cells in parse_table(text, path, ("annotator", "annotation_id"), has_comments=False, by_program=True):
            yield line, {column: cell for column, cell in cells.items() if cell}
        return
    for place, row in json_values(text, path, "an export of Label Studio"):
        if not isinstance(row, dict):
            reason = f"[json] wrong kind; found {shown(row)}, expected a task with its annotations"
            raise PipelineError(path, place, reason)
        task = row.get("task")  # an annotation with its task, as target storage has it
        yield place, {**task, "annotations": [row]} if isinstance(task, dict) else row


def _task(
    row: Mapping[str, Any], tasks: Mapping[str, Task], tags: Mapping[str, str], accounts: _Accounts
) -> RemoteTask:
    """Return a task with its annotations; with one or none if the row is flat, as in JSON-MIN and in tables.

    Args:
        tags: the tag of each control by its name in the labelling config.
    """
    number = int(row.get("id") or 0)
    submitted = row.get("annotations", row.get("completions"))  # the second one in versions before 1.0
    if submitted is not None:
        annotations = tuple(annotation_from(entry, accounts.add) for entry in submitted)
        return RemoteTask(number, dict(row["data"]), OVERLAP, bool(row.get("drafts")), annotations)
    expected = tasks[str(row["task"])].data if row.get("task") in tasks else {}
    data = {name: _value(row, name, value) for name, value in expected.items()}
    if not expected:
        data = {name: row[name] for name in row if name not in _COLUMNS}
    if row.get("annotation_id") in (None, ""):
        return RemoteTask(number, data, OVERLAP)
    result = [
        entry
        for name, value in row.items()
        if name not in data and name not in _COLUMNS and not name.startswith(_DATA) and value is not None
        for entry in _entries(name, value, tags.get(name, ""))
    ]
    entry = {**row, "id": row["annotation_id"], "completed_by": row.get("annotator"), "result": result}
    return RemoteTask(number, data, OVERLAP, annotations=(annotation_from(entry, accounts.add),))


def _value(row: Mapping[str, Any], name: str, expected: object) -> Any:
    """Return a field of a task's data in a flat row: JSON as text in a table, under another name where a control shares it."""
    value = row.get(f"{_DATA}{name}", row.get(name, "" if isinstance(expected, str) else None))
    if isinstance(value, str) and not isinstance(expected, str):
        try:
            return from_json({"True": "true", "False": "false"}.get(value, value))
        except ValueError:
            return value
    return value


def _entries(name: str, value: object, tag: str) -> list[dict[str, Any]]:
    """Return the results of a control in a flat row, as the server has them: a single answer is plain there, others are objects.

    >>> _entries("verdict", '{"choices": ["a", "b"]}', "Choices")
    [{'from_name': 'verdict', 'type': 'choices', 'value': {'choices': ['a', 'b']}}]
    >>> _entries("comment", "[sic]", "TextArea")
    [{'from_name': 'comment', 'type': 'textarea', 'value': {'text': ['[sic]']}}]
    """
    key = "text" if tag == "TextArea" else "choices"
    if isinstance(value, str) and value[:1] in ("{", "["):
        with contextlib.suppress(ValueError):  # a text that begins with a bracket
            parsed = from_json(value)
            objects = all(isinstance(part, dict) and part for part in _each(parsed))
            texts = tag != "TextArea" or all(isinstance(part.get(key), list) for part in _each(parsed) if objects)
            value = parsed if objects and texts else value
    contents = [part if isinstance(part, dict) else {key: [str(part)]} for part in _each(value)]
    kinds = {"text": "textarea"}
    return [
        {"from_name": name, "type": next((kinds.get(part, part) for part in content), ""), "value": content}
        for content in contents
    ]


def _each(value: object) -> list[Any]:
    return value if isinstance(value, list) else [value]
