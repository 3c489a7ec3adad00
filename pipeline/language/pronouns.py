"""Pronoun tables, from rules/pronouns: the sets of pronouns of a language, and the placeholders of their forms."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ..core.errors import PipelineError, shown
from ..core.rules import RULES
from ..core.yamlfile import (
    expression_at,
    flag_of,
    line_of,
    load_yaml,
    mapping_of,
    require_mapping,
    table_of,
    text_of,
    texts_of,
)

_FIELDS = frozenset({"sets", "agreement", "placeholders", "bare", "an"})
CASES = ("nominative", "accusative", "possessive", "independent", "reflexive")


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


@cache
def pronoun_table(lang: str) -> PronounTable:
    """Return the table of a language.

    Raises:
        PipelineError: the language has no table, or an entry is malformed.
    """
    path = RULES / "pronouns" / f"{lang}.yaml"
    if not path.exists():
        raise PipelineError(None, None, f"[lang] no pronoun table; found {lang!r}, expected one in {path.parent}")
    node = require_mapping(load_yaml(path), path, required=_FIELDS)
    placeholders = table_of(node, "placeholders", path)
    for placeholder, case in placeholders.items():
        if case not in CASES:
            reason = f"[{placeholder}] unknown case; found {shown(case)}, expected one of {', '.join(CASES)}"
            raise PipelineError(path, line_of(node["placeholders"], placeholder), reason)
    return PronounTable(
        sets=_sets(node, path),
        agreement=table_of(node, "agreement", path),
        placeholders=placeholders,
        bare=frozenset(texts_of(node, "bare", path)),
        an=expression_at(text_of(node, "an", path), path, line_of(node, "an"), "an", re.IGNORECASE),
    )


def _sets(node: Any, path: Path) -> tuple[PronounSet, ...]:
    names = node["sets"]
    if not isinstance(names, dict) or not names:
        raise PipelineError(path, line_of(node, "sets"), "[sets] no sets; expected pronouns by the name of their set")
    sets: list[PronounSet] = []
    for name in names:
        entry = mapping_of(names, name, path, required=frozenset(CASES), optional=frozenset({"gender", "plural"}))
        forms = {case: text_of(entry, case, path) for case in CASES}
        for before in sets:
            if before.forms == forms:
                reason = f"[{name}] same forms as another set; found those of {before.name}, expected other pronouns"
                raise PipelineError(path, line_of(names, name), reason)
        gender = text_of(entry, "gender", path) if "gender" in entry else ""
        sets.append(PronounSet(str(name), forms, gender, flag_of(entry, "plural", path, default=False)))
    return tuple(sets)
