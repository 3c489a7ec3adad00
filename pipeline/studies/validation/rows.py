"""Rows of a study folder: one for the study, one for each list, one for each task."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ...core.errors import PipelineError
from ...core.files import from_json, parse_jsonl, read_text
from ...core.validation.rows import text_of
from ...core.validation.suite import Check, Row, Value

_STUDY, _TASKS = "study.json", "tasks.jsonl"


def studies(paths: Sequence[Path]) -> list[Row]:
    """Return for each study folder a row for the study, one for each list and one for each task; all know the ``study``."""
    return [row for path in paths for row in _folder(path)]


def _folder(path: Path) -> list[Row]:
    try:
        study = from_json(read_text(path / _STUDY))
    except ValueError as error:
        raise PipelineError(path / _STUDY, 1, f"[json] not JSON; {error}") from error
    if not isinstance(study, dict) or not isinstance(study.get("id"), str):
        raise PipelineError(path / _STUDY, 1, "[id] missing field; expected the id of the study")
    tasks: list[Row] = []
    for line, value in parse_jsonl(read_text(path / _TASKS), path / _TASKS):
        if not text_of(value, "key"):
            reason = f"[key] missing field; found {value.get('key')!r}, expected text"
            raise PipelineError(path / _TASKS, line, reason)
        fields = (
            tasks[0].value["fields"] if tasks else list(data) if isinstance(data := value.get("data"), dict) else []
        )
        told = {"study": study, "keys": list(value), "fields": fields, "task": value}
        tasks.append(Row(value["key"], path / _TASKS, line, told))
    lists: dict[str, list[Row]] = {}
    for row in tasks:
        lists.setdefault(text_of(row.value["task"], "list"), []).append(row)
    members = {name: [row.value["task"] for row in rows] for name, rows in lists.items()}
    return [
        Row(study["id"], path / _STUDY, 1, {"study": study, "lists": members}),
        *(
            Row(f"{study['id']}/{name}", path / _TASKS, rows[0].line, {"study": study, "list": members[name]})
            for name, rows in lists.items()
        ),
        *tasks,
    ]


def of(kind: str, check: Check) -> Check:
    """Return the check for rows that have a value of this kind; of others there is nothing to say."""

    def told(value: Value) -> str:
        return check(value) if kind in value else ""

    told.__doc__ = check.__doc__
    return told


def screen_of(study: Mapping[str, Any]) -> int:
    """Return how many records a task of the study shows."""
    found = study.get("screen")
    return found if isinstance(found, int) and found > 0 else 1
