"""The zero form of an item beside the overt one in the rows of derived forms."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ...core.errors import shown
from ...core.model import Item, Span
from ...core.records import KEYS, item_from_json, span_to_json
from ...core.rules import languages_with_zeros
from ...core.validation.contract import SPAN, TEXT, WHOLE_NUMBER, Content, list_of
from ...core.validation.rows import list_of as elements_of
from ...core.validation.rows import members_of, span_of, text_of
from ...core.validation.suite import Check, Value
from ...language.text_checks import lang_of_texts
from ..validation.zero_forms import OF_ZERO_FORM
from ..zero_forms import ZERO, to_zero, zero_form

#: One JSON object of a form.
Row = Mapping[str, Any]
#: The fields that are added to a row.
Fields = Callable[[Row, Item], Row]

#: Fields of the NLI premise, of the contexts of an answer, and of a text in words.
OF_PREMISE: Mapping[str, Content] = {"premise_zero": TEXT, "premise_dropped": TEXT}
OF_CONTEXT: Mapping[str, Content] = {"context_overt": TEXT, "context_zero": TEXT, "context_dropped": TEXT}
_RANGES = list_of(list_of(list_of(WHOLE_NUMBER, 2)), 2)
OF_TOKENS: Mapping[str, Content] = {
    "text_zero": TEXT,
    "tokens_zero": list_of(TEXT),
    "offsets_zero": list_of(list_of(WHOLE_NUMBER, 2)),
    "zero": SPAN,
    "candidates_zero": _RANGES,
    "text_dropped": TEXT,
    "tokens_dropped": list_of(TEXT),
    "offsets_dropped": list_of(list_of(WHOLE_NUMBER, 2)),
    "dropped": SPAN,
    "candidates_dropped": _RANGES,
}
_OF_TEXT = ("text_zero", "zero", "text_dropped", "dropped", "mentions")


@dataclass(frozen=True, slots=True)
class ZeroVersion:
    """How the rows of a form get their zero form: the function that returns the fields to add, and the checks of these fields."""

    fields: Fields
    checks: Mapping[str, Check]


def with_zeros(rows: Iterable[Row], version: ZeroVersion, items: Iterable[Item]) -> tuple[Row, ...]:
    """Return the rows with their zero form; those in languages that no rule gives zeros stay as they are.

    Args:
        rows: the rows of a form.
        version: how the form gets its zero form.
        items: the items that the rows were made from.
    """
    languages = languages_with_zeros()
    by_id = {item.id: item for item in items if item.lang in languages}
    return tuple(_behind(row, version.fields(row, by_id[row["item"]])) if row["item"] in by_id else row for row in rows)


def _behind(row: Row, fields: Row) -> Row:
    """Return a row with more fields, but its gloss as the last one."""
    gloss = {"gloss": row["gloss"]} if "gloss" in row else {}
    return {**{name: value for name, value in row.items() if name not in gloss}, **fields, **gloss}


# --- items -----------------------------------------------------------------------------------------------------------


def _of_text(row: Row, _: Item) -> Row:
    """Return the fields of a zero form for a row that is an item."""
    fields = to_zero(item_from_json({key: row[key] for key in KEYS}))
    return {name: fields[name] for name in _OF_TEXT}


def _given(check: Check) -> Check:
    """Return a check of zero forms for rows that may have none."""

    def checked(value: Value) -> str:
        return check(value) if "text_zero" in value else ""

    checked.__doc__ = check.__doc__
    return checked


def _beside(*names: str) -> Check:
    """Return the check that a Chinese row has its zero form."""

    def zero_beside(value: Value) -> str:
        rows = members_of(value) or [value]
        texts = (text for row in rows for text in row.values() if isinstance(text, str))
        chinese = (text_of(value, "lang") or lang_of_texts(texts)).startswith("zh")
        missing = [name for row in rows for name in names if name not in row] if chinese else []
        return f"found no {missing[0]}, expected the zero form beside the overt one" if missing else ""

    zero_beside.__doc__ = f"A row in Chinese has its zero form beside the overt one: {', '.join(names)}."
    return zero_beside


TEXT_ZERO = ZeroVersion(
    _of_text,
    {"zero-beside": _beside(*_OF_TEXT), **{name: _given(check) for name, check in OF_ZERO_FORM.items()}},
)


# --- premises and contexts -------------------------------------------------------------------------------------------


def _of_premise(_: Row, item: Item) -> Row:
    form = zero_form(item.text, item.target)
    return {"premise_zero": form.text_zero, "premise_dropped": form.text_dropped}


def _of_context(_: Row, item: Item) -> Row:
    """Return the text with its anaphor, with Ø and without, each with the question that the candidates answer; none without one."""
    if not item.question:
        return {}
    form = zero_form(item.text, item.target)
    texts = zip(OF_CONTEXT, (item.text, form.text_zero, form.text_dropped), strict=True)
    return {name: text + item.question for name, text in texts}


def _zero_of_overt(overt: str, zero: str, dropped: str) -> Check:
    """Return the check that two texts are the zero form of a third one."""

    def zero_of_overt(value: Value) -> str:
        for row in members_of(value):
            with_sign, without, text = (text_of(row, name) for name in (zero, dropped, overt))
            head, sign, tail = with_sign.partition(ZERO)
            if zero not in row:
                continue
            if not sign or ZERO in tail or head + tail != without:
                return f"found {with_sign!r} and {without!r}, expected the same text with one Ø"
            if len(text) < len(without) or not (text.startswith(head) and text.endswith(tail)):
                return f"found {with_sign!r}, expected {text!r} with Ø for its anaphor"
        return ""

    zero_of_overt.__doc__ = (
        f"`{zero}` is `{overt}` with one Ø in the place of its anaphor, `{dropped}` the same without Ø."
    )
    return zero_of_overt


def asked_alike(value: Value) -> str:
    """An item that is asked has the same three contexts for each of its candidates."""
    contexts = {tuple(text_of(row, name) for name in OF_CONTEXT) for row in members_of(value)}
    if len(contexts) == 1 and len(set(map(bool, contexts.pop()))) == 1:
        return ""
    return (
        f"found {shown(sorted(contexts))}, expected the same contexts for its candidates, in all three forms or in none"
    )


PREMISE_ZERO = ZeroVersion(
    _of_premise,
    {
        "zero-beside": _beside(*OF_PREMISE),
        "zero-of-overt": _zero_of_overt("premise", "premise_zero", "premise_dropped"),
    },
)
CONTEXT_ZERO = ZeroVersion(
    _of_context,
    {
        "zero-of-overt": _zero_of_overt("context_overt", "context_zero", "context_dropped"),
        "asked-alike": asked_alike,
    },
)


# --- words -----------------------------------------------------------------------------------------------------------


def _of_tokens(row: Row, _: Item | None = None) -> Row:
    """Return the row in words with Ø as the one token of its target, and without any: only the target changes."""
    offsets, words = row["offsets"], Span(row["target"]["start"], row["target"]["end"])
    edges = [*(start for start, _ in offsets), len(row["text"])]
    start = edges[words.start]
    target = Span(start, offsets[words.end - 1][1] if words.length else start)
    form = zero_form(row["text"], target)
    return {
        **_replaced(row, words, target, form.text_zero, form.zero, "zero"),
        **_replaced(row, words, target, form.text_dropped, form.dropped, "dropped"),
    }


def _replaced(row: Row, words: Span, target: Span, text: str, new: Span, name: str) -> Row:
    """Return the fields of a text in which the words of the target are one word, or none."""
    own = [[new.start, new.end]] if new.length else []
    longer, further = new.length - target.length, len(own) - words.length
    offsets = [
        *row["offsets"][: words.start],
        *own,
        *([start + longer, end + longer] for start, end in row["offsets"][words.end :]),
    ]

    def moved(start: int, end: int) -> list[int]:
        return [start + further, end + further] if start >= words.end else [start, end]

    return {
        f"text_{name}": text,
        f"tokens_{name}": [text[start:end] for start, end in offsets],
        f"offsets_{name}": offsets,
        name: span_to_json(Span(words.start, words.start + len(own))),
        f"candidates_{name}": [[moved(*place) for place in places] for places in row["candidates"]],
    }


def words_of_zero(value: Value) -> str:
    """The words of both zero forms are those of the text, with Ø or nothing for the words of the target."""
    target, offsets = span_of(value), elements_of(value, "offsets", list)
    if "text_zero" not in value or target is None or target.end > len(offsets):
        return ""
    expected = _of_tokens(value)
    odd = next((name for name in expected if value.get(name) != expected[name]), "")
    return f"[{odd}] found {value.get(odd)!r}, expected {expected[odd]!r}" if odd else ""


TOKENS_ZERO = ZeroVersion(_of_tokens, {"zero-beside": _beside(*OF_TOKENS), "words-of-zero": words_of_zero})
