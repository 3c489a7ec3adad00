"""The templates of WSC-ZA's prompts, from rules/evaluation/prompts."""

import string
from collections.abc import Mapping, Set
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from ...core.convert import Text, convert_node, error_at
from ...core.errors import shown
from ...core.rules import RULES
from ...core.yamlfile import load_yaml, require_mapping

#: The modes and what their templates must hold; the examples of two of them, and what those must hold.
MODES = {
    "zero-shot": frozenset({"reference", "sentence", "options"}),
    "one-shot": frozenset({"examples", "sentence", "options"}),
    "few-shot": frozenset({"examples", "sentence", "options"}),
    "clause-only": frozenset({"reference", "clause", "options"}),
    "candidates-only": frozenset({"question", "options"}),
}
EXAMPLES = {
    "one-shot": frozenset({"sentence", "options", "answer"}),
    "few-shot": frozenset({"number", "sentence", "options", "answer"}),
}
_OTHERS = {
    "option": frozenset({"letter", "name"}),
    "zero": frozenset[str](),
    "overt": frozenset({"pronoun"}),
    "format": frozenset({"letters"}),
    "cue": frozenset[str](),
}


class Templates(msgspec.Struct, frozen=True):
    """The templates in one language of instructions."""

    joint: tuple[Text, Text]  # what stands between the letters of the answer's format, and what before the last one
    option: Text  # an option, with its letter and its name
    zero: Text  # what is resolved in the zero form
    overt: Text  # what is resolved in the overt form, with its pronoun
    format: Text  # the end of every prompt: how to answer
    cue: Text  # the end in its place for a model that only goes on with texts: how an answer begins
    modes: Mapping[str, Text]  # a template for each of `MODES`
    examples: Mapping[str, Text]  # the template of an example for each of `EXAMPLES`


class _Document(msgspec.Struct, frozen=True):
    en: Templates
    zh: Templates


@cache
def prompt_templates() -> Mapping[str, Templates]:
    """Return the templates of WSC-ZA's prompts by the language of their instructions, en and zh, each with its placeholders."""
    path = RULES / "evaluation" / "prompts" / "wsc-za.yaml"
    document = load_yaml(path)
    read = convert_node(document, _Document, path)
    for node in (document["en"], document["zh"]):
        require_placeholders(node, _OTHERS, path)
        for key, expected in (("modes", MODES), ("examples", EXAMPLES)):
            require_mapping(node[key], path, required=frozenset(expected))
            require_placeholders(node[key], expected, path)
    return {"en": read.en, "zh": read.zh}


def require_placeholders(node: Any, expected: Mapping[str, Set[str]], path: Path) -> None:
    """Raise `PipelineError` unless each template under a key of a YAML node has the placeholders that are expected of it."""
    for key, names in expected.items():
        try:
            parts = [part[1:] for part in string.Formatter().parse(node[key]) if part[1] is not None]
        except ValueError as error:
            raise error_at(node, path, (key,), f"not a template ({error}); found {shown(node[key])}") from error
        used = {f"{name}{':' if form else ''}{form}{'!' if conversion else ''}" for name, form, conversion in parts}
        if used != names:
            found, wanted = (", ".join(f"{{{name}}}" for name in sorted(of)) or "none" for of in (used, names))
            raise error_at(node, path, (key,), f"wrong placeholders; found {found}, expected {wanted}")
