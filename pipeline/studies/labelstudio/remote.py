"""What a Label Studio server holds of a study: projects, tasks, annotations."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from .marks import Mark, parse_mark


@dataclass(frozen=True, slots=True)
class RemoteAnnotation:
    """A submitted annotation.

    Attributes:
        id: its number on the server.
        completed_by: the account that it claims as author.
        updated_by: the account that sent it last.
        created_at: when it was first submitted, in UTC.
        updated_at: when it was last changed, in UTC.
        result: the submitted JSON value; the server does not check it.
        skipped: whether the rater skipped the task.
        lead_time: seconds as measured by the rater's browser.
    """

    id: int
    completed_by: int | None
    updated_by: int | None
    created_at: datetime
    updated_at: datetime
    result: Any
    skipped: bool
    lead_time: float | None


@dataclass(frozen=True, slots=True)
class RemoteTask:
    """A task on the server.

    Attributes:
        id: its number on the server.
        data: the values that its page shows.
        overlap: the number of raters who may have it.
        drafted: whether a rater has started it without submitting.
        annotations: the submitted annotations, by number.
    """

    id: int
    data: Mapping[str, Any]
    overlap: int
    drafted: bool = False
    annotations: tuple[RemoteAnnotation, ...] = ()

    @property
    def key(self) -> str:
        """The key of the study's task in its data; empty if there is none."""
        key = self.data.get("task")
        return key if isinstance(key, str) else ""

    @property
    def touched(self) -> bool:
        """Whether a rater has worked on it."""
        return self.drafted or bool(self.annotations)


@dataclass(frozen=True, slots=True)
class RemoteProject:
    """A project on the server, with the settings that `push` manages."""

    id: int
    settings: Mapping[str, Any]

    @property
    def title(self) -> str:
        """Its title."""
        return str(self.settings["title"])

    @property
    def mark(self) -> Mark | None:
        """The mark in its description; None if it has none."""
        return parse_mark(str(self.settings["description"] or ""))

    @property
    def marked_list(self) -> tuple[str, str] | None:
        """The id of the study and the name of the list that the project is marked with; None if it has no mark."""
        return None if self.mark is None else (self.mark.study, self.mark.list)


def annotation_from(row: Mapping[str, Any]) -> RemoteAnnotation:
    """Return the annotation of a JSON object in the server's list of tasks.

    Raises:
        KeyError, TypeError, ValueError: the object is malformed.
    """
    lead_time = row.get("lead_time")
    return RemoteAnnotation(
        id=int(row["id"]),
        completed_by=row.get("completed_by"),
        updated_by=row.get("updated_by"),
        created_at=_time(str(row["created_at"])),
        updated_at=_time(str(row["updated_at"])),
        result=row.get("result"),
        skipped=bool(row.get("was_cancelled")),
        lead_time=float(lead_time) if isinstance(lead_time, int | float) else None,
    )


def _time(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def same_json(left: object, right: object) -> bool:
    """Tell whether two JSON values are equal, in any order of keys.

    >>> same_json({"a": 1, "b": "x"}, {"b": "x", "a": 1}), same_json({"a": 1}, {"a": True})
    (True, False)
    """
    return json.dumps(left, sort_keys=True) == json.dumps(right, sort_keys=True)
