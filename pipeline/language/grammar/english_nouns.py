"""English noun phrases: a candidate in the form that can replace a pronoun."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import msgspec

from ...core.convert import Text, WordSet, read_yaml
from ...core.model import Item
from ...core.rules import RULES
from .base import GrammarError

_WORD = re.compile(r"[\w'’-]+")
_GENITIVE = re.compile(r"['’]s?$")
#: Maximum number of adjectives between a determiner and its noun.
_ADJECTIVES = 3


class EnglishWords(msgspec.Struct, frozen=True, rename="kebab"):
    """The tables of rules/grammar/en.yaml, which explains each."""

    determiners: Mapping[Text, Text]
    pronouns: WordSet
    nominative: WordSet
    possessive: WordSet
    independent: WordSet
    reflexive: WordSet
    singular: WordSet
    no_noun: WordSet
    her_verbs: WordSet
    ellipsis: WordSet
    singular_determiners: WordSet
    subjects: WordSet
    openers: WordSet
    contractions: Mapping[Text, Text]
    ambiguous_contractions: WordSet
    auxiliaries: WordSet
    modals: WordSet
    prepositions: WordSet
    common_abbreviations: WordSet
    singular_verbs: Mapping[Text, Text]


@cache
def english_tables() -> EnglishWords:
    """Load the tables of rules/grammar/en.yaml; raises `PipelineError` if one is missing or malformed."""
    return read_yaml(RULES / "grammar" / "en.yaml", EnglishWords)


@dataclass(frozen=True, slots=True)
class NounPhrase:
    """A candidate in the form that can stand in the middle of a sentence, and how it differs from the candidate as given."""

    text: str
    changes: tuple[str, ...]

    @property
    def plural(self) -> bool:
        """Whether its head looks like a plural: it ends in s, but is no name and no word like glass."""
        return _looks_plural(_head(self.text))

    def genitive(self) -> str:
        """Return the phrase as a possessor: Ann's, the stars', James's."""
        return f"{self.text}'" if _looks_plural(self.text.split()[-1]) else f"{self.text}'s"


def _head(phrase: str) -> str:
    """Return the noun before the first preposition: sack in the sack of potatoes."""
    for before, word in pairwise(phrase.split()):
        if word.lower() in english_tables().prepositions:
            return before
    return phrase.split()[-1]


def _looks_plural(word: str) -> bool:
    return word.endswith("s") and not word.endswith(("ss", "us", "is")) and not word[0].isupper()


def noun_phrase(item: Item, index: int) -> NounPhrase:
    """Return a candidate as a definite noun phrase, with its determiner in the text and without a genitive 's.

    Its `changes` are ``quoted`` (a password keeps its quotation marks), ``bare-possessor`` (Ann's -> Ann), ``determiner``
    (meeting -> my meeting), ``definite`` (a gap -> the gap) and ``lower-case`` (The trophy -> the trophy).

    Raises:
        GrammarError: the candidate is a pronoun or a clause, or a plural for a singular pronoun.
    """
    candidate, changes = item.candidates[index].strip(), []
    first, *rest = candidate.split()
    if candidate.lower() in english_tables().pronouns or (
        first.lower() in english_tables().possessive and rest and rest[0].endswith("ing")
    ):
        raise GrammarError(f"[candidates] pronoun or clause; found {candidate!r}, expected a noun phrase")
    name, quoted = candidate, f'"{candidate}"' in item.text
    if _GENITIVE.search(name) and not _is_elliptic(item.text, name):
        name = _GENITIVE.sub("", name) if name.endswith(("'s", "’s")) else name[:-1]
        changes.append("bare-possessor")
    determined = first.lower() in english_tables().determiners
    if determined:
        definite = english_tables().determiners[first.lower()]
        if definite != first.lower():
            changes.append("definite")
        elif first[0].isupper():
            changes.append("lower-case")
        name = " ".join((definite, *name.split()[1:]))
    elif quoted:
        name = f'"{candidate}"'
        changes.append("quoted")
    elif not name[0].isupper() or name in english_tables().common_abbreviations:
        name = f"{_determiner(item.text, name)} {name}"
        changes.append("determiner")
    phrase = NounPhrase(name, tuple(changes))
    if phrase.plural and not quoted and item.target.of(item.text).lower() in english_tables().singular:
        raise GrammarError(
            f"[candidates] plural; found {candidate!r}, expected what {item.target.of(item.text)!r} can mean"
        )
    return phrase


def singular_names(item: Item) -> bool:
    """Return whether all candidates are singular proper names: Kamtchatka, but not Ann and Emil, Ann's parents or Archaeologists."""
    names = [candidate.strip().split() for candidate in item.candidates]
    return all(
        name and all(word[0].isupper() for word in name) and "and" not in name and not name[-1].endswith("s")
        for name in names
    )


def _is_elliptic(text: str, genitive: str) -> bool:
    """Return whether a genitive stands in the text without its noun: Tina's in Sam's drawing hung above Tina's and …."""
    after = _WORD.match(text[text.find(genitive) + len(genitive) :].removeprefix(" ")) if genitive in text else None
    return after is None or after[0].lower() in english_tables().ellipsis


def _determiner(text: str, noun: str) -> str:
    """Return the definite form of the noun's determiner at its first mention in the text; "the" if it has none."""
    match = re.search(rf"\b{re.escape(noun)}\b", text)
    before = re.split(r"[.,;:!?]", text[: match.start()])[-1].split() if match else []
    unfit = english_tables().singular_determiners if _looks_plural(_head(noun)) else frozenset()
    for word in list(reversed(before))[: _ADJECTIVES + 1]:
        if word.lower() in english_tables().determiners and word.lower() not in unfit:
            return english_tables().determiners[word.lower()]
        if word.lower() in english_tables().prepositions | unfit or _GENITIVE.search(word):
            break
    return "the"
