"""The trials of an experiment: what each list shows, in which order."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal, get_args

from msgspec import Meta

from ...core.convert import Id, Text, read_records
from ...core.errors import PipelineError, shown
from ...core.files import read_bytes, require_unique

#: The file of the trials in the folder of an experiment.
TRIALS = "trials.jsonl"
#: What a trial can be.
Part = Literal["practice", "item", "filler", "attention"]
PARTS: tuple[Part, ...] = get_args(Part)
#: The part whose trials have an expected answer.
ATTENTION = "attention"
Number = Annotated[int, Meta(ge=1, le=999, description="a whole number from 1 to 999")]


@dataclass(frozen=True, slots=True)
class Trial:
    """What a person sees at a position of a list."""

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
