"""Personal names in traditional script: which names a text has, and their form, from rules/script/names.yaml."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import Annotated

import msgspec
from msgspec import Meta

from ..core.convert import Text, WordSet, convert_node, error_at
from ..core.errors import shown
from ..core.rules import RULES
from ..core.yamlfile import load_yaml
from .names import chinese_names, is_transliterated
from .script import REGIONS, to_traditional
from .segmentation import any_of, tag_of, tagged_words

#: Parts of speech of words that are grammar rather than names when they stand alone, by their first letter.
_GRAMMATICAL = frozenset("pvfadcr")
#: Parts of speech of words that a person may be called by: unknown words, names of people and places, seasons.
_NAMELIKE = ("x", "nr", "ns", "t")
_HAN = "[\u4e00-\u9fff]"
#: Maximum number of texts whose names are remembered: an item is converted once for each region, and checked by releases.
_REMEMBERED = 1 << 14


class NameCharacter(msgspec.Struct, frozen=True, omit_defaults=True):
    """The traditional form of a character as a surname and in a given name; empty for the form that OpenCC gives it."""

    surname: str = ""
    given: str = ""


class NameTable(msgspec.Struct, frozen=True):
    """The table of rules/script/names.yaml, which explains each part."""

    characters: Annotated[Mapping[Text, NameCharacter], Meta(min_length=1, description="characters with their forms")]
    prefixes: WordSet
    not_names: WordSet
    before: WordSet
    cases: Annotated[Mapping[Text, Mapping[Text, Text]], Meta(min_length=1, description="texts with a name and forms")]


@cache
def name_table() -> NameTable:
    """Return the table; raises `PipelineError` at the line of a malformed entry."""
    path = RULES / "script" / "names.yaml"
    node = load_yaml(path)
    table = convert_node(node, NameTable, path)
    for character, forms in table.characters.items():
        for use, form in (("surname", forms.surname), ("given", forms.given)):
            if form and len(form) != len(character):
                reason = f"form of another length; found {shown(form)}, expected {len(character)} characters"
                raise error_at(node, path, ("characters", character, use), reason)
    for text, fields in table.cases.items():
        if set(fields) != {"name", *REGIONS} or fields["name"] not in text:
            reason = f"not a case; found {shown(', '.join(fields))}, expected name, a part of the text, and {', '.join(REGIONS)}"
            raise error_at(node, path, ("cases", text), reason)
    return table


@cache
def _surnames() -> frozenset[str]:
    listed = {character for character, forms in name_table().characters.items() if forms.surname}
    return frozenset(listed | chinese_names().surnames.keys())


@cache
def _pattern() -> re.Pattern[str]:
    """Return the expression of a name: a prefix and a surname, or a surname with a given name, a title or 家."""
    surname, title, prefix = map(any_of, (_surnames(), chinese_names().titles, name_table().prefixes))
    return re.compile(
        f"(?P<before>{prefix})(?P<last>{surname})"
        f"|(?P<surname>{surname})(?:(?P<after>{title}|家)|(?P<given>{_HAN}{{1,2}}))"
        f"|(?P<prefix>{prefix})?(?P<alone>{_HAN}{{1,2}})"
    )


def name_form(name: str, lang: str) -> str:
    """Return a person's name in traditional script: surname and given name apart, and character by character where the table has one.

    >>> name_form("周一鸣", "zh-Hant-TW"), name_form("余师傅", "zh-Hant-TW"), name_form("冬冬", "zh-Hant-HK")
    ('周一鳴', '余師傅', '冬冬')
    """
    match = _pattern().fullmatch(name)
    if match is None:  # 艾尔肯·吐尼亚孜
        return "".join(_surname_form(part, lang) if part in _surnames() else _given_form(part, lang) for part in name)
    parts = match.groupdict(default="")
    surname, given = parts["last"] or parts["surname"], parts["given"] or parts["alone"]
    forms = _surname_form(surname, lang), _given_form(given, lang), to_traditional(parts["after"], lang)
    return (parts["before"] or parts["prefix"]) + "".join(forms)


def _surname_form(surname: str, lang: str) -> str:
    forms = name_table().characters.get(surname)
    return to_traditional(surname, lang, {surname: forms.surname} if forms and forms.surname else {})


def _given_form(given: str, lang: str) -> str:
    """Return a given name, as a phrase of OpenCC unless the table has one of its characters."""
    table = name_table().characters
    forms = {character: table[character].given for character in given if character in table and table[character].given}
    parts = given if forms else [given]
    return "".join(to_traditional(part, lang, forms) for part in parts)


def named_candidates(candidates: Iterable[str]) -> list[str]:
    """Return the names in candidates for 他 or 她: alone, as possessors (余红的妈妈) or beside another (余红和岳海).

    >>> named_candidates(["余红的妈妈", "老岳和冬冬", "干部", "干女儿", "沈阳"])
    ['余红', '老岳', '冬冬', '沈阳']
    """
    parts = [part for candidate in candidates for part in re.split("[的和与跟、]", candidate)]
    return [part for part in parts if _is_name(part)]


def _is_name(part: str) -> bool:
    """Return whether a noun phrase that means a person has the shape of a name and is no common noun."""
    if is_transliterated(part):
        return True
    match = _pattern().fullmatch(part)
    table, tag = name_table(), tag_of(part)
    if match is None or any(map(part.startswith, table.not_names)):
        return False
    if match["last"] or match["after"]:
        return True
    given = match["given"] or match["alone"]
    if not tag.startswith(_NAMELIKE) or given[-1] in chinese_names().no_given:
        return False
    if match["surname"]:
        return True
    listed = [bool(entry.given) for character in given if (entry := table.characters.get(character))]
    return any(listed) and (len(given) == 2 or match["prefix"] is not None)


def is_certain(name: str) -> bool:
    """Return whether a name is one whatever the pronoun: a surname with a title (余师傅), or known to Jieba's model in full (余红军)."""
    match = _pattern().fullmatch(name)
    if match is None:
        return is_transliterated(name)
    return match["after"] is not None or (len(name) > 2 and name in names_of_text(name))


@lru_cache(maxsize=_REMEMBERED)
def names_of_text(text: str) -> tuple[str, ...]:
    """Return the names of a text by its words: those that Jieba's model takes for names, and surnames with a title.

    >>> names_of_text("岳红请余老板来，他收了余下的钱。")
    ('岳红', '余老板')
    """
    if not any(character in text for character in name_table().characters):
        return ()
    return tuple(dict.fromkeys(_names(tagged_words(text))))


def _names(words: Sequence[tuple[str, str]]) -> Iterator[str]:
    for number, (word, tag) in enumerate(words):
        after, after_tag = words[number + 1] if number + 1 < len(words) else ("", "")
        by_model = tag.startswith("nr") and (tag == "nrfg" or tag_of(word) == "x")
        split = word in _surnames() and (after in chinese_names().titles or after_tag.startswith("nr"))
        name = word + after if split else word if by_model else ""
        match = _pattern().fullmatch(name)
        if match is None or not match["surname"] or not _is_name(name):
            continue
        if tag_of(match["surname"])[0] in _GRAMMATICAL and not _begins(words[:number]):
            continue
        if len(name) == 2 and match["surname"] not in name_table().characters:
            continue  # 汤咸, which Jieba's model takes for a name: the soup is salty
        if match["after"] or not _is_phrase(name):
            yield name


def _is_phrase(name: str) -> bool:
    """Return whether OpenCC knows the characters together as another word: 谷雨, the season."""
    return any(to_traditional(name, lang) != "".join(to_traditional(part, lang) for part in name) for lang in REGIONS)


def _begins(before: Sequence[tuple[str, str]]) -> bool:
    """Return whether a name rather than a verb or a preposition stands after these words."""
    return not before or before[-1][1] in ("x", "c") or before[-1][0] in name_table().before
