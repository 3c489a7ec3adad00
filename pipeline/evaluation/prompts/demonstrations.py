"""The labelled examples of one-shot and few-shot prompts, from raw/evaluation.

Each is a schema: of its two members, the first has the first candidate as its answer, the second the other one. So a prompt can
have an example with either letter as its solution.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from ...core.convert import Text, convert_node, error_at, keys_of, read_yaml, to_object
from ...core.errors import PipelineError, shown
from ...core.files import require_unique
from ...core.model import Item
from ...core.notation import FactorError, expand, unbracket
from ...core.rules import RULES
from ...core.yamlfile import line_of, load_yaml
from ...winograd.zero_forms import ZERO
from ..items import ReleasedItem

#: Number of examples of a few-shot prompt (WSC-ZA 4.1.2).
FEW = 3
#: What asks for the paper's own examples by name; they are refused with the way to a file of them.
PUBLISHED = "published"
#: The file, in the repository or in an installed package.
FILE = RULES.parent / "raw" / "evaluation" / "demonstrations.yaml"


class _Schema(msgspec.Struct, frozen=True):
    text: Text
    question: Text
    candidates: tuple[Text, Text]
    answers: tuple[Text, Text]


class _Example(msgspec.Struct, frozen=True):
    id: Text
    zh: _Schema
    en: _Schema


class _Texts(
    msgspec.Struct,
    frozen=True,
    omit_defaults=True,
    rename={"one": "one-shot", "few": "few-shot", "one_zh": "one-shot-zh", "few_zh": "few-shot-zh"},
):
    """Examples as the prompts show them, by mode."""

    one: Text | None = None
    few: Text | None = None
    one_zh: Text | None = None
    few_zh: Text | None = None


#: An example in one language: its two members, by the index of the candidate that is right.
Demonstration = tuple[ReleasedItem, ReleasedItem]


@cache
def demonstrations() -> Mapping[str, tuple[Demonstration, ...]]:
    """Return the examples of each language, in the order in which few-shot prompts show them; a one-shot prompt shows the last.

    Each is a schema: one target, two candidates before it, each the answer of one member.
    """
    nodes = load_yaml(FILE)
    examples = convert_node(nodes, tuple[_Example, _Example, _Example], FILE)
    ids: dict[str, int | None] = {}
    for node, example in zip(nodes, examples, strict=True):
        require_unique(ids, example.id, FILE, line_of(node, "id"))
    return {
        lang: tuple(
            _demonstration(getattr(example, lang), node[lang], f"{example.id}-{lang}", lang)
            for node, example in zip(nodes, examples, strict=True)
        )
        for lang in ("en", "zh")
    }


def read_demonstrations(path: Path) -> Mapping[str, str]:
    """Return the examples of a user's file (YAML), such as those that a paper prints: for each mode their text, as the prompts show it.

    The text takes the place of our examples, the same in each prompt of the mode, whatever the item, its form or the order of its options.
    """
    if path.name == PUBLISHED and not path.exists():
        reason = "the paper's examples are sentences of its benchmark, which winoforge may not ship"
        raise PipelineError(
            None, None, f"[demonstrations] {reason}; expected a file with them: docs/evaluation_models.md"
        )
    texts = to_object(read_yaml(path, _Texts))
    if not texts:
        raise PipelineError(path, None, f"[demonstrations] no examples; expected some of {', '.join(keys_of(_Texts))}")
    return {mode: text.rstrip("\n") for mode, text in texts.items()}


def _demonstration(schema: _Schema, node: Any, schema_id: str, lang: str) -> Demonstration:
    if schema.answers != schema.candidates:
        reason = f"found {shown(list(schema.answers))}, expected {shown(list(schema.candidates))}"
        raise error_at(node, FILE, ("answers",), f"{reason}: each candidate is right once")
    texts, questions = (_members(getattr(schema, key), node, key) for key in ("text", "question"))
    try:
        first, second = (
            _item(schema, text, question, answer, schema_id, lang)
            for answer, (text, question) in enumerate(zip(texts, questions, strict=True))
        )
    except ValueError as error:
        raise error_at(node, FILE, ("text",), str(error)) from error
    return first, second


def _members(text: str, node: Any, key: str) -> tuple[str, str]:
    """Return the members of a factored text, which differ."""
    try:
        first, second = expand(text)
    except FactorError as error:
        raise error_at(node, FILE, (key,), str(error)) from error
    if first == second:
        raise error_at(node, FILE, (key,), f"members alike; found {shown(text)}, expected {{a|b}} in it")
    return first, second


def _item(schema: _Schema, marked: str, question: str, answer: int, schema_id: str, lang: str) -> ReleasedItem:
    text, spans = unbracket(marked)
    if len(spans) != 1 or not spans[0].length:
        raise ValueError(f"found {len(spans)} targets in brackets, expected one")
    (target,) = spans
    for candidate in schema.candidates:
        if candidate not in text[: target.start]:
            raise ValueError(f"no mention before the target; expected {shown(candidate)} there")
    version = "ab"[answer]
    item = Item(
        id=f"{schema_id}-{version}",
        schema=schema_id,
        version=version,
        lang=lang,
        text=text,
        target=target,
        candidates=schema.candidates,
        answer=answer,
        question=question,
        source=FILE.name,
        note="",
    )
    zero = f"{text[: target.start]}{ZERO}{text[target.end :]}" if lang == "zh" else ""
    return ReleasedItem(item, zero, {})
