"""The trials of an experiment: what each list shows, in which order."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...core.errors import PipelineError, shown
from ...core.files import parse_jsonl, read_text, require_unique
from ...core.validation.contract import ID, TEXT, Content, contract, list_of, one_of
from ...core.validation.suite import Check

#: The file of the trials in the folder of an experiment.
TRIALS = "trials.jsonl"
#: What a trial can be, in the order in which a list begins with it.
PARTS = ("practice", "item", "filler", "attention")
#: The part whose trials have an expected answer.
ATTENTION = "attention"


def number_between(low: int, high: int) -> Content:
    """Return the content that is a whole number in a range, both ends included."""
    return Content(f"a whole number from {low} to {high}", lambda value: type(value) is int and low <= value <= high)


_FIELDS = {
    "list": number_between(1, 999),
    "position": number_between(1, 999),
    "id": ID,
    "part": one_of(*PARTS),
    "text": TEXT,
    "options": list_of(TEXT),
}
#: The contract of a line of the trials.
TRIAL: Check = contract("A trial", _FIELDS, {"expected": TEXT})


@dataclass(frozen=True, slots=True)
class Trial:
    """What a person sees at a position of a list.

    Attributes:
        list: number of its list, from 1.
        position: its place in the list, from 1.
        id: id of the item, filler, practice or attention text.
        part: one of `PARTS`.
        text: the text with its gap.
        options: the answers to choose from.
        expected: the right answer of an attention trial; empty for all others, whose answers no file of the page holds.
    """

    list: int
    position: int
    id: str
    part: str
    text: str
    options: tuple[str, ...]
    expected: str = ""


@dataclass(frozen=True, slots=True)
class Experiment:
    """The trials of each list: `lists` has them by number of the list and by position."""

    lists: Mapping[int, Mapping[int, Trial]]


def read_experiment(folder: Path) -> Experiment:
    """Return the trials of the experiment in a folder that `experiment build` wrote.

    Raises:
        PipelineError: there is no such file, a line is malformed, a place in a list is taken twice or skipped, or a list shows an id
            twice.
    """
    return parse_experiment(read_text(folder / TRIALS), folder / TRIALS)


def parse_experiment(text: str, path: Path) -> Experiment:
    """Return the trials in the text of a file; see `read_experiment`."""
    lists: dict[int, dict[int, Trial]] = {}
    places: dict[tuple[int, int], int | None] = {}
    ids: dict[tuple[int, str], int | None] = {}
    for line, value in parse_jsonl(text, path):
        if fault := TRIAL(value) or _fault(value):
            raise PipelineError(path, line, fault if fault.startswith("[") else f"[trial] {fault}")
        require_unique(places, (value["list"], value["position"]), path, line, "position")
        require_unique(ids, (value["list"], value["id"]), path, line)
        trial = Trial(**{**value, "options": tuple(value["options"])})
        lists.setdefault(trial.list, {})[trial.position] = trial
    if not lists:
        raise PipelineError(path, 1, "[trial] empty file; expected the trials of an experiment")
    for number, trials in lists.items():
        if max(trials) != len(trials):
            reason = (
                f"found {len(trials)} trials of list {number} up to position {max(trials)}, expected every position"
            )
            raise PipelineError(path, places[number, max(trials)], f"[position] gap in the list; {reason}")
    return Experiment({number: dict(sorted(lists[number].items())) for number in sorted(lists)})


def _fault(value: Mapping[str, Any]) -> str:
    """Return what is wrong between the fields of a trial; empty if nothing is."""
    options = value["options"]
    if len(options) < 2 or len(set(options)) < len(options):
        return f"[options] found {shown(options)}, expected two or more different answers"
    if ("expected" in value) != (value["part"] == ATTENTION):
        return f"[expected] found {shown(value.get('expected'))} in part {value['part']}, expected it in attention trials alone"
    if value.get("expected", options[0]) not in options:
        return f"[expected] found {shown(value['expected'])}, expected one of {', '.join(options)}"
    return ""
