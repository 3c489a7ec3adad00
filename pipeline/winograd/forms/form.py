"""What a derived form is: its rows, the items it cannot be made of, how it is made, and the zero form beside the overt one."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...core.model import Item
from ...core.records import KEYS, item_from_json
from ...core.rules import languages_with_zeros
from ..zero_forms import to_zero
from .options import FormOptions

#: One JSON object of a form; ``item`` is the id of the item that it was made from.
Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class UnmadeItem:
    """An item that a form cannot be made of without guessing, with the reason: ``[field] reason; found X, expected Y``."""

    form: str
    item: str
    reason: str


@dataclass(frozen=True, slots=True)
class DerivedForm:
    """A collection in one form: each item has rows, or is among the `unmade`."""

    rows: tuple[Row, ...]
    unmade: tuple[UnmadeItem, ...] = ()

    @property
    def items(self) -> int:
        """Number of items that have rows."""
        return len({row["item"] for row in self.rows})


def derive_each(form: str, items: Iterable[Item], rows_of: Callable[[Item], Iterable[Row]]) -> DerivedForm:
    """Return the rows of each item; an item for which `rows_of` raises `ValueError` is unmade, and the message is the reason."""
    rows: list[Row] = []
    unmade = []
    for item in items:
        try:
            rows += rows_of(item)
        except ValueError as error:
            unmade.append(UnmadeItem(form, item.id, str(error)))
    return DerivedForm(tuple(rows), tuple(unmade))


@dataclass(frozen=True, slots=True)
class Form:
    """A derived form: its name, which is that of its file too, and how its rows are made of a collection.

    `fields` says on the dataset card what a row holds (Markdown). `languages` are those of the items that it is made of; empty for
    all. A collection without such items has no file. `zero` returns the fields that a row gets for its zero form; None for a form
    without the anaphor.
    """

    name: str
    make: Callable[[Sequence[Item], FormOptions], DerivedForm]
    fields: str
    languages: tuple[str, ...] = ()
    zero: Callable[[Row, Item], Row] | None = None

    def derive(self, items: Sequence[Item], options: FormOptions) -> DerivedForm:
        """Return the items in this form; rows in languages whose rules have zeros get their zero form, before a gloss."""
        made = self.make(items, options)
        if self.zero is None:
            return made
        languages = languages_with_zeros()
        known = {item.id: item for item in items if item.lang in languages}
        rows: list[Row] = []
        for row in made.rows:
            if item := known.get(row["item"]):
                gloss = {name: row[name] for name in ("gloss",) if name in row}
                plain = {name: value for name, value in row.items() if name not in gloss}
                rows.append({**plain, **self.zero(row, item), **gloss})
            else:
                rows.append(row)
        return DerivedForm(tuple(rows), made.unmade)

    def is_of(self, *languages: str) -> bool:
        """Return whether the form is made of items in one of the languages."""
        return not self.languages or not set(self.languages).isdisjoint(languages)


def zero_of_text(row: Row, _: Item) -> Row:
    """Return the zero form of a row that is an item: both texts, where the zero stands, and the mentions of the candidates."""
    fields = to_zero(item_from_json({key: row[key] for key in KEYS}))
    return {name: fields[name] for name in ("text_zero", "zero", "text_dropped", "dropped", "mentions")}
