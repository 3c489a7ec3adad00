"""Checks of the new names of people: their gender, their family, the words around them."""

import re
from functools import cache

from ....core.validation.rows import lang_of, list_of, text_of
from ....core.validation.suite import Value
from ....language.names import Gender, chinese_names, western_names
from .families import relatives
from .renaming import replaced


def new_names(value: Value) -> dict[str, str]:
    """Return the new names by old name; a release lists them, since Parquet has no object with any keys."""
    names = value.get("names")
    pairs = [(entry.get("old"), entry.get("new")) for entry in list_of(value, "names", dict)]
    if isinstance(names, dict):
        pairs = list(names.items())
    return {old: new for old, new in pairs if isinstance(old, str) and isinstance(new, str) and old}


def something_renamed(value: Value) -> str:
    """A row has a new name: an item without names is unmade, not a copy."""
    return "" if new_names(value) else f"found no new name in {text_of(value)!r}"


def clear_gender(value: Value) -> str:
    """A given name in pinyin is that of women or of men, not of both."""
    if lang_of(value) != "en":
        return ""
    unclear = (name for name in new_names(value).values() if _is_unclear(name))
    return next((f"found {name!r}, which women and men bear" for name in unclear), "")


def _is_unclear(name: str) -> bool:
    """Return whether the given name of a full name in pinyin is one of women and of men."""
    surname, _, given = name.rpartition(" ")
    return surname in _latin_surnames() and (
        given in chinese_names().unclear or _given_genders().get(given) == "either"
    )


def plain_titles(value: Value) -> str:
    """No Western surname has a word of age or kinship beside it (老Webster, Newton婶)."""
    words = "|".join(chinese_names().familiar)
    for name in new_names(value).values():
        match = re.fullmatch(rf"(?:[老小](?P<after>[A-Z][\w'’]*)|(?P<before>[A-Z][\w'’]*)(?:{words}))", name)
        if match and (match["after"] or match["before"]) in western_names().surnames:
            return f"found {name!r}, expected a given name"
    return ""


def one_family(value: Value) -> str:
    """Relatives who get Chinese names have one surname: brothers and sisters, a father and his child."""
    names, lang = new_names(value), lang_of(value)
    if any(" " in old for old in names):  # the source says which surnames they have
        return ""
    places = replaced(text_of(value), {new: new for new in names.values() if new}).places
    surnames = [_surname(new, lang) for _, new in places]
    genders = [
        _given_genders().get(new.removeprefix(name).strip(), "either")
        for (_, new), name in zip(places, surnames, strict=True)
    ]
    for first, second in sorted(relatives(text_of(value), [span for span, _ in places], lang, genders)):
        if surnames[first] and surnames[second] and surnames[first] != surnames[second]:
            return f"found {places[first][1]!r} and {places[second][1]!r}, expected one surname"
    return ""


def _surname(name: str, lang: str) -> str:
    """Return the Chinese surname of a new name, in the script of its text; empty if it has none."""
    if lang == "en":
        surname = name.split(" ")[0]
        return surname if surname in _latin_surnames() else ""
    known = chinese_names().surnames
    return next((name[:length] for length in (2, 1) if name[:length] in known), "")


@cache
def _latin_surnames() -> frozenset[str]:
    return frozenset(chinese_names().surnames.values())


@cache
def _given_genders() -> dict[str, Gender]:
    """Return the genders of the given names of the tables, in both scripts; "either" for those that stand under two."""
    genders: dict[str, Gender] = {}
    for name in chinese_names().new_given:
        for form in (name.form, name.latin):
            genders[form] = name.gender if genders.get(form, name.gender) == name.gender else "either"
    return genders
