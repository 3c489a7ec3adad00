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
from ..grammar.base import GrammarError

_WORD = re.compile(r"[\w'’-]+")
_GENITIVE = re.compile(r"['’]s?$")
_RELATIVE = re.compile(r"\s(who|whom|whose|which|that)\b", re.IGNORECASE)
#: A name that looks like a plural: Wainwrights, Joneses, and not Ross or Paris.
_PLURAL_NAME = re.compile(r"[A-Z]\w*[^\Wsui_]s")
_FAMILY = re.compile(rf"\b(?:the|these|those|The)(?: [A-Z]\w*)* {_PLURAL_NAME.pattern}$")
#: An article inside a coordination.
_INNER_ARTICLE = re.compile(r"\b(and|or) (?:an?|some) ")
_JOINT = re.compile(r",?\s+(?:and|or|nor)\s+|,\s+", re.IGNORECASE)
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
    indefinite: WordSet
    quantifiers: WordSet
    irregular_plurals: WordSet


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
        """Whether it is a coordination, or its head looks like a plural: it ends in s, but is no name and no word like glass."""
        head = _head(self.text)
        return _is_coordination(self.text) or _looks_plural(head) or head in english_tables().irregular_plurals

    @property
    def family(self) -> bool:
        """Whether it is a family, a people or a team in the plural, or a place that looks like one: the Wainwrights, the Thames."""
        return _FAMILY.search(self.text) is not None

    def genitive(self, *, many: bool) -> str:
        """Return the phrase as a possessor: Ann's, the stars', James's, Nina and Paul's; of `many`, the Wainwrights'.

        Raises:
            GrammarError: a relative clause stands behind the noun, or another phrase behind a plural.
        """
        if _GENITIVE.search(self.text):
            return self.text  # an elliptical possessor: hers, Tina's
        clause, last = _RELATIVE.search(self.text), self.text.split()[-1]
        if clause or (_looks_plural(_head(self.text)) and _head(self.text) != last):
            behind = f"a clause with {clause[1]!r}" if clause else f"the words before {last!r}"
            raise GrammarError(f"[candidates] no possessor; found {self.text!r}, expected it without {behind}")
        return f"{self.text}'" if _looks_plural(last) or (many and self.family) else f"{self.text}'s"


def _head(phrase: str) -> str:
    """Return the noun before the first preposition: sack in the sack of potatoes."""
    for before, word in pairwise(phrase.split()):
        if word.lower() in english_tables().prepositions:
            return before
    return phrase.split()[-1]


def _is_coordination(phrase: str) -> bool:
    """Return whether two things are named: Ann and Bob, a boy and his dog, but not the life and soul."""
    _, joint, second = phrase.partition(" and ")
    return bool(joint) and (second[0].isupper() or second.split()[0].lower() in english_tables().determiners)


def _looks_plural(word: str) -> bool:
    return word.endswith("s") and not word.endswith(("ss", "us", "is")) and not word[0].isupper()


def noun_phrase(item: Item, index: int) -> NounPhrase:
    """Return a candidate as a definite noun phrase, with its determiner in the text and without a genitive 's.

    Its `changes` are ``quoted`` (a password keeps its quotation marks), ``bare-possessor`` (Ann's -> Ann), ``determiner``
    (meeting -> my meeting), ``definite`` (a gap -> the gap) and ``lower-case`` (The trophy -> the trophy).

    Raises:
        GrammarError: the candidate is a pronoun, a clause or an indefinite, has a pronoun in it, or is a plural for a singular pronoun.
    """
    candidate, changes = item.candidates[index].strip(), []
    first = candidate.split()[0]
    quoted = f'"{candidate}"' in item.text
    if not quoted:
        _refuse_indefinite(candidate)
    tables = english_tables()
    is_bare_plural = not quoted and candidate.lower() in tables.irregular_plurals
    name = candidate.lower() if is_bare_plural else candidate  # Men, at the beginning of a sentence
    if _GENITIVE.search(name) and not _is_elliptic(item.text, name):
        name = _GENITIVE.sub("", name) if name.endswith(("'s", "’s")) else name[:-1]
        changes.append("bare-possessor")
    if definite := tables.determiners.get(first.lower()):
        if definite != first.lower():
            changes.append("definite")
        elif first[0].isupper():
            changes.append("lower-case")
        name = _INNER_ARTICLE.sub(r"\1 the ", " ".join((definite, *name.split()[1:])))
    elif quoted:
        name = f'"{candidate}"'
        changes.append("quoted")
    elif first.lower() in tables.quantifiers:
        pass  # both boys, all of them: definite enough, and no article stands before them
    elif not name[0].isupper() or name in tables.common_abbreviations or _after_the(item, name):
        name = _INNER_ARTICLE.sub(r"\1 the ", f"{_determiner(item.text, name)} {name}")
        changes.append("determiner")
    phrase = NounPhrase(name, tuple(changes))
    if not quoted:
        _refuse_plural(phrase, item)
    return phrase


def _refuse_plural(phrase: NounPhrase, item: Item) -> None:
    pronoun = item.target.of(item.text)
    many = phrase.plural or (phrase.family and not pronoun.lower().startswith("it"))  # the Thames is one
    if many and pronoun.lower() in english_tables().singular:
        raise GrammarError(f"[candidates] plural; found {phrase.text!r}, expected what {pronoun!r} can mean")


def _refuse_indefinite(candidate: str) -> None:
    """Raise `GrammarError` for a candidate that names nobody, or that is a pronoun or has one in it, whose case would have to change."""
    tables, words = english_tables(), candidate.lower().split()
    clause = words[0] in tables.possessive and words[1:] and words[1].endswith("ing")
    if candidate.lower() in tables.pronouns or clause:
        raise GrammarError(f"[candidates] pronoun or clause; found {candidate!r}, expected a noun phrase")
    if words[0] in tables.indefinite or " ".join(words[:2]) in tables.indefinite:
        reason = f"found {candidate!r}, expected somebody or something that is named"
        raise GrammarError(f"[candidates] indefinite; {reason}")
    if pronoun := next((part for part in _JOINT.split(candidate) if part.lower() in tables.pronouns), ""):
        reason = f"found {pronoun!r} in {candidate!r}, expected nouns and names"
        raise GrammarError(f"[candidates] pronoun in a coordination; {reason}")


def _after_the(item: Item, name: str) -> bool:
    """Return whether a family or a people has its article in the text: the Wainwrights."""
    in_text = re.search(rf"\bthe {re.escape(name)}\b", item.text, re.IGNORECASE)
    return _PLURAL_NAME.fullmatch(name) is not None and in_text is not None


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
