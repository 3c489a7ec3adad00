"""The suite `responses`: what the tables of an import must meet, recomputed where that is possible."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from ...core.errors import plural, shown
from ...core.files import from_tsv_cell, parse_tsv, read_text
from ...core.validation.rows import text_of
from ...core.validation.suite import Check, Row, Suite, Value, rows_with
from ..browser.records import BACKGROUND, INPUTS
from ..browser.results.sessions import is_code
from ..browser.results.tables import (
    CODEBOOK,
    PARTICIPANT,
    PARTICIPANTS,
    RESPONSE,
    RESPONSES,
    YES,
    participant_of,
    response_of,
)
from ..browser.trials import ATTENTION, Experiment, Trial, read_experiment

#: A pseudonym of `pseudonyms`.
_PSEUDONYM = re.compile(r"p[0-9]{3,6}")


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
    experiment = read_experiment(folder)
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
    kind = next((kind for kind in ("response", "participant") if kind in value), None)
    if kind is None:
        return ""
    cells = value[kind]
    try:
        (response_of if kind == "response" else participant_of)(cells)
    except ValueError as error:
        return str(error)
    if not _PSEUDONYM.fullmatch(cells["participant"]):
        return f"[participant] found {shown(cells['participant'])}, expected a pseudonym, p and digits"
    if kind == "response":
        times = (column for column in ("rt_answer_ms", "rt_confidence_ms") if int(cells[column]) == 0)
        if column := next(times, ""):
            return f"[{column}] found 0, expected at least 1 millisecond"
        return (
            "" if cells["input"] in INPUTS else f"[input] found {shown(cells['input'])}, expected {', '.join(INPUTS)}"
        )
    if question := next((question for question in BACKGROUND if not is_code(cells[question])), ""):
        return f"[{question}] found {shown(cells[question])}, expected a code: letters, digits and hyphens; or nothing"
    return "" if cells["reloads"] else "[reloads] found nothing, expected a whole number"


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
