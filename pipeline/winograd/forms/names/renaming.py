"""What a renaming of one schema is: old names for new ones, replaced where they stand as names."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256

from ....core.model import Item, Span
from .tables import Gender, Name

LATIN = "A-Za-zÀ-ÖØ-öø-ɏ"
#: No name inside another word: what stands before a Latin name and after it (Ann-Marie is one word).
BEFORE = rf"(?<![{LATIN}0-9])(?<![{LATIN}]-)"
AFTER = rf"(?![{LATIN}0-9]|-[{LATIN}])"

#: The gender that a pronoun tells of the person it stands for.
GENDERS_TOLD: Mapping[str, Gender] = {
    **dict.fromkeys(("她", "她们", "she", "her", "hers"), "female"),
    **dict.fromkeys(("他", "he", "him", "his"), "male"),
}


class CannotRenameError(Exception):
    """A schema cannot be renamed without guessing: ``[field] reason; found X, expected Y``."""


@dataclass(frozen=True, slots=True)
class Renaming:
    """New names by old ones: those of the items' own texts, and those of their English glosses."""

    texts: Mapping[str, str]
    glosses: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Replaced:
    """A text under other names, and where in the old text each old name stood."""

    text: str
    places: tuple[tuple[Span, str], ...]

    def moved(self, span: Span) -> Span:
        """Return the place in the new text of a span of the old one; raises `CannotRenameError` inside a name."""
        if any(place.start < span.end and span.start < place.end for place, _ in self.places):
            raise CannotRenameError(f"[target] inside a name; found {span}, expected a place beside the names")
        shift = sum(len(new) - place.length for place, new in self.places if place.end <= span.start)
        return Span(span.start + shift, span.end + shift)


def replaced(text: str, names: Mapping[str, str]) -> Replaced:
    """Return `text` with each old name of `names` replaced by its new one: the longest first, all at once."""
    matches = list(_pattern(names).finditer(text)) if names else []
    places = tuple((Span(*match.span()), names[match[0]]) for match in matches)
    return Replaced(_pattern(names).sub(lambda match: names[match[0]], text) if names else text, places)


def _pattern(names: Iterable[str]) -> re.Pattern[str]:
    return re.compile("|".join(map(_bounded, sorted(names, key=lambda name: (-len(name), name)))))


def _bounded(name: str) -> str:
    before = BEFORE if re.match(f"[{LATIN}]", name) else ""
    after = AFTER if re.search(f"[{LATIN}]$", name) else ""
    return f"{before}{re.escape(name)}{after}"


def occurs(name: str, text: str) -> bool:
    """Tell whether `name` stands in `text` as a whole word, even beside a hyphen."""
    before = f"(?<![{LATIN}0-9])" if re.match(f"[{LATIN}]", name) else ""
    after = f"(?![{LATIN}0-9])" if re.search(f"[{LATIN}]$", name) else ""
    return re.search(before + re.escape(name) + after, text) is not None


def one_to_one(names: Mapping[str, str]) -> Mapping[str, str]:
    """Return `names`; raises `CannotRenameError` where two old names become the same."""
    olds: dict[str, str] = {}
    for old, new in names.items():
        if olds.setdefault(new, old) != old:
            raise CannotRenameError(f"[names] two become one; found {olds[new]!r} and {old!r} as {new!r}, expected two")
    return names


def pick(pool: Iterable[Name], key: str) -> Name:
    """Return that name of the pool which the key's SHA-256 puts first; raises `CannotRenameError` if there is none."""
    if best := min(pool, key=lambda name: sha256(f"{key}\0{name.form}".encode()).digest(), default=None):
        return best
    raise CannotRenameError(
        "[names] no name is left; found a clash with each of the tables, expected one that has none"
    )


def texts_of(members: Iterable[Item]) -> list[str]:
    """Return all texts of the items in which a name can stand."""
    return [text for item in members for text in (item.text, item.question, *item.candidates)]


def words_of(texts: Iterable[str]) -> set[str]:
    """Return the characters and the Latin words of `texts`, in lower case: what no new name may repeat."""
    joined = " ".join(texts).lower()
    return {*joined, *re.findall(f"[{LATIN}]+", joined)}


def gender_told(members: Iterable[Item], named: Callable[[str], bool]) -> Gender:
    """Return the gender of the target, where a person so `named` is a candidate for it and it tells one; else either."""
    told = {
        GENDERS_TOLD[form]
        for item in members
        if (form := item.target.of(item.text).lower()) in GENDERS_TOLD and any(map(named, item.candidates))
    }
    return told.pop() if len(told) == 1 else "either"
