"""Texts in which the anaphor is a zero."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..core.convert import to_object
from ..core.errors import PipelineError, shown
from ..core.model import Item, Span
from ..core.rules import languages_with_zeros
from ..language.languages import language_of
from .mentions import mentions

ZERO = "Ø"


def require_language_with_zeros(items: Iterable[Item], path: Path) -> None:
    """Refuse the items of a file if one is in a language of which no rule says where its pronouns may be left out.

    Raises:
        PipelineError: with the first such item.
    """
    known = languages_with_zeros()
    for item in items:
        if item.lang not in known:
            reason = f"no rules of zero anaphora for this language; found {shown(item.lang)} in {item.id}"
            raise PipelineError(
                path,
                None,
                f"[lang] {reason}, expected {' or '.join(known)}, which ingest --lang {known[0]} reads from a file of several languages",
            )


@dataclass(frozen=True, slots=True)
class ZeroForm:
    """A text without its target: `text_zero` has Ø at `zero`, `text_dropped` has nothing at `dropped`."""

    text_zero: str
    zero: Span
    text_dropped: str
    dropped: Span


def zero_form(text: str, target: Span, lang: str) -> ZeroForm:
    """Return both zero forms of a text. Only the target changes (WSC-ZA 3.1, example 3), and a particle that goes with it (彼が)."""
    left_out = language_of(lang).omission(text, target)
    head, tail = text[: left_out.start], text[left_out.end :]
    return ZeroForm(
        text_zero=f"{head}{ZERO}{tail}",
        zero=Span(left_out.start, left_out.start + len(ZERO)),
        text_dropped=f"{head}{tail}",
        dropped=Span(left_out.start, left_out.start),
    )


def shift_span(span: Span, target: Span, length: int) -> Span | None:
    """Return a span after the target is replaced by `length` characters; None if the span overlaps the target."""
    if span.end <= target.start:
        return span
    if span.start >= target.end:
        shift = length - target.length
        return Span(span.start + shift, span.end + shift)
    return None


def to_zero(item: Item) -> dict[str, Any]:
    """Return the JSON object of an item's zero form: the item, both zero texts, and each mention of a candidate in all three."""
    form = zero_form(item.text, item.target, item.lang)
    left_out = language_of(item.lang).omission(item.text, item.target)
    return {
        **to_object(item),
        "text_zero": form.text_zero,
        "zero": to_object(form.zero),
        "text_dropped": form.text_dropped,
        "dropped": to_object(form.dropped),
        "mentions": [
            {
                "candidate": index,
                "text": to_object(span),
                "text_zero": to_object(shift_span(span, left_out, len(ZERO))),
                "text_dropped": to_object(shift_span(span, left_out, 0)),
            }
            for index, span in mentions(item)
        ],
    }
