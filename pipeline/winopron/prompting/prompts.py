"""Prompts for a sentence: templates times ways to list the options (Gautam et al. 2024, appendix D)."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Annotated, get_args

import msgspec

from ...core.convert import Text, convert_node
from ...core.errors import PipelineError, shown
from ...core.rules import RULES
from ...core.yamlfile import line_of, load_yaml
from ...language.pronouns import PronounTable
from ..instances import Instance
from ..performance import Entity

#: The names that a template has in braces, each once.
_PLACES = ("task", "options", "pronoun")


@dataclass(frozen=True, slots=True)
class PromptTable:
    """Templates of prompts, and ways to list their options.

    Attributes:
        templates: each with ``{task}`` for the sentence, ``{pronoun}`` and ``{options}``.
        variants: by name the entities in the order of the options, empty for no options.
        entry: line of an option, with ``{name}``.
    """

    templates: Annotated[tuple[Text, ...], msgspec.Meta(min_length=1, description="a list of templates")]
    variants: Annotated[dict[str, tuple[Entity, ...]], msgspec.Meta(min_length=1, description="orders of the options")]
    heading: Text
    entry: Text

    def options(self, variant: str, words: Mapping[Entity, str]) -> str:
        """Return the text of the options of a variant, empty without any."""
        entities = self.variants[variant]
        if not entities:
            return ""
        return "\n".join([self.heading, *(self.entry.format(name=words[entity]) for entity in entities)])


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt with the numbers of its template and of its variant, both from 0, as in the authors' table of answers."""

    template: int
    variant: int
    text: str


def prompts_of(
    instance: Instance, prompts: PromptTable, pronouns: PronounTable, templates: Collection[int] | None = None
) -> list[Prompt]:
    """Return the prompts for a sentence: each template with each variant of the options, in that order."""
    words: dict[Entity, str] = {"occupation": instance.occupation, "participant": instance.participant}
    form = next(entry.forms[instance.case] for entry in pronouns.sets if entry.name == instance.pronouns)
    return [
        Prompt(
            number,
            place,
            template.format(task=instance.item.text, pronoun=form, options=prompts.options(variant, words)),
        )
        for number, template in enumerate(prompts.templates)
        if templates is None or number in templates
        for place, variant in enumerate(prompts.variants)
    ]


@cache
def prompt_table() -> PromptTable:
    """Return the prompts of WinoPron's appendix D, from rules/evaluation/prompts/winopron.yaml."""
    path = RULES / "evaluation" / "prompts" / "winopron.yaml"
    node = load_yaml(path)
    table = convert_node(node, PromptTable, path)
    for index, template in enumerate(table.templates):
        line = line_of(node["templates"], index)
        _require_places(template, _PLACES, path, line, "templates")
        if template in table.templates[:index]:
            raise PipelineError(
                path, line, f"[templates] given twice; found {shown(template)}, expected each template once"
            )
    _require_places(table.entry, ("name",), path, line_of(node, "entry"), "entry")
    entities = get_args(Entity)
    for name, order in table.variants.items():
        if order and sorted(order) != sorted(entities):
            reason = (
                f"[variants.{name}] wrong entities; found {shown(', '.join(order))}, expected {' and '.join(entities)}"
            )
            raise PipelineError(path, line_of(node["variants"], name), f"{reason}, or none")
    return table


def _require_places(text: str, names: tuple[str, ...], path: Path, line: int | None, field: str) -> None:
    """Refuse a text that does not have each name once in braces, and nothing else in them."""
    expected = f"expected {', '.join(f'{{{name}}}' for name in names)}, each once"
    try:
        parts = [part for part in Formatter().parse(text) if part[1] is not None]
    except ValueError as error:
        raise PipelineError(path, line, f"[{field}] braces do not match; found {shown(text)}, {expected}") from error
    if sorted(str(name) for _, name, _, _ in parts) != sorted(names) or any(
        form or change for _, _, form, change in parts
    ):
        raise PipelineError(path, line, f"[{field}] wrong places; found {shown(text)}, {expected}")
