"""What a language model gives for a text: its tokens, their log-probabilities, their places."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum
from typing import Protocol

#: A token, for comparison only: its number in the vocabulary, or its text where a server gives no number.
Token = int | str


@dataclass(frozen=True, slots=True)
class TextScore:
    """The log-probabilities of a text, token by token, without the sign that begins it."""

    text: str
    tokens: tuple[Token, ...]
    #: The natural logarithm of the probability of each token after those before it. That of the first is None if no sign begins the
    #: text, so that nothing is before it.
    logprobs: tuple[float | None, ...]
    #: The character of the text behind each token; None where the model's interface does not tell. A character may be cut into
    #: several tokens (bytes), which then all end behind it.
    ends: tuple[int, ...] | None

    @property
    def total(self) -> float:
        """The log-probability of the text; without that of the first token where the model gives none."""
        return fsum(value for value in self.logprobs if value is not None)


class LanguageModel(Protocol):
    """A model that gives log-probabilities of texts."""

    @property
    def name(self) -> str:
        """The name under which its answers are reported."""
        ...

    def score(self, texts: Sequence[str]) -> list[TextScore]:
        """Return the scores of texts, in their order."""
        ...

    def tokenise(self, texts: Sequence[str]) -> list[tuple[Token, ...]]:
        """Return the tokens of texts, without the sign that begins a text."""
        ...
