"""How hard the items of a release are, and for whom: tables with a column for each system and each group of people that answered."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from statistics import fmean
from typing import Literal, get_args

from ..core.errors import PipelineError, errors_at, shown
from ..core.files import require_unique
from ..core.tables import one_line, read_table, tsv_text
from ..statistics.human_accuracy import BY_ACCURACY, Level, difficulty
from ..statistics.intervals import exact_interval, ratio
from ..statistics.item_response import ItemResponseModel, Parameter, fit_item_response
from .items import ReleasedItem
from .measures.accuracy import Estimate, accuracy
from .predictions import Form, Runs, own_runs

#: Who answers: systems; people in studies; readers, whose answers decided which items were released and are therefore no measurement.
Kind = Literal["systems", "people", "readings"]
#: The kinds that items are measured by.
Measured = Literal["systems", "people"]
MEASURED: tuple[Measured, ...] = get_args(Measured)
#: The tables: of items, of pairs, of those who answered.
FILES = ("difficulty.tsv", "pairs.tsv", "respondents.tsv")
#: The columns of the tables: those of the item, and those of each measured kind after its name.
_ITEM = ("item", "schema")
_PARAMETERS = tuple(f"{name}{end}" for name in ("_difficulty", "_discrimination") for end in ("", "_low", "_high"))
_MEASURES = ("", "_right", "_not_understood", "_share", "_low", "_high", "_band", *_PARAMETERS)
_CELLS = ("share", "low", "high", "answers", "not understood")
_PAIR = ("schema", "items", *(f"systems{end}" for end in ("", "_right", "_share", "_low", "_high", "_difficulty")))

_GROUP = (
    *("kind", "name", "items", "answers", "right", "wrong", "not_understood", "share", "low", "high"),
    *("ability", "ability_low", "ability_high", "source"),
)


@dataclass(frozen=True, slots=True)
class Answers:
    """Numbers of answers to an item. Those that were not understood are neither right nor wrong."""

    right: int = 0
    wrong: int = 0
    unclear: int = 0

    @property
    def understood(self) -> int:
        """The number of answers that are right or wrong."""
        return self.right + self.wrong


@dataclass(frozen=True)
class Group:
    """A system, a group of people or the readers: what they answered, by item.

    Attributes:
        marks: whether each member has an item right, by item and member: a system, by its own name, if it is right in more than half of its
            answers that were understood; each rater. Empty where the members are unknown.
        source: the files with the answers.
    """

    kind: Kind
    name: str
    answers: Mapping[str, Answers]
    marks: Mapping[str, Mapping[str, bool]] = field(default_factory=dict)
    source: str = ""

    @property
    def total(self) -> Answers:
        """The numbers of all answers."""
        counts = ((of.right, of.wrong, of.unclear) for of in self.answers.values())
        return Answers(*map(sum, zip(*counts, strict=True)))

    def accuracy(self, clusters: Mapping[str, str]) -> Estimate:
        """Return the share of right answers among those understood, with its interval; schemas are the clusters."""
        marks = [(item, n < of.right) for item, of in self.answers.items() for n in range(of.understood)]
        return accuracy(marks, clusters)


def system_groups(runs: Runs, form: Form, source: str = "") -> list[Group]:
    """Return the systems with their own answers to one form of the items, in all modes and orders; see `own_runs`."""
    answers: dict[str, dict[str, Answers]] = defaultdict(dict)
    for run, responses in own_runs(runs).items():
        for item, response in responses.items() if run.form == form else ():
            before = answers[run.model].get(item, Answers())
            unclear = response.parsed.choice is None
            answers[run.model][item] = Answers(
                before.right + response.right,
                before.wrong + (not unclear and not response.right),
                before.unclear + unclear,
            )
    return [
        Group(
            "systems",
            model,
            by_item,
            {item: {model: of.right > of.wrong} for item, of in by_item.items() if of.understood},
            source,
        )
        for model, by_item in answers.items()
    ]


def rater_group(name: str, marks: Mapping[str, Mapping[str, bool]], source: str = "") -> Group:
    """Return a group of people from whether each rater has an item right, by item and rater."""
    answers = {item: Answers(sum(row.values()), len(row) - sum(row.values())) for item, row in marks.items()}
    by_rater = {item: {f"{name}: {rater}": mark for rater, mark in row.items()} for item, row in marks.items()}
    return Group("people", name, answers, by_rater, source)


def read_counts(path: Path, name: str, items: Collection[str], source: str = "") -> Group:
    """Return a group of people from the counts of a table with item, answers and right, as items.tsv of `annotate agree`.

    Raises:
        PipelineError: an item is not in the release or stands twice, or its counts are none.
    """
    answers: dict[str, Answers] = {}
    lines: dict[str, int | None] = {}
    for line, row in read_table(path, ("item", "answers", "right"), has_comments=False):
        require_unique(lines, row["item"], path, line, "item")
        counts = [row[column].strip() for column in ("answers", "right")]
        if not any(counts):
            continue
        with errors_at(path, line):
            require_released(row["item"], items)
            if not all(re.fullmatch("[0-9]{1,9}", count) for count in counts) or int(counts[1]) > int(counts[0]):
                raise ValueError(
                    f"[right] no counts; found {counts[1]!r} of {counts[0]!r} answers, expected 0 to all of them"
                )
        if int(counts[0]):
            answers[row["item"]] = Answers(int(counts[1]), int(counts[0]) - int(counts[1]))
    return Group("people", name, answers, source=source)


def read_readings(paths: Sequence[Path], items: Sequence[ReleasedItem], source: str = "") -> tuple[Group, int]:
    """Return what readers answered to the released items, from tables with id, reader and answer, and how many rows are of other items."""
    by_id = {entry.item.id: entry.item for entry in items}
    counts: dict[str, Answers] = {}
    others = 0
    for path in paths:
        for line, row in read_table(path, ("id", "reader", "answer")):
            if (item := by_id.get(row["id"])) is None:
                others += 1
                continue
            if row["answer"] not in item.candidates:
                reason = f"found {shown(row['answer'])}, expected one of {shown(list(item.candidates))}"
                raise PipelineError(path, line, f"[answer] no candidate; {reason}")
            right, before = row["answer"] == item.candidates[item.answer], counts.get(item.id, Answers())
            counts[item.id] = Answers(before.right + right, before.wrong + (not right))
    return Group("readings", "readings", counts, source=source), others


def require_released(item_id: str, items: Collection[str]) -> None:
    """Raise `ValueError` for an item that is not in the release."""
    if item_id not in items:
        example = next(iter(items), "none")
        raise ValueError(
            f"[item] no item of the release; found {shown(item_id)}, expected one of {len(items)} such as {example}"
        )


@dataclass(frozen=True, slots=True)
class Measurement:
    """How hard an item is for the systems, or for people.

    Attributes:
        right: number of systems, or of people's answers, that are right, of `n` that were understood.
        unclear: number of systems of which no answer was understood.
    """

    right: int
    n: int
    unclear: int
    difficulty: Parameter | None = None  # of the item response model; None without one
    discrimination: Parameter | None = None

    def cells(self) -> Iterator[str]:
        """Yield the cells of `_MEASURES`; those of what nobody answered are empty."""
        yield from (str(self.n), str(self.right)) if self.n else ("", "")
        yield str(self.unclear)
        yield from _share_cells(self.right, self.n)
        yield difficulty(self.right / self.n, BY_ACCURACY) if self.n else ""
        yield from (*_parameter_cells(self.difficulty), *_parameter_cells(self.discrimination))


def _share_cells(right: int, n: int) -> list[str]:
    return [f"{value:.4f}" for value in (right / n, *exact_interval(right, n - right))] if n else [""] * 3


def _parameter_cells(parameter: Parameter | None) -> list[str]:
    # adding 0 makes no zero negative
    values = (parameter.value, parameter.low, parameter.high) if parameter else ()
    return [f"{round(value, 2) + 0:.2f}" for value in values] or [""] * 3


@dataclass(frozen=True)
class DifficultyTable:
    """The items of a release with the groups that answered them."""

    items: Sequence[ReleasedItem]
    groups: Sequence[Group]

    @cached_property
    def models(self) -> dict[Measured, ItemResponseModel | str]:
        """The item response model of each measured kind that answered, or why it cannot be fitted."""
        fitted: dict[Measured, ItemResponseModel | str] = {}
        for kind in filter(self._groups, MEASURED):
            marks: dict[str, dict[str, bool]] = {}
            for group in self._groups(kind):
                for item, row in group.marks.items():
                    marks.setdefault(item, {}).update(row)
            if kind == "people" and not marks:
                fitted[kind] = "found counts of answers, expected the folder of an export, which says who gave them"
                continue
            try:
                fitted[kind] = fit_item_response(marks)
            except ValueError as error:
                fitted[kind] = str(error)
        return fitted

    def _groups(self, kind: Kind) -> list[Group]:
        return [group for group in self.groups if group.kind == kind]

    def measurement(self, kind: Measured, item_id: str) -> Measurement | None:
        """Return how hard an item is for a kind: each system counts once, people by their answers; None if nobody answered."""
        answers = [group.answers[item_id] for group in self._groups(kind) if item_id in group.answers]
        if kind == "systems":
            answers = [
                Answers(of.right > of.wrong, of.right <= of.wrong) if of.understood else Answers(unclear=1)
                for of in answers
            ]
        if not answers:
            return None
        model = self.models.get(kind)
        return Measurement(
            sum(of.right for of in answers),
            sum(of.understood for of in answers),
            sum(of.unclear for of in answers),
            model.difficulty.get(item_id) if isinstance(model, ItemResponseModel) else None,
            model.discrimination.get(item_id) if isinstance(model, ItemResponseModel) else None,
        )

    def texts(self) -> dict[str, str]:
        """Return the tables by the names of their files."""
        tables = (self.item_rows(), self.pair_rows(), self.group_rows())
        return {name: tsv_text(next(rows), rows) for name, rows in zip(FILES, tables, strict=True)}

    def item_rows(self) -> Iterator[list[str]]:
        """Yield the header and a row for each item, in the order of the release."""
        titles = [_title(group) for group in self.groups]
        measures = [f"{kind}{name}" for kind in MEASURED for name in _MEASURES]
        yield [*_ITEM, *measures, *(f"{title}: {name}" for title in titles for name in _CELLS)]
        for entry in self.items:
            item_id = entry.item.id
            cells = [item_id, entry.item.schema]
            for kind in MEASURED:
                measured = self.measurement(kind, item_id)
                cells += measured.cells() if measured else [""] * len(_MEASURES)
            for group in self.groups:
                of = group.answers.get(item_id)
                cells += (
                    [*_share_cells(of.right, of.understood), str(of.understood), str(of.unclear)]
                    if of
                    else [""] * len(_CELLS)
                )
            yield cells

    def pair_rows(self) -> Iterator[list[str]]:
        """Yield the header and a row for each schema with two items or more: which systems have all of them right, people's mean share."""
        yield [*_PAIR, "people_share", "people_difficulty", *map(_title, self.groups)]
        members: dict[str, list[str]] = defaultdict(list)
        for entry in self.items:
            members[entry.item.schema].append(entry.item.id)
        for schema, item_ids in members.items():
            if len(item_ids) < 2:
                continue
            by_group = [_pair_share(group, item_ids) for group in self.groups]
            solved = [
                share
                for group, share in zip(self.groups, by_group, strict=True)
                if group.kind == "systems" and share is not None
            ]
            right, n = sum(map(int, solved)), len(solved)
            of_people = [self.measurement("people", item_id) for item_id in item_ids]
            yield [
                *(schema, " ".join(item_ids), *([str(n), str(right)] if n else ["", ""]), *_share_cells(right, n)),
                _mean([self.measurement("systems", item_id) for item_id in item_ids], "difficulty"),
                _decimals([ratio(of.right, of.n) if of else None for of in of_people], 4),
                _mean(of_people, "difficulty"),
                *("" if share is None else f"{share:.4g}" for share in by_group),
            ]

    def group_rows(self) -> Iterator[list[str]]:
        """Yield the header and a row for each group: how much it answered, and the ability of a system. No row is of a single rater."""
        yield list(_GROUP)
        clusters = {entry.item.id: entry.cluster for entry in self.items}
        model = self.models.get("systems")
        for group in self.groups:
            total, share = group.total, group.accuracy(clusters)
            limits = [f"{value:.4f}" for value in (share.value, *(share.interval or ())) if value is not None]
            ability = (
                model.ability.get(group.name)
                if isinstance(model, ItemResponseModel) and group.kind == "systems"
                else None
            )
            counts = (len(group.answers), total.understood + total.unclear, total.right, total.wrong, total.unclear)
            cells = [*limits, *[""] * (3 - len(limits)), *_parameter_cells(ability), group.source]
            yield [group.kind, group.name, *map(str, counts), *cells]


def _title(group: Group) -> str:
    return one_line({"systems": f"system {group.name}", "people": f"people {group.name}"}.get(group.kind, group.name))


def _pair_share(group: Group, item_ids: Sequence[str]) -> float | None:
    """Return 1 if a system has all items right, else 0; of a group of people the mean share; None if an item is not answered."""
    answers = [group.answers.get(item_id, Answers()) for item_id in item_ids]
    if not all(of.understood for of in answers):
        return None
    if group.kind == "systems":
        return float(all(of.right > of.wrong for of in answers))
    return fmean(of.right / of.understood for of in answers)


def _mean(measured: Sequence[Measurement | None], name: str) -> str:
    parameters: list[Parameter | None] = [getattr(of, name) if of else None for of in measured]
    return _decimals([parameter.value if parameter else None for parameter in parameters], 2)


def _decimals(values: Sequence[float | None], digits: int) -> str:
    known = [value for value in values if value is not None]
    return f"{fmean(known):.{digits}f}" if known and len(known) == len(values) else ""


# --- the table of items, read again ---------------------------------------------------------------------------------------

_SYSTEM_SHARE = re.compile(r"system (.*): share")


@dataclass(frozen=True, slots=True)
class ItemRow:
    """What a table says of an item: the share of right answers and the difficulty by kind, None where unknown; each system's share."""

    schema: str
    share: Mapping[Measured, float | None]
    difficulty: Mapping[Measured, float | None]
    systems: Mapping[str, float]

    def band(self, kind: Measured, without: Collection[str] = ()) -> Level | None:
        """Return the level of difficulty by the share of right answers; for systems, those in `without` left out."""
        share = self.share[kind]
        if kind == "systems" and without:
            marks = [of > 1 / 2 for name, of in self.systems.items() if name not in without]
            share = fmean(marks) if marks else None
        return None if share is None else difficulty(share, BY_ACCURACY)


def read_difficulty(path: Path, items: Collection[str]) -> dict[str, ItemRow]:
    """Return the rows by item of the table of items that `evaluate difficulty` wrote.

    Raises:
        PipelineError: a column is missing, an item is not in the release or stands twice, or a share is none.
    """
    rows: dict[str, ItemRow] = {}
    lines: dict[str, int | None] = {}
    required = [*_ITEM, *(f"{kind}_{name}" for name in ("share", "difficulty") for kind in MEASURED)]
    for line, row in read_table(path, required, has_comments=False):
        require_unique(lines, row["item"], path, line, "item")
        with errors_at(path, line):
            require_released(row["item"], items)
            rows[row["item"]] = ItemRow(
                row["schema"],
                {kind: _number(row, f"{kind}_share", 0, 1) for kind in MEASURED},
                {kind: _number(row, f"{kind}_difficulty", -100, 100) for kind in MEASURED},
                {
                    match[1]: share
                    for column in row
                    if (match := _SYSTEM_SHARE.fullmatch(column)) and (share := _number(row, column, 0, 1)) is not None
                },
            )
    return rows


def people_shares(rows: Mapping[str, ItemRow]) -> dict[str, float]:
    """Return people's share of right answers by item, of the items that they answered."""
    return {item: share for item, row in rows.items() if (share := row.share["people"]) is not None}


def _number(row: Mapping[str, str], column: str, low: float, high: float) -> float | None:
    cell = row[column].strip().replace(",", ".")
    if not cell:
        return None
    if not re.fullmatch(r"-?\d{1,9}(\.\d{1,9})?", cell) or not low <= float(cell) <= high:
        raise ValueError(f"[{column}] found {shown(row[column])}, expected a number from {low} to {high}, or nothing")
    return float(cell)


def choose_schemas(
    rows: Mapping[str, ItemRow], kind: Measured, *, hardest: int | None = None, band: Level | None = None
) -> list[str]:
    """Return schemas whose items are all measured, hardest first: those with an item of a level, and at most so many of them.

    The order is that of the mean share of right answers to their items, then of the mean difficulty of the model.

    Raises:
        ValueError: there is none.
    """
    members: dict[str, list[ItemRow]] = defaultdict(list)
    for row in rows.values():
        members[row.schema].append(row)
    keys: dict[str, tuple[float, float]] = {}
    for schema, of_schema in members.items():
        shares = [share for row in of_schema if (share := row.share[kind]) is not None]
        difficulties = [value for row in of_schema if (value := row.difficulty[kind]) is not None]
        if len(shares) == len(of_schema) and band in (None, *(row.band(kind) for row in of_schema)):
            keys[schema] = fmean(shares), -fmean(difficulties) if difficulties else 0.0
    if not keys:
        level = f" {band}" if band else ""
        raise ValueError(
            f"[difficulty] found no{level} schema, whose items were all answered by {kind}, expected one or more"
        )
    return sorted(keys, key=lambda schema: (*keys[schema], schema))[:hardest]
