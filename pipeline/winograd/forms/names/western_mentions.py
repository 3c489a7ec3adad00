"""Mentions of Western names in a text, and what cannot be renamed without guessing."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from ....core.model import Item
from ....language.names import chinese_names, western_names
from .renaming import AFTER, BEFORE, LATIN, PRONOUN_GENDERS, CannotRenameError, texts_of

_NEXT = re.compile("[ _]([A-Z][a-z]+)")
#: A word that may be a name: in Chinese text any capitalised one, in English text one inside a sentence.
_CAPITALISED = re.compile(rf"{BEFORE}[A-Z][a-z]+(?![{LATIN}0-9])")
_INSIDE = re.compile(rf"(?<=[a-z,] )[A-Z][a-z]+(?![{LATIN}0-9])")
_NAMELIKE = re.compile(r"[A-Z][a-z]+(?:[ _-][A-Z][a-z]+)*")


@dataclass(frozen=True, slots=True)
class Mention:
    """A name from `start` to `end`; `lead` is its title with the separator, `suffix` a Chinese title after a surname."""

    start: int
    end: int
    text: str
    lead: str
    title: str
    given: str
    surname: str
    suffix: str

    @property
    def bare(self) -> bool:
        """Whether it is one word."""
        return not (self.lead or self.suffix or (self.given and self.surname))


def _any_of(words: Iterable[str]) -> str:
    return f"(?:{'|'.join(re.escape(word) for word in sorted(words, key=lambda word: (-len(word), word)))})"


@cache
def _pattern() -> re.Pattern[str]:
    names = western_names()
    title, given, surname = map(_any_of, (names.titles, names.given, names.surnames))
    # A Chinese title of one character (总) is too often the start of a word (总是).
    suffix = _any_of(title for title in chinese_names().titles if len(title) > 1)
    gap = r"(?:\.[ _]?|[ _])"
    stays = rf"(?:{title}{gap}|{given}[ _])?(?P<stay>{_any_of(names.stay)}){AFTER}"
    lead = rf"(?P<lead>(?P<title>{title}){gap})?"
    name = rf"(?:(?P<given>{given})(?:[ _](?P<surname>{surname}))?|(?P<last>{surname})){AFTER}"
    # All of them begin with a capital letter: looking for one first saves most of the time in Chinese text.
    return re.compile(rf"(?=[A-ZÀ-Þ]){BEFORE}(?:{stays}|{lead}{name}(?P<suffix>{suffix})?)")


def mentions(text: str) -> list[Mention]:
    """Return the Western names of `text`, in order.

    Raises:
        CannotRenameError: a name is followed by a capitalised word that is in no table.
    """
    names, places = western_names(), []
    for match in _pattern().finditer(text):
        if match["stay"]:
            continue
        given, surname, suffix = match["given"] or "", match["surname"] or match["last"] or "", match["suffix"] or ""
        if given in names.surnames and not surname and (match["lead"] or suffix):  # Dr. Martin
            given, surname = "", given
        end = match.end() - (0 if surname else len(suffix))
        after = None if match["suffix"] else _NEXT.match(text, end)
        if after and not _known(after[1]):
            reason = f"[text] unclear end of a name; found {text[match.start() : end + 12]!r}"
            raise CannotRenameError(f"{reason}, expected all of it in rules/names/western.yaml")
        lead, title = match["lead"] or "", match["title"] or ""
        suffix = suffix if surname else ""
        places.append(Mention(match.start(), end, text[match.start() : end], lead, title, given, surname, suffix))
    return places


def known_spans(text: str) -> list[tuple[int, int]]:
    """Return start and end of the Western names of `text` and of the words that stay."""
    return [match.span() for match in _pattern().finditer(text)]


def _known(word: str) -> bool:
    names = western_names()
    return word in names.given or word in names.surnames or word in names.stay or word in names.titles


def without_possessive(candidate: str) -> str:
    """Return ``Ann`` for ``Ann's``."""
    return re.sub("['’]s?$", "", candidate)


def refuse_unknown(members: Iterable[Item], *, chinese: bool) -> None:
    """Raise `CannotRenameError` for a name that is in no table, or a candidate for "it"."""
    where = "expected an entry of rules/names/western.yaml"
    for item in members:
        form = item.target.of(item.text).lower()
        for candidate in item.candidates:
            if form in ("它", "it", "its") and [mention.text for mention in mentions(candidate)] == [candidate]:
                raise CannotRenameError(f"[target] name of no person; found {candidate!r} for {form!r}, expected he")
            if not chinese and form in PRONOUN_GENDERS and (word := _unknown_person(candidate)):
                raise CannotRenameError(f"[candidates] unknown name; found {word!r}, {where}")
    for text in texts_of(members):
        if word := _unknown_word(text, _CAPITALISED if chinese else _INSIDE):
            raise CannotRenameError(f"[text] unknown name or word; found {word!r}, {where}")


def refuse_doubtful(members: Iterable[Item], own: list[Mention], glossed: list[Mention], *, chinese: bool) -> None:
    """Raise `CannotRenameError` for a name in English text that may be a common word (Will, May)."""
    doubtful = western_names().doubtful
    named = [mention for item in members for candidate in item.candidates for mention in mentions(candidate)]
    sure = {word for mention in (own if chinese else named) for word in (mention.given, mention.surname)}
    sure |= {word for mention in (*own, *glossed) if not mention.bare for word in (mention.given, mention.surname)}
    for mention in glossed if chinese else (*own, *glossed):
        if mention.text in doubtful - sure:
            reason = f"[text] name or common word; found {mention.text!r}"
            raise CannotRenameError(f"{reason}, expected it in a candidate, or beside a title or another name")


def _unknown_word(text: str, capitalised: re.Pattern[str]) -> str:
    """Return a capitalised word that is in no table, or an empty text."""
    known = western_names()
    inside = {place for start, end in known_spans(text) for place in range(start, end)}
    for match in capitalised.finditer(text):
        if match[0] not in known.titles and match.start() not in inside:
            return match[0]
    return ""


def _unknown_person(candidate: str) -> str:
    """Return a candidate for he or she that looks like a Western name and is in no table, or an empty text."""
    person = without_possessive(candidate)
    if mentions(person) or not _NAMELIKE.fullmatch(person):
        return ""
    stays = western_names().stay.intersection(re.split("[ _]", person))
    return "" if stays else person
