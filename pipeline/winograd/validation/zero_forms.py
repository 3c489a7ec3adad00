"""Zero forms: what must hold of each, beside what holds of its item."""

from ...core.model import Span
from ...core.validation.rows import candidates_of, list_of, records, span_of, text_of
from ...core.validation.suite import Check, Suite, Value
from .items import ITEM

ZERO = "Ø"


def _removed(value: Value) -> tuple[str, str] | None:
    """Return the text before and after the target, or None where the target is malformed."""
    span, text = span_of(value), text_of(value)
    return (text[: span.start], text[span.end :]) if span and span.end <= len(text) else None


def one_zero_sign(value: Value) -> str:
    """The zero form has one Ø."""
    count = text_of(value, "text_zero").count(ZERO)
    return "" if count == 1 else f"found {count} in {text_of(value, 'text_zero')!r}, expected 1"


def zero_in_the_targets_place(value: Value) -> str:
    """Ø stands where the target stood, and nothing else has changed."""
    parts = _removed(value)
    if parts is None:
        return ""
    expected = f"{parts[0]}{ZERO}{parts[1]}"
    found = text_of(value, "text_zero")
    return "" if found == expected else f"found {found!r}, expected {expected!r}"


def dropped_without_target(value: Value) -> str:
    """The dropped form is the text without its target, and nothing else has changed."""
    parts = _removed(value)
    found = text_of(value, "text_dropped")
    return "" if parts is None or found == "".join(parts) else f"found {found!r}, expected {''.join(parts)!r}"


def spans_at_the_zero(value: Value) -> str:
    """`zero` covers the Ø, `dropped` is empty and at the same place."""
    zero, dropped = span_of(value, "zero"), span_of(value, "dropped")
    if zero is None or zero.of(text_of(value, "text_zero")) != ZERO:
        return f"found {value.get('zero')!r}, expected the place of the Ø"
    if dropped != Span(zero.start, zero.start):
        return f"found {value.get('dropped')!r}, expected an empty span at {zero.start}"
    return ""


def mentions_name_candidates(value: Value) -> str:
    """Each mention is its candidate in all three texts; in those without the target it may be gone with it."""
    candidates = candidates_of(value)
    for mention in list_of(value, "mentions", dict):
        index = mention.get("candidate")
        if type(index) is not int or not 0 <= index < len(candidates):
            return f"found candidate {index!r}, expected 0 or 1"
        for field in ("text", "text_zero", "text_dropped"):
            span = span_of(mention, field)
            if span is None and field != "text" and mention.get(field, "") is None:
                continue
            found = span.of(text_of(value, field)) if span else mention.get(field)
            if found != candidates[index]:
                return f"found {found!r} in {field}, expected {candidates[index]!r}"
    return ""


def every_mention_listed(value: Value) -> str:
    """Each place where the text names a candidate is listed."""
    listed = len(list_of(value, "mentions", dict))
    expected = sum(
        text_of(value).startswith(one, at) for one in candidates_of(value) if one for at in range(len(text_of(value)))
    )
    return "" if listed == expected else f"found {listed} mentions, expected {expected}"


_OWN: dict[str, Check] = {
    "one-zero-sign": one_zero_sign,
    "zero-in-the-targets-place": zero_in_the_targets_place,
    "dropped-without-target": dropped_without_target,
    "spans-at-the-zero": spans_at_the_zero,
    "mentions-name-candidates": mentions_name_candidates,
    "every-mention-listed": every_mention_listed,
}

ZEROS = Suite("zero", "zero forms of items (JSON Lines)", records, {**ITEM, **_OWN})
