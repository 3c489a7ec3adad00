"""Full and partial scores of a text (Trinh and Le 2018, section 3.1)."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum
from typing import Literal, get_args

from .model import TextScore, Token

#: What a score is divided by: nothing, the number of its tokens, or that of its characters.
Normalisation = Literal["none", "tokens", "characters"]
NORMALISATIONS: tuple[Normalisation, ...] = get_args(Normalisation)
#: How context and continuation of a partial score are told apart: see `partial_score`.
Boundary = Literal["prefix", "offsets"]


@dataclass(frozen=True, slots=True)
class Score:
    """A log-probability with what it is of."""

    value: float  # the log-probability, natural logarithm
    tokens: int
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
    """Return the score of what follows a context in a text.

    If the tokens of the context are the first ones of the text, this is log p(whole) - log p(context): ``prefix``. Otherwise a
    token straddles the end of the context, or the context alone is cut in another way; the score is then of all tokens that end
    behind the context: ``offsets``. A straddling token counts whole, for no model says which part of it the continuation is.

    Returns:
        the score; None if there is neither a common prefix nor an offset to go by, or nothing with a probability follows.
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
