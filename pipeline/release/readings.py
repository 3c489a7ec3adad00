"""Readings of released items: tables by hand of what each reader answered and thought, which must be of the words that are released."""

import hashlib
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from ..core.errors import PipelineError, first_names, plural, shown
from ..core.files import require_unique
from ..core.model import Item
from ..core.tables import read_table
from ..language.text_checks import check_personal_data
from ..winograd.adjudication.table import KEPT
from ..winograd.build import Build
from ..winograd.zero_forms import zero_form

#: Columns of the table. ``text`` and ``zero`` are digests of the text and of its zero form; of the form that a reader was not shown,
#: digest and rating are empty.
COLUMNS = ("id", "text", "zero", "reader", "answer", "sure", "natural", "natural_zero", "question", "remark")
#: Columns of the table of readings of cloze items; ``text`` is a digest.
GAP_COLUMNS = ("id", "text", "reader", "pronoun", "sure", "natural", "other", "remark")
#: The rating of each form that a reader may be shown, with the key of its digest in a row of a release and what messages call it.
RATED_FORMS = {"natural": ("digest", "text"), "natural_zero": ("digest_zero", "zero form")}
#: The ratings, what they may be, and how low each may be in a release.
RATINGS = ("sure", *RATED_FORMS)
GAP_RATINGS = ("sure", "natural")
SCALE, LEAST = ("1", "2", "3", "4", "5"), 4
#: What a reader may say of a question: whether it is well worded, and cannot be answered without the text.
QUESTIONS = ("ok", "awkward", "guessable")
#: What a reader is called.
_PSEUDONYM = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,30}")
#: Fewest readings of each form of an item.
FEWEST = 2
#: What a row of the configuration of a release has, for the card.
FIELDS = (
    "the readings of each item by {readers}: `answer`, `sure`, `natural` and `natural_zero` (1 to 5), "
    "`question` (ok, awkward, guessable), `remark`; "
    "`digest` and `digest_zero` are the first 16 digits of the sha256 of `text` and of `text_dropped`; of the form that a reader was not "
    "shown, digest and rating are null"
)
FIELDS_OF_EARLIER = "the readings before those of `readings`, of the same words: the same fields"
_AGAIN = "mend the sentence, or let somebody read it again"


def digest(text: str) -> str:
    """Return the first 16 digits of the SHA-256 of a text."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _readings(
    path: Path, columns: Sequence[str], items: Mapping[str, Item], *, partly: bool
) -> Iterator[tuple[int, Item, dict[str, str]]]:
    """Yield line, item and cells of each reading; `partly` ignores readings of items that are not there."""
    lines: dict[tuple[str, str], int | None] = {}
    for line, cells in read_table(path, columns):
        item = items.get(cells["id"])
        if item is not None:
            require_unique(lines, (item.id, cells["reader"]), path, line, "reader")
            yield line, item, cells
        elif not partly:
            raise _unknown(path, line, cells["id"])


def _unknown(path: Path, line: int, item_id: str) -> PipelineError:
    return PipelineError(path, line, f"[id] no such item; found {shown(item_id)}, expected an id of the collection")


def orphaned_readings(path: Path, ids: Collection[str]) -> str:
    """Return the finding on readings of items that a collection does not have: its readers have read more than is left of it."""
    rows = [(line, cells["id"]) for line, cells in read_table(path, ("id", "reader")) if cells["id"] not in ids]
    if not rows:
        return ""
    gone = list(dict.fromkeys(item_id for _, item_id in rows))
    return (
        f"{path}:{rows[0][0]}: [id] {plural(len(rows), 'reading')} of {plural(len(gone), 'item')} that the collection does not have: "
        f"{first_names(gone, 3)}"
    )


def _require_enough(path: Path, item: Item, count: int, text: str) -> None:
    if count < FEWEST:
        reason = f"not read often enough; found {count} readings of {shown(text)}, expected {FEWEST}"
        raise PipelineError(path, None, f"[{item.id}] {reason}")


def _in_order(rows: Iterable[dict[str, Any]], items: Iterable[str]) -> list[dict[str, Any]]:
    places = {item_id: place for place, item_id in enumerate(items)}
    return sorted(rows, key=lambda row: (places[row["item"]], row["reader"]))


def _rating_fault(row: Mapping[str, Any], columns: Sequence[str]) -> str:
    """Return which rating is too low, or on no scale."""
    if fault := _off_scale(row, columns):
        return fault
    low = next((column for column in columns if int(row[column]) < LEAST), "")
    return f"{low} is not good enough for a release; found {row[low]}, expected at least {LEAST}" if low else ""


def _off_scale(row: Mapping[str, Any], columns: Iterable[str]) -> str:
    for column in columns:
        if (mark := row.get(column)) is None or str(mark) not in SCALE:
            return f"{column} is not on its scale; found {'nothing' if mark is None else shown(mark)}, expected {SCALE[0]} to {SCALE[-1]}"
    return ""


def _remark_fault(row: Mapping[str, Any]) -> str:
    if not _PSEUDONYM.fullmatch(reader := str(row.get("reader") or "")):
        return f"reader without a pseudonym; found {shown(reader)}, expected letters and digits such as reader-07"
    reason = check_personal_data([str(row.get("remark") or "")], "")
    return f"remark with personal data; {reason}" if reason else ""


def _figures(rows: Sequence[Mapping[str, Any]], marks: Mapping[str, Collection[int]]) -> dict[str, Any]:
    distinct = {f"{key}s": len({row[key] for row in rows}) for key in ("item", "reader")}
    return {
        "readings": len(rows),
        **distinct,
        **{column: fmean(numbers) if numbers else None for column, numbers in marks.items()},
    }


# --- items and their zero forms -------------------------------------------------------------------------------------------


def read_readings(path: Path, items: Iterable[Item], zeros: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the readings of the released items as rows of a release, by item and reader.

    A row has ``item``, ``digest`` and ``digest_zero`` (of its text and its zero form), and the columns after them, ratings as numbers; of
    the form that the reader was not shown, digest and rating are None.

    Args:
        path: the table.
        items: all items of the collection, as they are released, those that are not as their source has them.
        zeros: the zero form of each released item, without its target, by id.

    Raises:
        PipelineError: a form of an item was not read `FEWEST` times as it stands, all readers object to its question, or a row of an item
            is doubled or has a fault (see `reading_fault`).
    """
    by_id = {item.id: item for item in items}
    rows: list[dict[str, Any]] = []
    for line, item, cells in _readings(path, COLUMNS, by_id, partly=True):
        row = _reading(item, cells)
        if reason := reading_fault(row, item, zeros.get(item.id)):
            raise PipelineError(path, line, f"[{item.id}] {reason}: {_AGAIN}")
        rows.append(row | {column: int(row[column]) for column in RATINGS if row[column]})
    counts = Counter((row["item"], rating) for row in rows for rating in RATED_FORMS if row[rating])
    sound = {row["item"] for row in rows if row["question"] == QUESTIONS[0]}
    for item in by_id.values():
        _require_enough(path, item, counts[item.id, "natural"], item.text)
        if item.id in zeros:
            _require_enough(path, item, counts[item.id, "natural_zero"], zeros[item.id])
        if item.id not in sound:
            reason = f"question that every reader objects to; found {shown(item.question)}, expected one that a reader finds {QUESTIONS[0]}"
            raise PipelineError(path, None, f"[{item.id}] {reason}")
    return _in_order((row for row in rows if row["item"] in zeros), by_id)


def _reading(item: Item, cells: Mapping[str, str]) -> dict[str, Any]:
    row: dict[str, Any] = {"item": item.id, "digest": cells["text"], "digest_zero": cells["zero"]}
    row |= {column: cells[column] for column in COLUMNS[3:]}
    return row | {
        key: row[key] or None for rating, (digest_key, _) in RATED_FORMS.items() for key in (digest_key, rating)
    }


def earlier_readings(path: Path, items: Iterable[Item]) -> list[dict[str, Any]]:
    """Return the readings of released items before the last ones, whatever they answered, of the words that are released."""
    by_id = {item.id: item for item in items}
    for line, cells in read_table(path, COLUMNS):
        rated = [column for column in RATINGS if cells[column]]
        if fault := _off_scale(cells, rated) or _remark_fault(cells):
            raise PipelineError(path, line, f"[{cells['id']}] {fault}")
    readings = _readings(path, COLUMNS, by_id, partly=True)
    rows = [row for _, item, cells in readings if not form_fault(row := _reading(item, cells), item, _zero_text(item))]
    return _in_order((row | {column: int(row[column]) for column in RATINGS if row[column]} for row in rows), by_id)


def released_readings(path: Path, build: Build) -> list[dict[str, Any]]:
    """Return the readings of the released items of a build as they stand, as rows of a release.

    The project's own readers have read what there is before people decide. What people bring back or reword, they have read themselves.

    Raises:
        PipelineError: a reading is of no record of the build, or `read_readings` refuses the table.
    """
    for line, cells in read_table(path, COLUMNS):
        if cells["id"] not in build.histories:
            raise _unknown(path, line, cells["id"])
    before = {
        record_id: item for record_id, history in build.histories.items() if isinstance(item := history.modified, Item)
    }
    zeros = {item.id: _zero_text(item) for item in before.values() if build.histories[item.id].modified_state == KEPT}
    current = {item.id: {"digest": digest(item.text), "digest_zero": digest(_zero_text(item))} for item in build.items}
    rows = [
        row
        for row in read_readings(path, before.values(), zeros)
        if row["item"] in current and all(row[key] in (None, now) for key, now in current[row["item"]].items())
    ]
    return _in_order(rows, current)


def _zero_text(item: Item) -> str:
    return zero_form(item.text, item.target, item.lang).text_dropped


def reading_fault(row: Mapping[str, Any], item: Item, zero: str | None) -> str:
    """Return what is wrong with a reading: another text or zero form, a wrong answer, a rating that is too low or on no scale.

    Args:
        row: the reading, as a row of a release.
        item: the item.
        zero: its zero form without its target; None if it is not released, whose readings rate no zero form.
    """
    if fault := form_fault(row, item, zero):
        return fault
    if row.get("answer") != (right := item.candidates[item.answer]):
        return f"read with a wrong answer; found {shown(row.get('answer'))}, expected {shown(right)}"
    if fault := _rating_fault(row, ("sure", *_rated(row))):
        return fault
    if row.get("question") not in QUESTIONS:
        return f"question is not judged; found {shown(row.get('question'))}, expected one of {', '.join(QUESTIONS)}"
    return _remark_fault(row)


def _rated(row: Mapping[str, Any]) -> list[str]:
    return [
        rating for rating, (key, _) in RATED_FORMS.items() if row.get(key) is not None or row.get(rating) is not None
    ]


def form_fault(row: Mapping[str, Any], item: Item, zero: str | None) -> str:
    """Return why a reading is not of the text or the zero form of an item; see `reading_fault`."""
    texts = {"natural": item.text, "natural_zero": zero}
    seen = _rated(row)
    if not seen:
        return f"rates neither form; found no {' and no '.join(RATED_FORMS)}, expected one of them"
    for rating in seen:
        key, form = RATED_FORMS[rating]
        if (text := texts[rating]) is None:
            return f"{rating} of an item that has no {form}; found {shown(row.get(rating))}, expected nothing"
        if row.get(key) != (expected := digest(text)):
            return f"{form} has changed since it was read; found {shown(row.get(key))}, expected {shown(expected)}"
    return ""


def reading_figures(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the figures of the readings of a release.

    Returns:
        ``readings``, ``items`` and ``readers``, how many there are; the mean of each of `RATINGS`, from 1 to 5, and in ``rated`` how many
        readings it is of; ``ok``, the share of readings without an objection to the question. Nothing for no readings.
    """
    if not rows:
        return {}
    marks = {column: [row[column] for row in rows if row[column] is not None] for column in RATINGS}
    return _figures(rows, marks) | {
        "rated": {column: len(numbers) for column, numbers in marks.items()},
        "ok": sum(row["question"] == QUESTIONS[0] for row in rows) / len(rows),
    }


# --- cloze items ----------------------------------------------------------------------------------------------------------


def read_gap_readings(path: Path, items: Iterable[Item]) -> list[dict[str, Any]]:
    """Return the readings of all items as rows, by item and reader: ``item``, the digest of its text, and the columns after it.

    Raises:
        PipelineError: an item was not read `FEWEST` times as it stands, or a row is of no item, is doubled or has a fault (see
            `gap_reading_fault`).
    """
    by_id = {item.id: item for item in items}
    rows: list[dict[str, Any]] = []
    for line, item, cells in _readings(path, GAP_COLUMNS, by_id, partly=False):
        row: dict[str, Any] = {"item": item.id, "digest": cells["text"]}
        row |= {column: cells[column] for column in GAP_COLUMNS[2:]}
        if reason := gap_reading_fault(row, item):
            raise PipelineError(path, line, f"[{item.id}] {reason}: {_AGAIN}")
        rows.append(row | {column: int(row[column]) for column in GAP_RATINGS})
    counts = Counter(row["item"] for row in rows)
    for item in by_id.values():
        _require_enough(path, item, counts[item.id], item.text)
    return _in_order(rows, by_id)


def gap_reading_fault(row: Mapping[str, Any], item: Item) -> str:
    """Return what is wrong with a reading of a cloze item: another text, a wrong pronoun, a rating that is too low or on no scale."""
    expected = {"digest": digest(item.text), "pronoun": item.target.of(item.text)}
    for field, value in expected.items():
        if row.get(field) != value:
            what = "text has changed since it was read" if field == "digest" else "read with another pronoun"
            return f"{what}; found {shown(row.get(field))}, expected {shown(value)}"
    return _rating_fault(row, GAP_RATINGS) or _remark_fault(row)


def gap_reading_figures(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return how many readings there are, of how many items, by how many readers, and the means of sureness and naturalness (1 to 5)."""
    return _figures(rows, {column: [row[column] for row in rows] for column in GAP_RATINGS}) if rows else {}
