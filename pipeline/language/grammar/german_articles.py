"""German articles: whether a noun phrase has one that its gender allows in some case."""

import re

from ..pronoun_classes import Gender
from .german_words import german_words


def article_fault(text: str, phrase: str, gender: Gender) -> str:
    """Return why a phrase of a text has no article of its gender (``found X, expected Y``), or an empty text.

    The article is the first word of the phrase, or is in the preposition before it. The case is not checked.

    >>> article_fault("Sie kündigte beim Altenheim.", "Altenheim", "neut")
    ''
    >>> article_fault("Sie sah das Hund.", "das Hund", "masc")
    "found 'das' in 'das Hund', expected an article of a masc noun"
    """
    first, *rest = phrase.casefold().split() or [""]
    if rest:
        fits = first in german_words().articles[gender]
        return "" if fits else f"found {first!r} in {phrase!r}, expected an article of a {gender} noun"
    before = [match[1].casefold() for match in re.finditer(rf"(\w+) {re.escape(phrase)}\b", text)]
    if any(word in german_words().contractions[gender] for word in before):
        return ""
    actual = repr(before[0]) if before else "nothing"
    return f"found {actual} before {phrase!r}, expected a preposition with the article of a {gender} noun (beim, zur)"
