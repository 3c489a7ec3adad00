"""A seeded defect, and functions that make damages."""

from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from pipeline.release.gate import ARTIFACTS as BUILD_FILES

Row = dict[str, Any]
Rows = list[Row]
Files = dict[str, bytes]
#: Returns a damaged copy of an artifact: its rows, or the files of a folder by name.
Damage = Callable[[Any], Any]
#: Changes a row in place.
Change = Callable[[Row], object]

#: The artifact for each suite: the first of the gate that it checks, and those outside a build folder of raw/zh.
ARTIFACTS: Mapping[str, str] = {
    **{suite.name: f"zh/{file}" for file, suites in reversed(BUILD_FILES.items()) for suite in suites},
    "skipped": "zh/skipped.jsonl",
    "templates": "en/templates.tsv",
    "errata": "zh/errata.yaml",
    "documents": "labelled",
    "cloze": "de/cloze.jsonl",
    "balance": "de/cloze.jsonl",
    "fillers": "de/fillers.jsonl",
    "genders": "de/cloze.jsonl",
    "study": "annotation/upper-bound",
    "experiment": "experiment",
    "responses": "responses",
    "releases": "release/zh",
}
#: The row to damage if any will do: not the first, so that a report that always names line 1 is wrong.
ANY = 2


@dataclass(frozen=True, slots=True)
class Defect:
    """A way to damage a valid artifact, and the expectation that must report it."""

    name: str
    suite: str
    expectation: str
    damage: Damage
    artifact: str = ""  # the artifact to damage, if not the suite's in `ARTIFACTS`
    reported_id: str = ""  # the id under which the defect is reported, if not the damaged row's

    @property
    def path(self) -> str:
        """Path of the artifact to damage."""
        return self.artifact or ARTIFACTS[self.suite]


def in_row(change: Change, where: Callable[[Row], object] = lambda _: True, start: int = ANY) -> Damage:
    """Return the damage that changes the first row, from `start` on, for which `where` holds."""

    def damage(rows: Rows) -> Rows:
        copy = deepcopy(rows)
        change(next(filter(where, copy[start:])))
        return copy

    return damage


def put(**fields: Any) -> Change:
    """Return the change that sets fields; a callable value is called with the row."""

    def change(row: Row) -> None:
        row.update({name: value(row) if callable(value) else value for name, value in fields.items()})

    return change


def fill(**forms: str | list[str]) -> Change:
    """Return the change that sets fields to texts made of those of the row.

    In them {first} and {second} stand for the candidates, {right} for the right one, and the name of a field for what it holds.
    """

    def change(row: Row) -> None:
        first, second = row["candidates"]
        words = {**row, "first": first, "second": second, "right": row["candidates"][row["answer"]]}
        for field, form in forms.items():
            row[field] = form.format(**words) if isinstance(form, str) else [part.format(**words) for part in form]

    return change


def ending(field: str, end: str) -> Change:
    """Return the change that puts something in the place of the last character of a text."""
    return put(**{field: lambda row: row[field][:-1] + end})


def replace(field: str, old: str, new: str) -> Change:
    """Return the change that replaces the first occurrence of a text; the text must occur."""

    def change(row: Row) -> None:
        assert old in row[field], f"{old!r} is not in {row[field]!r}"
        row[field] = row[field].replace(old, new, 1)

    return change


def append(field: str, text: str) -> Change:
    """Return the change that appends a text to a field."""
    return put(**{field: lambda row: row[field] + text})


def without(field: str) -> Change:
    """Return the change that removes a field."""
    return lambda row: row.pop(field)


def shift(field: str, by: int, *edges: str) -> Change:
    """Return the change that moves a span, or some of its edges."""
    moved = edges or ("start", "end")
    return put(**{field: lambda row: {edge: place + by * (edge in moved) for edge, place in row[field].items()}})


def drop(at: int = ANY) -> Damage:
    """Return the damage that removes a row."""
    return lambda rows: [*rows[:at], *rows[at + 1 :]]


def twice(*change: Change, at: int = ANY) -> Damage:
    """Return the damage that appends a copy of a row, with changes if given."""

    def damage(rows: Rows) -> Rows:
        copy = deepcopy(rows[at])
        for each in change:
            each(copy)
        return [*rows, copy]

    return damage


def from_row(by: int, *fields: str, at: int = ANY) -> Damage:
    """Return the damage that copies fields from the row `by` lines away."""
    return lambda rows: [*rows[:at], rows[at] | {field: rows[at + by][field] for field in fields}, *rows[at + 1 :]]


def of(**fields: object) -> Callable[[Row], bool]:
    """Return whether a row has these values."""
    return lambda row: all(row[name] == value for name, value in fields.items())


def every(change: Change, where: Callable[[Row], object] = lambda _: True) -> Damage:
    """Return the damage that changes each row for which `where` holds."""

    def damage(rows: Rows) -> Rows:
        copy = deepcopy(rows)
        for row in filter(where, copy):
            change(row)
        return copy

    return damage


def both_members(change: Change) -> Damage:
    """Return the damage that changes both members of a pair."""
    return in_turn(in_row(change), in_row(change, start=ANY + 1))


def in_turn(*damages: Damage) -> Damage:
    """Return one damage after the other."""

    def damage(artifact: Any) -> Any:
        for each in damages:
            artifact = each(artifact)
        return artifact

    return damage
