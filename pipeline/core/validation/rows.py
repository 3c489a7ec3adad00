"""The rows of artifacts: one a record, or one a pair of records."""

from collections.abc import Sequence
from pathlib import Path

from ..errors import PipelineError
from ..files import parse_jsonl, parse_tsv, read_text
from .suite import Row
from .values import text_of


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


def grouped(paths: Sequence[Path], field: str) -> list[Row]:
    """Return a row for each group of records that agree in a field: its value has ``members``, in the order of the file."""
    groups: dict[str, list[Row]] = {}
    for row in records(paths):
        groups.setdefault(str(row.value.get(field, "")), []).append(row)
    return [
        Row(name, found[0].path, found[0].line, {"members": [one.value for one in found]})
        for name, found in groups.items()
    ]


def keyed(paths: Sequence[Path]) -> list[Row]:
    """Return a row for each record, named by its ``item``."""
    rows = []
    for path in paths:
        for line, value in parse_jsonl(read_text(path), path):
            if not text_of(value, "item"):
                raise PipelineError(path, line, f"[item] missing field; found {value.get('item')!r}, expected text")
            rows.append(Row(value["item"], path, line, value))
    return rows
