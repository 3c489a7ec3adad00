"""The suite `responses`: what the tables of an import must meet, recomputed where that is possible."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta, defstruct

from ...core.convert import Text
from ...core.errors import plural
from ...core.files import from_tsv_cell, parse_tsv, read_text
from ...core.validation.rows import text_of
from ...core.validation.suite import Check, Row, Suite, Value, contract, rows_with
from ..browser.records import BACKGROUND, CONFIDENCE, Input
from ..browser.results.sessions import is_code
from ..browser.results.tables import CODEBOOK, PARTICIPANT, PARTICIPANTS, RESPONSE, RESPONSES, YES
from ..browser.trials import ATTENTION, TRIALS, Experiment, Part, Trial, parse_experiment

_Number = Annotated[str, Meta(pattern=r"\A(0|[1-9][0-9]{0,8})\Z", description="a whole number")]
_Milliseconds = Annotated[
    str, Meta(pattern=r"\A[1-9][0-9]{0,8}\Z", description="a whole number of milliseconds, at least 1")
]
_Pseudonym = Annotated[str, Meta(pattern=r"\Ap[0-9]{3,6}\Z", description="a pseudonym, p and digits")]
_Confidence = Annotated[
    str,
    Meta(pattern=r"\A[{}-{}]\Z".format(*CONFIDENCE), description="a whole number from {} to {}".format(*CONFIDENCE)),
]
_OF_RESPONSE = {
    "participant": _Pseudonym,
    "list": _Number,
    "position": _Number,
    "part": Part,
    "confidence": _Confidence,
    "rt_answer_ms": _Milliseconds,
    "rt_confidence_ms": _Milliseconds,
    "input": Input,
}
_OF_PARTICIPANT = {"participant": _Pseudonym, "completed": Literal["yes", "no"], **dict.fromkeys(BACKGROUND, str)}
_RESPONSE = contract(
    "A response", defstruct("Response", [(column, _OF_RESPONSE.get(column, Text)) for column in RESPONSE])
)
_PARTICIPANT = contract(
    "A participant",
    defstruct("Participant", [(column, _OF_PARTICIPANT.get(column, _Number)) for column in PARTICIPANT]),
)


def responses(paths: Sequence[Path]) -> list[Row]:
    """Return the rows of folders that `experiment import` wrote.

    - The row of a response has its cells as ``response``, those of its participant as ``owner``, and the ``experiment``.
    - The row of a participant has its cells as ``participant``, the cells of its ``responses``, its ``number`` in the file, and the
      ``experiment``.
    - The row of the codebook has the columns that it explains as ``codebook``.

    Raises:
        PipelineError: a file is missing or malformed.
    """
    return [row for folder in paths for row in _rows(folder)]


def _rows(folder: Path) -> list[Row]:
    experiment = parse_experiment(read_text(folder / TRIALS), folder / TRIALS)
    answers, people = (
        _table(folder / name, tuple(columns)) for name, columns in ((RESPONSES, RESPONSE), (PARTICIPANTS, PARTICIPANT))
    )
    owners = {cells["participant"]: cells for _, cells in people}
    of_person: dict[str, list[Mapping[str, str]]] = {}
    for _, cells in answers:
        of_person.setdefault(cells["participant"], []).append(cells)
    explained = [(cells["file"], cells["column"]) for _, cells in _table(folder / CODEBOOK, ("file", "column"))]
    return [
        *(
            Row(
                f"{cells['participant']}/{cells['position']}",
                folder / RESPONSES,
                line,
                {"response": cells, "owner": owners.get(cells["participant"]), "experiment": experiment},
            )
            for line, cells in answers
        ),
        *(
            Row(
                cells["participant"],
                folder / PARTICIPANTS,
                line,
                {
                    "participant": cells,
                    "responses": of_person.get(cells["participant"], []),
                    "number": number,
                    "experiment": experiment,
                },
            )
            for number, (line, cells) in enumerate(people, 1)
        ),
        Row(CODEBOOK, folder / CODEBOOK, 1, {"codebook": explained}),
    ]


def _table(path: Path, columns: Sequence[str]) -> list[tuple[int, dict[str, str]]]:
    rows = parse_tsv(read_text(path), path, columns)
    return [(line, {name: from_tsv_cell(cell) for name, cell in cells.items()}) for line, cells in rows]


def fields(value: Value) -> str:
    """A response and a participant have the columns of the codebook, each of its type and in its range."""
    if "response" in value:
        return _RESPONSE(value["response"])
    if "participant" not in value:
        return ""
    cells = value["participant"]
    codes = (column for column in BACKGROUND if not is_code(text_of(cells, column)))
    faults = (
        f"[{column}] found {cells[column]!r}, expected a code: letters, digits and hyphens; or nothing"
        for column in codes
    )
    return _PARTICIPANT(cells) or next(faults, "")


def shown_in_list(value: Value) -> str:
    """The list of the experiment shows this trial at this position."""
    cells = value["response"]
    trial = _trials(value["experiment"], text_of(cells, "list")).get(text_of(cells, "position"))
    if trial is None:
        return f"found list {text_of(cells, 'list')}, position {text_of(cells, 'position')}, which the experiment does not have"
    actual = (text_of(cells, "id"), text_of(cells, "part"))
    return "" if actual == (trial.id, trial.part) else f"found {', '.join(actual)}, expected {trial.id}, {trial.part}"


def answer_offered(value: Value) -> str:
    """The answer is one of those to choose from."""
    cells = value["response"]
    trial = _trials(value["experiment"], text_of(cells, "list")).get(text_of(cells, "position"))
    if trial is None or text_of(cells, "answer") in trial.options:
        return ""
    return f"found {text_of(cells, 'answer')!r}, expected one of {', '.join(trial.options)}"


def participant_known(value: Value) -> str:
    """The participant of a response is in the table of participants, with the same list."""
    owner, number = value["owner"], text_of(value["response"], "list")
    if owner is None:
        return f"found no {text_of(value['response'], 'participant')} among the participants"
    return "" if owner["list"] == number else f"found list {number}, expected {owner['list']}, the participant's"


def numbered(value: Value) -> str:
    """The participants are numbered from 1 in the order of the file."""
    name, number = text_of(value["participant"], "participant"), value["number"]
    return "" if name[1:].isdecimal() and int(name[1:]) == number else f"found {name}, expected number {number}"


def attention_counted(value: Value) -> str:
    """The attention trials asked and answered as expected are those of the responses."""
    cells, trials = value["participant"], _trials(value["experiment"], text_of(value["participant"], "list"))
    asked = [row for row in value["responses"] if text_of(row, "part") == ATTENTION]
    right = [
        row for row in asked if (trial := trials.get(text_of(row, "position"))) and row["answer"] == trial.expected
    ]
    actual = (cells["attention_right"], cells["attention_asked"])
    expected = (str(len(right)), str(len(asked)))
    return "" if actual == expected else f"found {' of '.join(actual)}, expected {' of '.join(expected)}"


def all_answered(value: Value) -> str:
    """A participant who completed the session answered every trial of the list."""
    if text_of(value["participant"], "completed") != YES:
        return ""
    trials = _trials(value["experiment"], text_of(value["participant"], "list"))
    missing = trials.keys() - {text_of(row, "position") for row in value["responses"]}
    return f"found {plural(len(missing), 'trial')} without an answer, expected none" if missing else ""


def columns_explained(value: Value) -> str:
    """The codebook explains each column of both tables once, and no other one."""
    expected = Counter(
        (file, name) for file, columns in ((RESPONSES, RESPONSE), (PARTICIPANTS, PARTICIPANT)) for name in columns
    )
    actual: Counter[tuple[str, str]] = Counter(value["codebook"])
    for file, name in sorted((expected - actual) + (actual - expected)):
        return f"found {name} of {file} {actual[file, name]} times, expected it {expected[file, name]} times"
    return ""


def _trials(experiment: Experiment, number: str) -> Mapping[str, Trial]:
    """Return the trials of a list by position, both as a table has them; none of an unknown list."""
    trials = experiment.lists.get(int(number), {}) if number.isdecimal() and len(number) < 9 else {}
    return {str(position): trial for position, trial in trials.items()}


_CHECKS: Mapping[str, tuple[str, Check]] = {
    "shown-in-list": ("response", shown_in_list),
    "answer-offered": ("response", answer_offered),
    "participant-known": ("response", participant_known),
    "numbered": ("participant", numbered),
    "attention-counted": ("participant", attention_counted),
    "all-answered": ("participant", all_answered),
    "columns-explained": ("codebook", columns_explained),
}
RESPONSES_SUITE = Suite(
    "responses",
    "folders of responses and participants that `experiment import` wrote",
    responses,
    {"contract": fields, **{name: rows_with(kind, check) for name, (kind, check) in _CHECKS.items()}},
    may_be_empty=True,
)
