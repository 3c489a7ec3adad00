"""What a seeded defect is."""

from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

Row = dict[str, Any]
Rows = list[Row]
Files = dict[str, bytes]
#: Returns an artifact damaged in one way: its rows, or the files of a folder by name. What it is given stays as it was.
Damage = Callable[[Any], Any]
Change = Callable[[Row], object]

#: The artifact that each suite is tried on, as the commands write it.
ARTIFACTS: Mapping[str, str] = {
    "items": "zh/items.jsonl",
    "skipped": "zh/skipped.jsonl",
    "pairs": "zh/items.jsonl",
    "labels": "zh/zero.jsonl",
    "zero": "zh/zero.jsonl",
    "nli": "zh/variants/nli.jsonl",
    "disambiguated": "zh/variants/disambiguated.jsonl",
    "scoring": "zh/variants/scoring.jsonl",
    "winogrande": "zh/variants/winogrande.jsonl",
    "names": "zh/variants/names.jsonl",
    "tokens": "zh/variants/tokens.jsonl",
    "traditional": "zh/variants/traditional.jsonl",
    "templates": "en/templates.tsv",
    "instantiations": "en/double.tsv",
    "counts": "zh/association/counts.jsonl",
    "pmi": "zh/association/pmi.jsonl",
    "study": "annotation/upper-bound",
    "releases": "release/zh",
}
#: The row that is damaged, where any would do: not the first, so that a report that always names line 1 is wrong.
ANY = 2


@dataclass(frozen=True, slots=True)
class Defect:
    """A way to damage a valid artifact, and the expectation that must notice.

    `artifact` is another than the suite's in `ARTIFACTS`; `told` the id under which the defect is reported, where it is not
    that of the row that was changed.
    """

    name: str
    suite: str
    expectation: str
    damage: Damage
    artifact: str = ""
    told: str = ""

    @property
    def path(self) -> str:
        """The artifact that is damaged."""
        return self.artifact or ARTIFACTS[self.suite]


def one(change: Change, where: Callable[[Row], object] = lambda _: True, start: int = ANY) -> Damage:
    """Return the damage that changes the first row from `start` on of which `where` holds."""

    def damage(rows: Rows) -> Rows:
        copy = deepcopy(rows)
        change(next(filter(where, copy[start:])))
        return copy

    return damage


def put(**fields: Any) -> Change:
    """Return the change of some fields; a value that can be called is given the row."""

    def change(row: Row) -> None:
        row.update({name: value(row) if callable(value) else value for name, value in fields.items()})

    return change


def replace(field: str, old: str, new: str) -> Change:
    """Return the change of the first occurrence of a text that must be there."""

    def change(row: Row) -> None:
        assert old in row[field], f"{old!r} is not in {row[field]!r}"
        row[field] = row[field].replace(old, new, 1)

    return change


def append(field: str, text: str) -> Change:
    """Return the change that adds a text at the end of a field."""
    return put(**{field: lambda row: row[field] + text})


def without(field: str) -> Change:
    """Return the change that takes a field away."""
    return lambda row: row.pop(field)


def shift(field: str, by: int) -> Change:
    """Return the change that moves a span."""
    return put(**{field: lambda row: {edge: row[field][edge] + by for edge in ("start", "end")}})


def drop(at: int = ANY) -> Damage:
    """Return the damage that loses a row."""
    return lambda rows: [*rows[:at], *rows[at + 1 :]]


def twice(*change: Change, at: int = ANY) -> Damage:
    """Return the damage that adds a copy of a row, perhaps changed, at the end."""

    def damage(rows: Rows) -> Rows:
        copy = deepcopy(rows[at])
        for each in change:
            each(copy)
        return [*rows, copy]

    return damage


def from_row(field: str, by: int) -> Callable[[Rows], Rows]:
    """Return the damage that gives a row a field of the row that stands `by` lines from it."""

    def damage(rows: Rows) -> Rows:
        copy = deepcopy(rows)
        copy[ANY][field] = deepcopy(rows[ANY + by][field])
        return copy

    return damage
