"""Words of English texts by spaCy's tokenizer."""

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spacy.language import Language

#: Maximum number of characters without a blank that the tokenizer is given at once: it takes quadratic time for them.
_LONGEST = 200


def english_words(text: str) -> list[str]:
    """Return the words and marks of a text, without blanks.

    >>> english_words("He's sure he didn't.")
    ['He', "'s", 'sure', 'he', 'did', "n't", '.']
    """
    pieces = [piece[start : start + _LONGEST] for piece in text.split() for start in range(0, len(piece), _LONGEST)]
    return [token.text for piece in pieces for token in _english().tokenizer(piece)]


@cache
def _english() -> "Language":
    from .spacy_parts import blank

    return blank("en")
