"""What the zeros of a text refer to."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..core.errors import PipelineError, shown
from ..core.files import parse_tsv, read_text
from ..core.model import Span
from .documents import ParallelText

#: The columns of a table of antecedents.
COLUMNS = ("line", "zero", "antecedent_line", "antecedent", "occurrence", "kind")
#: The kind of a zero with an antecedent in its document.
ANAPHORIC = "anaphoric"
#: What a zero refers to, by its kind (EMNLP 2022, section 3.2, items 2 and 3; the paper does not divide the non-anaphoric ones).
KINDS: Mapping[str, str] = {
    ANAPHORIC: "somebody or something that the document names",
    "speaker": "who speaks or writes, alone or with others",
    "addressee": "who is spoken or written to",
    "generic": "people in general",
    "situation": "something that is there, but is not named",
}


@dataclass(frozen=True, slots=True)
class Mention:
    """Words of a text that name something: their line, from 1, and their place in the sentence without its zeros."""

    line: int
    span: Span


@dataclass(frozen=True, slots=True)
class Reference:
    """What a zero refers to, as a row of the table says: `zero` is its number in its line, `antecedent` the nearest mention if any."""

    row: int
    line: int
    zero: int
    antecedent: Mention | None
    kind: str


def read_references(path: Path, text: ParallelText) -> list[Reference]:
    """Return what each zero of a text refers to, a reference for each zero, in their order.

    Raises:
        PipelineError: a cell is malformed, a zero has no row or two, an antecedent is not in the document of its zero.
    """
    document_of = {pair.line: number for number, document in enumerate(text.documents) for pair in document}
    texts = {pair.line: pair.source.text for pair in text.pairs}
    expected = [(pair.line, number) for pair in text.pairs for number in range(1, len(pair.source.zeros) + 1)]
    references: list[Reference] = []
    for row, cells in parse_tsv(read_text(path), path, COLUMNS):
        try:
            reference = _reference(row, cells, texts, document_of)
            _require_next(reference, expected[len(references) : len(references) + 1])
        except ValueError as error:
            raise PipelineError(path, row, str(error)) from error
        references.append(reference)
    if len(references) < len(expected):
        line, zero = expected[len(references)]
        raise PipelineError(path, None, f"[zero] missing row; found none for zero {zero} of line {line}, expected one")
    return references


def _require_next(reference: Reference, expected: Sequence[tuple[int, int]]) -> None:
    """Raise `ValueError` unless a reference is of the zero whose turn it is."""
    if expected != [(reference.line, reference.zero)]:
        turn = f"zero {expected[0][1]} of line {expected[0][0]}" if expected else "no more rows"
        raise ValueError(f"[zero] out of order; found zero {reference.zero} of line {reference.line}, expected {turn}")


def _reference(
    row: int, cells: Mapping[str, str], texts: Mapping[int, str], document_of: Mapping[int, int]
) -> Reference:
    """Return the reference of a row; raises `ValueError` with the column and the reason."""
    line, zero, kind = _number(cells, "line"), _number(cells, "zero"), cells["kind"]
    if kind not in KINDS:
        raise ValueError(f"[kind] unknown kind; found {shown(kind)}, expected one of {', '.join(KINDS)}")
    if line not in texts:
        raise ValueError(f"[line] no sentence; found line {line}, expected the line of a zero")
    filled = [column for column in COLUMNS[2:5] if cells[column]]
    if kind != ANAPHORIC:
        if filled:
            reason = f"found {shown(cells[filled[0]])}, expected nothing, as the zero is {kind}"
            raise ValueError(f"[{filled[0]}] an antecedent; {reason}")
        return Reference(row, line, zero, None, kind)
    at = _number(cells, "antecedent_line")
    if at not in texts or document_of[at] != document_of[line]:
        raise ValueError(f"[antecedent_line] not in the document of the zero; found line {at}, expected one of it")
    words, occurrence = cells["antecedent"], _number(cells, "occurrence")
    if words != words.strip():
        raise ValueError(f"[antecedent] blanks around a mention; found {shown(words)}, expected {shown(words.strip())}")
    starts = [match.start() for match in re.finditer(re.escape(words), texts[at])] if words else []
    if occurrence > len(starts):
        times = f"{len(starts)} of {shown(words)} in line {at}"
        raise ValueError(f"[antecedent] no such mention; found {times}, expected at least {occurrence}")
    start = starts[occurrence - 1]
    return Reference(row, line, zero, Mention(at, Span(start, start + len(words))), kind)


def _number(cells: Mapping[str, str], column: str) -> int:
    if not re.fullmatch("[1-9][0-9]{0,8}", cells[column]):
        raise ValueError(f"[{column}] not a number; found {shown(cells[column])}, expected a whole number from 1")
    return int(cells[column])
