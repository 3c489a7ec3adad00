"""Parts of a record as a check takes them: what is malformed is empty, for the check that asks for its form."""

from typing import TypeVar

from ..model import Span
from .suite import Value

Kind = TypeVar("Kind")


def text_of(value: Value, field: str = "text") -> str:
    """Return a field that is text, or nothing."""
    found = value.get(field)
    return found if isinstance(found, str) else ""


def texts_of(value: Value, *fields: str) -> list[str]:
    """Return the fields that are text and not empty."""
    return [text for field in fields if (text := text_of(value, field))]


def candidates_of(value: Value) -> list[str]:
    """Return the candidates that are text."""
    return list_of(value, "candidates", str)


def list_of(value: Value, field: str, kind: type[Kind]) -> list[Kind]:
    """Return the elements of a list that are of a kind."""
    found = value.get(field)
    return [one for one in found if isinstance(one, kind)] if isinstance(found, list) else []


def lang_of(value: Value) -> str:
    """Return the language, or nothing."""
    return text_of(value, "lang")


def span_of(value: Value, field: str = "target") -> Span | None:
    """Return a span, or None where there is none that is well formed."""
    found = value.get(field)
    if not isinstance(found, dict) or set(found) != {"start", "end"}:
        return None
    start, end = found["start"], found["end"]
    return Span(start, end) if type(start) is int and type(end) is int and 0 <= start <= end else None


def members_of(value: Value) -> list[Value]:
    """Return the records of a group."""
    return list_of(value, "members", dict)
