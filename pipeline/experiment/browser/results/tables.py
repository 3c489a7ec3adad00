"""The tables of the results, written and read: responses, participants, a codebook of their columns."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass
from importlib.resources import files as package_files
from pathlib import Path
from typing import Annotated, Any, TypeVar

from msgspec import Meta

from ....core.convert import Count, Text, convert, keys_of
from ....core.errors import PipelineError, errors_at, shown
from ....core.files import from_json, require_unique
from ....core.tables import read_table, tsv_text
from ..records import ATTENTION, BACKGROUND, MAX_DURATION, Confidence, Experiment, Number, Part
from .sessions import Session

T = TypeVar("T")
RESPONSES, PARTICIPANTS, CODEBOOK = "responses.tsv", "participants.tsv", "codebook.tsv"
YES, NO = "yes", "no"
#: What the page shows, in its HTML.
_STUDY = re.compile(r'<script type="application/json" id="study">(.*?)</script>', re.DOTALL)
Milliseconds = Annotated[
    int, Meta(ge=0, le=MAX_DURATION, description=f"a whole number of milliseconds up to {MAX_DURATION}")
]


@dataclass(frozen=True, slots=True)
class Response:
    """An answer of a person: the pronoun chosen, how sure the person was, and the milliseconds of both screens."""

    participant: Text
    list: Number
    position: Number
    id: Text
    part: Part
    answer: Text
    confidence: Confidence
    rt_answer_ms: Milliseconds
    rt_confidence_ms: Milliseconds
    input: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Participant:
    """A person: the list, the background, whether the session was completed, attention trials right and asked, reloads of the page."""

    participant: Text
    list: Number
    language: str = ""
    region: str = ""
    age: str = ""
    education: str = ""
    linguistics: str = ""
    completed: bool
    attention_right: Count
    attention_asked: Count
    reloads: Count | None = None

    def __post_init__(self) -> None:
        """Raise `ValueError` for more attention trials right than asked."""
        if self.attention_right > self.attention_asked:
            reason = f"found {self.attention_right}, expected at most the {self.attention_asked} asked"
            raise ValueError(f"[attention_right] {reason}")


@dataclass(frozen=True, slots=True)
class Results:
    """The responses in the order of the file, and the participants by pseudonym."""

    responses: tuple[Response, ...]
    participants: Mapping[str, Participant]


#: The columns of the responses, a row for each answered trial, and of the participants, a row for each session.
RESPONSE, PARTICIPANT = tuple(keys_of(Response)), tuple(keys_of(Participant))
#: Those of whole numbers.
_NUMBERS = frozenset(
    {
        "list", "position", "confidence", "rt_answer_ms", "rt_confidence_ms",
        "attention_right", "attention_asked", "reloads",
    }
)  # fmt: skip


def tables(
    sessions: Sequence[Session], experiment: Experiment, codes: Mapping[str, Sequence[str]] | None = None
) -> dict[str, str]:
    """Return the tables by the names of their files; the same sessions give the same bytes, in whatever order they were read.

    `sessions` are in the order of the pseudonyms; `codes` are those that questions on the background offer, for the codebook.
    """
    named = list(zip(pseudonyms(len(sessions)), sessions, strict=True))
    responses = [_response(name, session, trial) for name, session in named for trial in session.trials.values()]
    return {
        RESPONSES: table_text(RESPONSE, responses),
        PARTICIPANTS: table_text(PARTICIPANT, (_participant(name, session, experiment) for name, session in named)),
        CODEBOOK: codebook_text(codes),
    }


def pseudonyms(count: int) -> list[str]:
    """Return the pseudonyms of participants, all of one length.

    >>> pseudonyms(2)
    ['p001', 'p002']
    """
    digits = max(3, len(str(count)))
    return [f"p{number:0{digits}}" for number in range(1, count + 1)]


def _response(pseudonym: str, session: Session, trial: Mapping[str, Any]) -> Response:
    """Return the response of a trial; milliseconds are rounded to whole ones, of which there is at least one."""
    times = {column: max(1, round(trial[column])) for column in ("rt_answer_ms", "rt_confidence_ms")}
    return Response(**{**trial, **times}, participant=pseudonym, list=session.list)


def _participant(pseudonym: str, session: Session, experiment: Experiment) -> Participant:
    trials = experiment.lists[session.list]
    asked = [trial for trial in session.trials.values() if trial["part"] == ATTENTION]
    return Participant(
        participant=pseudonym,
        list=session.list,
        **session.background,
        completed=session.completed,
        attention_right=sum(trial["answer"] == trials[trial["position"]].expected for trial in asked),
        attention_asked=len(asked),
        reloads=session.reloads,
    )


def table_text(columns: Sequence[str], rows: Iterable[Response] | Iterable[Participant]) -> str:
    """Return responses.tsv or participants.tsv as text."""
    return tsv_text(columns, (list(map(_cell, astuple(row))) for row in rows))


def offered_codes(page: str) -> dict[str, list[str]]:
    """Return the codes of the answers that each question on the background offers; none for a page of another program."""
    match = _STUDY.search(page)
    try:
        return (
            {question["name"]: list(question["answers"]) for question in from_json(match[1])["background"]}
            if match
            else {}
        )
    except (KeyError, TypeError, ValueError):
        return {}


def codebook_text(codes: Mapping[str, Sequence[str]] | None = None) -> str:
    """Return codebook.tsv as text: a row for each column of both tables, with the codes that questions on the background offer."""
    rows = [row.split("\t") for row in (package_files(__package__) / CODEBOOK).read_text(encoding="utf-8").splitlines()]
    for row in rows:
        if row[0] == PARTICIPANTS and row[1] in BACKGROUND:
            row[4] = ", ".join((codes or {}).get(row[1], ()))
    return "".join("\t".join(row) + "\n" for row in rows)


def codes_in(codebook: str) -> dict[str, list[str]]:
    """Return the codes of each question on the background that a codebook lists; none where it lists none."""
    rows = [row.split("\t") for row in codebook.splitlines()]
    questions = [row for row in rows if len(row) == len(rows[0]) and row[0] == PARTICIPANTS and row[1] in BACKGROUND]
    return {row[1]: row[4].split(", ") for row in questions if row[4]}


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return YES if value else NO
    return "" if value is None else str(value)


def read_results(folder: Path, *, may_be_empty: bool = False) -> Results:
    """Return the results in a folder; without `may_be_empty` there is at least one response.

    Raises:
        PipelineError: a file is missing or malformed; a person answers twice at a position or to an id, is in no row of participants.tsv,
            or in another list there.
    """
    path = folder / RESPONSES
    participants: dict[str, Participant] = {}
    lines: dict[str, int | None] = {}
    for line, person in _records(folder / PARTICIPANTS, PARTICIPANT, participant_of):
        require_unique(lines, person.participant, folder / PARTICIPANTS, line, "participant")
        participants[person.participant] = person
    responses = []
    places: dict[tuple[str, int], int | None] = {}
    ids: dict[tuple[str, str], int | None] = {}
    for line, response in _records(path, RESPONSE, response_of):
        person_found = participants.get(response.participant)
        if person_found is None:
            expected = f"expected one of the {len(participants)} in {PARTICIPANTS}"
            raise PipelineError(path, line, f"[participant] found {shown(response.participant)}, {expected}")
        if response.list != person_found.list:
            actual = f"found list {response.list} of {shown(response.participant)}"
            reason = f"[list] two lists; {actual}, expected {person_found.list} as in {PARTICIPANTS}"
            raise PipelineError(path, line, reason)
        require_unique(places, (response.participant, response.position), path, line, "position")
        require_unique(ids, (response.participant, response.id), path, line)
        responses.append(response)
    if not responses and not may_be_empty:
        raise PipelineError(path, None, "[file] no response; expected rows that experiment import wrote")
    return Results(tuple(responses), participants)


def read_cells(path: Path, columns: Sequence[str]) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield (line, cells) for each row of a table."""
    for line, row in read_table(path, columns, has_comments=False):
        yield line, {column: row[column] for column in columns}


def _records(
    path: Path, columns: Sequence[str], record_of: Callable[[Mapping[str, str]], T]
) -> Iterator[tuple[int, T]]:
    for line, cells in read_cells(path, columns):
        with errors_at(path, line):
            record = record_of(cells)
        yield line, record


def response_of(cells: Mapping[str, str]) -> Response:
    """Return the response in the cells of a row; raises `ValueError` for a cell that is none of its column."""
    return convert(_values(cells), Response)


def participant_of(cells: Mapping[str, str]) -> Participant:
    """Return the participant in the cells of a row; raises `ValueError` for a cell that is none of its column."""
    if cells["completed"] not in (YES, NO):
        raise ValueError(f"[completed] found {shown(cells['completed'])}, expected {YES} or {NO}")
    values = _values(cells) | {"completed": cells["completed"] == YES}
    return convert(values, Participant)


def _values(cells: Mapping[str, str]) -> dict[str, Any]:
    """Return the cells with whole numbers in the columns of numbers; an empty cell of such a column is None."""
    values: dict[str, Any] = dict(cells)
    for column in _NUMBERS & cells.keys():
        cell = cells[column]
        if cell == "" or (cell.isascii() and cell.isdigit() and len(cell) < 10):
            values[column] = int(cell) if cell else None
    return values
