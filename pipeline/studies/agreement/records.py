"""The records of figures.json, which page, items and command read by attribute; and what papers print of the same figures."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from ...core.convert import convert
from ...core.errors import errors_at
from ...core.rules import RULES
from ...core.tables import read_table
from ..model.design import Criteria
from .items import Doubt, LevelLimits, ListEffects, Test
from .measures import Accuracy, Agreement, Bootstrap, CodeFigures, MeanEstimate, RatingCounts, Votes
from .raters import BackgroundFigures, Conduct, Marks
from .single_studies import (
    AllSides,
    ExpectedAnswer,
    Reconsideration,
    RuleFigures,
    SentenceFigures,
    SystemFigures,
)

# --- what papers print of the same study ------------------------------------------------------------------------------

_COLUMNS = ("study", "paper", "where", "what", "printed", "kind", "ours")


@dataclass(frozen=True, slots=True)
class PrintedFigure:
    """A printed figure.

    Attributes:
        study: the id of our design of the study.
        paper: the name of its dataset.
        where: section or table.
        what: what is measured, and in which unit where ours has two.
        printed: the value as printed; empty where the paper has no such figure.
        kind: how our value is written: ``number``, ``count``, ``p`` (ours is its decimal logarithm) or ``interval``.
        ours: the fields of `Figures` that lead to our value, with points between.
    """

    study: str
    paper: str
    where: str
    what: str
    printed: str
    kind: Literal["number", "count", "p", "interval"]
    ours: str


@dataclass(frozen=True, slots=True)
class PublishedFigure:
    """A printed figure with ours: as text in as many digits as the paper has at least, and as `value`, None where it is undefined."""

    paper: str
    where: str
    what: str
    printed: str
    value: Any
    ours: str


@cache
def printed_figures() -> tuple[PrintedFigure, ...]:
    """Return the table rules/studies/published.tsv.

    Raises:
        PipelineError: a row is malformed.
    """
    path = RULES / "studies" / "published.tsv"
    rows = []
    for line, row in read_table(path, _COLUMNS):
        with errors_at(path, line):
            rows.append(convert(dict(row), PrintedFigure))
    return tuple(rows)


def beside_published(study: str, figures: object) -> list[PublishedFigure]:
    """Return the printed figures of a study with ours, in the order of the paper; none for a study that no paper reports."""
    rows = []
    for row in printed_figures():
        if row.study == study:
            value = _value(figures, row.ours)
            ours = "n/a" if value is None else _written(value, row.kind)
            rows.append(PublishedFigure(row.paper, row.where, row.what, row.printed, value, ours))
    return rows


def _value(figures: object, path: str) -> Any:
    value: Any = figures
    for name in path.split("."):
        value = value.get(name) if isinstance(value, Mapping) else getattr(value, name, None)
    return value


def _written(value: Any, kind: str) -> str:
    if kind == "count":
        return str(value)
    if kind == "interval":
        return f"{value[0]:.4f} to {value[1]:.4f}"
    return p_text(value) if kind == "p" else f"{value:.3f}"


def p_text(logarithm: float) -> str:
    """Return a p value from its decimal logarithm, also one that is too small for a float.

    >>> p_text(-0.3071), p_text(-30.45), p_text(-354.6)
    ('0.493', '3.55e-31', '2.51e-355')
    """
    if logarithm > -3:
        return f"{10**logarithm:.3f}"
    exponent = math.floor(logarithm)
    return f"{10 ** (logarithm - exponent):.2f}e{exponent}"


# --- the figures of a study -------------------------------------------------------------------------------------------


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
