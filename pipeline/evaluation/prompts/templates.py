"""The templates of WSC-ZA's prompts, from rules/evaluation/prompts."""

import string
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ...core.errors import PipelineError, shown
from ...core.rules import RULES
from ...core.yamlfile import line_of, load_yaml, mapping_of, require_mapping, table_of, text_of, texts_of

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
_LANGUAGES = frozenset({"en", "zh"})
_FIELDS = frozenset({"joint", "option", "zero", "overt", "format", "cue", "modes", "examples"})


@dataclass(frozen=True, slots=True)
class Templates:
    """The templates in one language of instructions."""

    joint: tuple[str, str]  # what stands between the letters of the answer's format, and what before the last one
    option: str  # an option, with its letter and its name
    references: Mapping[str, str]  # what is resolved, by form; the overt one names its pronoun
    format: str  # the end of every prompt: how to answer
    cue: str  # the end in its place for a model that only goes on with texts: how an answer begins
    modes: Mapping[str, str]  # a template for each of `MODES`
    examples: Mapping[str, str]  # the template of an example for each of `EXAMPLES`


@cache
def prompt_templates() -> Mapping[str, Templates]:
    """Return the templates of WSC-ZA's prompts by the language of their instructions, en and zh.

    Raises:
        PipelineError: the file is malformed, or a template lacks a placeholder or has an unknown one.
    """
    path = RULES / "evaluation" / "prompts" / "wsc-za.yaml"
    document = require_mapping(load_yaml(path), path, required=_LANGUAGES)
    return {
        str(lang): _templates(mapping_of(document, lang, path, required=_FIELDS), path) for lang in sorted(document)
    }


def _templates(node: Any, path: Path) -> Templates:
    joint = texts_of(node, "joint", path)
    if len(joint) != 2:
        reason = f"[joint] found {len(joint)} texts, expected two: between letters, and before the last one"
        raise PipelineError(path, line_of(node, "joint"), reason)
    option, zero, overt, ending, cue = (
        text_of(node, key, path) for key in ("option", "zero", "overt", "format", "cue")
    )
    for key, text, names in (
        ("option", option, {"letter", "name"}),
        ("zero", zero, set()),
        ("overt", overt, {"pronoun"}),
        ("format", ending, {"letters"}),
        ("cue", cue, set()),
    ):
        _require_placeholders(text, frozenset(names), path, line_of(node, key), key)
    modes, examples = (_filled(node, key, names, path) for key, names in (("modes", MODES), ("examples", EXAMPLES)))
    return Templates(
        (joint[0], joint[1]), option, {"zero": zero, "overt": overt}, ending.rstrip("\n"), cue, modes, examples
    )


def _filled(node: Any, key: str, expected: Mapping[str, frozenset[str]], path: Path) -> dict[str, str]:
    """Return the templates under a key, each of which has its placeholders."""
    require_mapping(mapping_of(node, key, path, required=frozenset(expected)), path, required=frozenset(expected))
    templates = table_of(node, key, path)
    for name, text in templates.items():
        _require_placeholders(text, expected[name], path, line_of(node[key], name), name)
    return {name: text.rstrip("\n") for name, text in templates.items()}


def _require_placeholders(text: str, names: frozenset[str], path: Path, line: int | None, key: str) -> None:
    try:
        parts = [part[1:] for part in string.Formatter().parse(text) if part[1] is not None]
    except ValueError as error:
        raise PipelineError(path, line, f"[{key}] not a template ({error}); found {shown(text)}") from error
    used = {f"{name}{':' if form else ''}{form}{'!' if conversion else ''}" for name, form, conversion in parts}
    if used != names:
        expected = ", ".join(f"{{{name}}}" for name in sorted(names)) or "none"
        fields = ", ".join(f"{{{name}}}" for name in sorted(used)) or "none"
        raise PipelineError(path, line, f"[{key}] wrong placeholders; found {fields}, expected {expected}")
