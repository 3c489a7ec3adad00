"""The rows of a study folder: one for the study, one for each list, one for each task."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ...core.errors import PipelineError
from ...core.files import from_json, parse_jsonl, read_text
from ...core.validation.rows import text_of
from ...core.validation.suite import Check, Row, Value

_STUDY, _TASKS = "study.json", "tasks.jsonl"


def studies(paths: Sequence[Path]) -> list[Row]:
    """Return the rows of study folders; the value of each has the ``study``.

    The row of the study also has the tasks of its ``lists``, the row of a list has the tasks of the ``list``, and the row of a
    task has the ``task``, its ``keys`` and the ``fields`` in the data of the first task.

    Raises:
        PipelineError: a file is missing or is not JSON, or the study or a task has no name.
    """
    return [row for path in paths for row in _study_rows(path)]


def rows_with(kind: str, check: Check) -> Check:
    """Return a check that applies to rows with a value of this kind (``lists``, ``list``, ``task``); others pass."""

    def check_kind(value: Value) -> str:
        return check(value) if kind in value else ""

    check_kind.__doc__ = check.__doc__
    return check_kind


def screen_of(study: Mapping[str, Any]) -> int:
    """Return the number of records on a screen."""
    size = study.get("screen")
    return size if isinstance(size, int) and size > 0 else 1


def _study_rows(folder: Path) -> list[Row]:
    study = _read_study(folder / _STUDY)
    path = folder / _TASKS
    fields: list[str] = []
    rows: list[Row] = []
    lists: dict[str, list[Row]] = {}
    for line, task in parse_jsonl(read_text(path), path):
        if not text_of(task, "key"):
            raise PipelineError(path, line, f"[key] missing field; found {task.get('key')!r}, expected text")
        if not rows and isinstance(task.get("data"), dict):
            fields = list(task["data"])
        row = Row(task["key"], path, line, {"study": study, "keys": list(task), "fields": fields, "task": task})
        rows.append(row)
        lists.setdefault(text_of(task, "list"), []).append(row)
    members = {name: [row.value["task"] for row in part] for name, part in lists.items()}
    return [
        Row(study["id"], folder / _STUDY, 1, {"study": study, "lists": members}),
        *(
            Row(f"{study['id']}/{name}", path, part[0].line, {"study": study, "list": members[name]})
            for name, part in lists.items()
        ),
        *rows,
    ]


def _read_study(path: Path) -> dict[str, Any]:
    try:
        study = from_json(read_text(path))
    except ValueError as error:
        raise PipelineError(path, 1, f"[json] not JSON; {error}") from error
    if not isinstance(study, dict) or not isinstance(study.get("id"), str):
        raise PipelineError(path, 1, "[id] missing field; expected the id of the study")
    return study
