"""The records of figures.json: what page, items and command read by attribute."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from ..model.design import Criteria
from .estimates import MeanEstimate
from .items import Doubt
from .levels import LevelLimits, ListEffects, Test
from .measures import Accuracy, Agreement, Bootstrap, CodeFigures, RatingCounts, Votes
from .published import PublishedFigure
from .raters import BackgroundFigures, Conduct, Marks
from .single_studies import (
    AllSides,
    ExpectedAnswer,
    Reconsideration,
    RuleFigures,
    SentenceFigures,
    SystemFigures,
)


@dataclass(frozen=True, slots=True)
class Counts:
    """The judgements of main tasks, their items and raters, the skipped ones, and repeated ones of an item from another list."""

    judgements: int
    items: int
    raters: int
    skipped: int
    again: int


@dataclass(frozen=True, slots=True)
class TaskCounts:
    """How many tasks a rater has done, skipped or begun."""

    done: int
    skipped: int
    begun: int


@dataclass(frozen=True, slots=True)
class Progress:
    """The number of tasks of a list, and what each of its raters did with them, by phase."""

    list: str
    tasks: Mapping[str, int]
    raters: Mapping[str, Mapping[str, TaskCounts]]


@dataclass(frozen=True, slots=True)
class Times:
    """The median and the quartiles of the seconds of `n` tasks."""

    n: int
    median: float
    quartiles: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class LeadTimes:
    """The times of each list and of each rater."""

    lists: Mapping[str, Times]
    raters: Mapping[str, Times]


@dataclass(frozen=True, slots=True)
class PhaseFigures:
    """The judgements of practice, or of fillers, with the right answers by control and rater."""

    judgements: int
    skipped: int
    right: Mapping[str, Mapping[str, Marks]]


@dataclass(frozen=True, slots=True)
class UnitAgreement:
    """Mean Cohen's kappa of labelled sentences over units, such as positions between characters, for one question."""

    unit: str
    question: str
    units: int
    cohen: float | None


@dataclass(frozen=True, slots=True)
class Confusion:
    """Items by right candidate and majority answer, and answers by the place of the right candidate and the place chosen."""

    majority: Mapping[str, Mapping[str, int]]
    places: list[list[int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class ControlFigures:
    """The figures of a control: of every control its counts, the rest by what it asks for."""

    kind: str
    items: int
    judgements: int
    left_open: int
    agreement: Agreement | UnsetType = UNSET
    # votes and expected answers
    answers: Mapping[str, int] | UnsetType = UNSET
    votes: Votes | UnsetType = UNSET
    codes: list[CodeFigures] | UnsetType = UNSET
    accuracy: Accuracy | UnsetType = UNSET
    difficulty: Mapping[str, MeanEstimate] | UnsetType | None = UNSET
    levels_by_raters: list[LevelLimits] | UnsetType = UNSET
    lists: ListEffects | UnsetType = UNSET
    crosstab: list[ExpectedAnswer] | UnsetType = UNSET
    confusion: Confusion | UnsetType = UNSET
    # ratings
    ratings: RatingCounts | UnsetType = UNSET
    item_means: MeanEstimate | UnsetType = UNSET
    histogram: Mapping[str, int] | UnsetType = UNSET
    raters: Mapping[str, float] | UnsetType = UNSET
    difficulty_ratings: Mapping[str, MeanEstimate] | UnsetType = UNSET
    ratings_by_level: Test | UnsetType = UNSET
    means_by_level: Test | UnsetType = UNSET
    accuracy_by_level: Mapping[str, Test] | UnsetType = UNSET
    systems: Mapping[str, SystemFigures] | UnsetType = UNSET
    genres: Mapping[str, Mapping[str, float]] | UnsetType = UNSET
    sides: AllSides | UnsetType = UNSET
    # labelled sentences: agreement by unit; sentences of two raters, those labelled alike; how often each label was given
    units: list[UnitAgreement] | UnsetType = UNSET
    shared: int | UnsetType = UNSET
    alike: int | UnsetType = UNSET
    labels: Mapping[str, int] | UnsetType = UNSET
    malformed: list[str] | UnsetType = UNSET


@dataclass(frozen=True, slots=True)
class RatersFigures:
    """The criteria for raters, whether the design states them, and how each rater answered."""

    criteria: Criteria
    stated: bool
    raters: Mapping[str, Conduct]


@dataclass(frozen=True, slots=True)
class Without:
    """The figures without some raters: who they are and why, counts and controls."""

    raters: Mapping[str, list[str]]
    counts: Counts
    controls: Mapping[str, ControlFigures]


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """The figures of a study, as figures.json holds them.

    Undefined is None, with its reason beside it; what the study does not ask is absent. Practice has figures of its own and is in no other,
    and so have fillers with attention trials where there are some.
    """

    study: str
    bootstrap: Bootstrap
    counts: Counts
    progress: list[Progress]
    lead_times: LeadTimes
    controls: Mapping[str, ControlFigures]
    practice: PhaseFigures
    fillers: PhaseFigures | UnsetType = UNSET
    look_first: list[Doubt]
    sentences: SentenceFigures | UnsetType = UNSET
    rules: list[RuleFigures] | UnsetType = UNSET
    published: list[PublishedFigure] = field(default_factory=list)
    raters: RatersFigures | UnsetType = UNSET
    background: BackgroundFigures | UnsetType | None = UNSET
    without: Without | UnsetType | None = UNSET
    reconsidered: Reconsideration | UnsetType = UNSET


def to_json(figures: Figures) -> dict[str, Any]:
    """Return the object of figures.json."""
    value: dict[str, Any] = msgspec.to_builtins(figures)
    return value
