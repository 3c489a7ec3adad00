"""The tables of the results: responses, participants, a codebook of their columns."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ....core.files import tsv_text
from ..records import BACKGROUND, CONFIDENCE, INPUTS
from ..trials import ATTENTION, PARTS, Experiment
from .sessions import Session

RESPONSES, PARTICIPANTS, CODEBOOK = "responses.tsv", "participants.tsv", "codebook.tsv"
YES, NO = "yes", "no"


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table: its type, its unit, the values that it can have, what it means."""

    type: str
    unit: str
    values: str
    meaning: str


#: The columns of the responses, a row for each answered trial.
RESPONSE: Mapping[str, Column] = {
    "participant": Column(
        "code", "", "p001, p002, …", "pseudonym; its number follows a digest of a random id, not the order of arrival"
    ),
    "list": Column("whole number", "", "1, 2, …", "list of the experiment"),
    "position": Column("whole number", "", "1, 2, …", "place of the trial in the list"),
    "id": Column("code", "", "", "item, filler, practice or attention trial, as trials.jsonl of the experiment has it"),
    "part": Column("code", "", ", ".join(PARTS), "what the trial is for; practice comes first"),
    "answer": Column("text", "", "", "the chosen pronoun"),
    "confidence": Column(
        "whole number", "", f"{CONFIDENCE[0]} to {CONFIDENCE[1]}", "how sure the person was; 5 is the surest"
    ),
    "rt_answer_ms": Column("whole number", "milliseconds", "1, 2, …", "time from the text to the choice"),
    "rt_confidence_ms": Column(
        "number", "milliseconds", "more than 0", "time from the question how sure to its answer"
    ),
    "input": Column("code", "", ", ".join(INPUTS), "how the pronoun was chosen"),
}
#: The columns of the participants, a row for each session that was not withdrawn.
PARTICIPANT: Mapping[str, Column] = {
    "participant": RESPONSE["participant"],
    "list": RESPONSE["list"],
    "language": Column("code", "", "", "first language; empty: not asked, or left out"),
    "region": Column("code", "", "", "where the person grew up; empty as above"),
    "age": Column("code", "years", "", "age group; empty as above"),
    "education": Column("code", "", "", "highest degree; empty as above"),
    "linguistics": Column("code", "", "", "whether the person has studied linguistics; empty as above"),
    "completed": Column("code", "", f"{YES}, {NO}", "whether the session reached its end"),
    "attention_right": Column(
        "whole number", "", "0 to attention_asked", "attention trials that were answered as expected"
    ),
    "attention_asked": Column("whole number", "", "0, 1, …", "attention trials that were answered"),
    "reloads": Column("whole number", "", "0, 1, …", "how often the page was loaded again"),
}
_CODEBOOK = ("file", "column", "type", "unit", "values", "meaning")


def tables(sessions: Sequence[Session], experiment: Experiment) -> dict[str, str]:
    """Return the tables by the names of their files; the same sessions give the same bytes, in whatever order they were read.

    Args:
        sessions: in the order of the pseudonyms.
        experiment: its trials.
    """
    named = list(zip(pseudonyms(len(sessions)), sessions, strict=True))
    responses = [
        [name, str(session.list), *(_cell(trial[column]) for column in tuple(RESPONSE)[2:])]
        for name, session in named
        for trial in session.trials.values()
    ]
    participants = [_participant(name, session, experiment) for name, session in named]
    codebook = [
        [file, name, column.type, column.unit, column.values, column.meaning]
        for file, columns in ((RESPONSES, RESPONSE), (PARTICIPANTS, PARTICIPANT))
        for name, column in columns.items()
    ]
    return {
        RESPONSES: tsv_text(tuple(RESPONSE), responses),
        PARTICIPANTS: tsv_text(tuple(PARTICIPANT), participants),
        CODEBOOK: tsv_text(_CODEBOOK, codebook),
    }


def pseudonyms(count: int) -> list[str]:
    """Return the pseudonyms of participants, all of one length.

    >>> pseudonyms(2)
    ['p001', 'p002']
    """
    digits = max(3, len(str(count)))
    return [f"p{number:0{digits}}" for number in range(1, count + 1)]


def _participant(name: str, session: Session, experiment: Experiment) -> list[str]:
    trials = experiment.lists[session.list]
    asked = [trial for trial in session.trials.values() if trial["part"] == ATTENTION]
    right = sum(trial["answer"] == trials[trial["position"]].expected for trial in asked)
    return [
        name,
        str(session.list),
        *(session.background.get(question, "") for question in BACKGROUND),
        YES if session.completed else NO,
        str(right),
        str(len(asked)),
        str(session.reloads),
    ]


def _cell(value: Any) -> str:
    """Return a value as a cell; milliseconds are rounded to whole ones, of which there is at least one."""
    return str(max(1, round(value))) if isinstance(value, float) else str(value)
