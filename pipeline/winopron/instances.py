"""Sentences made from templates with every pronoun set, as items."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from ..core.convert import to_object
from ..core.errors import PipelineError, errors_at, shown
from ..core.files import parse_jsonl, read_text, require_unique, write_jsonl
from ..core.model import Item
from ..core.records import field_of, item_from_json
from ..language.pronouns import CASES, PronounTable
from .templates import Template, fill_with_span, words_for

#: Whether a sentence names both entities or only the antecedent.
Version = Literal["double", "single"]
VERSIONS: tuple[Version, ...] = get_args(Version)
#: Columns of double.tsv and single.tsv.
COLUMNS = ("occupation", "participant", "sentence", "pronoun_type", "pronoun", "answer")
#: Columns of all_sentences.tsv.
WINOGENDER_COLUMNS = ("sentid", "sentence")


@dataclass(frozen=True, slots=True)
class Instance:
    """One sentence of a template: the item's target is the pronoun, its candidates are the occupation and the participant."""

    item: Item
    case: str
    pronouns: str

    @property
    def occupation(self) -> str:
        """The word of the occupation."""
        return self.item.candidates[0]

    @property
    def participant(self) -> str:
        """The word of the participant."""
        return self.item.candidates[1]

    @property
    def pair(self) -> tuple[str, str, str]:
        """Occupation, participant and case: the pair of templates that the sentence was made from."""
        return self.occupation, self.participant, self.case

    @property
    def antecedent(self) -> str:
        """The word of the entity that the pronoun refers to."""
        return self.item.candidates[self.item.answer]

    def row(self, table: PronounTable) -> tuple[str, ...]:
        """Return the cells for `COLUMNS`, as in WinoPron's double.tsv and single.tsv."""
        placeholder = next(name for name, case in table.placeholders.items() if case == self.case)
        form = next(entry.forms[self.case] for entry in table.sets if entry.name == self.pronouns)
        return self.occupation, self.participant, self.item.text, f"${placeholder}", form, self.antecedent


#: What the field `source` of Winogender's sentences begins with: their pairs of templates differ in case, so that some have no mate.
WINOGENDER = "Winogender"


def instances(
    templates: Sequence[Template], table: PronounTable, version: Version, *, lang: str, source: Path
) -> list[Instance]:
    """Return a sentence for each template and pronoun set, in file order and then in the table's order.

    Args:
        source: file of the templates, for errors and for items; those of Winogender's templates, which have no single version, name
            their collection before it.

    Raises:
        PipelineError: two templates with the same entities, case and answer.
    """
    sentences = []
    lines: dict[str, int] = {}
    for template in templates:
        case = table.placeholders[template.placeholder]
        text = template.double if version == "double" else template.single
        assert text is not None  # noqa: S101 - promised by the caller; for the type checker
        for pronouns in table.sets:
            schema = schema_of(lang, version, template.occupation, template.participant, case, pronouns.name)
            member = "ab"[template.answer]
            sentence, target = fill_with_span(
                text, template.placeholder, words_for(template, pronouns, table), pronouns, table
            )
            item = Item(
                id=f"{schema}-{member}",
                schema=schema,
                version=member,
                lang=lang,
                text=sentence,
                target=target,
                candidates=(template.occupation, template.participant),
                answer=template.answer,
                source=source.name if template.single else f"{WINOGENDER} {source.name}",
            )
            if item.id in lines:
                reason = f"[answer] duplicate template; found the same entities, case and answer in line {lines[item.id]} too"
                raise PipelineError(source, template.line, reason)
            lines[item.id] = template.line
            sentences.append(Instance(item, case, pronouns.name))
    return sentences


def schema_of(*words: str) -> str:
    """Return the schema of a sentence: its language, version, occupation, participant, case and pronoun set."""
    return "-".join("_".join(word.split()) for word in words)


def winogender_sentences(templates: Sequence[Template], table: PronounTable) -> list[tuple[str, str]]:
    """Return rows for `WINOGENDER_COLUMNS` as Rudinger et al. (2018) publish them: the participant or someone, by gender."""
    rows = []
    for template in templates:
        for participant in (template.participant, "someone"):
            for pronouns in table.sets:
                if not pronouns.gender:
                    continue
                words = words_for(template, pronouns, table, participant)
                text, _ = fill_with_span(template.double, template.placeholder, words, pronouns, table)
                name = f"{template.occupation}.{participant}.{template.answer}.{pronouns.gender}.txt"
                rows.append((name, text))
    return rows


def instance_to_json(instance: Instance) -> dict[str, Any]:
    """Return the JSON object of an item with ``case`` and ``pronouns`` (name of the pronoun set) added."""
    return {**to_object(instance.item), "case": instance.case, "pronouns": instance.pronouns}


def instance_from_json(value: Mapping[str, Any]) -> Instance:
    """Return the sentence of a JSON object; raises `ValueError` with the field and the reason."""
    item = item_from_json(value)
    if len(item.candidates) != 2:
        raise ValueError(
            f"[candidates] wrong number; found {len(item.candidates)}, expected an occupation and a participant"
        )
    if value.get("case") not in CASES:
        case = shown(value["case"]) if "case" in value else "none"
        raise ValueError(
            f"[case] unknown case; found {case}, expected one of {', '.join(CASES)}: sentences of instantiate"
        )
    return Instance(item, value["case"], field_of(value, "pronouns", str, "the name of a pronoun set"))


def write_instances(path: Path, sentences: Iterable[Instance]) -> None:
    """Write sentences as JSON Lines, atomically."""
    write_jsonl(path, map(instance_to_json, sentences))


def read_instances(path: Path) -> list[Instance]:
    """Return the sentences of a JSON Lines file, in its order.

    Raises:
        PipelineError: a line is no item with two candidates, a case and a pronoun set, or an id occurs twice.
    """
    sentences = []
    lines: dict[str, int | None] = {}
    for line, value in parse_jsonl(read_text(path), path):
        with errors_at(path, line):
            sentence = instance_from_json(value)
        require_unique(lines, sentence.item.id, path, line)
        sentences.append(sentence)
    return sentences
