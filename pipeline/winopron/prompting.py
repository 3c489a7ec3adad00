"""Questions about WinoPron's sentences to language models: prompts (Gautam et al. 2024, appendix D), a sample, and the table of answers."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Annotated, get_args

import msgspec

from ..core.convert import Text, convert_node, error_at, require_placeholders
from ..core.errors import PipelineError, shown
from ..core.rules import RULES
from ..core.yamlfile import load_yaml
from ..language.pronouns import PronounTable
from .instances import Instance
from .measures import Entity
from .predictions import LINE_END


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


def template_numbers(prompts: str, table: PromptTable) -> list[int]:
    """Return the numbers of the templates to use, of a text with commas between them; all if it is empty."""
    known = range(len(table.templates))
    words = [word.strip() for word in prompts.split(",")] if prompts.strip() else [str(number) for number in known]
    for word in words:
        if word not in map(str, known) or words.count(word) > 1:
            reason = f"[prompts] wrong numbers; found {prompts!r}, expected numbers from 0 to {known[-1]}, each once"
            raise PipelineError(None, None, reason)
    return [int(word) for word in words]


def prompts_of(
    instance: Instance, prompts: PromptTable, pronouns: PronounTable, templates: Collection[int] | None = None
) -> list[Prompt]:
    """Return the prompts for a sentence: each template of some numbers (all if None) with each variant of the options."""
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
    require_placeholders(node, {"entry": {"name"}}, path)
    for index, template in enumerate(table.templates):
        require_placeholders(node, {index: {"task", "options", "pronoun"}}, path, "templates")
        if template in table.templates[:index]:
            raise error_at(node, path, ("templates", index), f"given twice; found {shown(template)}, expected it once")
    entities = get_args(Entity)
    for name, order in table.variants.items():
        if order and sorted(order) != sorted(entities):
            reason = f"wrong entities; found {shown(', '.join(order))}, expected {' and '.join(entities)}, or none"
            raise error_at(node, path, ("variants", name), reason)
    return table


#: Occupation, participant and case: the two templates that consistency and bias compare, with all their pronouns.
Pair = tuple[str, str, str]


def draw(sentences: Sequence[Instance], pairs: int, seed: int) -> list[Instance]:
    """Return the sentences of some pairs of templates, in their order.

    A pair comes whole, so that each pronoun set and each entity is as frequent as in all sentences, and consistency is defined. Pairs are
    drawn one by one from the case with the fewest so far, and there from the occupation with the fewest; a seeded order decides ties.
    Sentences with two entities and with one give the same pairs, and a larger sample contains a smaller one.

    Raises:
        PipelineError: more pairs than the sentences have, or fewer than none.
    """
    drawn = set(_drawn(sorted({sentence.pair for sentence in sentences}), pairs, seed))
    return [sentence for sentence in sentences if sentence.pair in drawn]


def _drawn(population: list[Pair], pairs: int, seed: int) -> list[Pair]:
    if not 0 <= pairs <= len(population):
        reason = (
            f"[sample] wrong number of pairs of templates; found {pairs}, expected 1 to {len(population)}, or 0 for all"
        )
        raise PipelineError(None, None, reason)
    if not pairs:
        return population
    Random(seed).shuffle(population)  # noqa: S311 - no secret depends on it
    by_case: dict[str, list[Pair]] = defaultdict(list)
    for pair in population:
        by_case[pair[2]].append(pair)
    order = sorted(by_case)
    cases: Counter[str] = Counter()
    occupations: Counter[str] = Counter()
    drawn = []
    for _ in range(pairs):
        case = min((case for case in order if by_case[case]), key=lambda case: cases[case])
        pair = min(by_case[case], key=lambda pair: occupations[pair[0]])
        by_case[case].remove(pair)
        cases[case] += 1
        occupations[pair[0]] += 1
        drawn.append(pair)
    return drawn


#: The authors' columns in their order, then ours: the id of the sentence, the model, how it was asked, and the lengths in tokens.
COLUMNS = (
    "sentence", "generation", "pronoun_type", "occupation", "participant", "pronoun", "answer", "prompt", "options",
    "item", "model", "settings", "prompt_tokens", "answer_tokens",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """What a model wrote to a prompt for a sentence; lengths in tokens are None where the server did not count."""

    instance: Instance
    prompt: Prompt
    text: str
    prompt_tokens: int | None
    answer_tokens: int | None


def answer_rows(
    answers: Iterable[ModelAnswer], pronouns: PronounTable, *, model: str, settings: str
) -> list[tuple[str, ...]]:
    """Return the cells for `COLUMNS` of each answer, in their order; an answer's line ends become `LINE_END` between blanks."""
    rows = []
    for answer in answers:
        occupation, participant, sentence, placeholder, form, antecedent = answer.instance.row(pronouns)
        tokens = ("" if count is None else str(count) for count in (answer.prompt_tokens, answer.answer_tokens))
        rows.append(
            (
                sentence, f" {LINE_END} ".join(answer.text.strip().splitlines()), placeholder, occupation, participant, form, antecedent,
                str(answer.prompt.template), str(answer.prompt.variant), answer.instance.item.id, model, settings, *tokens,
            )
        )  # fmt: skip
    return rows
