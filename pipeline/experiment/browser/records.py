"""The records of a session: what the page sends, what each of them may hold."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any, Literal, get_args

from ...core.errors import shown
from ...core.files import to_json
from ...core.validation.contract import TEXT, WHOLE_NUMBER, Content, contract, either, one_of
from .trials import Experiment, number_between

Kind = Literal["start", "background", "trial", "end", "withdrawn"]
#: The kinds of records, in the order in which a session sends them.
KINDS: tuple[Kind, ...] = get_args(Kind)
#: The questions on the person's background.
BACKGROUND = ("language", "region", "age", "education", "linguistics")
#: How a person answered.
INPUTS = ("keyboard", "mouse", "touch")
#: The ends of the scale of the confidence.
CONFIDENCE = (1, 5)
#: Maximum length of an answer to a question on the background; answers are chosen from a list or are a number.
MAX_ANSWER = 80
#: Maximum number of a record in its session. A list takes some fifty, a reload a few more.
MAX_SEQUENCE = 999
#: An id of a session, as the browser draws it: a UUID fits.
_SESSION = re.compile(r"[0-9A-Za-z-]{16,64}")

SESSION = Content(
    "16 to 64 letters and digits of ASCII with hyphens",
    lambda value: isinstance(value, str) and _SESSION.fullmatch(value) is not None,
)
#: Maximum time between two events of a session, in milliseconds: eleven days, for who goes on where a reload stopped.
MAX_DURATION = 10**9 - 1
#: A time between two events of a session: browsers give fractions.
DURATION = Content(
    f"a positive number of milliseconds up to {MAX_DURATION}",
    lambda value: type(value) in (int, float) and isfinite(value) and 0 < value <= MAX_DURATION,
)
_ANSWER = Content(
    f"text of at most {MAX_ANSWER} characters",
    lambda value: isinstance(value, str) and len(value) <= MAX_ANSWER and value.isprintable(),
)
_RECORD = contract(
    "A record of a session",
    {
        "session": SESSION,
        "list": WHOLE_NUMBER,
        "record": one_of(*KINDS),
        "sequence": number_between(0, MAX_SEQUENCE),
        "data": Content("an object", lambda value: isinstance(value, dict)),
    },
)
TRIAL_FIELDS: Mapping[str, Content] = {
    "position": WHOLE_NUMBER,
    "id": TEXT,
    "part": TEXT,
    "answer": TEXT,
    "confidence": number_between(*CONFIDENCE),
    "rt_answer_ms": DURATION,
    "rt_confidence_ms": DURATION,
    "input": one_of(*INPUTS),
}
_TRIAL = contract("The data of a trial", TRIAL_FIELDS)
_BACKGROUND = contract("The data on the background", dict.fromkeys(BACKGROUND, either(_ANSWER, WHOLE_NUMBER)))
_RELOADS = contract("The data of a start", {}, {"reloads": WHOLE_NUMBER})
_NOTHING = contract("No data", {})
_DATA = {"start": _RELOADS, "background": _BACKGROUND, "trial": _TRIAL, "end": _RELOADS, "withdrawn": _NOTHING}


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
    value = _ordered(value, ("session", "list", "record", "sequence", "data"))
    _require(_RECORD(value), "record")
    if value["list"] not in experiment.lists:
        raise ValueError(f"[list] unknown list; found {value['list']}, expected one of 1 to {max(experiment.lists)}")
    kind = value["record"]
    order = {"trial": tuple(TRIAL_FIELDS), "background": BACKGROUND}.get(kind, ())
    data = _ordered(value["data"], order)
    _require(_DATA[kind](data), "data")
    if kind == "trial":
        _require_shown(data, value["list"], experiment)
    return SessionRecord(value["session"], value["list"], kind, value["sequence"], data)


def _ordered(value: Mapping[str, Any], order: tuple[str, ...]) -> dict[str, Any]:
    """Return an object with its keys in an order, and others after them."""
    return {key: value[key] for key in (*order, *value) if key in value}


def _require(fault: str, field: str) -> None:
    if fault:
        raise ValueError(fault if fault.startswith("[") else f"[{field}] {fault}")


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
