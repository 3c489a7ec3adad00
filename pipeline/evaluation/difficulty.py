"""How hard the items of a release are, and for whom: tables with a column for each system and each group of people that answered."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from statistics import fmean
from typing import Literal, get_args

from ..core.checksums import is_of_other_words
from ..core.errors import PipelineError, errors_at, shown
from ..core.tables import one_line, read_table, tsv_text
from ..statistics.human_accuracy import BY_ACCURACY, Level, difficulty
from ..statistics.intervals import exact_interval, ratio
from ..statistics.item_response import ItemResponseModel, Parameter, fit_item_response
from ..winograd.zero_forms import ZERO
from .items import ReleasedItem
from .measures.accuracy import Estimate, accuracy_of_counts
from .predictions import Form, Runs, own_runs

#: Who answers: systems; people in studies; readers, whose answers decided which items were released and are therefore no measurement.
Kind = Literal["systems", "people", "readings"]
#: The kinds that items are measured by.
Measured = Literal["systems", "people"]
MEASURED: tuple[Measured, ...] = get_args(Measured)
#: A value of a table: a name, a number, a share; None of what nobody answered.
_Value = str | int | float | None
#: The tables: of items, of pairs, of those who answered.
FILES = ("difficulty.tsv", "pairs.tsv", "respondents.tsv")


@dataclass(frozen=True, slots=True)
class Answers:
    """Numbers of answers. Those that were not understood are neither right nor wrong."""

    right: int = 0
    wrong: int = 0
    unclear: int = 0

    def __add__(self, other: "Answers") -> "Answers":
        return Answers(self.right + other.right, self.wrong + other.wrong, self.unclear + other.unclear)

    @property
    def understood(self) -> int:
        """The number of answers that are right or wrong."""
        return self.right + self.wrong

    @property
    def solved(self) -> bool:
        """Whether more than half of the answers that were understood are right."""
        return self.right > self.wrong


@dataclass(frozen=True)
class Group:
    """A system, a group of people or the readers: what they answered, by item.

    Attributes:
        marks: whether each member has an item right, by item and member: a system, or each rater. Empty where the members are unknown.
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
        return sum(self.answers.values(), Answers())

    @property
    def title(self) -> str:
        """The beginning of its columns."""
        return one_line({"systems": f"system {self.name}", "people": f"people {self.name}"}.get(self.kind, self.name))

    def accuracy(self, items: Sequence[ReleasedItem]) -> Estimate:
        """Return the share of right answers among those understood, with its interval; schemas are the clusters."""
        clusters: dict[str, Answers] = defaultdict(Answers)
        for entry in items:
            clusters[entry.cluster] += self.answers.get(entry.item.id, Answers())
        return accuracy_of_counts([(of.right, of.understood) for of in clusters.values()])


def _count(marks: Iterable[tuple[str, bool | None]]) -> dict[str, Answers]:
    """Return the numbers of answers by item, of items and whether each answer is right; None if it was not understood."""
    counts: dict[str, Answers] = defaultdict(Answers)
    for item, right in marks:
        counts[item] += Answers(right is True, right is False, right is None)
    return dict(counts)


def system_groups(runs: Runs, form: Form, source: str = "") -> list[Group]:
    """Return the systems with their own answers to one form of the items, in all modes and orders; see `own_runs`."""
    marks: dict[str, list[tuple[str, bool | None]]] = defaultdict(list)
    for run, responses in own_runs(runs).items():
        if run.form == form:
            marks[run.model] += [
                (item, None if of.parsed.choice is None else of.right) for item, of in responses.items()
            ]
    groups = []
    for model, of_model in marks.items():
        answers = _count(of_model)
        solved = {item: {model: of.solved} for item, of in answers.items() if of.understood}
        groups.append(Group("systems", model, answers, solved, source))
    return groups


def rater_group(name: str, marks: Mapping[str, Mapping[str, bool]], source: str = "") -> Group:
    """Return a group of people from whether each rater has an item right, by item and rater."""
    by_rater = {item: {f"{name}: {rater}": mark for rater, mark in row.items()} for item, row in marks.items()}
    return Group(
        "people", name, _count((item, mark) for item, row in marks.items() for mark in row.values()), by_rater, source
    )


def read_counts(path: Path, name: str, items: Collection[str], source: str = "") -> Group:
    """Return a group of people from the counts of a table with item, answers and right, as items.tsv of `annotate agree`.

    Raises:
        PipelineError: an item is not in the release or stands twice, or its counts are none.
    """
    answers: dict[str, Answers] = {}
    for line, row in read_table(path, ("item", "answers", "right"), has_comments=False, unique="item"):
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
    """Return what readers answered to the released items, and how many rows are of other items or of other words.

    A table has id, reader and answer; columns ``text`` and ``zero``, if it has them, hold the forms that were read, or their digests.
    """
    if len({path.resolve() for path in paths}) < len(paths):
        raise PipelineError(None, None, "[readings] the same file twice; expected each file once")
    by_id = {entry.item.id: entry.item for entry in items}
    forms = {entry.item.id: (entry.item.text, entry.text_zero.replace(ZERO, "")) for entry in items}
    marks: list[tuple[str, bool | None]] = []
    others = 0
    for path in paths:
        for line, row in read_table(path, ("id", "reader", "answer")):
            item = by_id.get(row["id"])
            if item is None or is_of_other_words(row, forms[item.id]):
                others += 1
                continue
            if row["answer"] not in item.candidates:
                reason = f"found {shown(row['answer'])}, expected one of {shown(list(item.candidates))}"
                raise PipelineError(path, line, f"[answer] no candidate; {reason}")
            marks.append((item.id, row["answer"] == item.candidates[item.answer]))
    return Group("readings", "readings", _count(marks), source=source), others


def require_released(item_id: str, items: Collection[str]) -> None:
    """Raise `ValueError` for an item that is not in the release."""
    if item_id not in items:
        example = next(iter(items), "none")
        raise ValueError(
            f"[item] no item of the release; found {shown(item_id)}, expected one of {len(items)} such as {example}"
        )


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

    def texts(self) -> dict[str, str]:
        """Return the tables by the names of their files; a cell of what nobody answered is empty."""
        members: dict[str, list[str]] = defaultdict(list)
        for entry in self.items:
            members[entry.item.schema].append(entry.item.id)
        tables = (
            [self._item_row(entry.item.id, entry.item.schema) for entry in self.items],
            [self._pair_row(schema, item_ids) for schema, item_ids in members.items() if len(item_ids) > 1],
            [self._group_row(group) for group in self.groups],
        )
        return {
            name: tsv_text(list(rows[0]), ([_cell(value) for value in row.values()] for row in rows)) if rows else ""
            for name, rows in zip(FILES, tables, strict=True)
        }

    def _item_row(self, item_id: str, schema: str) -> dict[str, _Value]:
        """Return the cells of an item: for each kind, in which a system counts once and people by their answers, and for each group."""
        row: dict[str, _Value] = {"item": item_id, "schema": schema}
        for kind in MEASURED:
            answers = [group.answers[item_id] for group in self._groups(kind) if item_id in group.answers]
            if kind == "systems":
                answers = [_count([("", of.solved if of.understood else None)])[""] for of in answers]
            of_kind, model = sum(answers, Answers()), self.models.get(kind)
            n, share = of_kind.understood, ratio(of_kind.right, of_kind.understood)
            row |= {kind: n or None, f"{kind}_right": of_kind.right if n else None}
            row |= {f"{kind}_not_understood": of_kind.unclear if answers else None, **_shares(of_kind, f"{kind}_")}
            row[f"{kind}_band"] = None if share is None else difficulty(share, BY_ACCURACY)
            for name in ("difficulty", "discrimination"):
                parameters = getattr(model, name) if isinstance(model, ItemResponseModel) else {}
                row |= _parameters(f"{kind}_{name}", parameters.get(item_id))
        for group in self.groups:
            of = group.answers.get(item_id)
            row |= _shares(of or Answers(), f"{group.title}: ")
            row[f"{group.title}: answers"] = of.understood if of else None
            row[f"{group.title}: not understood"] = of.unclear if of else None
        return row

    def _pair_row(self, schema: str, item_ids: Sequence[str]) -> dict[str, _Value]:
        """Return the cells of a schema: which systems have all its items right, of those that answered all; the mean share of others."""
        cells, solved = dict[str, _Value](), Answers()
        for group in self.groups:
            answers = [group.answers.get(item_id, Answers()) for item_id in item_ids]
            if not all(of.understood for of in answers):
                cells[group.title] = None
            elif group.kind == "systems":
                right = all(of.solved for of in answers)
                solved += Answers(int(right), int(not right))
                cells[group.title] = int(right)
            else:
                cells[group.title] = fmean(of.right / of.understood for of in answers)
        n = solved.understood or None
        row = {"schema": schema, "items": " ".join(item_ids), "systems": n, "systems_right": n and solved.right}
        return {**row, **_shares(solved, "systems_"), **cells}

    def _group_row(self, group: Group) -> dict[str, _Value]:
        """Return the cells of a group: how much it answered, the ability of a system; no row is of a single rater."""
        total, share, model = group.total, group.accuracy(self.items), self.models.get("systems")
        low, high = share.interval or (None, None)
        abilities = model.ability if isinstance(model, ItemResponseModel) and group.kind == "systems" else {}
        return {
            "kind": group.kind,
            "name": group.name,
            "items": len(group.answers),
            "answers": total.understood + total.unclear,
            "right": total.right,
            "wrong": total.wrong,
            "not_understood": total.unclear,
            "share": share.value,
            "low": low,
            "high": high,
            **_parameters("ability", abilities.get(group.name)),
            "source": group.source,
        }


def _cell(value: _Value) -> str:
    return "" if value is None else f"{value:.4f}" if isinstance(value, float) else str(value)


def _shares(of: Answers, prefix: str) -> dict[str, _Value]:
    values = (of.right / of.understood, *exact_interval(of.right, of.wrong)) if of.understood else (None,) * 3
    return dict(zip((f"{prefix}{name}" for name in ("share", "low", "high")), values, strict=True))


def _parameters(name: str, parameter: Parameter | None) -> dict[str, _Value]:
    values = (parameter.value, parameter.low, parameter.high) if parameter else (None,) * 3
    # adding 0 makes no zero negative
    cells = (None if value is None else f"{round(value, 2) + 0:.2f}" for value in values)
    return dict(zip((name, f"{name}_low", f"{name}_high"), cells, strict=True))


# --- the table of items, read again ---------------------------------------------------------------------------------------

_SYSTEM_SHARE = re.compile(r"system (.*): share")


@dataclass(frozen=True, slots=True)
class ItemRow:
    """What a table says of an item: shares of right answers and difficulties by kind, None where unknown; each system's share."""

    schema: str
    share: Mapping[Measured, float | None] = field(default_factory=lambda: dict.fromkeys(MEASURED))
    difficulty: Mapping[Measured, float | None] = field(default_factory=lambda: dict.fromkeys(MEASURED))
    systems: Mapping[str, float] = field(default_factory=dict)

    def band(self, kind: Measured, without: Collection[str] = ()) -> Level | None:
        """Return the level of difficulty by the share of right answers; for systems, those in `without` left out."""
        share = self.share[kind]
        if kind == "systems" and without:
            marks = [of > 1 / 2 for name, of in self.systems.items() if name not in without]
            share = fmean(marks) if marks else None
        return None if share is None else difficulty(share, BY_ACCURACY)


def read_difficulty(path: Path, schema_of: Mapping[str, str]) -> dict[str, ItemRow]:
    """Return the rows by item of the table of items that `evaluate difficulty` wrote; nothing is known of an item without a row.

    Args:
        schema_of: the schema of each item of the release.

    Raises:
        PipelineError: a column is missing, an item is not in the release or stands twice, or a share is none.
    """
    rows = {item: ItemRow(schema) for item, schema in schema_of.items()}
    required = ["item", *(f"{kind}_{name}" for name in ("share", "difficulty") for kind in MEASURED)]
    for line, row in read_table(path, required, has_comments=False, unique="item"):
        with errors_at(path, line):
            require_released(row["item"], schema_of)
            rows[row["item"]] = ItemRow(
                schema_of[row["item"]],
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
            f"[difficulty] found no{level} schema whose items were all answered by {kind}, expected one or more"
        )
    return sorted(keys, key=lambda schema: (*keys[schema], schema))[:hardest]
