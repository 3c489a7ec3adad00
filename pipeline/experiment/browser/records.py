"""The records of a session: what the page sends, what each of them may hold."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, get_args

import msgspec
from msgspec import Meta

from ...core.convert import Count, Text, convert, keys_of
from ...core.errors import shown
from ...core.files import to_json
from .trials import Experiment

Kind = Literal["start", "background", "trial", "end", "withdrawn"]
#: The kinds of records, in the order in which a session sends them.
KINDS: tuple[Kind, ...] = get_args(Kind)
#: How a person answered.
Input = Literal["keyboard", "mouse", "touch"]
INPUTS: tuple[Input, ...] = get_args(Input)
#: The ends of the scale of the confidence.
CONFIDENCE = (1, 5)
#: Maximum length of an answer to a question on the background; answers are chosen from a list or are a number.
MAX_ANSWER = 80
#: Maximum number of a record in its session. A list takes some fifty, a reload a few more.
MAX_SEQUENCE = 999
#: Maximum time between two events of a session, in milliseconds: eleven days, for who goes on where a reload stopped.
MAX_DURATION = 10**9 - 1
#: An id of a session, as the browser draws it: a UUID fits.
SESSION = re.compile(r"\A[0-9A-Za-z-]{16,64}\Z")
_Session = Annotated[
    str, Meta(pattern=SESSION.pattern, description="16 to 64 letters and digits of ASCII with hyphens")
]
#: A time between two events of a session: browsers give fractions.
_Duration = Annotated[
    float, Meta(gt=0, le=MAX_DURATION, description=f"a positive number of milliseconds up to {MAX_DURATION}")
]
_Answer = Annotated[str, Meta(max_length=MAX_ANSWER, description=f"text of at most {MAX_ANSWER} characters")] | Count


class _Record(msgspec.Struct, frozen=True):
    session: _Session
    list: Count
    record: Kind
    sequence: Annotated[int, Meta(ge=0, le=MAX_SEQUENCE, description=f"a whole number from 0 to {MAX_SEQUENCE}")]
    data: Mapping[str, Any]


class _Trial(msgspec.Struct, frozen=True):
    position: Count
    id: Text
    part: Text
    answer: Text
    confidence: Annotated[
        int, Meta(ge=CONFIDENCE[0], le=CONFIDENCE[1], description="a whole number from {} to {}".format(*CONFIDENCE))
    ]
    rt_answer_ms: _Duration
    rt_confidence_ms: _Duration
    input: Input


class _Background(msgspec.Struct, frozen=True):
    language: _Answer
    region: _Answer
    age: _Answer
    education: _Answer
    linguistics: _Answer

    def __post_init__(self) -> None:
        for question in BACKGROUND:
            answer = getattr(self, question)
            if isinstance(answer, str) and not answer.isprintable():
                raise ValueError(f"[{question}] found {shown(answer)}, expected text on one line")


class _Reloads(msgspec.Struct, frozen=True):
    reloads: Count = 0


class _Nothing(msgspec.Struct, frozen=True):
    pass


#: The questions on the person's background.
BACKGROUND = tuple(keys_of(_Background))
_DATA: Mapping[Kind, type[msgspec.Struct]] = {
    "start": _Reloads,
    "background": _Background,
    "trial": _Trial,
    "end": _Reloads,
    "withdrawn": _Nothing,
}


@dataclass(frozen=True, slots=True)
class SessionRecord:
    """A record that a session has sent.

    Attributes:
        session: the random id that its browser has drawn.
        list: number of the list that the session got.
        kind: one of `KINDS`.
        sequence: its number in the session; the same number is the same record.
        data: what `kind` is about.
    """

    session: str
    list: int
    kind: Kind
    sequence: int
    data: Mapping[str, Any]

    @property
    def text(self) -> str:
        """The record as one line of JSON, the same whatever the order of its keys was."""
        data = {name: self.data[name] for name in sorted(self.data)}
        return to_json(
            {
                "session": self.session,
                "list": self.list,
                "record": self.kind,
                "sequence": self.sequence,
                "data": data,
            }
        )


def session_record(value: Mapping[str, Any], experiment: Experiment) -> SessionRecord:
    """Return the record that a JSON object holds.

    Args:
        value: the object; the order of its keys does not matter.
        experiment: what the session can have seen.

    Raises:
        ValueError: ``[field] reason``: the object is no record of this experiment.
    """
    record = convert(value, _Record)
    if record.list not in experiment.lists:
        raise ValueError(f"[list] unknown list; found {record.list}, expected one of 1 to {max(experiment.lists)}")
    convert(record.data, _DATA[record.record])
    if record.record == "trial":
        _require_shown(record.data, record.list, experiment)
    return SessionRecord(record.session, record.list, record.record, record.sequence, record.data)


def _require_shown(data: Mapping[str, Any], number: int, experiment: Experiment) -> None:
    """Raise `ValueError` if a list does not show a trial at its position, or not this answer to choose."""
    trials = experiment.lists[number]
    trial = trials.get(data["position"])
    if trial is None:
        raise ValueError(f"[position] not in list {number}; found {data['position']}, expected 1 to {len(trials)}")
    for field, actual, expected in (("id", data["id"], trial.id), ("part", data["part"], trial.part)):
        if actual != expected:
            place = f"list {number}, position {trial.position}"
            raise ValueError(f"[{field}] found {shown(actual)} for {place}, expected {shown(expected)}")
    if data["answer"] not in trial.options:
        raise ValueError(f"[answer] found {shown(data['answer'])}, expected one of {', '.join(trial.options)}")
