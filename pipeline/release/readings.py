"""Readings of released items: tables by hand of what each reader answered and thought, which must be of the words that are released."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from ..core.checksums import digest_of
from ..core.convert import to_object
from ..core.errors import PipelineError, first_names, plural, shown
from ..core.files import require_unique
from ..core.model import Item, Span
from ..core.notation import FactorError, unbracket
from ..core.tables import read_table
from ..core.validation.rows import list_of, span_of, text_of
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
#: Columns of the table of contested items: the text with its target in brackets, and the answer that the author meant.
CONTESTED_COLUMNS = ("id", "text", "question", "answer")
#: The table beside it that has the readings of items that are not released, among all earlier ones.
_EARLIER = "reading-before.tsv"
FIELDS_OF_CONTESTED = (
    "items outside the collection, on whose answers readers disagree although none has a mark under 4 for the text: `text`, `target`, "
    "`text_dropped`, `question`; `answers`, both that were given, in the order of the text; `readers` and `readers_zero`, how many gave "
    "each from the text and from the zero form; `author`, the index of the answer that the author meant"
)
_AGAIN = "mend the sentence, or let somebody read it again"


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


def _figures(rows: Sequence[Mapping[str, Any]], ratings: Iterable[str]) -> dict[str, Any]:
    """Return how many readings there are, of how many items, by how many readers, and the mean of each rating; nothing for no readings."""
    if not rows:
        return {}
    marks = {column: [row[column] for row in rows if row[column] is not None] for column in ratings}
    return {
        "readings": len(rows),
        **{f"{key}s": len({row[key] for row in rows}) for key in ("item", "reader")},
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
    current = {
        item.id: {"digest": digest_of(item.text), "digest_zero": digest_of(_zero_text(item))} for item in build.items
    }
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
        if row.get(key) != (expected := digest_of(text)):
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
    return _figures(rows, RATINGS) | {
        "rated": {column: sum(row[column] is not None for row in rows) for column in RATINGS},
        "ok": sum(row["question"] == QUESTIONS[0] for row in rows) / len(rows),
    }


# --- items that readers disagree about ------------------------------------------------------------------------------------


def contested_items(path: Path, released: Iterable[Item]) -> list[dict[str, Any]]:
    """Return the items of a table on whose answers readers disagree, in its order, with the number of readers of each answer.

    Args:
        path: the table, in the language of the released items; the readings are in ``reading-before.tsv`` beside it.
        released: the items of the release, of which a contested one is none.

    Raises:
        PipelineError: a text without one target, or a row that is no such item (see `contested_fault`), or whose text readers doubt: a
            mark below `LEAST`; a reading twice, or with a mark on no scale.
    """
    items = list(released)
    readings: dict[str, list[dict[str, str]]] = {}
    readers: dict[tuple[str, str], int | None] = {}
    for line, cells in read_table(dropped := path.with_name(_EARLIER), COLUMNS):
        require_unique(readers, (cells["id"], cells["reader"]), dropped, line, "reader")
        if fault := _off_scale(cells, [column for column in RATINGS if cells[column]]):
            raise PipelineError(dropped, line, f"[{cells['id']}] {fault}")
        readings.setdefault(cells["id"], []).append(cells)
    rows = []
    lines: dict[str, int | None] = {}
    for line, cells in read_table(path, CONTESTED_COLUMNS):
        require_unique(lines, cells["id"], path, line)
        try:
            text, targets = unbracket(cells["text"])
        except FactorError as error:
            raise PipelineError(path, line, f"[text] {error}") from error
        if len(targets) != 1:
            reason = f"[text] not one target in brackets; found {len(targets)} in {shown(cells['text'])}, expected one"
            raise PipelineError(path, line, reason)
        row, low = _contested(cells, text, targets[0], items[0].lang if items else "zh", readings.get(cells["id"], []))
        reason = contested_fault(row, items)
        if low < LEAST and not reason:
            reason = f"text that readers doubt; found a mark of {low}, expected at least {LEAST}"
        if reason:
            raise PipelineError(path, line, f"[{cells['id']}] {reason}")
        rows.append(row)
    return rows


def _contested(
    cells: Mapping[str, str], text: str, target: Span, lang: str, readings: Sequence[Mapping[str, str]]
) -> tuple[dict[str, Any], int]:
    """Return a contested item by the readings of its words as they stand, and the lowest mark that they give these."""
    dropped = zero_form(text, target, lang).text_dropped
    of_form = {
        rating: [row for row in readings if row[rating] and row[column] == digest_of(words)]
        for rating, column, words in (("natural", "text", text), ("natural_zero", "zero", dropped))
    }
    given = {row["answer"] for rows in of_form.values() for row in rows}
    answers = sorted(given, key=lambda answer: (text.find(answer), answer))
    counts = {rating: Counter(row["answer"] for row in rows) for rating, rows in of_form.items()}
    item = {"id": cells["id"], "lang": lang, "text": text, "target": to_object(target), "text_dropped": dropped}
    item |= {"question": cells["question"], "answers": answers}
    item |= {
        field: [counts[rating][answer] for answer in answers]
        for field, rating in (("readers", "natural"), ("readers_zero", "natural_zero"))
    }
    marks = [int(row[rating]) for rating, rows in of_form.items() for row in rows]
    author = answers.index(cells["answer"]) if cells["answer"] in answers else cells["answer"]
    return item | {"author": author}, min(marks, default=0)


def contested_fault(row: Mapping[str, Any], released: Iterable[Item]) -> str:
    """Return why a row is no contested item: it is released, or it does not have two answers of its text, each with readers."""
    text, target, author = text_of(row), span_of(row), row.get("author")
    if any(item.id == row.get("id") or item.text == text for item in released):
        return "item of the release; found it there, expected items that are outside of it"
    if target is None or not target.start < target.end <= len(text):
        return f"target outside the text; found {shown(row.get('target'))}, expected its place"
    answers = {answer for answer in list_of(row, "answers", str) if answer and answer in text}
    if len(answers) != 2 or len(row["answers"]) != 2:
        return f"not two answers of the text; found {shown(row.get('answers'))}, expected two that readers gave"
    numbers = [row.get(field) for field in ("readers", "readers_zero")]
    counts = [number for of_form in numbers if isinstance(of_form, list) and len(of_form) == 2 for number in of_form]
    if len(counts) != 4 or not all(type(number) is int and number >= 0 for number in counts):
        return f"not numbers of readers by answer; found {shown(numbers)}, expected two for each form"
    if not counts[0] + counts[2] or not counts[1] + counts[3]:
        return f"answer without a reader; found {shown(numbers)}, expected a reader at least of each"
    if type(author) is not int or author not in (0, 1):
        return f"author meant neither answer; found {shown(author)}, expected 0 or 1"
    return ""


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
    expected = {"digest": digest_of(item.text), "pronoun": item.target.of(item.text)}
    for field, value in expected.items():
        if row.get(field) != value:
            what = "text has changed since it was read" if field == "digest" else "read with another pronoun"
            return f"{what}; found {shown(row.get(field))}, expected {shown(value)}"
    return _rating_fault(row, GAP_RATINGS) or _remark_fault(row)


def gap_reading_figures(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return how many readings there are, of how many items, by how many readers, and the means of sureness and naturalness (1 to 5)."""
    return _figures(rows, GAP_RATINGS)
