"""Occupation templates, read as published or as our YAML, and the sentences made from them with every pronoun set, as items."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

import msgspec

from ..core.archives import archived_texts
from ..core.convert import Text, convert_node, to_object
from ..core.errors import PipelineError, errors_at, shown
from ..core.files import parse_jsonl, read_bytes, read_text, require_unique, write_jsonl
from ..core.hints import separator_fault
from ..core.model import Item, Span
from ..core.notation import FactorError, expand
from ..core.records import field_of, item_from_json
from ..core.tables import columns_of, parse_table, table_text
from ..core.yamlfile import line_of, parse_yaml
from ..language.pronouns import CASES, PronounSet, PronounTable

_ENTITIES = ("occupation(0)", "other-participant(1)", "answer")
#: The columns of the published tables.
WINOGENDER_HEADER = (*_ENTITIES, "sentence")
WINOPRON_HEADER = (*_ENTITIES, "pronoun_type", "template", "single_version")
_PLACE = re.compile(r"(?:(?P<article>\b(?:[Tt]he|[Aa]n?))\s+)?\$(?P<name>[A-Z_]+)")
_SENTENCE_START = re.compile(r"(?:^|[.!?][\"'”’)]*\s+)[\"'“‘(]*$")


@dataclass(frozen=True, slots=True)
class Template:
    """One template.

    Attributes:
        answer: 0 if the pronoun refers to the occupation, 1 if it refers to the participant.
        placeholder: name of the pronoun's placeholder, such as NOM_PRONOUN.
        single: text that names only the antecedent; None in Winogender.
    """

    occupation: str
    participant: str
    answer: int
    placeholder: str
    double: str
    single: str | None
    line: int

    @property
    def antecedent(self) -> str:
        """The word of the entity that the pronoun refers to."""
        return self.participant if self.answer else self.occupation


def read_templates(path: Path, table: PronounTable) -> list[Template]:
    """Return the templates of a file, by its suffix: our YAML, a published table (TSV), or a zip archive of tables.

    From an archive, the first table in WinoPron's format is read, or else the first table.
    """
    if path.suffix in (".yaml", ".yml"):
        return parse_yaml_templates(read_text(path), path, table)
    if path.suffix != ".zip":
        return parse_template_table(table_text(read_bytes(path), path), path, table)
    texts = list(archived_texts(path, (".tsv",)).values())
    if not texts:
        raise PipelineError(path, None, "[zip] no templates in the archive; expected a .tsv file")
    ours = (text for text in texts if columns_of(text)[: len(WINOPRON_HEADER)] == [*WINOPRON_HEADER])
    return parse_template_table(next(ours, texts[0]), path, table)


def parse_template_table(text: str, path: Path, table: PronounTable) -> list[Template]:
    """Return the templates of a table in its order; the header tells Winogender's format from WinoPron's.

    Blanks around a cell are ignored.

    Raises:
        PipelineError: an unknown header, a row of the wrong width, an empty cell, an answer other than 0 or 1, or a
            template without exactly one pronoun.
    """
    header = tuple(columns_of(text))
    if header not in (WINOPRON_HEADER, WINOGENDER_HEADER):
        expected = " or ".join(", ".join(known) for known in (WINOGENDER_HEADER, WINOPRON_HEADER))
        columns = shown(", ".join(header)) if header else "an empty file"
        reason = f"[header] unknown format; found {columns}, expected the columns {expected}, or a .yaml file"
        raise PipelineError(path, 1, separator_fault(header) or reason)
    return [
        _template({column: cell.strip() for column, cell in cells.items()}, path, line, table)
        for line, cells in parse_table(text, path, header, has_comments=False)
    ]


class _Versions(msgspec.Struct, frozen=True):
    double: Text
    occupation: Text
    participant: Text


#: An entry of our YAML format: a pair of entities, with its sentences in some of the cases.
_Pair: Any = msgspec.defstruct(
    "_Pair", [("occupation", Text), ("participant", Text), *((case, _Versions, None) for case in CASES)], frozen=True
)
_PAIRS: Any = Annotated[
    tuple[_Pair, ...],
    msgspec.Meta(description="a list of entity pairs (entries that begin with '- occupation: …')"),
]


def parse_yaml_templates(text: str, path: Path, table: PronounTable) -> list[Template]:
    """Return the templates of our YAML format, with two endings in braces for each pair of entities and each case.

    The first ending refers to the occupation, the second to the participant; the fields `occupation` and `participant`
    hold their single-entity versions.

    Raises:
        PipelineError: not YAML, a missing or unknown field, broken notation, or a template that `parse_template_table` rejects.
    """
    document = parse_yaml(text, path)
    placeholders = {case: name for name, case in table.placeholders.items()}
    pairs = convert_node(document, _PAIRS, path)
    templates = []
    for node, pair in zip(document, pairs, strict=True):
        for case in (key for key in node if key in placeholders):
            versions: _Versions = getattr(pair, case)
            line = line_of(node[case], "double") or 1
            try:
                doubles = expand(versions.double)
            except FactorError as error:
                raise PipelineError(path, line, f"[double] {error}") from error
            for answer, (double, single) in enumerate(
                zip(doubles, (versions.occupation, versions.participant), strict=True)
            ):
                cells = {
                    "occupation(0)": pair.occupation,
                    "other-participant(1)": pair.participant,
                    "answer": str(answer),
                    "pronoun_type": f"${placeholders[case]}",
                    "template": double,
                    "single_version": single,
                }
                templates.append(_template(cells, path, line, table))
    return templates


def fill(text: str, words: Mapping[str, str], table: PronounTable) -> str:
    """Return a template with its placeholders replaced by `words` (keys OCCUPATION, PARTICIPANT, NOM_PRONOUN, …).

    A word at the start of a sentence is capitalized, a becomes an before a vowel sound, and a word that the table lists as
    bare loses its article.

    >>> from pipeline.language.pronouns import pronoun_table
    >>> words = {"OCCUPATION": "auditor", "PARTICIPANT": "someone", "NOM_PRONOUN": "they"}
    >>> fill("The $PARTICIPANT saw a $OCCUPATION. $NOM_PRONOUN left.", words, pronoun_table("en"))
    'Someone saw an auditor. They left.'
    """

    def word(match: re.Match[str]) -> str:
        article, filler = match["article"], words[match["name"]]
        initial = article[0].isupper() if article else bool(_SENTENCE_START.search(text[: match.start()]))
        if article and filler in table.bare:
            article = None
        elif article and article.lower() in ("a", "an"):
            article = "an" if table.an.search(filler) else "a"
        phrase = f"{article} {filler}" if article else filler
        return phrase[0].upper() + phrase[1:] if initial else phrase

    return _PLACE.sub(word, text)


def words_for(template: Template, pronouns: PronounSet, table: PronounTable, participant: str = "") -> dict[str, str]:
    """Return the words for a template's placeholders; `participant` replaces the template's own."""
    return {
        "OCCUPATION": template.occupation,
        "PARTICIPANT": participant or template.participant,
        template.placeholder: pronouns.forms[table.placeholders[template.placeholder]],
    }


def fill_with_span(
    text: str, placeholder: str, words: Mapping[str, str], pronouns: PronounSet, table: PronounTable
) -> tuple[str, Span]:
    """Return a template's text filled with `words`, and the span of its pronoun.

    A verb directly after a nominative agrees with the pronoun set: they were.
    """
    if pronouns.plural and table.placeholders[placeholder] == "nominative":
        verb = re.compile(rf"(\${placeholder}\s+)([\w']+)")
        text = verb.sub(lambda match: match[1] + table.agreement.get(match[2], match[2]), text)
    start = len(fill(text[: text.index(f"${placeholder}")], words, table))
    return fill(text, words, table), Span(start, start + len(words[placeholder]))


def _template(cells: Mapping[str, str], path: Path, line: int, table: PronounTable) -> Template:
    for name, cell in cells.items():
        if not cell:
            raise PipelineError(path, line, f"[{name}] empty cell; expected a value")
    if cells["answer"] not in ("0", "1"):
        raise PipelineError(path, line, f"[answer] unknown answer; found {shown(cells['answer'])}, expected 0 or 1")
    key = "template" if "template" in cells else "sentence"
    pronouns = [_pronoun_in(cells[name], name, path, line, table) for name in (key, "single_version") if name in cells]
    placeholder = cells.get("pronoun_type", f"${pronouns[0]}").removeprefix("$")
    if set(pronouns) != {placeholder}:
        reason = f"[pronoun_type] placeholders differ; found {', '.join(pronouns)} in the text, expected {placeholder}"
        raise PipelineError(path, line, reason)
    occupation, participant = cells["occupation(0)"], cells["other-participant(1)"]
    single = cells.get("single_version")
    return Template(occupation, participant, int(cells["answer"]), placeholder, cells[key], single, line)


def _pronoun_in(text: str, field: str, path: Path, line: int, table: PronounTable) -> str:
    names = [match["name"] for match in _PLACE.finditer(text)]
    for name in names:
        if name not in ("OCCUPATION", "PARTICIPANT", *table.placeholders):
            known = ", ".join(f"${known}" for known in ("OCCUPATION", "PARTICIPANT", *table.placeholders))
            raise PipelineError(
                path, line, f"[{field}] unknown placeholder; found {shown(f'${name}')}, expected one of {known}"
            )
    pronouns = [name for name in names if name in table.placeholders]
    if len(pronouns) != 1:
        reason = (
            f"[{field}] wrong number of pronouns; found {', '.join(pronouns) or 'none'} in {shown(text)}, expected one"
        )
        raise PipelineError(path, line, reason)
    return pronouns[0]


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
