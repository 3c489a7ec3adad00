"""Renamings: new names by old ones for one schema, how they are chosen, and their replacement in texts."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256

from ....core.model import Item, Span
from ....language.names import Gender, Name, chinese_names
from ....language.segmentation import tag_of

LATIN = "A-Za-zÀ-ÖØ-öø-ɏ"
#: Borders of a Latin name, which is no part of another word (Ann-Marie is one word).
BEFORE = rf"(?<![{LATIN}0-9])(?<![{LATIN}]-)"
AFTER = rf"(?![{LATIN}0-9]|-[{LATIN}])"

#: The gender of the person that a pronoun stands for.
PRONOUN_GENDERS: Mapping[str, Gender] = {
    **dict.fromkeys(("她", "她们", "she", "her", "hers"), "female"),
    **dict.fromkeys(("他", "he", "him", "his"), "male"),
}


class CannotRenameError(Exception):
    """A schema cannot be renamed without guessing: ``[field] reason; found X, expected Y``."""


@dataclass(frozen=True, slots=True)
class Renaming:
    """New names by old ones, for the texts of the items and for their English glosses."""

    texts: Mapping[str, str]
    glosses: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Replacement:
    """A text with other names, and the places of the old names in the old text."""

    text: str
    places: tuple[tuple[Span, str], ...]

    def move(self, span: Span) -> Span:
        """Return the span in the new text of a span of the old one; raises `CannotRenameError` if it overlaps a name."""
        if any(place.start < span.end and span.start < place.end for place, _ in self.places):
            raise CannotRenameError(f"[target] inside a name; found {span}, expected a place outside the names")
        shift = sum(len(new) - place.length for place, new in self.places if place.end <= span.start)
        return Span(span.start + shift, span.end + shift)


def replace_names(text: str, names: Mapping[str, str]) -> Replacement:
    """Return `text` with each old name of `names` replaced by its new one, all at once, longer names first."""
    if not names:
        return Replacement(text, ())
    pattern = re.compile("|".join(map(_bounded, sorted(names, key=lambda name: (-len(name), name)))))
    places = tuple((Span(*match.span()), names[match[0]]) for match in pattern.finditer(text))
    return Replacement(pattern.sub(lambda match: names[match[0]], text), places)


def _bounded(name: str) -> str:
    before = BEFORE if re.match(f"[{LATIN}]", name) else ""
    after = AFTER if re.search(f"[{LATIN}]$", name) else ""
    return f"{before}{re.escape(name)}{after}"


def occurs(name: str, text: str) -> bool:
    """Return whether `name` stands in `text` as a whole word, or as a part beside a hyphen."""
    before = f"(?<![{LATIN}0-9])" if re.match(f"[{LATIN}]", name) else ""
    after = f"(?![{LATIN}0-9])" if re.search(f"[{LATIN}]$", name) else ""
    return re.search(before + re.escape(name) + after, text) is not None


def one_to_one(names: Mapping[str, str]) -> Mapping[str, str]:
    """Return `names`; raises `CannotRenameError` if two old names become the same."""
    olds: dict[str, str] = {}
    for old, new in names.items():
        if olds.setdefault(new, old) != old:
            raise CannotRenameError(f"[names] two become one; found {olds[new]!r} and {old!r} as {new!r}, expected two")
    return names


def pick(pool: Iterable[Name], key: str) -> Name:
    """Return the name of the pool whose SHA-256 with the key comes first; raises `CannotRenameError` if there is none."""
    if best := min(pool, key=lambda name: sha256(f"{key}\0{name.form}".encode()).digest(), default=None):
        return best
    raise CannotRenameError("[names] no name left; found a clash with every name of the tables, expected one without")


def texts_of(members: Iterable[Item]) -> list[str]:
    """Return all texts of the items in which a name can stand."""
    return [text for item in members for text in (item.text, item.question, *item.candidates)]


def words_of(texts: Iterable[str]) -> set[str]:
    """Return the characters and the Latin words of `texts` in lower case, which no new name may repeat."""
    joined = " ".join(texts).lower()
    return {*joined, *re.findall(f"[{LATIN}]+", joined)}


def marks(name: Name) -> set[str]:
    """Return what no other name of a schema may have too: the characters of a name, and its pinyin in lower case."""
    return {*name.form, name.latin.lower()}


def neighbours(places: Iterable[tuple[str, int, int]]) -> tuple[set[str], set[str]]:
    """Return the characters that stand before names, and those behind them; a place is a text with start and end of a name."""
    pairs = [(text[:start][-1:], text[end:][:1]) for text, start, end in places]
    return {before for before, _ in pairs if before}, {after for _, after in pairs if after}


def joins(before: Iterable[str], after: Iterable[str]) -> bool:
    """Return whether Jieba's dictionary has a word across the border of a name (李军|队)."""
    return any(tag_of(left + right) != "x" for left in before for right in after)


def is_word(text: str) -> bool:
    """Return whether Jieba's dictionary has a text as a word that is no name of a person."""
    return tag_of(text) != "x" and not tag_of(text).startswith("nr")


def gender_of_target(members: Iterable[Item], is_person: Callable[[str], bool]) -> Gender:
    """Return the gender of the targets that have the person as a candidate; "either" if it is unknown or not one."""
    genders = {
        PRONOUN_GENDERS[form]
        for item in members
        if (form := item.target.of(item.text).lower()) in PRONOUN_GENDERS and any(map(is_person, item.candidates))
    }
    return genders.pop() if len(genders) == 1 else "either"


@cache
def long_titles() -> tuple[str, ...]:
    """Return the Chinese titles of more than one character: one (总) is too often the start of a word (总是)."""
    return tuple(title for title in chinese_names().titles if len(title) > 1)
