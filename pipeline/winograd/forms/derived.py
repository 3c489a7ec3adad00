"""The forms of an item that solvers use: one module a form, items in, rows out, each keyed to its item."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

#: One JSON object of a form; ``item`` names the item that it was made from.
Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class UnmadeItem:
    """An item that a form cannot be made of without guessing, and why: ``[field] reason; found X, expected Y``."""

    form: str
    item: str
    reason: str


@dataclass(frozen=True, slots=True)
class DerivedForm:
    """What became of the items in one form: each has its rows, or is among the `unmade`."""

    rows: tuple[Row, ...]
    unmade: tuple[UnmadeItem, ...] = ()

    @property
    def items(self) -> int:
        """How many items have rows."""
        return len({row["item"] for row in self.rows})


def derived(rows: Iterable[Row], unmade: Iterable[UnmadeItem]) -> DerivedForm:
    """Return both as a `DerivedForm`."""
    return DerivedForm(tuple(rows), tuple(unmade))
