"""German demonstratives in the place of personal pronouns: der, die and das for er, sie and es."""

import re
from dataclasses import dataclass

from ...core.model import Item, Span
from ..pronoun_classes import pronoun_classes
from .base import GrammarError
from .de import capitalised, subject_words
from .german_words import german_words

_MARKS = ".!?;:,"
#: Words that follow a pronoun and stay with the verb when the pronoun moves before it.
_REFLEXIVE = re.compile(r" sich\b")
#: A noun, which has a capital, after one word at most.
_NOUN = re.compile(r" (?:(?P<word>[a-zäöüß]+) )?[A-ZÄÖÜ]\w*")
#: The endings of an adjective after a definite article in the nominative.
_ENDINGS = ("e", "en")


@dataclass(frozen=True, slots=True)
class DemonstrativeText:
    """A text with a demonstrative for its target at `span`; `moved` if it has come to stand before the verb."""

    text: str
    span: Span
    moved: bool


def with_demonstrative(item: Item) -> DemonstrativeText:
    """Return the text with the demonstrative of the target's gender in the target's place, or first in its main clause.

    A demonstrative opens its main clause, and what stood there moves behind the verb and a reflexive: *Vermutlich hatte er
    sich vertippt. Der hatte sich vermutlich vertippt.* In a subordinate clause nothing moves.

    Raises:
        GrammarError: the target is no subject; *das* for a thing may be the whole situation; the demonstrative would be read
            as the article of the noun behind it, or as a relative pronoun behind a comma; what opens the clause cannot move.
    """
    asked = subject_words(item)
    pronoun = item.target.of(item.text)
    gender = pronoun_classes("de").gender_of(pronoun) or "neut"  # subject_words refuses other pronouns
    word = german_words().nominative[gender]
    if gender == "neut" and "was" in asked.lower().split():
        raise GrammarError(
            f"[target] {word!r} may stand for the whole situation; found a question with {asked!r}, expected Wer"
        )
    start, opening = _opening(item)
    if opening and " ".join(opening).lower() in german_words().lists["subordinators"]:
        return _in_place(item, word)
    made = (
        _in_front(item, start, opening, word)
        if opening
        else _in_place(item, capitalised(word) if pronoun[0].isupper() else word)
    )
    if item.text[:start].rstrip().endswith(","):
        raise GrammarError(f"[target] {word!r} would be read as a relative pronoun; found it behind a comma")
    return made


def _opening(item: Item) -> tuple[int, list[str]]:
    """Return where the target's clause begins, behind a coordinating conjunction, and its words before the target."""
    start = max(item.text.rfind(mark, 0, item.target.start) + 1 for mark in _MARKS)
    first = re.match(r"\s*(\w+)\s+", item.text[start : item.target.start])
    if first and first[1].lower() in german_words().lists["coordinators"]:
        start += first.end()
    return start, item.text[start : item.target.start].split()


def _in_place(item: Item, word: str) -> DemonstrativeText:
    head, tail = item.text[: item.target.start], item.text[item.target.end :]
    if tail.startswith(f" {word.lower()} "):
        raise GrammarError(f"[target] {word!r} would stand beside itself; found {tail.split()[0]!r} behind it")
    if (noun := _NOUN.match(tail)) and _takes_article(noun["word"] or ""):
        raise GrammarError(f"[target] {word!r} would be read as an article; found {noun[0].strip()!r} behind it")
    return DemonstrativeText(f"{head}{word}{tail}", Span(len(head), len(head) + len(word)), moved=False)


def _takes_article(word: str) -> bool:
    """Return whether an article may stand before a word that a noun follows, or before the noun itself if there is no word."""
    lists = german_words().lists
    adjective = word.endswith(_ENDINGS) and word not in lists["no-adjectives"]
    return not word or adjective or word in lists["numerals"]


def _in_front(item: Item, start: int, opening: list[str], word: str) -> DemonstrativeText:
    """Return the text of a main clause with the demonstrative before the verb, which is the last word before the pronoun."""
    *first, verb = opening
    movable = {phrase.lower(): phrase for phrase in german_words().lists["movable"]}
    phrase = movable.get(" ".join(first).lower())
    if phrase is None:
        actual = f"found {' '.join(first)!r}" if first else "found a clause, or nothing"
        raise GrammarError(
            f"[text] cannot move behind the verb; {actual}, expected what rules/grammar/de.yaml has (movable)"
        )
    if first[0][0].isupper():
        word = capitalised(word)
    blank = re.match(r"\s*", item.text[start:])
    head = item.text[:start] + (blank[0] if blank else "")
    tail = item.text[item.target.end :]
    reflexive = _REFLEXIVE.match(tail)
    if reflexive:
        verb, tail = verb + reflexive[0], tail[reflexive.end() :]
    span = Span(len(head), len(head) + len(word))
    return DemonstrativeText(f"{head}{word} {verb} {phrase}{tail}", span, moved=True)
