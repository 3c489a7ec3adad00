"""Where Western names stand in a text."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from .renaming import AFTER, BEFORE, CannotRenameError
from .tables import chinese_names, western_names

_NEXT = re.compile("[ _]([A-Z][a-z]+)")


@dataclass(frozen=True, slots=True)
class Mention:
    """A name from `start` to `end`: `lead` is its title with what parts it, `suffix` a Chinese title after a surname."""

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
        """Whether one word is all of it."""
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
    return re.compile(rf"{BEFORE}(?:{stays}|{lead}{name}(?P<suffix>{suffix})?)")


def mentions(text: str) -> list[Mention]:
    """Return the Western names of `text`, in order.

    Raises:
        CannotRenameError: a capitalised word that is in no table follows a name.
    """
    names, found = western_names(), []
    for match in _pattern().finditer(text):
        if match["stay"]:
            continue
        given, surname, suffix = match["given"] or "", match["surname"] or match["last"] or "", match["suffix"] or ""
        if given in names.surnames and not surname and (match["lead"] or suffix):  # Dr. Martin
            given, surname = "", given
        end = match.end() - (0 if surname else len(suffix))
        after = None if match["suffix"] else _NEXT.match(text, end)
        if after and not _known(after[1]):
            reason = f"[text] a name of unknown extent; found {text[match.start() : end + 12]!r}"
            raise CannotRenameError(f"{reason}, expected all of it in rules/names/western.yaml")
        lead, title = match["lead"] or "", match["title"] or ""
        suffix = suffix if surname else ""
        found.append(Mention(match.start(), end, text[match.start() : end], lead, title, given, surname, suffix))
    return found


def known_spans(text: str) -> list[tuple[int, int]]:
    """Return where the Western names of `text` start and end, and the words that stay."""
    return [match.span() for match in _pattern().finditer(text)]


def _known(word: str) -> bool:
    names = western_names()
    return word in names.given or word in names.surnames or word in names.stay or word in names.titles


def without_possessive(candidate: str) -> str:
    """Return ``Ann`` of ``Ann's``."""
    return re.sub("['’]s?$", "", candidate)
