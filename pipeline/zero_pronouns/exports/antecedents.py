"""Read what the zeros of a text refer to: the nearest mention of each (antecedents/GENRE.tsv)."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from ...core.errors import PipelineError, plural, shown
from ...core.files import parse_tsv, read_text
from ...core.model import Span
from ..documents import Document, SentencePair

Kind = Literal["anaphoric", "speaker", "addressee", "generic", "situation"]
#: What a zero refers to: a mention in its document, or something that the document does not name.
KINDS: tuple[Kind, ...] = get_args(Kind)
COLUMNS = ("line", "zero", "antecedent_line", "antecedent", "occurrence", "kind")
#: The columns that only an anaphoric zero has.
_OF_MENTION = COLUMNS[2:5]
#: Maximum number of digits of a number in the table.
_DIGITS = 9


@dataclass(frozen=True, slots=True)
class Antecedent:
    """What a zero refers to.

    Attributes:
        kind: how it is known.
        line: the line of its nearest mention; None unless anaphoric.
        span: the span of the mention in that sentence without its labels; None unless anaphoric.
    """

    kind: Kind
    line: int | None = None
    span: Span | None = None


#: The antecedent of each zero by its line and its number in the line, from 1.
Antecedents = Mapping[tuple[int, int], Antecedent]


def read_antecedents(path: Path, documents: tuple[Document, ...]) -> Antecedents:
    """Return the antecedents of the zeros of some documents.

    Raises:
        PipelineError: a row is malformed, names no zero or no mention in the zero's document, or a zero has no row or two.
    """
    document_of = {pair.line: document for document in documents for pair in document}
    antecedents: dict[tuple[int, int], Antecedent] = {}
    for number, row in parse_tsv(read_text(path), path, COLUMNS):
        try:
            key, antecedent = _entry(row, document_of)
        except ValueError as error:
            raise PipelineError(path, number, str(error)) from error
        if key in antecedents:
            raise PipelineError(path, number, f"[zero] not unique; found line {key[0]}, zero {key[1]} twice")
        antecedents[key] = antecedent
    for pair in (pair for document in documents for pair in document):
        for zero in range(1, len(pair.source.zeros) + 1):
            if (pair.line, zero) not in antecedents:
                reason = f"[zero] no row for line {pair.line}, zero {zero}; expected one for each zero of the text"
                raise PipelineError(path, None, reason)
    return antecedents


def _entry(row: Mapping[str, str], document_of: Mapping[int, Document]) -> tuple[tuple[int, int], Antecedent]:
    """Return the zero and the antecedent of a row; raises `ValueError` with the column and the reason."""
    line, zero = _number(row, "line"), _number(row, "zero")
    document = document_of.get(line, ())
    zeros = next((pair.source.zeros for pair in document if pair.line == line), ())
    if zero > len(zeros):
        raise ValueError(f"[zero] no such zero; found {zero}, expected at most {len(zeros)} in line {line}")
    kind = next((kind for kind in KINDS if kind == row["kind"]), None)
    if kind is None:
        raise ValueError(f"[kind] unknown kind; found {shown(row['kind'])}, expected one of {', '.join(KINDS)}")
    if kind != "anaphoric":
        given = next((column for column in _OF_MENTION if row[column]), None)
        if given:
            raise ValueError(f"[{given}] mention of a zero without one; found {shown(row[given])}, expected nothing")
        return (line, zero), Antecedent(kind)
    place = _number(row, "antecedent_line")
    pair = next((pair for pair in document if pair.line == place), None)
    if pair is None:
        raise ValueError(
            f"[antecedent_line] not in the document; found {place}, expected a line of that of line {line}"
        )
    return (line, zero), Antecedent(kind, place, _mention(pair, row["antecedent"], _number(row, "occurrence")))


def _mention(pair: SentencePair, words: str, occurrence: int) -> Span:
    if not words or words != words.strip():
        raise ValueError(f"[antecedent] not a mention; found {shown(words)}, expected words without blanks around")
    count = pair.source.text.count(words)
    if occurrence > count:
        reason = f"found occurrence {occurrence} of {shown(words)}, expected at most {plural(count, 'occurrence')}"
        raise ValueError(f"[occurrence] no such mention; {reason} in line {pair.line}")
    start = -len(words)
    for _ in range(occurrence):
        start = pair.source.text.index(words, start + len(words) if start >= 0 else 0)
    return Span(start, start + len(words))


def _number(row: Mapping[str, str], column: str) -> int:
    cell = row[column]
    if not (cell.isascii() and cell.isdigit() and len(cell) <= _DIGITS and int(cell)):
        raise ValueError(f"[{column}] not a number; found {shown(cell)}, expected a whole number from 1")
    return int(cell)
