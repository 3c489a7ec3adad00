"""Pronoun tables, from rules/pronouns: the sets of pronouns of a language, and the placeholders of their forms."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Literal, get_args

import msgspec

from ..core.convert import Text, WordSet, convert_node, error_at
from ..core.errors import PipelineError
from ..core.rules import RULES
from ..core.yamlfile import expression_at, line_of, load_yaml

Case = Literal["nominative", "accusative", "possessive", "independent", "reflexive"]
CASES: tuple[Case, ...] = get_args(Case)


@dataclass(frozen=True, slots=True)
class PronounSet:
    """A set of pronouns such as xe: a form for each of `CASES`; `gender` is Winogender's name of the set, if it has one."""

    name: str
    forms: Mapping[str, str]
    gender: str = ""
    plural: bool = False


@dataclass(frozen=True, slots=True)
class PronounTable:
    """The sets of pronouns of a language, in order, and what fills its templates.

    `placeholders` gives the case of each placeholder, `agreement` the form of a verb after the nominative of a plural set.
    `bare` are words without an article; `an` matches words after the article an.
    """

    sets: tuple[PronounSet, ...]
    agreement: Mapping[str, str]
    placeholders: Mapping[str, str]
    bare: frozenset[str]
    an: re.Pattern[str]


class _Set(msgspec.Struct, frozen=True):
    nominative: Text
    accusative: Text
    possessive: Text
    independent: Text
    reflexive: Text
    gender: Text = ""
    plural: bool = False


class _Table(msgspec.Struct, frozen=True):
    sets: Annotated[Mapping[Text, _Set], msgspec.Meta(min_length=1, description="pronouns by the name of their set")]
    agreement: Mapping[Text, Text]
    placeholders: Mapping[Text, Case]
    bare: WordSet
    an: Text


@cache
def pronoun_table(lang: str) -> PronounTable:
    """Return the table of a language; raises `PipelineError` if it has none, or an entry is malformed."""
    path = RULES / "pronouns" / f"{lang}.yaml"
    if not path.exists():
        raise PipelineError(None, None, f"[lang] no pronoun table; found {lang!r}, expected one in {path.parent}")
    node = load_yaml(path)
    table = convert_node(node, _Table, path)
    sets: list[PronounSet] = []
    for name, entry in table.sets.items():
        forms: dict[str, str] = {case: getattr(entry, case) for case in CASES}
        for before in sets:
            if before.forms == forms:
                reason = f"same forms as another set; found those of {before.name}, expected other pronouns"
                raise error_at(node, path, ("sets", name), reason)
        sets.append(PronounSet(name, forms, entry.gender, entry.plural))
    return PronounTable(
        sets=tuple(sets),
        agreement=table.agreement,
        placeholders=table.placeholders,
        bare=table.bare,
        an=expression_at(table.an, path, line_of(node, "an"), "an", re.IGNORECASE),
    )
