"""The last reading of each item: a table by hand, which must be of the words that are released."""

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path

from ..core.errors import PipelineError, shown
from ..core.files import parse_tsv, read_text, require_unique
from ..core.model import Item

#: Columns of the table. `text` and `zero` are digests of the text and of its zero form, empty where the item is not released.
COLUMNS = ("id", "text", "zero", "reader", "answer", "hesitation", "naturalness", "zero_naturalness", "note")

#: A reading of today's words that finds nothing to mend, see raw/zh/README.md: no hesitation, natural as written, and a clear zero form.
_SCALES: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "hesitation": (("0", "1", "2"), ("0",)),
    "naturalness": (("1", "2", "3", "4", "5"), ("5",)),
    "zero_naturalness": (("1", "2", "3", "4", "5"), ("4", "5")),
}


def digest(text: str) -> str:
    """Return the first 16 digits of the SHA-256 of a text."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def require_reading(path: Path, items: Iterable[Item], zeros: Mapping[str, str]) -> None:
    """Refuse a collection of which a sentence was not read as it stands today, or was read with a fault.

    Args:
        path: the table of readings; rows of other items are ignored.
        items: all items of the collection, as their source has them.
        zeros: the zero form of each released item, without its target, by id.

    Raises:
        PipelineError: an item has no row or two, its row is of another text or zero form, its answer is wrong or no candidate, or a
            rating is outside its scale or too low to release the item.
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
            if (actual := rows[item.id][column]) != value:
                reason = f"{column} has changed since it was read; found {shown(actual)}, expected {shown(value)}"
                raise PipelineError(path, lines[item.id], f"[{item.id}] {reason}: let somebody read it again")
        _require_sound(rows[item.id], item, released=item.id in zeros, path=path, line=lines[item.id])


def _require_sound(row: Mapping[str, str], item: Item, *, released: bool, path: Path, line: int | None) -> None:
    """Refuse the reading of an item that was answered wrongly, made the reader hesitate or was rated too low."""
    answer, right = row["answer"], item.candidates[item.answer]
    again = "mend the sentence and let somebody read it again"
    if answer not in item.candidates:
        expected = " or ".join(map(shown, item.candidates))
        raise PipelineError(
            path, line, f"[{item.id}] answer is no candidate; found {shown(answer)}, expected {expected}"
        )
    if answer != right:
        reason = f"read with a wrong answer; found {shown(answer)}, expected {shown(right)}: {again}"
        raise PipelineError(path, line, f"[{item.id}] {reason}")
    for column, (scale, accepted) in _SCALES.items():
        if (rating := row[column]) == "" and column == "zero_naturalness" and not released:
            continue
        if rating not in scale:
            reason = f"{column} is not on its scale; found {shown(rating)}, expected {scale[0]} to {scale[-1]}"
            raise PipelineError(path, line, f"[{item.id}] {reason}")
        if rating not in accepted:
            reason = (
                f"{column} is not good enough for a release; found {rating}, expected {' or '.join(accepted)}: {again}"
            )
            raise PipelineError(path, line, f"[{item.id}] {reason}")
