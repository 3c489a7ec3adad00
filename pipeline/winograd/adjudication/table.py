"""What people decided of items: annotation/decisions.tsv."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, get_args

from ...core.errors import PipelineError
from ...core.files import FORMULA_STARTS, lines_of, parse_tsv, read_text, tsv_cell, write_text
from ...core.model import CLASSES, Record
from ...core.notation import FactorError, escape, unbracket
from ..modifications import marked

Action = Literal["keep", "drop", "relabel", "modify"]
ACTIONS: tuple[Action, ...] = get_args(Action)
#: The state of an item that the rules keep; that of a rejected one is its class.
KEPT = "kept"
COLUMNS = ("item", "action", "value", "state", "text", "answer", "study", "votes", "reason")
_VOTES = re.compile(r"([1-9][0-9]{0,5}) of ([1-9][0-9]{0,5})")


@dataclass(frozen=True, slots=True, kw_only=True)
class Adjudication:
    """One row: what the raters of a study decided of one item.

    Attributes:
        item: its id.
        action: ``keep``: it belongs to the collection, also against the rules; ``drop``: it does not; ``relabel``: it does, with
            another answer; ``modify``: it does, with another text.
        value: of a drop the class, of a relabelling the text of the right candidate, of a modification the text with its target
            in [brackets]; empty of a keep.
        state: ``kept``, or the class under which the rules had rejected it.
        text: what was judged, with its target in [brackets].
        answer: the right candidate as it was judged, empty where there was none.
        study: the id of the study.
        votes: how many said so.
        raters: of how many.
        reason: their comments.
        line: where the row stands.
    """

    item: str
    action: Action
    value: str
    state: str
    text: str
    answer: str
    study: str
    votes: int
    raters: int
    reason: str = ""
    line: int | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        for name, fault in _faults(self):
            raise ValueError(f"[{name}] {fault}")

    @property
    def share(self) -> str:
        """The votes in words, which no spreadsheet takes for a date."""
        return f"{self.votes} of {self.raters}"


def _faults(row: Adjudication) -> Iterable[tuple[str, str]]:
    if not row.item or row.item.startswith("#"):
        yield "item", f"no id; found {row.item!r}"
    yield from (
        (name, f"cannot stand in a table; found {getattr(row, name)!r}")
        for name in ("item", "value", "text", "answer", "reason")
        if not fits_cell(getattr(row, name))
    )
    if row.action not in ACTIONS:
        yield "action", f"unknown; found {row.action!r}, expected one of {', '.join(ACTIONS)}"
    # A pair-mate is rejected for another's sake: who decides of the other decides of it.
    own = [name for name in CLASSES if name != "pair-mate"]
    if row.action == "drop" and row.value not in own:
        yield "value", f"no class of its own; found {row.value!r}, expected one of {', '.join(own)}"
    if (row.action == "keep") != (not row.value):
        yield "value", f"found {row.value!r}, expected none of a keep and one of a {row.action}"
    if row.state not in (KEPT, *CLASSES):
        yield "state", f"unknown; found {row.state!r}, expected {KEPT} or one of {', '.join(CLASSES)}"
    try:
        unbracket(row.text)
    except FactorError as error:
        yield "text", str(error)
    if not re.fullmatch(r"[\w.-]+", row.study):
        yield "study", f"no id; found {row.study!r}"
    if not 0 < row.votes <= row.raters or 2 * row.votes <= row.raters:
        yield "votes", f"no majority; found {row.votes} of {row.raters}, expected more than half"


def judged_text(record: Record) -> str:
    """Return the text of a record as a row has it: the target, where it has one, in [brackets]."""
    return escape(record.text) if record.target is None else marked(record.text, record.target)


def judged_answer(record: Record) -> str:
    """Return the right candidate of a record as a row has it."""
    return "" if record.answer is None else record.candidates[record.answer]


def read_adjudications(path: Path) -> list[Adjudication]:
    """Return the rows of the table; each item has at most one.

    Raises:
        PipelineError: the table or a row is malformed, or an item stands twice.
    """
    first: dict[str, int] = {}
    rows = []
    for line, cells in parse_tsv(read_text(path), path, COLUMNS):
        if extra := [name for name in cells if name not in COLUMNS]:
            raise PipelineError(path, line, f"[{extra[0]}] unknown column; expected {', '.join(COLUMNS)}")
        plain = {name: _unguarded(cell) for name, cell in cells.items()}
        votes = _VOTES.fullmatch(plain.pop("votes"))
        if votes is None:
            raise PipelineError(path, line, f"[votes] found {cells['votes']!r}, expected such as '5 of 6'")
        name = plain["item"]
        if name in first:
            raise PipelineError(path, line, f"[item] not unique; found {name!r} in line {first[name]} too")
        first[name] = line
        try:
            rows.append(Adjudication(**plain, votes=int(votes[1]), raters=int(votes[2]), line=line))  # type: ignore[arg-type]
        except ValueError as error:
            raise PipelineError(path, line, str(error)) from error
    return rows


def write_adjudications(path: Path, rows: Iterable[Adjudication]) -> None:
    """Write the table sorted by item, atomically, so that a spreadsheet may open it; comments that it has go to its top."""
    ordered = sorted(rows, key=lambda row: row.item)
    table = [COLUMNS, *([row.share if name == "votes" else getattr(row, name) for name in COLUMNS] for row in ordered)]
    comments = [line for line in lines_of(read_text(path)) if line.startswith("#")] if path.exists() else []
    write_text(path, "".join(f"{line}\n" for line in (*comments, *("\t".join(map(tsv_cell, row)) for row in table))))


def fits_cell(text: str) -> bool:
    """Tell whether a text comes back from a cell as it is: it has no tab, no line end, no apostrophe before a formula."""
    return _unguarded(tsv_cell(text)) == text


def _unguarded(cell: str) -> str:
    """Return a cell without the apostrophe that keeps a spreadsheet from taking it for a formula."""
    return cell[1:] if cell.startswith("'") and cell[1:].startswith(FORMULA_STARTS) else cell
