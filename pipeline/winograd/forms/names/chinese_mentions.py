"""Which words are Chinese names of people."""

import re
from dataclasses import dataclass
from itertools import pairwise

from ....language.segmentation import tag_of
from .tables import Name, chinese_names


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody called by a surname: with a given name (叶楠), or with `before` (老林) or `after` (叶师傅, 陆家) it."""

    text: str
    before: str
    surname: str
    given: str
    after: str


def person_of(text: str) -> Person | None:
    """Return the person that `text` names, if it is a name of the shapes that `Person` lists.

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
    # What Jieba's dictionary knows as another word is no name: 黄牛, 金牌, 方丈.
    common = tag_of(text) != "x" and not tag_of(text).startswith("nr")
    if not surname or common or not re.fullmatch("[\u4e00-\u9fff]{1,2}", rest) or rest[-1] in names.no_given:
        return None
    return Person(text, "", surname, rest, "")


def pinyin(person: Person) -> Name:
    """Return a person's name, without what stands before or after it, in pinyin: ``Ye Nan``, ``Ye``."""
    surname = chinese_names().surnames.get(person.surname, "")
    latin = f"{surname} {given_pinyin(person.given)}".strip() if person.given else surname
    return Name(latin, latin)


def given_pinyin(given: str) -> str:
    """Return a given name in pinyin without tones, with the apostrophe of ISO 7098 before a vowel: ``Yue'e``."""
    from pypinyin import lazy_pinyin  # loads a dictionary, which only Chinese names are worth

    readings = chinese_names().readings
    spelt = lazy_pinyin(given, v_to_u=True)
    syllables = [readings.get(character, syllable) for character, syllable in zip(given, spelt, strict=True)]
    parted = ["'" if after[0] in "aeo" else "" for _, after in pairwise(syllables)]
    return "".join(map("".join, zip(["", *parted], syllables, strict=True))).capitalize()
