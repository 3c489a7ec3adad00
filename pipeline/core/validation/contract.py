"""Contracts: which fields a row has, in which order, and what each of them may hold."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import shown
from .suite import Check, Value, described

#: An id: letters and digits of ASCII, with hyphens, low lines and points between them.
_ID = re.compile(r"[0-9A-Za-z]+(?:[-_.]+[0-9A-Za-z]+)*")


@dataclass(frozen=True, slots=True)
class Content:
    """What a field may hold: `expected` says it, `fits` decides it."""

    expected: str
    fits: Callable[[Any], bool]


def _is_whole_number(value: object) -> bool:
    return type(value) is int


def _is_span(value: object) -> bool:
    if (
        not isinstance(value, dict)
        or tuple(value) != ("start", "end")
        or not all(map(_is_whole_number, value.values()))
    ):
        return False
    return bool(0 <= value["start"] <= value["end"])


TEXT = Content("text", lambda value: isinstance(value, str) and value.strip() != "")
REMARK = Content("text, which may be empty", lambda value: isinstance(value, str))
ID = Content(
    "letters and digits of ASCII with hyphens, points or low lines between them",
    lambda value: isinstance(value, str) and _ID.fullmatch(value) is not None,
)
WHOLE_NUMBER = Content("a whole number, at least 0", lambda value: _is_whole_number(value) and value >= 0)
SPAN = Content('{"start": …, "end": …} in this order, whole numbers with 0 <= start <= end', _is_span)


def one_of(*values: object) -> Content:
    """Return the content that is one of some values; true is not 1."""
    return Content(
        " or ".join(map(shown, values)),
        lambda value: any(type(value) is type(other) and value == other for other in values),
    )


def list_of(content: Content, length: int | None = None) -> Content:
    """Return the content that is a list of a content, of a length if given."""
    count = "a list" if length is None else f"a list of {length}"
    return Content(
        f"{count}, each {content.expected}",
        lambda value: (
            isinstance(value, list) and length in (None, len(value)) and all(content.fits(entry) for entry in value)
        ),
    )


def nothing_or(content: Content) -> Content:
    """Return the content that is null or another content."""
    return Content(f"null or {content.expected}", lambda value: value is None or content.fits(value))


def either(first: Content, second: Content) -> Content:
    """Return the content that is one of two."""
    return Content(f"{first.expected}; or {second.expected}", lambda value: first.fits(value) or second.fits(value))


def object_of(fields: Mapping[str, Content]) -> Content:
    """Return the content that is an object with these fields, in this order."""
    described_fields = ", ".join(f"{name}: {content.expected}" for name, content in fields.items())
    return Content(
        f"an object with {described_fields}",
        lambda value: (
            isinstance(value, dict)
            and tuple(value) == tuple(fields)
            and all(content.fits(value[name]) for name, content in fields.items())
        ),
    )


def contract(
    what: str,
    fields: Mapping[str, Content],
    optional: Mapping[str, Content] | None = None,
    ignored: Sequence[str] = (),
) -> Check:
    """Return the check that a row has certain fields, in their order and with their contents.

    Args:
        what: what the row is, for the description.
        fields: the fields that come first.
        optional: fields that may come after them, in this order.
        ignored: keys that the reader of the rows has added.
    """
    known = {**fields, **(optional or {})}

    def check(value: Value) -> str:
        keys = tuple(key for key in value if key not in ignored)
        if keys[: len(fields)] != tuple(fields):
            return f"found the keys {shown(', '.join(keys))}, expected {', '.join(fields)} first"
        if (unknown := next((key for key in keys if key not in known), None)) is not None:
            return f"[{unknown}] unknown field; found {shown(value[unknown])}, expected none"
        if list(keys) != [name for name in known if name in value]:
            return f"found the keys {', '.join(keys)}, expected them in the order {', '.join(known)}"
        for name in keys:
            if not known[name].fits(value[name]):
                return f"[{name}] found {shown(value[name])}, expected {known[name].expected}"
        return ""

    also = f"; {', '.join(optional)} may follow" if optional else ""
    return described(f"{what}: {', '.join(fields)}{also}, each of its type and in its range.", check)
