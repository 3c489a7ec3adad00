"""Chinese text from one script to the other, by OpenCC."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any

from ..core.errors import PipelineError
from ..core.model import Span
from ..core.rules import RULES
from ..core.yamlfile import line_of, load_yaml, require_mapping

#: OpenCC's own standard, which changes characters and no words, so that a schema stays what it was.
_THERE, _BACK = "s2t", "t2s"
_NONE: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class ScriptTable:
    """What OpenCC makes wrong: words with their right form, surnames (a name matches `named`), anaphors that mean people."""

    words: Mapping[str, str]
    named: re.Pattern[str]
    people: frozenset[str]


@cache
def script_table() -> ScriptTable:
    """Return the table of rules/script; raises `PipelineError` where it is malformed."""
    path = RULES / "script" / "zh.yaml"
    node = require_mapping(load_yaml(path), path, required=frozenset({"words", "surnames", "prefixes", "people"}))
    for word, form in node["words"].items():
        if not isinstance(form, str) or len(form) != len(word):
            reason = f"[{word}] no conversion; found {form!r}, expected as many characters"
            raise PipelineError(path, line_of(node["words"], word), reason)
    prefixes, surnames = ("".join(node[name]) for name in ("prefixes", "surnames"))
    return ScriptTable(
        words=dict(node["words"]),
        named=re.compile(f"[{prefixes}]?[{surnames}]"),
        people=frozenset(node["people"]),
    )


@cache
def _converter(config: str) -> Any:
    from opencc import OpenCC  # reads its dictionaries, which only this form is worth

    return OpenCC(config)


def to_traditional(text: str, names: Mapping[str, str] = _NONE) -> str:
    """Return a text in traditional script, of the same length: s2t has no phrase that changes it (see the tests).

    Args:
        text: in simplified script.
        names: words with their traditional form, which go before OpenCC's; so do those of `script_table`.
    """
    known = {**script_table().words, **names}
    longest_first = "|".join(re.escape(word) for word in sorted(known, key=lambda word: (-len(word), word)))
    parts = re.split(f"({longest_first})", text)
    convert = _converter(_THERE).convert
    return "".join(known[part] if index % 2 else convert(part) for index, part in enumerate(parts))


def to_simplified(text: str) -> str:
    """Return a text in simplified script."""
    return str(_converter(_BACK).convert(text))


def name_form(name: str) -> str | None:
    """Return a person's name in traditional script if it has a surname that OpenCC takes for another word, else None."""
    match = script_table().named.match(name)
    return match[0] + to_traditional(name[match.end() :]) if match else None


def converted_offset(text: str, at: int, convert: Callable[[str], str]) -> int | None:
    """Return where the border before character `at` of `text` stands in ``convert(text)``.

    A border is clean where converting the two sides apart gives the whole. One within a phrase is not: there the phrase, from
    the clean border before to the one after, is taken character by character if its length stays.

    Returns:
        An offset in code points; None within a phrase whose length changes, where no border answers to this one.
    """
    whole = convert(text)

    def clean(border: int) -> int | None:
        head = convert(text[:border])
        return len(head) if head + convert(text[border:]) == whole else None

    if (there := clean(at)) is not None:
        return there
    start, first = next((n, found) for n in range(at - 1, -1, -1) if (found := clean(n)) is not None)
    end, last = next((n, found) for n in range(at + 1, len(text) + 1) if (found := clean(n)) is not None)
    return first + at - start if last - first == end - start else None


def converted_span(text: str, span: Span, convert: Callable[[str], str]) -> Span:
    """Return where `span` stands in ``convert(text)``.

    Raises:
        ValueError: one of its borders stands nowhere there (see `converted_offset`); the message is ``found X, expected Y``.
    """
    start, end = (converted_offset(text, at, convert) for at in (span.start, span.end))
    if start is None or end is None:
        around = text[max(0, span.start - 4) : span.end + 4]
        raise ValueError(
            f"found {span.of(text)!r} in {around!r}, expected no border in a phrase that changes its length"
        )
    return Span(start, end)
