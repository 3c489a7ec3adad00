"""The sentences that templates give with every pronoun set, as items."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from ..core.errors import PipelineError
from ..core.files import parse_jsonl, read_text, write_jsonl
from ..core.model import Item
from ..core.records import item_from_json, record_to_json
from ..language.pronouns import CASES, PronounTable
from .templates import Template, filled, words_of

Form = Literal["double", "single"]
HEADER = ("occupation", "participant", "sentence", "pronoun_type", "pronoun", "answer")


@dataclass(frozen=True, slots=True)
class Instance:
    """One sentence: its item, whose candidates are the occupation and the participant, the pronoun's case and its set.

    The target is the pronoun. Of a sentence with a single entity only the answer occurs in the text.
    """

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
    def right(self) -> str:
        """The word of the entity that the pronoun means."""
        return self.item.candidates[self.item.answer]

    def row(self, table: PronounTable) -> tuple[str, ...]:
        """Return the cells of `HEADER`, as WinoPron's double.tsv and single.tsv have them."""
        placeholder = next(name for name, case in table.placeholders.items() if case == self.case)
        form = next(one.forms[self.case] for one in table.sets if one.name == self.pronouns)
        return self.occupation, self.participant, self.item.text, f"${placeholder}", form, self.right


def instances(
    templates: Sequence[Template], table: PronounTable, form: Form, *, lang: str, source: Path
) -> list[Instance]:
    """Return the sentences of templates in file order, for each template one for every pronoun set in the table's order.

    Args:
        templates: those of one file; in the form single each needs its single version.
        table: the pronoun sets.
        form: with both entities, or with the one that is meant.
        lang: the language, for the items.
        source: the file, for the items and for errors.

    Raises:
        PipelineError: two templates for the same entities, case and answer.
    """
    found = []
    lines: dict[str, int] = {}
    for template in templates:
        case = table.placeholders[template.placeholder]
        text = template.double if form == "double" else template.single
        assert text is not None  # noqa: S101 - the caller's promise, for the type checker
        for pronouns in table.sets:
            words = (form, template.occupation, template.participant, case, pronouns.name)
            schema = "-".join((lang, *("_".join(word.split()) for word in words)))
            version = "ab"[template.answer]
            sentence, target = filled(text, template.placeholder, words_of(template, pronouns, table), pronouns, table)
            item = Item(
                id=f"{schema}-{version}",
                schema=schema,
                version=version,
                lang=lang,
                text=sentence,
                target=target,
                candidates=(template.occupation, template.participant),
                answer=template.answer,
                source=source.name,
            )
            if item.id in lines:
                reason = f"[answer] a second template for the same entities, case and answer; the first is in line {lines[item.id]}"
                raise PipelineError(source, template.line, reason)
            lines[item.id] = template.line
            found.append(Instance(item, case, pronouns.name))
    return found


def write_instances(path: Path, found: Iterable[Instance]) -> None:
    """Write items with `case` and `pronouns` as JSON Lines, atomically."""
    write_jsonl(path, map(instance_to_json, found))


def instance_to_json(instance: Instance) -> dict[str, Any]:
    """Return the item object of the contract with ``case`` and ``pronouns`` (the name of the set)."""
    return record_to_json(instance.item) | {"case": instance.case, "pronouns": instance.pronouns}


def read_instances(path: Path) -> list[Instance]:
    """Return the sentences of a JSON Lines file, in its order.

    Raises:
        PipelineError: a line that is no item with two candidates, a case and a pronoun set, or an id given twice.
    """
    found = []
    lines: dict[str, int] = {}
    for line, value in parse_jsonl(read_text(path), path):
        try:
            item = item_from_json(value)
        except ValueError as error:
            raise PipelineError(path, line, str(error)) from error
        if len(item.candidates) != 2:
            reason = (
                f"[candidates] wrong number; found {len(item.candidates)}, expected an occupation and a participant"
            )
            raise PipelineError(path, line, reason)
        if value.get("case") not in CASES:
            reason = f"[case] unknown; found {value.get('case')!r}, expected one of {', '.join(CASES)}"
            raise PipelineError(path, line, reason)
        if not isinstance(value.get("pronouns"), str):
            reason = f"[pronouns] missing field; found {value.get('pronouns')!r}, expected the name of a pronoun set"
            raise PipelineError(path, line, reason)
        if item.id in lines:
            raise PipelineError(path, line, f"[id] not unique; found {item.id!r} in line {lines[item.id]} too")
        lines[item.id] = line
        found.append(Instance(item, value["case"], value["pronouns"]))
    return found


OLD_HEADER = ("sentid", "sentence")


FORMS: tuple[Form, ...] = ("double", "single")


def winogender_sentences(templates: Sequence[Template], table: PronounTable) -> list[tuple[str, str]]:
    """Return (id, sentence) as Rudinger et al. (2018) publish them: with the participant and with someone, by gender."""
    rows = []
    for template in templates:
        for participant in (template.participant, "someone"):
            for pronouns in table.sets:
                if not pronouns.gender:
                    continue
                words = words_of(template, pronouns, table, participant)
                text, _ = filled(template.double, template.placeholder, words, pronouns, table)
                name = f"{template.occupation}.{participant}.{template.answer}.{pronouns.gender}.txt"
                rows.append((name, text))
    return rows
