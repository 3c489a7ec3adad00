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
from ..core.yamlfile import line_of, load_yaml, require_mapping, table_of, texts_of

#: OpenCC's own standard. It converts characters but replaces no words, so a schema keeps its meaning.
_TO_TRADITIONAL, _TO_SIMPLIFIED = "s2t", "t2s"
_NONE: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class ScriptTable:
    """Corrections of OpenCC: words with their right form, surnames (a name matches `named`), anaphors that refer to people."""

    words: Mapping[str, str]
    named: re.Pattern[str]
    people: frozenset[str]


@cache
def script_table() -> ScriptTable:
    """Return the table of rules/script; raises `PipelineError` if it is malformed."""
    path = RULES / "script" / "zh.yaml"
    node = require_mapping(load_yaml(path), path, required=frozenset({"words", "surnames", "prefixes", "people"}))
    words = table_of(node, "words", path)
    for word, form in words.items():
        if len(form) != len(word):
            reason = f"[{word}] conversion of another length; found {shown(form)}, expected {len(word)} characters"
            raise PipelineError(path, line_of(node["words"], word), reason)
    prefixes, surnames = (_characters(node, name, path) for name in ("prefixes", "surnames"))
    return ScriptTable(
        words=words,
        named=re.compile(f"[{prefixes}]?[{surnames}]"),
        people=frozenset(texts_of(node, "people", path)),
    )


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


def to_traditional(text: str, names: Mapping[str, str] = _NONE) -> str:
    """Return a text in traditional script; every offset stays, since no phrase of s2t changes its length (see the tests).

    Args:
        text: in simplified script.
        names: words with their traditional form; like those of `script_table`, they take precedence over OpenCC.
    """
    known = {**script_table().words, **names}
    longest_first = "|".join(re.escape(word) for word in sorted(known, key=lambda word: (-len(word), word)))
    parts = re.split(f"({longest_first})", text)
    convert = _converter(_TO_TRADITIONAL).convert
    return "".join(known[part] if index % 2 else convert(part) for index, part in enumerate(parts))


def to_simplified(text: str) -> str:
    """Return a text in simplified script."""
    return str(_converter(_TO_SIMPLIFIED).convert(text))


def name_form(name: str) -> str | None:
    """Return a person's name in traditional script if OpenCC takes its surname for another word, otherwise None."""
    match = script_table().named.match(name)
    return match[0] + to_traditional(name[match.end() :]) if match else None
