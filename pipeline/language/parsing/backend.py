"""The interface of a parser: for every word of a sentence its part of speech, head and relation."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple


class Word(NamedTuple):
    """A parsed word; `head` counts from 1 and is None for the root."""

    upos: str
    head: int | None
    relation: str


@dataclass(frozen=True, slots=True)
class Backend:
    """A loaded parser: `parse` takes sentences as lists of words and keeps the words."""

    name: str
    model: str
    parse: Callable[[Sequence[Sequence[str]]], Iterable[list[Word]]]

    @property
    def parser(self) -> str:
        """The name of the parser in a lock."""
        return f"{self.name}/{self.model}"
