"""German noun phrases: the nominative of a candidate, with the definite article of its gender."""

import re

from ...core.model import Item
from ..pronoun_classes import GENDERS, Gender
from .base import Genders, GrammarError
from .german_words import german_words

#: An inflected adjective, without the ending that the cases change: entlaufene in entlaufenen, entlaufener, entlaufenes.
_ADJECTIVE = re.compile(r"(\w+e)[mnrs]?")
_INDEFINITE = "ein"
#: Articles of the cases in which a noun has the form of the nominative; das and die are those of the accusative too.
_UNCHANGED: dict[Gender, tuple[str, ...]] = {"masc": ("der", "ein"), "fem": ("die", "eine"), "neut": ("das", "ein")}
_GENITIVE = ("des", "eines")


def nominative(item: Item, index: int, genders: Genders) -> tuple[str, tuple[str, ...]]:
    """Return a candidate as the subject of a clause, not at its beginning, and how that differs from the candidate as given.

    The changes are: an article that a preposition has taken up is written out (beim Arzt, der Arzt: ``determiner``), a
    definite article takes the place of an indefinite one (``definite``), article, adjective or noun get the nominative
    (den Neffen, der Neffe: ``nominative``), a capital is lost (Der Neffe, der Neffe: ``lower-case``). A name without an
    article stays as it is.

    Raises:
        GrammarError: the gender is not known, or not that of the article; another determiner than an article; more than one
            word between article and noun; a noun whose nominative its form does not tell.
    """
    table, name = german_words(), item.candidates[index]
    first, *others = name.split() or [""]
    article = first.casefold() if any(first.casefold() in table.articles[gender] for gender in GENDERS) else ""
    if not article and not _after_contraction(item.text, name):
        if first[:1].isupper():
            return name, ()
        raise GrammarError(f"[candidates] another determiner than an article; found {name!r}, expected der, die or das")
    gender = genders[index] if index < len(genders) else None
    if gender is None:
        raise GrammarError(
            f"[candidates] gender not known; found {name!r}, expected a pair with the pronouns of both candidates"
        )
    if article and article not in table.articles[gender]:
        raise GrammarError(
            f"[candidates] article of another gender; found {name!r}, expected that of the pronoun ({gender})"
        )
    words = others if article else [first, *others]
    changed = _nominative_words(words, article, gender, name)
    changes = []
    if not article:
        changes.append("determiner")
    if article.startswith(_INDEFINITE):
        changes.append("definite")
    elif changed != words or (article and article != table.nominative[gender]):
        changes.append("nominative")
    if article and first != article and not changes:
        changes.append("lower-case")
    return " ".join((table.nominative[gender], *changed)), tuple(changes)


def _after_contraction(text: str, name: str) -> bool:
    """Return whether a name stands after a preposition that contains an article: Arzt in beim Arzt."""
    contractions = frozenset().union(*german_words().contractions.values())
    before = re.finditer(rf"(\w+) {re.escape(name)}\b", text)
    return any(match[1].casefold() in contractions for match in before)


def _nominative_words(words: list[str], article: str, gender: Gender, name: str) -> list[str]:
    """Return the words after an article as they stand after the definite article in the nominative."""
    adjective = words[:1] if words and words[0][0].islower() else []
    noun, *rest = words[len(adjective) :] or [""]
    inflected = [_ADJECTIVE.fullmatch(word) for word in adjective]
    if not noun[:1].isupper() or None in inflected:
        raise GrammarError(f"[candidates] no noun behind the article, or behind one adjective; found {name!r}")
    return [*(match[1] for match in inflected if match), _noun(noun, article, gender), *rest]


def _noun(noun: str, article: str, gender: Gender) -> str:
    table = german_words()
    if article in _UNCHANGED[gender]:
        return noun
    if noun in table.weak:
        return table.weak[noun]
    strong = noun in table.lists["strong"] or noun.endswith(tuple(table.lists["strong-endings"]))
    if article in _GENITIVE or (noun.endswith("n") and not strong) or (noun.endswith("e") and gender != "fem"):
        raise GrammarError(
            f"[candidates] nominative not known; found {noun!r}, expected a noun of rules/grammar/de.yaml (weak, strong)"
        )
    return noun
