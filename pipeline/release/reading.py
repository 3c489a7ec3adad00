"""The last reading of each item: a table by hand, which must be of the words that are released."""

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path

from ..core.errors import PipelineError, shown
from ..core.files import parse_tsv, read_text, require_unique
from ..core.model import Item

#: Columns of the table. `text` and `zero` are digests of the text and of its zero form, empty where the item is not released.
COLUMNS = ("id", "text", "zero", "reader", "answer", "hesitation", "naturalness", "zero_naturalness", "note")


def digest(text: str) -> str:
    """Return the first 16 digits of the SHA-256 of a text."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def require_reading(path: Path, items: Iterable[Item], zeros: Mapping[str, str]) -> None:
    """Refuse a collection of which a sentence was not read as it stands today.

    Args:
        path: the table of readings; rows of other items are ignored.
        items: all items of the collection, as their source has them.
        zeros: the zero form of each released item, without its target, by id.

    Raises:
        PipelineError: an item has no row or two, or its row is of another text or zero form.
    """
    lines: dict[str, int | None] = {}
    rows: dict[str, Mapping[str, str]] = {}
    for line, row in parse_tsv(read_text(path), path, COLUMNS):
        require_unique(lines, row["id"], path, line)
        rows[row["id"]] = row
    for item in items:
        if item.id not in rows:
            reason = f"not read; found no row, expected one with text {digest(item.text)}: let somebody read {shown(item.text)}"
            raise PipelineError(path, None, f"[{item.id}] {reason}")
        expected = {"text": digest(item.text), "zero": digest(zeros[item.id]) if item.id in zeros else ""}
        for column, value in expected.items():
            if (found := rows[item.id][column]) != value:
                reason = f"{column} has changed since it was read; found {shown(found)}, expected {shown(value)}"
                raise PipelineError(path, lines[item.id], f"[{item.id}] {reason}: let somebody read it again")
