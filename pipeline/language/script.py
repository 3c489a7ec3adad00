"""Convert Chinese text between simplified and traditional script, with OpenCC."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from ..core.errors import PipelineError, shown
from ..core.rules import RULES
from ..core.yamlfile import kind_of, line_of, load_yaml, mapping_of, require_mapping, table_of, text_of, texts_of

_TO_SIMPLIFIED = "t2s"
#: The languages in traditional script, by the usage of a region.
REGIONS = ("zh-Hant-TW", "zh-Hant-HK")
_NONE: Mapping[str, str] = MappingProxyType({})
_PLURAL = "们"
#: A quotation mark; between Latin letters, ’ is an apostrophe.
_QUOTATION_MARK = re.compile("[“”‘]|(?<![A-Za-z])’|’(?![A-Za-z])")
_TABLES = frozenset(
    {"regions", "simplified", "marks", "words", "surnames", "prefixes", "people", "animals", "things", "cases"}
)
_REGION = frozenset({"convert", "back", "variants", "characters", "animals"})


@dataclass(frozen=True, slots=True)
class Region:
    """How a region writes traditional script: three configurations of OpenCC, characters that go on from there, 它 for animals."""

    convert: str
    back: str
    variants: str
    characters: Mapping[str, str]
    animals: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class ScriptTable:
    """Corrections of OpenCC: words with their right form, surnames (a name matches `named`), anaphors that refer to people.

    `regions` is by the tag of the language; `animal` matches the end of a candidate that is an animal, `thing` that of one that is none.
    `cases` has texts with their forms by region.
    """

    regions: Mapping[str, Region]
    simplified: Mapping[str, str]
    marks: Mapping[str, str]
    words: Mapping[str, str]
    named: re.Pattern[str]
    people: frozenset[str]
    animals: tuple[str, ...]
    things: tuple[str, ...]
    cases: Mapping[str, Mapping[str, str]]


@cache
def script_table() -> ScriptTable:
    """Return the table of rules/script; raises `PipelineError` if it is malformed."""
    path = RULES / "script" / "zh.yaml"
    node = require_mapping(load_yaml(path), path, required=_TABLES)
    words = _same_length(node, "words", path)
    prefixes, surnames = (_characters(node, name, path) for name in ("prefixes", "surnames"))
    regions = mapping_of(node, "regions", path, required=frozenset(REGIONS))
    return ScriptTable(
        regions={lang: _region(regions, lang, path) for lang in REGIONS},
        simplified=_same_length(node, "simplified", path),
        marks=_same_length(node, "marks", path),
        words=words,
        named=re.compile(f"[{prefixes}]?[{surnames}]"),
        people=frozenset(texts_of(node, "people", path)),
        animals=tuple(texts_of(node, "animals", path)),
        things=tuple(texts_of(node, "things", path)),
        cases=_cases(node, path),
    )


def _cases(node: Any, path: Path) -> dict[str, dict[str, str]]:
    """Return the form of each text of `cases` by region."""
    if not isinstance(cases := node["cases"], dict) or not cases:
        reason = f"[cases] wrong kind; found {kind_of(cases)}, expected texts with their forms"
        raise PipelineError(path, line_of(node, "cases"), reason)
    forms = {str(text): mapping_of(cases, text, path, required=frozenset(REGIONS)) for text in cases}
    return {text: {lang: text_of(form, lang, path) for lang in REGIONS} for text, form in forms.items()}


def _region(regions: Any, lang: str, path: Path) -> Region:
    node = mapping_of(regions, lang, path, required=_REGION)
    convert, back, variants = (text_of(node, key, path) for key in ("convert", "back", "variants"))
    characters, animals = (_same_length(node, key, path) for key in ("characters", "animals"))
    return Region(convert, back, variants, characters, animals)


def _same_length(node: Any, key: str, path: Path) -> dict[str, str]:
    """Return a table whose words have forms of their own length, so that every offset stays."""
    words = table_of(node, key, path, empty=key in ("characters", "animals"))
    for word, form in words.items():
        if len(form) != len(word):
            reason = f"[{word}] conversion of another length; found {shown(form)}, expected {len(word)} characters"
            raise PipelineError(path, line_of(node[key], word), reason)
    return words


def _characters(node: Any, key: str, path: Path) -> str:
    """Return a list of single characters as one text, for a set of a regular expression."""
    characters = texts_of(node, key, path)
    for index, text in enumerate(characters):
        if len(text) != 1:
            reason = f"[{key}] not one character; found {shown(text)}, expected single characters"
            raise PipelineError(path, line_of(node[key], index), reason)
    return re.escape("".join(characters))


@cache
def _converter(config: str) -> Any:
    from opencc import OpenCC  # loads its dictionaries: only on first use

    return OpenCC(config)


def to_traditional(text: str, lang: str, names: Mapping[str, str] = _NONE) -> str:
    """Return a text in traditional script; every offset stays, since no phrase of OpenCC changes its length (see the tests).

    Args:
        text: in simplified script.
        lang: one of `REGIONS`, whose usage it follows.
        names: words with their traditional form; like those of `script_table`, they take precedence over OpenCC.
    """
    known = {**script_table().words, **names}
    longest_first = "|".join(re.escape(word) for word in sorted(known, key=lambda word: (-len(word), word)))
    parts = re.split(f"({longest_first})", text)
    convert = _converter(script_table().regions[lang].convert).convert
    converted = "".join(known[part] if index % 2 else convert(part) for index, part in enumerate(parts))
    marks = script_table().marks
    return _QUOTATION_MARK.sub(lambda match: marks.get(match[0], match[0]), usual_characters(converted, lang))


def usual_characters(text: str, lang: str) -> str:
    """Return a text in traditional script with the characters that are usual in a region, one of `REGIONS` (峰 for 峯)."""
    region = script_table().regions[lang]
    converted = str(_converter(region.variants).convert(text))
    return converted.translate(_mapping(region.characters))


def _mapping(characters: Mapping[str, str]) -> dict[int, str]:
    return {ord(character): form for character, form in characters.items()}


def to_simplified(text: str, lang: str = "") -> str:
    """Return a text in simplified script; `lang`, one of `REGIONS`, tells how it is written now, if that is known."""
    table = script_table()
    region = table.regions.get(lang)
    if region is None:
        return str(_converter(_TO_SIMPLIFIED).convert(text))
    marks = {form: mark for mark, form in table.marks.items()}
    pronouns = {form[0]: pronoun[0] for pronoun, form in region.animals.items()}
    return str(_converter(region.back).convert(text)).translate(_mapping({**table.simplified, **marks, **pronouns}))


def name_form(name: str, lang: str) -> str | None:
    """Return a person's name in traditional script if OpenCC takes its surname for another word, otherwise None."""
    match = script_table().named.match(name)
    return match[0] + to_traditional(name[match.end() :], lang) if match else None


def is_animal(name: str) -> bool:
    """Return whether a noun phrase in simplified script is an animal or animals, by its end.

    >>> is_animal("黄牛"), is_animal("狐狸们"), is_animal("木马"), is_animal("箱子")
    (True, True, False, False)
    """
    noun, table = name.removesuffix(_PLURAL), script_table()
    return noun.endswith(table.animals) and not noun.endswith(table.things)
