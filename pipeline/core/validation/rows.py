"""The rows of artifacts: one a record, or one a pair of records."""

from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

from ..errors import PipelineError
from ..files import parse_jsonl, parse_tsv, read_text
from ..model import Span
from .suite import Row, Value

Kind = TypeVar("Kind")


def text_of(value: Value, field: str = "text") -> str:
    """Return a field that is text, or nothing."""
    found = value.get(field)
    return found if isinstance(found, str) else ""


def texts_of(value: Value, *fields: str) -> list[str]:
    """Return the fields that are text and not empty."""
    return [text for field in fields if (text := text_of(value, field))]


def candidates_of(value: Value) -> list[str]:
    """Return the candidates that are text."""
    return list_of(value, "candidates", str)


def list_of(value: Value, field: str, kind: type[Kind]) -> list[Kind]:
    """Return the elements of a list that are of a kind."""
    found = value.get(field)
    return [one for one in found if isinstance(one, kind)] if isinstance(found, list) else []


def lang_of(value: Value) -> str:
    """Return the language, or nothing."""
    return text_of(value, "lang")


def span_of(value: Value, field: str = "target") -> Span | None:
    """Return a span, or None where there is none that is well formed."""
    found = value.get(field)
    if not isinstance(found, dict) or set(found) != {"start", "end"}:
        return None
    start, end = found["start"], found["end"]
    return Span(start, end) if type(start) is int and type(end) is int and 0 <= start <= end else None


def members_of(value: Value) -> list[Value]:
    """Return the records of a group."""
    return list_of(value, "members", dict)


def records(paths: Sequence[Path]) -> list[Row]:
    """Return a row for each object of JSON Lines files; one without an id is a `PipelineError`."""
    rows = []
    for path in paths:
        for line, value in parse_jsonl(read_text(path), path):
            if not isinstance(value.get("id"), str) or not value["id"]:
                raise PipelineError(path, line, f"[id] missing field; found {value.get('id')!r}, expected text")
            rows.append(Row(value["id"], path, line, value))
    return rows


def table(paths: Sequence[Path], columns: Sequence[str]) -> list[Row]:
    """Return a row for each line of tables with these columns, named by its line."""
    return [
        Row(f"line {line}", path, line, cells)
        for path in paths
        for line, cells in parse_tsv(read_text(path), path, columns)
    ]


def records_grouped_by(paths: Sequence[Path], field: str) -> list[Row]:
    """Return a row for each group of records that agree in a field: its value has ``members``, in the order of the file."""
    groups: dict[str, list[Row]] = {}
    for row in records(paths):
        groups.setdefault(str(row.value.get(field, "")), []).append(row)
    return [
        Row(name, found[0].path, found[0].line, {"members": [one.value for one in found]})
        for name, found in groups.items()
    ]


def records_by_item(paths: Sequence[Path]) -> list[Row]:
    """Return a row for each record, named by its ``item``."""
    rows = []
    for path in paths:
        for line, value in parse_jsonl(read_text(path), path):
            if not text_of(value, "item"):
                raise PipelineError(path, line, f"[item] missing field; found {value.get('item')!r}, expected text")
            rows.append(Row(value["item"], path, line, value))
    return rows
