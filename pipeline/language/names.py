"""Personal names: the tables of rules/names, and what a Chinese name consists of."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from ..core.convert import Words, convert_node, error_at, read_yaml
from ..core.errors import shown
from ..core.rules import RULES
from ..core.yamlfile import load_yaml
from .segmentation import tag_of

Gender = Literal["female", "male", "either"]
#: The kinds of words of kinship by which people share a surname.
Kin = Literal["siblings", "fathers", "children", "parents"]
_WESTERN, _CHINESE, _KIN = (RULES / "names" / f"{name}.yaml" for name in ("western", "chinese", "kin"))
_Latin = Annotated[
    str,
    Meta(pattern=r"\A[A-ZÀ-Þ][A-Za-zÀ-ÿ]*(?:['’][A-Za-z]+)?\Z", description="a name in Latin script, with a capital"),
]
_Han = Annotated[str, Meta(pattern=r"\A[\u4e00-\u9fff]+\Z", description="Chinese characters")]
_Syllable = Annotated[str, Meta(pattern=r"\A[a-zü]+\Z", description="a syllable of pinyin")]
_DIFFERENT = Meta(extra={"unique": True}, description="a list of different words")
_LatinWords = Annotated[tuple[_Latin, ...], _DIFFERENT]
_LatinSet = Annotated[frozenset[_Latin], _DIFFERENT]
_HanWords = Annotated[tuple[_Han, ...], _DIFFERENT]
_HanSet = Annotated[frozenset[_Han], _DIFFERENT]
_GENDERS = Meta(min_length=3, description="entries for female, male and either")


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


class WesternNames(
    msgspec.Struct, frozen=True, dict=True, rename={"given_by_gender": "given", "titles_by_gender": "titles"}
):
    """The names in Latin script that are recognised (rules/names/western.yaml).

    The `doubtful` ones are common words too; words in `stay` are not renamed.
    """

    given_by_gender: Annotated[Mapping[Gender, _LatinWords], _GENDERS]
    surnames: _LatinSet
    doubtful: _LatinWords
    titles_by_gender: Annotated[Mapping[Gender, Mapping[_Latin, _Han]], _GENDERS]
    stay: _LatinSet

    @cached_property
    def given(self) -> Mapping[str, Gender]:
        """The gender of each given name."""
        return {name: gender for gender, names in self.given_by_gender.items() for name in names}

    @cached_property
    def titles(self) -> Mapping[str, Title]:
        """The Chinese title for each title."""
        return {
            title: Title(chinese, gender)
            for gender, titles in self.titles_by_gender.items()
            for title, chinese in titles.items()
        }


class ChineseNames(msgspec.Struct, frozen=True, dict=True, rename={"common": "surnames"}):
    """Chinese names (rules/names/chinese.yaml), with their pinyin.

    Full names in `never` are not made; given names in `unclear` pinyin are for Chinese script only. `titles` may follow a surname.
    `not_names` look like names but are none; no given name ends in a character of `no_given`. `readings` has the pinyin of characters
    that are read differently in names.
    """

    common: Mapping[_Han, _Latin]
    recognised: Mapping[_Han, _Latin]
    given: Annotated[Mapping[Gender, Mapping[_Han, _Latin]], _GENDERS]
    never: _HanSet
    titles: _HanWords
    unclear: _LatinSet
    no_given: _Han
    not_names: _HanSet
    readings: Mapping[_Han, _Syllable]

    @cached_property
    def surnames(self) -> Mapping[str, str]:
        """All surnames that are recognised."""
        return {**self.common, **self.recognised}

    @cached_property
    def new_given(self) -> tuple[Name, ...]:
        """The given names that new names come from."""
        return tuple(Name(form, latin, gender) for gender, names in self.given.items() for form, latin in names.items())

    @cached_property
    def new_surnames(self) -> tuple[Name, ...]:
        """The surnames that new names come from."""
        return tuple(Name(form, latin) for form, latin in self.common.items())


@cache
def western_names(path: Path = _WESTERN) -> WesternNames:
    """Return the Western names; raises `PipelineError` at the line of a malformed entry, or of a given name under two genders."""
    node = load_yaml(path)
    table = convert_node(node, WesternNames, path)
    genders: dict[str, Gender] = {}
    for gender, names in table.given_by_gender.items():
        for index, name in enumerate(names):
            if name in genders:
                reason = f"name not unique; found {shown(name)} under {genders[name]} as well, expected it once"
                raise error_at(node, path, ("given", gender, index), reason)
            genders[name] = gender
    for index, name in enumerate(table.doubtful):
        if name not in {*genders, *table.surnames}:
            reason = f"not a name; found {shown(name)}, expected one of given or surnames"
            raise error_at(node, path, ("doubtful", index), reason)
    return table


@cache
def chinese_names(path: Path = _CHINESE) -> ChineseNames:
    """Return the Chinese names; raises `PipelineError` at the line of a malformed entry."""
    return read_yaml(path, ChineseNames)


@cache
def kin_words(path: Path = _KIN) -> Mapping[Kin, Mapping[str, tuple[str, ...]]]:
    """Return the words of kinship by which people share a surname, by kind and language."""
    languages = Annotated[Mapping[Literal["en", "zh"], Words], Meta(min_length=2, description="words in en and zh")]
    kinds: Any = Annotated[Mapping[Kin, languages], Meta(min_length=4, description="all four kinds")]
    table: Mapping[Kin, Mapping[str, tuple[str, ...]]] = read_yaml(path, kinds)
    return table


#: Marks between the parts of a transliterated name, as people type them: 玛丽·居里, 让-保罗·萨特, 列夫．托尔斯泰.
_TRANSLITERATED = re.compile("[\u4e00-\u9fff]+(?:[-‐‑·•・･‧∙⋅．][\u4e00-\u9fffA-Z]+)+")


def is_transliterated(text: str) -> bool:
    """Return whether a text is a foreign name in Chinese characters, its parts separated by a mark.

    >>> is_transliterated("艾尔肯·吐尼亚孜"), is_transliterated("让-保罗•萨特"), is_transliterated("叶楠")
    (True, True, False)
    """
    return _TRANSLITERATED.fullmatch(text) is not None


def transliterated_names(candidates: Iterable[str]) -> list[str]:
    """Return the foreign names in candidates: alone, as possessors, or beside another.

    >>> transliterated_names(["玛丽·居里的丈夫", "皮埃尔·居里和叶楠"])
    ['玛丽·居里', '皮埃尔·居里']
    """
    return [part for candidate in candidates for part in re.split("[的和与跟、]", candidate) if is_transliterated(part)]


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


def pinyin_of(person: Person) -> list[str]:
    """Return the surname of a person in pinyin, and the given name if there is one.

    >>> pinyin_of(Person("叶梅", "", "叶", "梅", ""))
    ['Ye', 'Mei']
    """
    return [chinese_names().surnames[person.surname], *([given_pinyin(person.given)] if person.given else [])]


@lru_cache(maxsize=4096)  # the characters of a text come again in the next
def given_pinyin(given: str) -> str:
    """Return a given name in pinyin without tones, with the apostrophe of ISO 7098 before a vowel: ``Yue'e``."""
    from pypinyin import lazy_pinyin  # loads a dictionary, and only Chinese names need it

    readings = chinese_names().readings
    # A list is allowed by the documentation of pypinyin: each character without a reading stands for itself.
    spelt = lazy_pinyin(given, v_to_u=True, errors=list)  # type: ignore[arg-type]
    syllables = [readings.get(character, syllable) for character, syllable in zip(given, spelt, strict=True)]
    parted = ["'" if after[0] in "aeo" else "" for _, after in pairwise(syllables)]
    return "".join(map("".join, zip(["", *parted], syllables, strict=True))).capitalize()
