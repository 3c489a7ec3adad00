"""What is translated of a collection, in requests that DeepL accepts, and the draft of its translation.

The draft is a table with the source, the machine's translation, and empty columns for a person.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from ...core.convert import convert_fields
from ...core.errors import PipelineError, errors_at, shown
from ...core.files import read_bytes, require_unique, to_json
from ...core.model import Item
from ...core.notation import escape
from ...core.tables import one_line, parse_rows, parse_table, table_text, write_tsv
from ...language.pronoun_classes import Gender

#: Maximum number of texts in a request (DeepL's reference, "Translate text").
MAX_TEXTS = 50
#: Maximum size of a request in bytes (the same), less what its other fields take at most.
MAX_BYTES = 128 * 1024 - 1024
#: Sentences are not split, so that a pronoun is translated together with the sentence of its antecedent.
SPLIT_SENTENCES = "0"


@dataclass(frozen=True, slots=True)
class Glossary:
    """A glossary of one's own with its entries, or one that DeepL has already.

    A translation depends on its `identity`: ``sha256:`` with the digest of the entries, ``id:`` with DeepL's id, or nothing without a
    glossary.
    """

    identity: str = ""
    entries: Mapping[str, str] = field(default_factory=dict)


def read_glossary(path: Path) -> Glossary:
    """Return the glossary of a table without a header: each row has a term and its translation.

    Raises:
        PipelineError: a line has another number of cells, an empty one or a control character, a term occurs twice, the file is empty.
    """
    entries: dict[str, str] = {}
    lines: dict[str, int | None] = {}
    for line, cells in parse_rows(table_text(read_bytes(path), path), path, ("term", "translation")):
        term, translation = (cell.strip() for cell in cells)
        if not all(text and text.isprintable() for text in (term, translation)):
            reason = f"[glossary] not a term with its translation; found {shown(cells)}, expected text in both"
            raise PipelineError(path, line, reason)
        require_unique(lines, term, path, line, "glossary")
        entries[term] = translation
    if not entries:
        raise PipelineError(path, None, "[glossary] no entry; expected lines of a term, a tab and its translation")
    digest = hashlib.sha256(to_json(sorted(entries.items())).encode()).hexdigest()
    return Glossary(f"sha256:{digest}", entries)


@dataclass(frozen=True, slots=True)
class SourceText:
    """A text that is translated and paid for, and the context that DeepL reads beside it, which is neither."""

    text: str
    context: str = ""


@dataclass(frozen=True, slots=True)
class ItemPart:
    """A part of an item, a row of the draft: its text, its question, or ``candidate-1``, ``candidate-2`` and so on.

    `right` tells whether it is the right candidate; `shown` is the part as people read it: in the text, the target is in brackets.
    """

    id: str
    field: str
    right: bool
    shown: str
    source: SourceText


@dataclass(frozen=True, slots=True)
class Options:
    """What decides a translation besides the text and its context.

    The languages are DeepL's codes, such as EN; `formality` is ``default``, ``more``, ``less``, ``prefer_more`` or ``prefer_less``;
    `glossary` is the identity of a `Glossary`.
    """

    source_lang: str
    target_lang: str
    formality: str = "default"
    glossary: str = ""

    def key(self, source: SourceText) -> str:
        """Return the key of a text in the cache: SHA-256 of the options, the text and its context."""
        values = [*asdict(self).values(), SPLIT_SENTENCES, source.text, source.context]
        return hashlib.sha256(to_json(values).encode()).hexdigest()


def item_parts(items: Iterable[Item]) -> list[ItemPart]:
    """Return the parts of items, in their order: text, question, candidates.

    The text has no context, the question has the text. A candidate has the first text of its schema that lists it, so that the members
    of a pair share one translation of it.
    """
    parts = []
    contexts: dict[tuple[str, str], str] = {}
    for item in items:
        start, end = item.target.start, item.target.end
        head, target, tail = (escape(text) for text in (item.text[:start], item.text[start:end], item.text[end:]))
        parts.append(ItemPart(item.id, "text", False, f"{head}[{target}]{tail}", SourceText(item.text)))
        if item.question.strip():
            question = SourceText(item.question, item.text)
            parts.append(ItemPart(item.id, "question", False, item.question, question))
        for number, candidate in enumerate(item.candidates):
            context = contexts.setdefault((item.schema, candidate), item.text)
            source = SourceText(candidate, context)
            parts.append(ItemPart(item.id, f"candidate-{number + 1}", number == item.answer, candidate, source))
    return parts


def characters(sources: Iterable[SourceText]) -> int:
    """Return how many characters DeepL counts: the code points of the texts, not of their contexts."""
    return sum(len(source.text) for source in sources)


def batches(sources: Sequence[SourceText]) -> list[list[SourceText]]:
    """Return the requests that translate texts, each text once: those without context first, then context by context.

    A request has at most `MAX_TEXTS` texts, which share a context.

    Raises:
        PipelineError: a text is too long for a request of its own.
    """
    unique = sorted(dict.fromkeys(sources), key=lambda source: bool(source.context))
    by_context: dict[str, list[SourceText]] = {}
    for source in unique:
        by_context.setdefault(source.context, []).append(source)
    made: list[list[SourceText]] = []
    for context, group in by_context.items():
        most, left = MAX_BYTES - _size(context), 0
        for source in group:
            size = _size(source.text)
            if size > most:
                reason = f"found {shown(source.text)}, expected a request of 128 KiB at most"
                raise PipelineError(None, None, f"[text] too long for DeepL with its context; {reason}")
            if source is group[0] or len(made[-1]) == MAX_TEXTS or size > left:
                made.append([])
                left = most
            made[-1].append(source)
            left -= size
    return made


def _size(text: str) -> int:
    """Return how many bytes a text takes in a request, with the comma after it; JSON escapes what is not ASCII."""
    return len(json.dumps(text)) + 2


def translated(parts: Sequence[ItemPart], options: Options, translations: Mapping[str, str]) -> list[str]:
    """Return the machine translation of each part, from translations by key (`Options.key`)."""
    return [translations[options.key(part.source)] for part in parts]


# --- the draft -----------------------------------------------------------------------------------------------------------


#: Name of the file.
DRAFT = "draft.tsv"
COLUMNS = ("id", "field", "right", "source", "machine", "reviewed", "gender")
#: Stands in the note of a record whose words are the machine's; no suite lets it pass.
UNREVIEWED = "unreviewed machine translation"
#: Stands in the column `right` of the right candidate.
RIGHT = "yes"
TEXT, QUESTION, CANDIDATE = "text", "question", "candidate-"


@dataclass(frozen=True, slots=True)
class DraftRow:
    """A row of the draft: a part of an item in the source language, the machine's translation, and what a person accepted.

    The id of the item is its schema, a hyphen and its version; `field` is that of an `ItemPart`. In `source` and `reviewed`, the target
    of a text is in brackets. `reviewed` is empty and `gender` None if nobody has given them; `line` is None if the row is not written
    yet.
    """

    id: str
    field: str
    right: bool
    source: str
    machine: str
    reviewed: str = ""
    gender: Gender | None = None
    line: int | None = None


class _Cells(msgspec.Struct, frozen=True):
    id: Annotated[str, msgspec.Meta(pattern=r"\A.+-[^-]+\Z", description="a schema and a version, such as wsc-001-a")]
    field: Annotated[
        str,
        msgspec.Meta(
            pattern=rf"\A(?:{TEXT}|{QUESTION}|{CANDIDATE}[0-9]+)\Z",
            description=f"{TEXT}, {QUESTION} or {CANDIDATE}1, {CANDIDATE}2 …",
        ),
    ]
    right: Literal["", "yes"]
    source: str
    machine: str
    reviewed: str
    gender: Gender | Literal[""]


def draft_rows(parts: Sequence[ItemPart], translations: Sequence[str]) -> list[DraftRow]:
    """Return the rows of a draft, as its file will have them, nothing reviewed; each part has its translation."""
    return [
        DraftRow(part.id, part.field, part.right, _as_written(part.shown), _as_written(text))
        for part, text in zip(parts, translations, strict=True)
    ]


def _as_written(text: str) -> str:
    """Return a text as it is read from the cell that holds it: on one line."""
    return one_line(text).strip()


def with_reviews(rows: Sequence[DraftRow], before: Iterable[DraftRow], path: Path) -> list[DraftRow]:
    """Return rows with what people wrote into an earlier draft, the file of which is `path`.

    Raises:
        PipelineError: a row that a person has reviewed is not in the new draft, or has another source.
    """
    reviewed = {(row.id, row.field): row for row in before if row.reviewed or row.gender}
    sources = {(row.id, row.field): row.source for row in rows}
    for place, row in reviewed.items():
        if sources.get(place) != row.source:
            reason = f"[reviewed] a reviewed row would be lost; found {row.field} of {shown(row.id)}, expected it in the new draft"
            raise PipelineError(path, row.line, f"{reason} with the same source: write the new draft to another folder")
    merged = []
    for row in rows:
        old = reviewed.get((row.id, row.field))
        merged.append(replace(row, reviewed=old.reviewed, gender=old.gender) if old else row)
    return merged


def write_draft(path: Path, rows: Iterable[DraftRow]) -> None:
    """Write a draft atomically, its cells safe in a spreadsheet (`tsv_cell`)."""
    write_tsv(
        path,
        COLUMNS,
        (
            (row.id, row.field, RIGHT if row.right else "", row.source, row.machine, row.reviewed, row.gender or "")
            for row in rows
        ),
    )


def read_draft(path: Path) -> list[DraftRow]:
    """Return the rows of a draft; see `parse_draft` for its errors."""
    return list(parse_draft(read_bytes(path), path))


def parse_draft(data: bytes, path: Path) -> Iterator[DraftRow]:
    """Yield the rows of a draft, in its order.

    Raises:
        PipelineError: a column is missing or a row has another width; a field or gender is unknown or in the wrong row; a field of an
            item occurs twice.
    """
    lines: dict[tuple[str, str], int | None] = {}
    for line, cells in parse_table(table_text(data, path), path, COLUMNS, has_comments=False):
        yield _row({column: cell.strip() for column, cell in cells.items()}, path, line, lines)


def _row(cells: Mapping[str, str], path: Path, line: int, lines: dict[tuple[str, str], int | None]) -> DraftRow:
    with errors_at(path, line):
        row = convert_fields(cells, _Cells)
    require_unique(lines, (row.id, row.field), path, line, "field")
    for column in ("right", "gender"):
        if cells[column] and not row.field.startswith(CANDIDATE):
            reason = f"[{column}] only for candidates; found {shown(cells[column])}, expected nothing"
            raise PipelineError(path, line, reason)
    return DraftRow(
        row.id, row.field, row.right == RIGHT, row.source, row.machine, row.reviewed, row.gender or None, line
    )


def by_item(rows: Iterable[DraftRow]) -> dict[str, dict[str, DraftRow]]:
    """Return the rows of each item by field, items in the order in which they begin."""
    items: dict[str, dict[str, DraftRow]] = {}
    for row in rows:
        items.setdefault(row.id, {})[row.field] = row
    return items
