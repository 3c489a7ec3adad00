"""The draft of a translation: a table with the source, the machine's translation, and empty columns for a person."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ...core.errors import PipelineError, shown
from ...core.files import read_bytes, require_unique
from ...core.tables import one_line, parse_table, table_text, write_tsv
from ...language.pronoun_classes import GENDERS, Gender, is_gender
from .texts import ItemPart

#: Name of the file.
DRAFT = "draft.tsv"
COLUMNS = ("id", "field", "right", "source", "machine", "reviewed", "gender")
#: Stands in the note of a record whose words are the machine's; no suite lets it pass.
UNREVIEWED = "unreviewed machine translation"
#: Stands in the column `right` of the right candidate.
RIGHT = "yes"
TEXT, QUESTION, CANDIDATE = "text", "question", "candidate-"


@dataclass(frozen=True, slots=True)
class DraftRow:
    """A row of the draft: a part of an item in the source language, the machine's translation, and what a person accepted.

    The id of the item is its schema, a hyphen and its version; `field` is that of an `ItemPart`. In `source` and `reviewed`, the target
    of a text is in brackets. `reviewed` is empty and `gender` None if nobody has given them; `line` is None if the row is not written
    yet.
    """

    id: str
    field: str
    right: bool
    source: str
    machine: str
    reviewed: str = ""
    gender: Gender | None = None
    line: int | None = None


def draft_rows(parts: Sequence[ItemPart], translations: Sequence[str]) -> list[DraftRow]:
    """Return the rows of a draft, as its file will have them, nothing reviewed; each part has its translation."""
    return [
        DraftRow(part.id, part.field, part.right, _as_written(part.shown), _as_written(text))
        for part, text in zip(parts, translations, strict=True)
    ]


def _as_written(text: str) -> str:
    """Return a text as it is read from the cell that holds it: on one line."""
    return one_line(text).strip()


def with_reviews(rows: Sequence[DraftRow], before: Iterable[DraftRow], path: Path) -> list[DraftRow]:
    """Return rows with what people wrote into an earlier draft, the file of which is `path`.

    Raises:
        PipelineError: a row that a person has reviewed is not in the new draft, or has another source.
    """
    reviewed = {(row.id, row.field): row for row in before if row.reviewed or row.gender}
    sources = {(row.id, row.field): row.source for row in rows}
    for place, row in reviewed.items():
        if sources.get(place) != row.source:
            reason = f"[reviewed] a reviewed row would be lost; found {row.field} of {shown(row.id)}, expected it in the new draft"
            raise PipelineError(path, row.line, f"{reason} with the same source: write the new draft to another folder")
    merged = []
    for row in rows:
        old = reviewed.get((row.id, row.field))
        merged.append(replace(row, reviewed=old.reviewed, gender=old.gender) if old else row)
    return merged


def write_draft(path: Path, rows: Iterable[DraftRow]) -> None:
    """Write a draft atomically, its cells safe in a spreadsheet (`tsv_cell`)."""
    write_tsv(
        path,
        COLUMNS,
        (
            (row.id, row.field, RIGHT if row.right else "", row.source, row.machine, row.reviewed, row.gender or "")
            for row in rows
        ),
    )


def read_draft(path: Path) -> list[DraftRow]:
    """Return the rows of a draft; see `parse_draft` for its errors."""
    return list(parse_draft(read_bytes(path), path))


def parse_draft(data: bytes, path: Path) -> Iterator[DraftRow]:
    """Yield the rows of a draft, in its order.

    Raises:
        PipelineError: a column is missing or a row has another width; a field or gender is unknown or in the wrong row; a field of an
            item occurs twice.
    """
    lines: dict[tuple[str, str], int | None] = {}
    for line, cells in parse_table(table_text(data, path), path, COLUMNS, has_comments=False):
        yield _row({column: cell.strip() for column, cell in cells.items()}, path, line, lines)


def _row(cells: Mapping[str, str], path: Path, line: int, lines: dict[tuple[str, str], int | None]) -> DraftRow:
    name, field, gender = cells["id"], cells["field"], cells["gender"]
    number = field.removeprefix(CANDIDATE)
    is_candidate = field.startswith(CANDIDATE) and number.isdecimal()
    if not name.rpartition("-")[0] or not name.rpartition("-")[2]:
        reason = f"[id] not the id of an item; found {shown(name)}, expected a schema and a version, such as wsc-001-a"
        raise PipelineError(path, line, reason)
    if field not in (TEXT, QUESTION) and not is_candidate:
        reason = (
            f"[field] unknown field; found {shown(field)}, expected {TEXT}, {QUESTION} or {CANDIDATE}1, {CANDIDATE}2 …"
        )
        raise PipelineError(path, line, reason)
    require_unique(lines, (name, field), path, line, "field")
    if cells["right"] not in ("", RIGHT) or (cells["right"] and not is_candidate):
        expected = f"{shown(RIGHT)} for the right candidate, nothing elsewhere"
        raise PipelineError(path, line, f"[right] found {shown(cells['right'])}, expected {expected}")
    if gender and not (is_candidate and is_gender(gender)):
        expected = f"one of {', '.join(GENDERS)} for a candidate, nothing elsewhere"
        raise PipelineError(path, line, f"[gender] unknown gender; found {shown(gender)}, expected {expected}")
    return DraftRow(
        name,
        field,
        bool(cells["right"]),
        cells["source"],
        cells["machine"],
        cells["reviewed"],
        gender if is_gender(gender) else None,
        line,
    )


def by_item(rows: Iterable[DraftRow]) -> dict[str, dict[str, DraftRow]]:
    """Return the rows of each item by field, items in the order in which they begin."""
    items: dict[str, dict[str, DraftRow]] = {}
    for row in rows:
        items.setdefault(row.id, {})[row.field] = row
    return items
