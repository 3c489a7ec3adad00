"""The table of what people decided about items: annotation/decisions.tsv."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, get_args

from ...core.errors import PipelineError, errors_at, shown
from ...core.files import lines_of, read_bytes, require_unique, write_text
from ...core.invisible import INVISIBLE
from ...core.model import CLASSES, Record
from ...core.notation import FactorError, escape, marked, unbracket
from ...core.tables import columns_of, one_line, parse_table, table_text, tsv_cell
from ...language.personal_data import find_personal_data

Action = Literal["keep", "drop", "relabel", "modify"]
ACTIONS: tuple[Action, ...] = get_args(Action)
#: The state of a kept item; the state of a rejected record is its class.
KEPT = "kept"
STATES = (KEPT, *CLASSES)
COLUMNS = ("item", "action", "value", "state", "text", "answer", "study", "votes", "reason", "question", "gloss")
#: Columns that a table may lack: few modifications change the question.
OPTIONAL = ("question", "gloss")
_VOTES = re.compile(r"([1-9][0-9]{0,5}) of ([1-9][0-9]{0,5})")


@dataclass(frozen=True, slots=True, kw_only=True)
class Adjudication:
    """One row: the decision of a study's raters about one item.

    Attributes:
        item: the id of the item.
        action: ``keep``: the item belongs to the collection, also against the rules; ``drop``: it does not; ``relabel``: it does,
            with another answer; ``modify``: it does, with another text.
        value: the class of a drop; the right candidate of a relabelling; the text of a modification, its target in [brackets];
            empty for a keep.
        state: ``kept``, or the class under which the item was rejected when it was judged.
        text: the judged text, its target in [brackets].
        answer: the right candidate when it was judged; empty if there was none.
        study: the id of the study.
        votes: number of raters who voted for the action and value.
        raters: number of raters.
        reason: the comments of the raters, without personal data, because they are released.
        question: the question about the text of a modification; empty if that of the item still fits.
        gloss: its English translation; empty if that of the item still fits.
        line: line of the row in its file.
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
    question: str = ""
    gloss: str = ""
    line: int | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        for name, fault in _faults(self):
            raise ValueError(f"[{name}] {fault}")

    @property
    def share(self) -> str:
        """The votes in words, which a spreadsheet does not take for a date."""
        return f"{self.votes} of {self.raters}"


def _faults(row: Adjudication) -> Iterable[tuple[str, str]]:
    if not row.item or row.item.startswith("#"):
        yield "item", f"no id; found {row.item!r}, expected the id of a record"
    yield from (
        (name, f"text does not fit a table cell; found {getattr(row, name)!r}")
        for name in ("item", "value", "text", "answer", "reason", *OPTIONAL)
        if one_line(getattr(row, name)) != getattr(row, name)
    )
    yield from (
        (name, f"invisible character; found {shown(getattr(row, name))}, expected text that a reader sees")
        for name in ("value", "reason", *OPTIONAL)
        if INVISIBLE.search(getattr(row, name)) and (row.action == "modify" or name == "reason")  # others repeat data
    )
    if kinds := sorted({part.kind for part in find_personal_data(row.reason)}):
        yield "reason", f"looks like personal data, which would be released; found {', '.join(kinds)}, expected none"
    yield from (
        (name, f"does not fit the action; found {getattr(row, name)!r} for a {row.action}, expected nothing")
        for name in OPTIONAL
        if getattr(row, name) and row.action != "modify"
    )
    if row.action not in ACTIONS:
        yield "action", f"unknown action; found {row.action!r}, expected one of {', '.join(ACTIONS)}"
    # A pair-mate leaves with another member: a decision about that member decides about it too.
    own = [name for name in CLASSES if name != "pair-mate"]
    if row.action == "drop" and row.value not in own:
        yield "value", f"not a class for a drop; found {row.value!r}, expected one of {', '.join(own)}"
    if (row.action == "keep") != (not row.value):
        expected = "nothing for a keep" if row.action == "keep" else f"the value of a {row.action}"
        yield "value", f"value does not fit the action; found {row.value!r}, expected {expected}"
    if row.state not in STATES:
        yield "state", f"unknown state; found {row.state!r}, expected one of {', '.join(STATES)}"
    try:
        unbracket(row.text)
    except FactorError as error:
        yield "text", str(error)
    if not re.fullmatch(r"[\w.-]+", row.study, re.ASCII):
        yield "study", f"not an id; found {row.study!r}, expected letters of ASCII, digits, '.', '-' and '_'"
    if not 0 < row.votes <= row.raters or 2 * row.votes <= row.raters:
        yield "votes", f"no majority; found {row.votes} of {row.raters}, expected more than half"


def judged_text(record: Record) -> str:
    """Return the text of a record as a row holds it: its target, if it has one, in [brackets]."""
    return escape(record.text) if record.target is None else marked(record.text, record.target)


def judged_answer(record: Record) -> str:
    """Return the right candidate of a record as a row holds it; empty if it has none."""
    return "" if record.answer is None else record.candidates[record.answer]


def read_adjudications(path: Path) -> list[Adjudication]:
    """Return the rows of the table, at most one for each item."""
    lines: dict[str, int | None] = {}
    rows = []
    text = table_text(read_bytes(path), path)
    optional = {*OPTIONAL} - {*columns_of(text)}
    for line, cells in parse_table(text, path, [column for column in COLUMNS if column not in optional]):
        if extra := [name for name in cells if name not in COLUMNS]:
            raise PipelineError(
                path, line, f"[{extra[0]}] unknown column; found {extra[0]!r}, expected {', '.join(COLUMNS)}"
            )
        votes = _VOTES.fullmatch(cells["votes"])
        if votes is None:
            raise PipelineError(
                path, line, f"[votes] malformed votes; found {cells['votes']!r}, expected such as '5 of 6'"
            )
        require_unique(lines, cells["item"], path, line, "item")
        values = cells | {"votes": int(votes[1]), "raters": int(votes[2])}
        with errors_at(path, line):
            rows.append(Adjudication(**values, line=line))  # type: ignore[arg-type]
    return rows


def write_adjudications(path: Path, rows: Iterable[Adjudication]) -> None:
    """Write the table sorted by item, atomically and safe for spreadsheets; comments of the present file go to its top."""
    ordered = sorted(rows, key=lambda row: row.item)
    table = [COLUMNS, *([row.share if name == "votes" else getattr(row, name) for name in COLUMNS] for row in ordered)]
    comments = (
        [line for line in lines_of(table_text(read_bytes(path), path)) if line.startswith("#")] if path.exists() else []
    )
    write_text(path, "".join(f"{line}\n" for line in (*comments, *("\t".join(map(tsv_cell, row)) for row in table))))
