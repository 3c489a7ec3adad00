"""What may or may not be a Western name: no renaming goes past it."""

import re
from collections.abc import Iterable

from ....core.model import Item
from .renaming import BEFORE, GENDERS_TOLD, LATIN, CannotRenameError, texts_of
from .tables import western_names
from .western_mentions import Mention, known_spans, mentions, without_possessive

#: In Chinese text any word in Latin script may be a name; in English one that no sentence begins with.
_CAPITALISED = re.compile(rf"{BEFORE}[A-Z][a-z]+(?![{LATIN}0-9])")
_INSIDE = re.compile(rf"(?<=[a-z,] )[A-Z][a-z]+(?![{LATIN}0-9])")
_NAMELIKE = re.compile(r"[A-Z][a-z]+(?:[ _-][A-Z][a-z]+)*")


def refuse_unknown(members: Iterable[Item], *, chinese: bool) -> None:
    """Raise `CannotRenameError` for a name in no table, or one that something else than a person goes by (it)."""
    where = "expected an entry of rules/names/western.yaml"
    for item in members:
        form = item.target.of(item.text).lower()
        for candidate in item.candidates:
            if form in ("它", "it", "its") and [mention.text for mention in mentions(candidate)] == [candidate]:
                raise CannotRenameError(f"[target] a name for no person; found {candidate!r} for {form!r}, expected he")
            if not chinese and form in GENDERS_TOLD and (word := _unknown_person(candidate)):
                raise CannotRenameError(f"[candidates] an unknown name; found {word!r}, {where}")
    for text in texts_of(members):
        if word := _unknown_word(text, _CAPITALISED if chinese else _INSIDE):
            raise CannotRenameError(f"[text] an unknown name or word; found {word!r}, {where}")


def refuse_doubtful(members: Iterable[Item], own: list[Mention], glossed: list[Mention], *, chinese: bool) -> None:
    """Raise `CannotRenameError` for a name in English text that may be a common word (Will, May)."""
    doubtful = western_names().doubtful
    named = [mention for item in members for candidate in item.candidates for mention in mentions(candidate)]
    sure = {word for mention in (own if chinese else named) for word in (mention.given, mention.surname)}
    sure |= {word for mention in (*own, *glossed) if not mention.bare for word in (mention.given, mention.surname)}
    for mention in glossed if chinese else (*own, *glossed):
        if mention.text in doubtful - sure:
            reason = f"[text] a name or a common word; found {mention.text!r}"
            raise CannotRenameError(f"{reason}, expected it in a candidate, or beside a title or another name")


def _unknown_word(text: str, capitalised: re.Pattern[str]) -> str:
    """Return a capitalised word that stands in no table, or nothing."""
    known, spans = western_names(), known_spans(text)
    for match in capitalised.finditer(text):
        if match[0] not in known.titles and not any(start <= match.start() < end for start, end in spans):
            return match[0]
    return ""


def _unknown_person(candidate: str) -> str:
    """Return a candidate for he or she that looks like a Western name and stands in no table, or nothing."""
    person = without_possessive(candidate)
    if mentions(person) or not _NAMELIKE.fullmatch(person):
        return ""
    stays = western_names().stay.intersection(re.split("[ _]", person))
    return "" if stays else person
