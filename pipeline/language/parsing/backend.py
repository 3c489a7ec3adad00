"""What a parser gives: for every word of a sentence its part of speech, head and relation."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple


class Word(NamedTuple):
    """One parsed word; `head` counts from 1, None at the root."""

    upos: str
    head: int | None
    relation: str


@dataclass(frozen=True, slots=True)
class Backend:
    """A parser that is ready to run: `parse` takes sentences as lists of words and leaves the words as they are."""

    name: str
    model: str
    parse: Callable[[Sequence[Sequence[str]]], list[list[Word]]]

    @property
    def parser(self) -> str:
        """The name under which its trees stand in a lock."""
        return f"{self.name}/{self.model}"
