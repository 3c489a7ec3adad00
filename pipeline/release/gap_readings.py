"""Readings of cloze items: which pronoun each reader chose for a gap, how sure, and how natural the sentence is."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..core.errors import PipelineError, shown
from ..core.files import parse_tsv, read_text, require_unique
from ..core.model import Item
from .reading import FEWEST, digest

#: Columns of the table by hand; ``text`` is a digest.
COLUMNS = ("id", "text", "reader", "pronoun", "sure", "natural", "other", "remark")
#: The ratings, what they may be, and how low they may be in a release.
RATINGS = ("sure", "natural")
SCALE, LEAST = ("1", "2", "3", "4", "5"), 4


def read_gap_readings(path: Path, items: Iterable[Item]) -> list[dict[str, Any]]:
    """Return the readings of items as rows, in the order of the table: ``item``, the digest of its text, and the columns after it.

    Args:
        path: the table of readings.
        items: all items of the collection.

    Raises:
        PipelineError: an item was not read `FEWEST` times as it stands, a row is of no item, of another text or doubled, a pronoun is
            wrong, or a rating is off its scale or below `LEAST`.
    """
    by_id = {item.id: item for item in items}
    rows: list[dict[str, Any]] = []
    places: dict[tuple[str, str], int | None] = {}
    for line, cells in parse_tsv(read_text(path), path, COLUMNS):
        name = cells["id"]
        if name not in by_id:
            raise PipelineError(path, line, f"[id] no such item; found {shown(name)}, expected an id of the collection")
        require_unique(places, (name, cells["reader"]), path, line, "reader")
        row: dict[str, Any] = {"item": name, "digest": cells["text"]} | {key: cells[key] for key in COLUMNS[2:]}
        if reason := reading_fault(row, by_id[name]):
            raise PipelineError(path, line, f"[{name}] {reason}: mend the sentence, or let somebody read it again")
        rows.append(row | {column: int(row[column]) for column in RATINGS})
    counts = Counter(row["item"] for row in rows)
    for name, item in by_id.items():
        if counts[name] < FEWEST:
            reason = f"not read often enough; found {counts[name]} readings of {shown(item.text)}, expected {FEWEST}"
            raise PipelineError(path, None, f"[{name}] {reason}")
    return sorted(rows, key=lambda row: (list(by_id).index(row["item"]), row["reader"]))


def reading_fault(row: Mapping[str, Any], item: Item) -> str:
    """Return what is wrong with a reading of an item: another text, a wrong pronoun, a rating that is too low or on no scale."""
    expected = {"digest": digest(item.text), "pronoun": item.target.of(item.text)}
    for field, value in expected.items():
        if row.get(field) != value:
            what = "text has changed since it was read" if field == "digest" else "read with another pronoun"
            return f"{what}; found {shown(row.get(field))}, expected {shown(value)}"
    for column in RATINGS:
        if (rating := str(row.get(column))) not in SCALE:
            return f"{column} is not on its scale; found {shown(row.get(column))}, expected {SCALE[0]} to {SCALE[-1]}"
        if int(rating) < LEAST:
            return f"{column} is not good enough for a release; found {rating}, expected at least {LEAST}"
    return ""


def reading_figures(rows: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """Return how many readings there are, of how many items, by how many readers, and the means of sureness and naturalness.

    Ratings are from 1 to 5. Nothing is returned for no readings.
    """
    if not rows:
        return {}
    means = {column: sum(row[column] for row in rows) / len(rows) for column in RATINGS}
    distinct = {f"{key}s": len({row[key] for row in rows}) for key in ("item", "reader")}
    return {"readings": len(rows), **distinct, **means}
