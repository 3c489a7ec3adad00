"""The zero form of an item beside the overt one in the rows of derived forms."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ...core.convert import to_object
from ...core.model import Item, Span
from ...core.records import KEYS, item_from_json
from ...core.rules import languages_with_zeros
from ..zero_forms import to_zero, zero_form

#: One JSON object of a form; ``item`` is the id of the item that it was made from.
Row = Mapping[str, Any]
#: Returns the fields that are added to a row, given the row and its item.
ZeroFields = Callable[[Row, Item], Row]


def with_zeros(rows: Iterable[Row], zero: ZeroFields, items: Iterable[Item]) -> tuple[Row, ...]:
    """Return the rows with their zero form; those in languages that no rule gives zeros stay as they are.

    Args:
        rows: the rows of a form.
        zero: returns the fields to add to a row; a gloss stays the last field.
        items: the items that the rows were made from.
    """
    languages = languages_with_zeros()
    by_id = {item.id: item for item in items if item.lang in languages}
    return tuple(_insert(row, zero(row, by_id[row["item"]])) if row["item"] in by_id else row for row in rows)


def _insert(row: Row, fields: Row) -> Row:
    gloss = {"gloss": row["gloss"]} if "gloss" in row else {}
    return {**{name: value for name, value in row.items() if name not in gloss}, **fields, **gloss}


def zero_of_text(row: Row, _: Item) -> Row:
    """Return the zero form of a row that is an item: both texts, where the zero stands, and the mentions of the candidates."""
    fields = to_zero(item_from_json({key: row[key] for key in KEYS}))
    return {name: fields[name] for name in ("text_zero", "zero", "text_dropped", "dropped", "mentions")}


def zero_of_premise(_: Row, item: Item) -> Row:
    """Return the premise with Ø for its anaphor, and without."""
    form = zero_form(item.text, item.target)
    return {"premise_zero": form.text_zero, "premise_dropped": form.text_dropped}


def zero_of_context(_: Row, item: Item) -> Row:
    """Return the text with its anaphor, with Ø and without, each with the question that the candidates answer; none without one."""
    if not item.question:
        return {}
    form = zero_form(item.text, item.target)
    return {
        "context_overt": item.text + item.question,
        "context_zero": form.text_zero + item.question,
        "context_dropped": form.text_dropped + item.question,
    }


def zero_of_tokens(row: Row, _: Item) -> Row:
    """Return a row in words with Ø as the one token of its target, and without any: only the target changes."""
    offsets, words = row["offsets"], Span(row["target"]["start"], row["target"]["end"])
    edges = [*(start for start, _ in offsets), len(row["text"])]
    start = edges[words.start]
    target = Span(start, offsets[words.end - 1][1] if words.length else start)
    form = zero_form(row["text"], target)
    return {
        **_replace_target(row, words, target, form.text_zero, form.zero, "zero"),
        **_replace_target(row, words, target, form.text_dropped, form.dropped, "dropped"),
    }


def _replace_target(row: Row, words: Span, target: Span, text: str, new: Span, name: str) -> Row:
    """Return the fields of a text in which the words of the target are one word, or none."""
    own = [[new.start, new.end]] if new.length else []
    longer, further = new.length - target.length, len(own) - words.length
    offsets = [
        *row["offsets"][: words.start],
        *own,
        *([start + longer, end + longer] for start, end in row["offsets"][words.end :]),
    ]

    def move(start: int, end: int) -> list[int]:
        return [start + further, end + further] if start >= words.end else [start, end]

    return {
        f"text_{name}": text,
        f"tokens_{name}": [text[start:end] for start, end in offsets],
        f"offsets_{name}": offsets,
        name: to_object(Span(words.start, words.start + len(own))),
        f"candidates_{name}": [[move(*place) for place in places] for places in row["candidates"]],
    }
