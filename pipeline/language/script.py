"""Convert Chinese text between simplified and traditional script, with OpenCC."""

import re
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from ..core.convert import Text, Words, WordSet, WordTable, convert_node, error_at
from ..core.errors import shown
from ..core.rules import RULES
from ..core.yamlfile import load_yaml
from .segmentation import any_of, inner_places

_TO_SIMPLIFIED = "t2s"
#: The languages in traditional script, by the usage of a region.
REGIONS = ("zh-Hant-TW", "zh-Hant-HK")
_NONE: Mapping[str, str] = MappingProxyType({})
_PLURAL = "们"
#: A quotation mark; between Latin letters, ’ is an apostrophe.
_QUOTATION_MARK = re.compile("[“”‘]|(?<![A-Za-z])’|’(?![A-Za-z])")
_Tag = Annotated[str, Meta(pattern=rf"\A({'|'.join(REGIONS)})\Z", description=f"one of {', '.join(REGIONS)}")]
_Forms = Annotated[Mapping[_Tag, Text], Meta(min_length=len(REGIONS), description="a form for each region")]


class Region(msgspec.Struct, frozen=True):
    """How a region writes traditional script: three configurations of OpenCC, characters that go on from there, 它 for animals."""

    convert: Text
    back: Text
    variants: Text
    characters: Mapping[Text, Text]
    animals: Mapping[Text, Text]


class ScriptTable(msgspec.Struct, frozen=True):
    """Corrections of OpenCC: words with their right form, anaphors that refer to people.

    `regions` is by the tag of the language; `animals` are ends of candidates that are an animal, `things` of ones that are none.
    `cases` has texts with their forms by region.
    """

    regions: Annotated[Mapping[_Tag, Region], Meta(min_length=len(REGIONS), description="both regions")]
    simplified: WordTable
    marks: WordTable
    words: WordTable
    people: WordSet
    animals: Words
    things: Words
    cases: Annotated[Mapping[Text, _Forms], Meta(min_length=1, description="texts with their forms")]


@cache
def script_table() -> ScriptTable:
    """Return the table of rules/script; raises `PipelineError` if it is malformed."""
    path = RULES / "script" / "zh.yaml"
    node = load_yaml(path)
    table = convert_node(node, ScriptTable, path)
    tables = {("simplified",): table.simplified, ("words",): table.words} | {
        ("regions", lang, key): getattr(region, key)
        for lang, region in table.regions.items()
        for key in ("characters", "animals")
    }
    for place, forms in tables.items():  # every offset stays
        for word, form in forms.items():
            if len(form) != len(word):
                reason = f"conversion of another length; found {shown(form)}, expected {len(word)} characters"
                raise error_at(node, path, (*place, word), reason)
    return table


@cache
def _converter(config: str) -> Any:
    from opencc import OpenCC  # loads its dictionaries: only on first use

    return OpenCC(config)


def to_traditional(text: str, lang: str, names: Mapping[str, str] = _NONE) -> str:
    """Return a text in traditional script in the usage of `lang`, one of `REGIONS`; every offset stays, since no phrase changes its length.

    The `names` have their traditional form, but not where one of two characters begins or ends inside another word (于海 in 对于海上);
    like the words of `script_table`, they take precedence over OpenCC.
    """
    known = {**script_table().words, **names}
    convert = _converter(script_table().regions[lang].convert).convert
    inner = inner_places(text) if any(len(name) <= 2 and name in text for name in names) else frozenset()
    parts, end = [], 0
    for match in re.finditer(any_of(known), text):
        if len(match[0]) > 2 or match[0] not in names or inner.isdisjoint(match.span()):
            parts += [convert(text[end : match.start()]), known[match[0]]]
            end = match.end()
    converted = "".join((*parts, convert(text[end:])))
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


def is_animal(name: str) -> bool:
    """Return whether a noun phrase in simplified script is an animal or animals, by its end.

    >>> is_animal("黄牛"), is_animal("狐狸们"), is_animal("木马"), is_animal("箱子")
    (True, True, False, False)
    """
    noun, table = name.removesuffix(_PLURAL), script_table()
    return noun.endswith(table.animals) and not noun.endswith(table.things)
