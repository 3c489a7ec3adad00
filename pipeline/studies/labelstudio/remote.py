"""What a server has of a study, as values."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ... import __version__
from ...core.files import from_json, to_json
from ..study import Study

_MARK = re.compile(r"winoforge (\{[^{}\n]*\})")


@dataclass(frozen=True, slots=True)
class RemoteAnnotation:
    """What somebody submitted.

    Attributes:
        id: its number on the server.
        completed_by: the number of the account that it is told to be of.
        updated_by: the number of the account that sent it last.
        updated_at: when that was, ISO 8601.
        result: whatever was sent; the server checks nothing.
        skipped: whether the task was passed over.
        lead_time: seconds, as the rater's browser told.
    """

    id: int
    completed_by: int | None
    updated_by: int | None
    updated_at: str
    result: Any
    skipped: bool
    lead_time: float | None


@dataclass(frozen=True, slots=True)
class RemoteTask:
    """A task on the server.

    Attributes:
        id: its number there.
        data: what raters are shown of it.
        overlap: how many raters may have it.
        drafted: whether somebody has begun it without submitting.
        annotations: what was submitted, by number.
    """

    id: int
    data: Mapping[str, Any]
    overlap: int
    drafted: bool = False
    annotations: tuple[RemoteAnnotation, ...] = ()

    @property
    def key(self) -> str:
        """The key of the study's task that it is, empty where it says none."""
        key = self.data.get("task")
        return key if isinstance(key, str) else ""

    @property
    def touched(self) -> bool:
        """Whether somebody has worked on it."""
        return self.drafted or bool(self.annotations)


@dataclass(frozen=True, slots=True)
class Project:
    """A project on the server, with those of its settings that we set."""

    id: int
    settings: Mapping[str, Any]

    @property
    def title(self) -> str:
        """Its title."""
        return str(self.settings["title"])


def annotation_from(row: Mapping[str, Any]) -> RemoteAnnotation:
    """Return an annotation of a list of tasks, in which it is a plain object.

    Raises:
        KeyError, TypeError, ValueError: it is none.
    """
    lead_time = row.get("lead_time")
    return RemoteAnnotation(
        id=int(row["id"]),
        completed_by=row.get("completed_by"),
        updated_by=row.get("updated_by"),
        updated_at=str(row["updated_at"]),
        result=row.get("result"),
        skipped=bool(row.get("was_cancelled")),
        lead_time=float(lead_time) if isinstance(lead_time, int | float) else None,
    )


def same(one: object, other: object) -> bool:
    """Tell whether two JSON values are the same, whatever the order of keys.

    >>> same({"a": 1, "b": "x"}, {"b": "x", "a": 1}), same({"a": 1}, {"a": True})
    (True, False)
    """
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def mark(study: Study, name: str) -> str:
    """Return what a project says of itself in its description, for us to know it again by."""
    return f"winoforge {to_json({'study': study.id, 'list': name, 'version': __version__})}"


def marked(description: str) -> tuple[str, str] | None:
    """Return study and list of a project of ours, None for any other; whichever version of ours made it.

    >>> marked('Ask Wei first. winoforge {"study": "upper-bound", "list": "1", "version": "0.1.0"}'), marked("Pictures")
    (('upper-bound', '1'), None)
    """
    match = _MARK.search(description)
    if match is None:
        return None
    try:
        told = from_json(match[1])
    except ValueError:
        return None
    study, name = told.get("study"), told.get("list")
    return (study, name) if isinstance(study, str) and isinstance(name, str) else None
