"""Occupation templates: read them as published or as our YAML, and fill them with entities and pronouns."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ..core.archives import archived_texts
from ..core.errors import PipelineError, shown
from ..core.files import read_bytes, read_text
from ..core.hints import separator_fault
from ..core.model import Span
from ..core.notation import FactorError, expand
from ..core.tables import columns_of, parse_table, table_text
from ..core.yamlfile import kind_of, line_of, parse_yaml, require_mapping, text_of
from ..language.pronouns import PronounSet, PronounTable

_ENTITIES = ("occupation(0)", "other-participant(1)", "answer")
#: The columns of the published tables.
WINOGENDER = (*_ENTITIES, "sentence")
WINOPRON = (*_ENTITIES, "pronoun_type", "template", "single_version")
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
    ours = (text for text in texts if columns_of(text)[: len(WINOPRON)] == [*WINOPRON])
    return parse_template_table(next(ours, texts[0]), path, table)


def parse_template_table(text: str, path: Path, table: PronounTable) -> list[Template]:
    """Return the templates of a table in its order; the header tells Winogender's format from WinoPron's.

    Blanks around a cell are ignored.

    Raises:
        PipelineError: an unknown header, a row of the wrong width, an empty cell, an answer other than 0 or 1, or a
            template without exactly one pronoun.
    """
    header = tuple(columns_of(text))
    if header not in (WINOPRON, WINOGENDER):
        expected = " or ".join(", ".join(known) for known in (WINOGENDER, WINOPRON))
        columns = shown(", ".join(header)) if header else "an empty file"
        reason = f"[header] unknown format; found {columns}, expected the columns {expected}, or a .yaml file"
        raise PipelineError(path, 1, separator_fault(header) or reason)
    return [
        _template({column: cell.strip() for column, cell in cells.items()}, path, line, table)
        for line, cells in parse_table(text, path, header, has_comments=False)
    ]


def parse_yaml_templates(text: str, path: Path, table: PronounTable) -> list[Template]:
    """Return the templates of our YAML format, with two endings in braces for each pair of entities and each case.

    The first ending refers to the occupation, the second to the participant; the fields `occupation` and `participant`
    hold their single-entity versions.

    Raises:
        PipelineError: not YAML, a missing or unknown field, broken notation, or a template that `parse_template_table` rejects.
    """
    document = parse_yaml(text, path)
    if not isinstance(document, list):
        actual = kind_of(document) if text.strip() else "an empty file"
        reason = f"[yaml] wrong kind; found {actual}, expected a list of entity pairs (entries that begin with '- occupation: …')"
        raise PipelineError(path, line_of(document) or 1, reason)
    placeholders = {case: name for name, case in table.placeholders.items()}
    templates = []
    for node in document:
        entry = require_mapping(
            node, path, required=frozenset({"occupation", "participant"}), optional=frozenset(placeholders)
        )
        for case in entry:
            if case not in placeholders:
                continue
            versions = require_mapping(entry[case], path, required=frozenset({"double", "occupation", "participant"}))
            line = line_of(versions, "double") or 1
            texts = {name: text_of(versions, name, path) for name in versions}
            try:
                doubles = expand(texts["double"])
            except FactorError as error:
                raise PipelineError(path, line, f"[double] {error}") from error
            for answer, (double, single) in enumerate(
                zip(doubles, (texts["occupation"], texts["participant"]), strict=True)
            ):
                cells = {
                    "occupation(0)": text_of(entry, "occupation", path),
                    "other-participant(1)": text_of(entry, "participant", path),
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
