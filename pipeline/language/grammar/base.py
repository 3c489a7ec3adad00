"""What the grammar of a language offers to the derived forms."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ...core.model import Item, Span
from ..pronoun_classes import Gender

#: The grammatical gender of each candidate of an item, None where it is not known; only German asks.
Genders = Sequence[Gender | None]


class GrammarError(ValueError):
    """A form that cannot be made without guessing: ``[field] reason; found X, expected Y``."""


@dataclass(frozen=True, slots=True)
class Substitution:
    """A text with an expression in the target's place.

    `span` covers the expression, `name` the part of it that names the candidate. `changes` lists the differences from mere
    substitution, which puts the candidate as given into the target's place; it is empty if there are none.
    """

    text: str
    span: Span
    name: Span
    changes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Grammar:
    """The rules of one language.

    `substitute` puts an expression for a candidate into the target's place. `hypothesis` turns the question into a
    statement with the candidate as its answer. Both take an item, the index of a candidate and the genders of all its
    candidates, and raise `GrammarError`. `reported` takes what `substitute` made, and names a candidate who says it by a reflexive,
    as a reader of the whole text expects.
    """

    substitute: Callable[[Item, int, Genders], Substitution]
    hypothesis: Callable[[Item, int, Genders], str]
    reported: Callable[[Item, int, Substitution], Substitution] = lambda _item, _index, made: made


def mere_substitution(item: Item, index: int) -> str:
    """Return the text with the candidate in the target's place, by plain replacement."""
    return item.text[: item.target.start] + item.candidates[index] + item.text[item.target.end :]


def clause_at(text: str, span: Span, bounds: str) -> Span:
    """Return the clause around a span: the text between two of the characters `bounds`, without a blank at its start."""
    start = max((text.rfind(mark, 0, span.start) + 1 for mark in bounds), default=0)
    ends = [at for at in (text.find(mark, span.end) for mark in bounds) if at >= 0]
    end = min(ends, default=len(text))
    while start < span.start and text[start].isspace():
        start += 1
    return Span(start, end)
