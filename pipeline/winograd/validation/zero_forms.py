"""The suite `zero`: what a zero form must meet, in addition to what holds of every item."""

from collections.abc import Sequence

from ...core.errors import shown
from ...core.model import Span
from ...core.records import KEYS, item_from_json, span_to_json
from ...core.validation.rows import candidates_of, list_of, span_of, text_of
from ...core.validation.suite import Suite, Value
from ..mentions import mentions
from ..zero_forms import ZERO, shift_span
from .items import ITEM, item_contract, items, span_in_text


def one_zero_sign(value: Value) -> str:
    """The zero form has one Ø."""
    count = text_of(value, "text_zero").count(ZERO)
    return "" if count == 1 else f"found {count} in {text_of(value, 'text_zero')!r}, expected 1"


def zero_in_target_place(value: Value) -> str:
    """Ø replaces the target, and nothing else has changed."""
    parts = _without_target(value)
    if parts is None:
        return ""
    expected, actual = f"{parts[0]}{ZERO}{parts[1]}", text_of(value, "text_zero")
    return "" if actual == expected else f"found {actual!r}, expected {expected!r}"


def dropped_without_target(value: Value) -> str:
    """The dropped form is the text without its target, and nothing else has changed."""
    parts = _without_target(value)
    if parts is None:
        return ""
    expected, actual = "".join(parts), text_of(value, "text_dropped")
    return "" if actual == expected else f"found {actual!r}, expected {expected!r}"


def spans_at_the_zero(value: Value) -> str:
    """`zero` covers the Ø; `dropped` is empty and at the same place."""
    zero, dropped = span_of(value, "zero"), span_of(value, "dropped")
    if zero is None or zero.of(text_of(value, "text_zero")) != ZERO:
        return f"found {value.get('zero')!r}, expected the place of the Ø"
    if dropped != Span(zero.start, zero.start):
        return f"found {value.get('dropped')!r}, expected an empty span at {zero.start}"
    return ""


def mentions_name_candidates(value: Value) -> str:
    """Each mention is its candidate in all three texts; in the texts without the target it may be gone with it."""
    candidates = candidates_of(value)
    for mention in list_of(value, "mentions", dict):
        index = mention.get("candidate")
        if type(index) is not int or not 0 <= index < len(candidates):
            return f"found candidate {index!r}, expected 0 or 1"
        for field in ("text", "text_zero", "text_dropped"):
            span = span_of(mention, field)
            if span is None and field != "text" and mention.get(field, "") is None:
                continue
            actual = span.of(text_of(value, field)) if span else mention.get(field)
            if actual != candidates[index]:
                return f"found {actual!r} in {field}, expected {candidates[index]!r}"
    return ""


def every_mention_listed(value: Value) -> str:
    """Each place where the text names a candidate is listed once, in the order of the text."""
    if span_in_text(value):
        return ""
    item = item_from_json({name: value[name] for name in KEYS})
    expected = [(index, span.start) for index, span in mentions(item)]
    listed = [(mention["candidate"], mention["text"]["start"]) for mention in value["mentions"]]
    if listed == expected:
        return ""
    odd = next((place for place in listed if listed.count(place) != expected.count(place)), None)
    lost = next((place for place in expected if place not in listed), None)
    if lost is None and odd is None:
        return f"found mentions at {_starts(listed)}, expected them in the order {_starts(expected)}"
    actual = f"candidate {odd[0]} at {odd[1]}" if odd else f"mentions at {_starts(listed)}"
    return f"found {actual}, expected " + (f"candidate {lost[0]} at {lost[1]}" if lost else "each mention once")


def _starts(places: Sequence[tuple[int, int]]) -> str:
    return ", ".join(str(start) for _, start in places) or "none"


def mentions_moved_with_text(value: Value) -> str:
    """In the texts without the target, a mention after it is as much further left, and one that the target overlaps is null."""
    target = span_of(value)
    for mention in value["mentions"]:
        place = span_of(mention, "text")
        if target is None or place is None:
            continue
        for field, length in (("text_zero", len(ZERO)), ("text_dropped", 0)):
            expected = span_to_json(shift_span(place, target, length))
            if mention[field] != expected:
                return f"found {shown(mention[field])} in {field}, expected {shown(expected)}"
    return ""


def _without_target(value: Value) -> tuple[str, str] | None:
    """Return the text before and after the target, or None if the target is malformed."""
    span, text = span_of(value), text_of(value)
    return (text[: span.start], text[span.end :]) if span and span.end <= len(text) else None


#: The checks of the fields that a zero form has besides those of its item.
OF_ZERO_FORM = {
    "one-zero-sign": one_zero_sign,
    "zero-in-target-place": zero_in_target_place,
    "dropped-without-target": dropped_without_target,
    "spans-at-the-zero": spans_at_the_zero,
    "mentions-name-candidates": mentions_name_candidates,
    "every-mention-listed": every_mention_listed,
    "mentions-moved-with-text": mentions_moved_with_text,
}
ZEROS = Suite(
    "zero",
    "zero forms of items (JSON Lines)",
    items,
    {
        **ITEM,
        "contract": item_contract("text_zero", "zero", "text_dropped", "dropped", "mentions"),
        **OF_ZERO_FORM,
    },
)
