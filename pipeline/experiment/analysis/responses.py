"""The files of an experiment's results: responses.tsv and participants.tsv."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...core.errors import PipelineError, shown
from ...core.files import from_tsv_cell, parse_tsv, read_text, require_unique, tsv_text
from ..browser.files import KEY, KEY_COLUMNS
from ..browser.records import CONFIDENCE, MAX_DURATION
from ..browser.results.tables import NO, PARTICIPANT, PARTICIPANTS, RESPONSE, RESPONSES, YES
from ..browser.trials import PARTS

#: The scale of confidence.
CONFIDENCES = tuple(range(CONFIDENCE[0], CONFIDENCE[1] + 1))


@dataclass(frozen=True, slots=True)
class Response:
    """An answer of a person: the pronoun chosen, how sure the person was (1 to 5), and milliseconds of both screens."""

    participant: str
    list: int
    position: int
    id: str
    part: str
    answer: str
    confidence: int
    rt_answer: int
    rt_confidence: int
    input: str = ""


@dataclass(frozen=True, slots=True)
class Participant:
    """A person: the list, whether the session was completed, attention items right and asked, and the other columns as written."""

    name: str
    list: int
    completed: bool
    attention_right: int
    attention_asked: int
    background: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Results:
    """The responses in the order of the file, and the participants by name."""

    responses: tuple[Response, ...]
    participants: Mapping[str, Participant]


@dataclass(frozen=True, slots=True)
class PlannedTrial:
    """What a list shows at a place: an id, what it is, and the right pronoun; empty where none is."""

    position: int
    id: str
    part: str
    answer: str


def read_key(folder: Path) -> dict[int, list[PlannedTrial]]:
    """Return the trials of each list of an experiment with their right answers, from the key in its folder.

    Raises:
        PipelineError: the file is missing or malformed, or a position is taken twice.
    """
    path = folder / KEY
    lists: dict[int, list[PlannedTrial]] = {}
    places: dict[tuple[int, int], int | None] = {}
    for line, row in parse_tsv(read_text(path), path, KEY_COLUMNS):
        try:
            number, position, name = _number(row, "list", 1, 999), _number(row, "position", 1, 9999), _name(row, "id")
        except ValueError as error:
            raise PipelineError(path, line, str(error)) from error
        require_unique(places, (number, position), path, line, "position")
        lists.setdefault(number, []).append(PlannedTrial(position, name, row["part"], row["pronoun"]))
    if not lists:
        raise PipelineError(path, None, "[file] no trial; expected the key that experiment build wrote")
    return lists


def filler_answers(lists: Mapping[int, Sequence[PlannedTrial]]) -> dict[str, str]:
    """Return the right pronoun of each filler."""
    return {trial.id: trial.answer for trials in lists.values() for trial in trials if trial.part == "filler"}


def read_results(folder: Path) -> Results:
    """Return the results in a folder.

    Raises:
        PipelineError: a file is missing or malformed; a person answers twice at a position or to an id, is in no row of participants.tsv,
            or in another list there.
    """
    path, people_path = folder / RESPONSES, folder / PARTICIPANTS
    people_text, text = read_text(people_path), read_text(path)
    participants: dict[str, Participant] = {}
    lines: dict[str, int | None] = {}
    for line, row in parse_tsv(people_text, people_path, tuple(PARTICIPANT)):
        try:
            person = _participant(row)
        except ValueError as error:
            raise PipelineError(people_path, line, str(error)) from error
        require_unique(lines, person.name, people_path, line, "participant")
        participants[person.name] = person
    responses = []
    places: dict[tuple[str, int], int | None] = {}
    ids: dict[tuple[str, str], int | None] = {}
    for line, row in parse_tsv(text, path, tuple(RESPONSE)):
        try:
            response = _response(row, participants)
        except ValueError as error:
            raise PipelineError(path, line, str(error)) from error
        require_unique(places, (response.participant, response.position), path, line, "position")
        require_unique(ids, (response.participant, response.id), path, line)
        responses.append(response)
    if not responses:
        raise PipelineError(path, None, "[file] no response; expected rows that experiment import wrote")
    return Results(tuple(responses), participants)


def _participant(row: Mapping[str, str]) -> Participant:
    name = _name(row, "participant")
    if row["completed"] not in (YES, NO):
        raise ValueError(f"[completed] found {shown(row['completed'])}, expected yes or no")
    right, asked = (_number(row, column, 0, 999) for column in ("attention_right", "attention_asked"))
    if right > asked:
        raise ValueError(f"[attention_right] found {right}, expected at most the {asked} asked")
    known = ("participant", "list", "completed", "attention_right", "attention_asked")
    background = {column: from_tsv_cell(cell) for column, cell in row.items() if column not in known}
    return Participant(name, _number(row, "list", 1, 999), row["completed"] == YES, right, asked, background)


def _response(row: Mapping[str, str], participants: Mapping[str, Participant]) -> Response:
    name = _name(row, "participant")
    if name not in participants:
        raise ValueError(
            f"[participant] found {shown(name)}, expected one of the {len(participants)} in {PARTICIPANTS}"
        )
    if row["part"] not in PARTS:
        raise ValueError(f"[part] found {shown(row['part'])}, expected one of {', '.join(PARTS)}")
    number = _number(row, "list", 1, 999)
    if number != participants[name].list:
        reason = f"found list {number} of {shown(name)}, expected {participants[name].list} as in {PARTICIPANTS}"
        raise ValueError(f"[list] two lists; {reason}")
    return Response(
        name,
        number,
        _number(row, "position", 1, 9999),
        _name(row, "id"),
        row["part"],
        _name(row, "answer"),
        _number(row, "confidence", CONFIDENCES[0], CONFIDENCES[-1]),
        _number(row, "rt_answer_ms", 0, MAX_DURATION),
        _number(row, "rt_confidence_ms", 0, MAX_DURATION),
        row["input"],
    )


def _name(row: Mapping[str, str], column: str) -> str:
    value = from_tsv_cell(row[column])
    if not value.strip():
        raise ValueError(f"[{column}] empty; found {shown(value)}, expected a name")
    return value


def _number(row: Mapping[str, str], column: str, low: int, high: int) -> int:
    cell = row[column]
    if not (cell.isascii() and cell.isdigit() and len(cell) < 10 and low <= int(cell) <= high):
        raise ValueError(f"[{column}] found {shown(cell)}, expected a whole number from {low} to {high}")
    return int(cell)


def responses_text(responses: Iterable[Response]) -> str:
    """Return responses.tsv as text."""
    return tsv_text(
        tuple(RESPONSE),
        (
            (row.participant, str(row.list), str(row.position), row.id, row.part, row.answer, str(row.confidence),
             str(row.rt_answer), str(row.rt_confidence), row.input)
            for row in responses
        ),
    )  # fmt: skip


def participants_text(participants: Iterable[Participant]) -> str:
    """Return participants.tsv as text; a column that a person lacks is empty."""
    rows = []
    for person in participants:
        known = {
            "participant": person.name,
            "list": str(person.list),
            "completed": YES if person.completed else NO,
            "attention_right": str(person.attention_right),
            "attention_asked": str(person.attention_asked),
        }
        rows.append([known.get(column, person.background.get(column, "")) for column in PARTICIPANT])
    return tsv_text(tuple(PARTICIPANT), rows)
