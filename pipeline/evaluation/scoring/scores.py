"""What a language model gives for a text, token by token; full and partial scores of it (Trinh and Le 2018, section 3.1)."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum
from typing import Literal, Protocol, get_args

#: A token, for comparison only: its number in the vocabulary, or its text where a server gives no number.
Token = int | str
#: What a score is divided by: nothing, the number of its tokens, or that of its characters.
Normalisation = Literal["none", "tokens", "characters"]
NORMALISATIONS: tuple[Normalisation, ...] = get_args(Normalisation)
#: How context and continuation of a partial score are told apart: see `partial_score`.
Boundary = Literal["prefix", "offsets"]


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
    """A model that gives log-probabilities of texts, with the name under which its answers are reported."""

    name: str

    def score(self, texts: Sequence[str]) -> list[TextScore]:
        """Return the scores of texts, in their order."""
        ...

    def tokenise(self, texts: Sequence[str]) -> list[tuple[Token, ...]]:
        """Return the tokens of texts, without the sign that begins a text."""
        ...


@dataclass(frozen=True, slots=True)
class Score:
    """A log-probability with what it is of."""

    value: float  # the log-probability, natural logarithm
    tokens: int  # number of tokens that it is of, as `characters`
    characters: int
    boundary: Boundary | None = None  # how the tokens of a partial score were found; None for a full score

    def normalised(self, by: Normalisation) -> float:
        """Return the score, or its mean over tokens or characters.

        >>> Score(-6.0, 2, 3).normalised("tokens"), Score(-6.0, 2, 3).normalised("characters")
        (-3.0, -2.0)
        """
        return self.value / {"none": 1, "tokens": self.tokens, "characters": self.characters}[by]


def full_score(whole: TextScore) -> Score:
    """Return the score of a whole text: the sum over all tokens whose log-probability is known."""
    known = [value for value in whole.logprobs if value is not None]
    return Score(fsum(known), max(len(known), 1), max(len(whole.text), 1))


def partial_score(whole: TextScore, context: str, context_tokens: Sequence[Token]) -> Score | None:
    """Return the score of what follows a context in a text; None if nothing with a probability follows, or nothing tells where it begins.

    If the tokens of the context are the first ones of the text, this is log p(whole) - log p(context): ``prefix``. Otherwise a
    token straddles the end of the context, or the context alone is cut in another way; the score is then of all tokens that end
    behind the context: ``offsets``. A straddling token counts whole, for no model says which part of it the continuation is.
    """
    size = len(context_tokens)
    boundary: Boundary = "prefix"
    if whole.tokens[:size] == tuple(context_tokens):
        rest = whole.logprobs[size:]
    elif whole.ends is None:
        return None
    else:
        boundary = "offsets"
        rest = tuple(value for value, end in zip(whole.logprobs, whole.ends, strict=True) if end > len(context))
    known = [value for value in rest if value is not None]
    if not known or len(known) < len(rest):
        return None
    return Score(fsum(known), len(known), max(len(whole.text) - len(context), 1), boundary)
