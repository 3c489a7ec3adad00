"""The trials of an experiment, and the records that a session of one sends."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from msgspec import Meta, Struct

from ...core.convert import Count, Id, Text, convert, read_records, to_object
from ...core.errors import PipelineError, shown
from ...core.files import read_bytes, require_unique, to_json

#: The file of the trials in the folder of an experiment.
TRIALS = "trials.jsonl"
#: What a trial can be.
Part = Literal["practice", "item", "filler", "attention"]
PARTS: tuple[Part, ...] = get_args(Part)
#: The part whose trials have an expected answer.
ATTENTION = "attention"
Number = Annotated[int, Meta(ge=1, le=999, description="a whole number from 1 to 999")]


class Trial(Struct, frozen=True, omit_defaults=True):
    """What a person sees at a position of a list; only attention trials have an expected answer.

    The right answers of all others are in no file of the page.
    """

    list: Number
    position: Number
    id: Id
    part: Part
    text: Text
    options: tuple[Text, ...]
    expected: str = ""

    def __post_init__(self) -> None:
        """Raise `ValueError` if the options repeat each other, or the expected answer is missing, unknown or of another part."""
        if len(self.options) < 2 or len(set(self.options)) < len(self.options):
            raise ValueError(f"[options] found {shown(list(self.options))}, expected two or more different answers")
        if bool(self.expected) != (self.part == ATTENTION):
            reason = f"found {shown(self.expected)} in part {self.part}, expected it in attention trials alone"
            raise ValueError(f"[expected] {reason}")
        if self.expected and self.expected not in self.options:
            raise ValueError(f"[expected] found {shown(self.expected)}, expected one of {', '.join(self.options)}")


@dataclass(frozen=True, slots=True)
class Experiment:
    """The trials of each list: `lists` has them by number of the list and by position, `digest` is the SHA-256 of their file."""

    lists: Mapping[int, Mapping[int, Trial]]
    digest: str


def read_experiment(folder: Path) -> Experiment:
    """Return the trials of the experiment in a folder that `experiment build` wrote.

    Raises:
        PipelineError: there is no such file, a line is malformed, a place in a list is taken twice or skipped, or a list shows an id
            twice.
    """
    path = folder / TRIALS
    lists: dict[int, dict[int, Trial]] = {}
    places: dict[tuple[int, int], int | None] = {}
    ids: dict[tuple[int, str], int | None] = {}
    for line, trial in read_records(path, Trial, "the trials that experiment build wrote"):
        require_unique(places, (trial.list, trial.position), path, line, "position")
        require_unique(ids, (trial.list, trial.id), path, line)
        lists.setdefault(trial.list, {})[trial.position] = trial
    if not lists:
        raise PipelineError(path, 1, "[trial] empty file; expected the trials of an experiment")
    for number, trials in lists.items():
        if max(trials) != len(trials):
            reason = (
                f"found {len(trials)} trials of list {number} up to position {max(trials)}, expected every position"
            )
            raise PipelineError(path, places[number, max(trials)], f"[position] gap in the list; {reason}")
    ordered = {number: dict(sorted(lists[number].items())) for number in sorted(lists)}
    return Experiment(ordered, hashlib.sha256(read_bytes(path)).hexdigest())


#: The kinds of records, in the order in which a session sends them.
Kind = Literal["start", "background", "trial", "end", "withdrawn"]
#: How a person answered.
Input = Literal["keyboard", "mouse", "touch"]
INPUTS: tuple[Input, ...] = get_args(Input)
#: The ends of the scale of the confidence.
CONFIDENCE = (1, 5)
Confidence = Annotated[int, Meta(ge=CONFIDENCE[0], le=CONFIDENCE[1], description="a whole number from 1 to 5")]
#: An answer to a question on the background: chosen from a list, or a number.
Answer = Annotated[str, Meta(max_length=80, description="text of at most 80 characters")] | Count
#: An id of a session, as the browser draws it: a UUID fits.
SessionId = Annotated[
    str,
    Meta(
        pattern=r"\A[0-9A-Za-z-]{16,64}\Z", description="16 to 64 letters and digits of ASCII with hyphens"
    ),
]  # fmt: skip
#: Number of a record in its session. A list takes some fifty, a reload a few more.
Sequence = Annotated[int, Meta(ge=0, le=999, description="a whole number from 0 to 999")]
#: Maximum time between two events of a session, in milliseconds: eleven days, for who goes on where a reload stopped.
MAX_DURATION = 10**9 - 1
_TIME = Meta(gt=0, le=MAX_DURATION, description=f"a positive number of milliseconds up to {MAX_DURATION}")
#: A time between two events of a session, in milliseconds: browsers give fractions.
Duration = Annotated[int, _TIME] | Annotated[float, _TIME]


@dataclass(frozen=True, slots=True)
class TrialData:
    """An answered trial: what was shown where, the answer, the confidence, and the times of both screens in milliseconds."""

    position: int
    id: Text
    part: Text
    answer: Text
    confidence: Confidence
    rt_answer_ms: Duration
    rt_confidence_ms: Duration
    input: Input


@dataclass(frozen=True, slots=True)
class Background:
    """The answers to the questions on the background."""

    language: Answer
    region: Answer
    age: Answer
    education: Answer
    linguistics: Answer

    def __post_init__(self) -> None:
        """Raise `ValueError` for an answer with invisible characters."""
        for question in BACKGROUND:
            if not str(answer := getattr(self, question)).isprintable():
                raise ValueError(f"[{question}] found {shown(answer)}, expected printable text")


@dataclass(frozen=True, slots=True)
class Reloads:
    """How often the page was loaded again."""

    reloads: Count = 0


#: The questions on the person's background.
BACKGROUND = tuple(field.name for field in fields(Background))
_DATA: Mapping[Kind, type] = {
    "start": Reloads,
    "background": Background,
    "trial": TrialData,
    "end": Reloads,
    "withdrawn": Reloads,
}


class SessionRecord(Struct, frozen=True, rename={"kind": "record"}):
    """A record that a session has sent; the same `sequence` number is the same record, `data` is what its kind is about."""

    session: SessionId
    list: Count
    kind: Kind
    sequence: Sequence
    data: dict[str, Any]

    @property
    def text(self) -> str:
        """The record as one line of JSON, the same whatever the order of its keys was."""
        return to_json(to_object(self) | {"data": dict(sorted(self.data.items()))})


def session_record(value: Mapping[str, Any], experiment: Experiment) -> SessionRecord:
    """Return the record that a JSON object holds; the order of its keys does not matter.

    Raises:
        ValueError: ``[field] reason``: the object is no record of this experiment.
    """
    record = convert(value, SessionRecord)
    if record.list not in experiment.lists:
        raise ValueError(f"[list] unknown list; found {record.list}, expected one of 1 to {max(experiment.lists)}")
    data: object = convert(record.data, _DATA[record.kind])
    if isinstance(data, TrialData):
        _require_shown(data, record.list, experiment)
    return record


def _require_shown(data: TrialData, number: int, experiment: Experiment) -> None:
    """Raise `ValueError` if a list does not show a trial at its position, or not this answer to choose."""
    trials = experiment.lists[number]
    trial = trials.get(data.position)
    if trial is None:
        raise ValueError(f"[position] not in list {number}; found {data.position}, expected 1 to {len(trials)}")
    for field, actual, expected in (("id", data.id, trial.id), ("part", data.part, trial.part)):
        if actual != expected:
            place = f"list {number}, position {trial.position}"
            raise ValueError(f"[{field}] found {shown(actual)} for {place}, expected {shown(expected)}")
    if data.answer not in trial.options:
        raise ValueError(f"[answer] found {shown(data.answer)}, expected one of {', '.join(trial.options)}")
