"""Read artifacts as rows, and read fields of values that may be malformed.

An accessor such as `text_of` returns an empty value where a field is missing or of another kind, so that a check needs no guard:
the kind of a field is checked by an expectation of its own.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

from ..errors import PipelineError, shown
from ..files import parse_jsonl, read_text
from ..model import Span
from .suite import Row, Value

Kind = TypeVar("Kind")


def text_of(value: Value, field: str = "text") -> str:
    """Return a field if it is text, otherwise an empty string."""
    text = value.get(field)
    return text if isinstance(text, str) else ""


def texts_of(value: Value, *fields: str) -> list[str]:
    """Return the fields that are non-empty text."""
    return [text for field in fields if (text := text_of(value, field))]


def candidates_of(value: Value) -> list[str]:
    """Return the candidates that are text."""
    return list_of(value, "candidates", str)


def list_of(value: Value, field: str, kind: type[Kind]) -> list[Kind]:
    """Return the elements of a list field that are of a kind."""
    elements = value.get(field)
    return [element for element in elements if isinstance(element, kind)] if isinstance(elements, list) else []


def lang_of(value: Value) -> str:
    """Return the language, or an empty string."""
    return text_of(value, "lang")


def span_of(value: Value, field: str = "target") -> Span | None:
    """Return a field if it is a well-formed span, otherwise None."""
    span = value.get(field)
    if not isinstance(span, dict) or set(span) != {"start", "end"}:
        return None
    start, end = span["start"], span["end"]
    return Span(start, end) if type(start) is int and type(end) is int and 0 <= start <= end else None


def members_of(value: Value) -> list[Value]:
    """Return the records of a group."""
    return list_of(value, "members", dict)


def records(paths: Sequence[Path]) -> list[Row]:
    """Return a row for each object of JSON Lines files; raises `PipelineError` for an object without ``id``."""
    rows = []
    for path in paths:
        for line, value in parse_jsonl(read_text(path), path):
            if not text_of(value, "id"):
                raise PipelineError(path, line, f"[id] missing field; found {shown(value.get('id'))}, expected text")
            rows.append(Row(value["id"], path, line, value))
    return rows


def records_grouped_by(paths: Sequence[Path], field: str) -> list[Row]:
    """Return a row for each group of records with the same value of a field; its ``members`` are in the order of the file."""
    groups: dict[str, list[Row]] = {}
    for row in records(paths):
        groups.setdefault(str(row.value.get(field, "")), []).append(row)
    return [
        Row(name, rows[0].path, rows[0].line, {"members": [row.value for row in rows]}) for name, rows in groups.items()
    ]
