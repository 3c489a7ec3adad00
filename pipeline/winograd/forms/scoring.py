"""Texts that a language model scores in full, or in part after the candidate (Trinh and Le 2018)."""

from collections.abc import Iterable

from ...core.model import Item
from .derived import DerivedForm, Row, derived
from .disambiguated import substituted

FORM = "scoring"


def scoring(items: Iterable[Item]) -> DerivedForm:
    """Return for each candidate its disambiguated text, cut after the expression that stands for the target.

    The full score is the probability of ``context`` and ``continuation``, the partial score that of ``continuation`` given
    ``context`` (Trinh and Le 2018, A Simple Method for Commonsense Reasoning, section 3.1). The continuation is the same for all
    candidates of an item; it may have no word, and then there is no partial score: ``partial`` tells.
    """
    made, unmade = substituted(items, FORM)
    rows: list[Row] = []
    for item, found in made:
        continuation = found[0].text[found[0].span.end :]
        rows += [
            {
                "id": f"{item.id}-{index}",
                "item": item.id,
                "schema": item.schema,
                "context": one.text[: one.span.end],
                "continuation": continuation,
                "partial": has_words(continuation),
                "candidate": item.candidates[index],
                "correct": index == item.answer,
            }
            for index, one in enumerate(found)
        ]
    return derived(rows, unmade)


def has_words(text: str) -> bool:
    """Tell whether a text has a letter or a digit.

    >>> has_words("了。"), has_words("。")
    (True, False)
    """
    return any(character.isalnum() for character in text)
