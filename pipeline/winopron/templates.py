"""Occupation templates as Winogender and WinoPron publish them: read, and filled with entities and pronouns."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ..core.archives import archived_texts
from ..core.errors import PipelineError
from ..core.files import lines_of, read_text
from ..core.model import Span
from ..core.notation import FactorError, expand
from ..core.yamlfile import line_of, parse_yaml, require_mapping
from ..language.pronouns import PronounSet, PronounTable

_ENTITIES = ("occupation(0)", "other-participant(1)", "answer")
WINOGENDER = (*_ENTITIES, "sentence")
WINOPRON = (*_ENTITIES, "pronoun_type", "template", "single_version")
_PLACE = re.compile(r"(?:(?P<article>\b(?:[Tt]he|[Aa]n?))\s+)?\$(?P<name>[A-Z_]+)")
_SENTENCE_START = re.compile(r"(?:^|[.!?][\"'”’)]*\s+)[\"'“‘(]*$")


@dataclass(frozen=True, slots=True)
class Template:
    """One template: `double` names both entities, `single` (None in Winogender) the one that the pronoun means.

    `answer` is 0 where the pronoun means the occupation, 1 where it means the participant; `placeholder` is the pronoun's.
    """

    occupation: str
    participant: str
    answer: int
    placeholder: str
    double: str
    single: str | None
    line: int

    @property
    def right(self) -> str:
        """The word of the entity that the pronoun means."""
        return self.participant if self.answer else self.occupation


def parse_templates(text: str, path: Path, table: PronounTable) -> list[Template]:
    """Return the templates of a file in its order, in whichever of the two formats its header shows.

    Blanks at the ends of a cell and unnamed columns behind the header's are passed over.

    Raises:
        PipelineError: another header, a row of the wrong width, an answer that is not 0 or 1, a template without its one
            pronoun, or an empty cell.
    """
    rows = [line.split("\t") for line in lines_of(text)]
    header = tuple(cell.strip() for cell in rows[0]) if rows else ()
    names = next((known for known in (WINOPRON, WINOGENDER) if header[: len(known)] == known), None)
    if names is None or any(header[len(names) :]):
        found = ", ".join(header) or "nothing"
        expected = " or ".join(", ".join(known) for known in (WINOGENDER, WINOPRON))
        raise PipelineError(path, 1, f"[header] unknown format; found {found}, expected {expected}")
    templates = []
    for number, row in enumerate(rows[1:], 2):
        if len(row) != len(header):
            raise PipelineError(path, number, f"[row] wrong width; found {len(row)} cells, expected {len(header)}")
        cells = dict(zip(names, (cell.strip() for cell in row), strict=False))
        templates.append(_template(cells, path, number, table))
    return templates


def _template(cells: Mapping[str, str], path: Path, line: int, table: PronounTable) -> Template:
    for name, cell in cells.items():
        if not cell:
            raise PipelineError(path, line, f"[{name}] empty; expected a value")
    if cells["answer"] not in ("0", "1"):
        raise PipelineError(path, line, f"[answer] unknown; found {cells['answer']!r}, expected 0 or 1")
    key = "template" if "template" in cells else "sentence"
    found = [_pronoun_in(cells[name], name, path, line, table) for name in (key, "single_version") if name in cells]
    wanted = cells.get("pronoun_type", f"${found[0]}").removeprefix("$")
    if set(found) != {wanted}:
        raise PipelineError(path, line, f"[pronoun_type] another pronoun; found {', '.join(found)}, expected {wanted}")
    occupation, participant = cells["occupation(0)"], cells["other-participant(1)"]
    single = cells.get("single_version")
    return Template(occupation, participant, int(cells["answer"]), wanted, cells[key], single, line)


def templates_of(text: str, path: Path, table: PronounTable) -> list[Template]:
    """Return the templates of our own format: for each pair of entities and each case two endings in braces.

    The first ending means the occupation, the second the participant; `occupation` and `participant` are their
    single-entity versions.

    Raises:
        PipelineError: not YAML, a missing or unknown field, broken notation, or what `parse_templates` refuses.
    """
    document = parse_yaml(text, path)
    if not isinstance(document, list):
        raise PipelineError(path, line_of(document) or 1, "[yaml] wrong kind; expected a list of entity pairs")
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
            try:
                doubles = expand(str(versions["double"]))
            except FactorError as error:
                raise PipelineError(path, line, f"[double] {error}") from error
            for answer, (double, single) in enumerate(
                zip(doubles, (versions["occupation"], versions["participant"]), strict=True)
            ):
                cells = {
                    "occupation(0)": str(entry["occupation"]),
                    "other-participant(1)": str(entry["participant"]),
                    "answer": str(answer),
                    "pronoun_type": f"${placeholders[case]}",
                    "template": double,
                    "single_version": str(single),
                }
                templates.append(_template(cells, path, line, table))
    return templates


def read_templates(path: Path, table: PronounTable) -> list[Template]:
    """Return the templates of a file by its suffix: our own YAML, a published table, or an archive of tables.

    Of an archive, the first member in WinoPron's format is read, else its first table.
    """
    if path.suffix in (".yaml", ".yml"):
        return templates_of(read_text(path), path, table)
    if path.suffix != ".zip":
        return parse_templates(read_text(path), path, table)
    texts = list(archived_texts(path, (".tsv",)).values())
    if not texts:
        raise PipelineError(path, None, "[zip] no templates; found no .tsv in it")
    header = "\t".join(WINOPRON)
    return parse_templates(next((text for text in texts if text.startswith(header)), texts[0]), path, table)


def _pronoun_in(text: str, field: str, path: Path, line: int, table: PronounTable) -> str:
    names = [match["name"] for match in _PLACE.finditer(text)]
    for name in names:
        if name not in ("OCCUPATION", "PARTICIPANT", *table.placeholders):
            known = ", ".join(f"${known}" for known in ("OCCUPATION", "PARTICIPANT", *table.placeholders))
            raise PipelineError(path, line, f"[{field}] unknown placeholder; found ${name}, expected one of {known}")
    pronouns = [name for name in names if name in table.placeholders]
    if len(pronouns) != 1:
        found = ", ".join(pronouns) or "none"
        raise PipelineError(path, line, f"[{field}] one pronoun is needed; found {found} in {text!r}")
    return pronouns[0]


def fill(text: str, words: Mapping[str, str], table: PronounTable) -> str:
    """Return a template with its placeholders replaced by `words` (OCCUPATION, PARTICIPANT, NOM_PRONOUN, …).

    A word at the start of a sentence gets a capital, a becomes an by the word's sound, and a bare word takes no article.

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


def words_of(template: Template, pronouns: PronounSet, table: PronounTable, participant: str = "") -> dict[str, str]:
    """Return what a template's placeholders stand for with a pronoun set; `participant` may stand in for its own."""
    return {
        "OCCUPATION": template.occupation,
        "PARTICIPANT": participant or template.participant,
        template.placeholder: pronouns.forms[table.placeholders[template.placeholder]],
    }


def filled(
    text: str, placeholder: str, words: Mapping[str, str], pronouns: PronounSet, table: PronounTable
) -> tuple[str, Span]:
    """Return a template's text filled with `words` and the place of its pronoun.

    A verb right after a nominative agrees with the set: they were.
    """
    if pronouns.plural and table.placeholders[placeholder] == "nominative":
        verb = re.compile(rf"(\${placeholder}\s+)([\w']+)")
        text = verb.sub(lambda match: match[1] + table.agreement.get(match[2], match[2]), text)
    start = len(fill(text[: text.index(f"${placeholder}")], words, table))
    return fill(text, words, table), Span(start, start + len(words[placeholder]))
