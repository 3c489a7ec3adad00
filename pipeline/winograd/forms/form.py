"""What a derived form is: its rows, the items it cannot be made of, and how it is made."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from ...core.model import Item
from .options import FormOptions
from .zero_fields import Row, ZeroFields, with_zeros


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


def derived(rows: Iterable[Row], unmade: Iterable[UnmadeItem]) -> DerivedForm:
    """Return the rows and the unmade items as a `DerivedForm`."""
    return DerivedForm(tuple(rows), tuple(unmade))


@dataclass(frozen=True, slots=True)
class Form:
    """A derived form.

    Attributes:
        name: the name of the form and of its file.
        make: makes the rows of a collection; an item that a row needs guessing for is unmade.
        fields: what a row holds, for the dataset card (Markdown).
        languages: the languages of the items that it is made of; empty for all. A collection without such items has no file.
        zero: returns the fields to add to a row, with the zero form beside the overt one; None for a form without the anaphor.
    """

    name: str
    make: Callable[[Sequence[Item], FormOptions], DerivedForm]
    fields: str
    languages: tuple[str, ...] = ()
    zero: ZeroFields | None = None

    def derive(self, items: Sequence[Item], options: FormOptions) -> DerivedForm:
        """Return the items in this form, with the zero form beside the overt one where the form shows the anaphor."""
        made = self.make(items, options)
        return replace(made, rows=with_zeros(made.rows, self.zero, items)) if self.zero else made

    def is_of(self, *languages: str) -> bool:
        """Return whether the form is made of items in one of the languages."""
        return not self.languages or not set(self.languages).isdisjoint(languages)
