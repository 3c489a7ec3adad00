"""Personal names: the tables of rules/names, and what a Chinese name consists of."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args

from ..core.errors import PipelineError, shown
from ..core.rules import RULES
from ..core.yamlfile import line_of, load_yaml, mapping_of, require_mapping, table_of, texts_of
from .segmentation import tag_of

Gender = Literal["female", "male", "either"]
GENDERS: tuple[Gender, ...] = get_args(Gender)

_WESTERN = RULES / "names" / "western.yaml"
_CHINESE = RULES / "names" / "chinese.yaml"
_KIN = RULES / "names" / "kin.yaml"
_LATIN = re.compile(r"[A-ZÀ-Þ][A-Za-zÀ-ÿ]*(?:['’][A-Za-z]+)?")
_HAN = re.compile(r"[\u4e00-\u9fff]+")


@dataclass(frozen=True, slots=True)
class Name:
    """A given name or surname as written and in Latin script, and the gender of the people who have it."""

    form: str
    latin: str
    gender: Gender = "either"


@dataclass(frozen=True, slots=True)
class Title:
    """The Chinese title after a surname that replaces the title before a Western name."""

    chinese: str
    gender: Gender


@dataclass(frozen=True, slots=True)
class WesternNames:
    """Names in Latin script.

    `given` and `surnames` hold all names that are recognised; `doubtful` those that are common words too. Words in `stay` are
    not renamed.
    """

    given: Mapping[str, Gender]
    surnames: frozenset[str]
    doubtful: frozenset[str]
    titles: Mapping[str, Title]
    stay: frozenset[str]


@dataclass(frozen=True, slots=True)
class ChineseNames:
    """Chinese names.

    `surnames` has the pinyin of all surnames that are recognised, `titles` the words that may follow one. New names come
    from `new_given` and `new_surnames`, except the full names in `never`; given names in `unclear` pinyin are for Chinese script
    only. `not_names` look like names but are none; no given name ends in a character of `no_given`. `readings` has the pinyin of
    characters that are read differently in names.
    """

    surnames: Mapping[str, str]
    titles: tuple[str, ...]
    new_given: tuple[Name, ...]
    new_surnames: tuple[Name, ...]
    unclear: frozenset[str]
    never: frozenset[str]
    not_names: frozenset[str]
    no_given: frozenset[str]
    readings: Mapping[str, str]


@cache
def western_names(path: Path = _WESTERN) -> WesternNames:
    """Return the Western names.

    Raises:
        PipelineError: at the line of a malformed entry, or of a given name under two genders.
    """
    fields = frozenset({"given", "surnames", "doubtful", "titles", "stay"})
    node = require_mapping(load_yaml(path), path, required=fields)
    genders: dict[str, Gender] = {}
    for gender, names in _by_gender(node, "given", path):
        for name, line in _words(names, gender, path, _LATIN):
            if name in genders:
                reason = f"[given] name not unique; found {shown(name)} under {genders[name]} as well, expected it once"
                raise PipelineError(path, line, reason)
            genders[name] = gender
    lists = {field: _list(node, field, path, _LATIN) for field in ("surnames", "doubtful", "stay")}
    known = {*genders, *lists["surnames"]}
    for index, name in enumerate(lists["doubtful"]):
        if name not in known:
            reason = f"[doubtful] not a name; found {shown(name)}, expected one of given or surnames"
            raise PipelineError(path, line_of(node["doubtful"], index), reason)
    titles = {
        title: Title(chinese, gender)
        for gender, entries in _by_gender(node, "titles", path)
        for title, chinese in _pairs(entries, gender, path, _LATIN, _HAN)
    }
    return WesternNames(
        given=genders,
        surnames=frozenset(lists["surnames"]),
        doubtful=frozenset(lists["doubtful"]),
        titles=titles,
        stay=frozenset(lists["stay"]),
    )


@cache
def chinese_names(path: Path = _CHINESE) -> ChineseNames:
    """Return the Chinese names.

    Raises:
        PipelineError: at the line of a malformed entry.
    """
    words = frozenset({"titles", "no_given", "not_names", "readings"})
    fields = words | {"surnames", "recognised", "given", "unclear", "never"}
    node = require_mapping(load_yaml(path), path, required=fields)
    surnames = dict(_pairs(node, "surnames", path, _HAN, _LATIN))
    given = tuple(
        Name(form, latin, gender)
        for gender, entries in _by_gender(node, "given", path)
        for form, latin in _pairs(entries, gender, path, _HAN, _LATIN)
    )
    return ChineseNames(
        surnames=surnames | dict(_pairs(node, "recognised", path, _HAN, _LATIN)),
        titles=tuple(_list(node, "titles", path, _HAN)),
        new_given=given,
        new_surnames=tuple(Name(form, latin) for form, latin in surnames.items()),
        unclear=frozenset(_list(node, "unclear", path, _LATIN)),
        never=frozenset(_list(node, "never", path, _HAN)),
        not_names=frozenset(_list(node, "not_names", path, _HAN)),
        no_given=frozenset(_text(node["no_given"], path, line_of(node, "no_given"), "no_given", _HAN)),
        readings=dict(_pairs(node, "readings", path, _HAN, re.compile("[a-zü]+"))),
    )


#: The kinds of words of kinship in rules/names/kin.yaml, each a list by language.
Kin = Literal["siblings", "fathers", "children", "parents"]


@cache
def kin_words(path: Path = _KIN) -> Mapping[Kin, Mapping[str, tuple[str, ...]]]:
    """Return the words of kinship by which people share a surname, by kind and language.

    Raises:
        PipelineError: at the line of a malformed entry.
    """
    kinds: tuple[Kin, ...] = get_args(Kin)
    node = require_mapping(load_yaml(path), path, required=frozenset(kinds))
    return {
        kind: {
            lang: tuple(texts_of(mapping_of(node, kind, path, required=frozenset({"en", "zh"})), lang, path))
            for lang in ("en", "zh")
        }
        for kind in kinds
    }


def _by_gender(node: Any, field: str, path: Path) -> Iterator[tuple[Gender, Any]]:
    entries = mapping_of(node, field, path, required=frozenset(GENDERS))
    return ((gender, entries) for gender in GENDERS)


def _text(value: object, path: Path, line: int | None, field: str, form: re.Pattern[str]) -> str:
    if not isinstance(value, str) or not form.fullmatch(value):
        raise PipelineError(path, line, f"[{field}] not a name; found {shown(value)}, expected {form.pattern}")
    return str(value)


def _words(node: Any, field: str, path: Path, form: re.Pattern[str]) -> Iterator[tuple[str, int | None]]:
    for index, value in enumerate(texts_of(node, field, path, empty=True)):
        line = line_of(node[field], index)
        yield _text(value, path, line, field, form), line


def _list(node: Any, field: str, path: Path, form: re.Pattern[str]) -> list[str]:
    return [word for word, _ in _words(node, field, path, form)]


def _pairs(
    node: Any, field: str, path: Path, keys: re.Pattern[str], values: re.Pattern[str]
) -> Iterator[tuple[str, str]]:
    for key, value in table_of(node, field, path, empty=True).items():
        line = line_of(node[field], key)
        yield _text(key, path, line, field, keys), _text(value, path, line, field, values)


@dataclass(frozen=True, slots=True)
class Person:
    """A person called by a surname with a given name (叶楠), or with a word `before` (老林) or `after` it (叶师傅, 陆家)."""

    text: str
    before: str
    surname: str
    given: str
    after: str


def person_of(text: str) -> Person | None:
    """Return the person that `text` names, or None if it is no name of a form that `Person` lists.

    >>> person_of("马建中"), person_of("大姨")
    (Person(text='马建中', before='', surname='马', given='建中', after=''), None)
    """
    names = chinese_names()
    if text in names.not_names:
        return None
    if match := re.fullmatch("([老小])(.{1,2})", text):
        return Person(text, match[1], match[2], "", "") if match[2] in names.surnames else None
    surname = next((text[:length] for length in (2, 1) if text[:length] in names.surnames), "")
    rest = text[len(surname) :]
    if surname and (rest in names.titles or rest == "家"):
        return Person(text, "", surname, "", rest)
    # A word that Jieba's dictionary knows as no name: 黄牛, 金牌, 方丈.
    common = tag_of(text) != "x" and not tag_of(text).startswith("nr")
    if not surname or common or not re.fullmatch("[\u4e00-\u9fff]{1,2}", rest) or rest[-1] in names.no_given:
        return None
    return Person(text, "", surname, rest, "")
