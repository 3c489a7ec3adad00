"""Pronoun tables, from rules/pronouns: the sets of pronouns of a language, and the placeholders of their forms."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from ..core.errors import PipelineError
from ..core.rules import RULES
from ..core.yamlfile import line_of, load_yaml, require_mapping

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
        PipelineError: the language has no table, or a set lacks a form.
    """
    path = RULES / "pronouns" / f"{lang}.yaml"
    if not path.exists():
        raise PipelineError(None, None, f"[lang] no pronoun table; found {lang!r}, expected one in {path.parent}")
    node = require_mapping(load_yaml(path), path, required=_FIELDS)
    sets = []
    for name in node["sets"]:
        entry = require_mapping(
            node["sets"][name], path, required=frozenset(CASES), optional=frozenset({"gender", "plural"})
        )
        forms = {case: str(entry[case]) for case in CASES}
        sets.append(PronounSet(name, forms, entry.get("gender", ""), bool(entry.get("plural"))))
    for placeholder, case in node["placeholders"].items():
        if case not in CASES:
            reason = f"[{placeholder}] unknown case; found {case!r}, expected one of {', '.join(CASES)}"
            raise PipelineError(path, line_of(node["placeholders"], placeholder), reason)
    return PronounTable(
        sets=tuple(sets),
        agreement=dict(node["agreement"]),
        placeholders=dict(node["placeholders"]),
        bare=frozenset(node["bare"]),
        an=re.compile(node["an"], re.IGNORECASE),
    )
