"""What a derived form is: its rows, the items it cannot be made of, and the options of the command `variants`."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

from ...core.files import parse_jsonl, read_text
from ...core.model import Item
from ...core.validation.rows import text_of
from ...core.validation.suite import Suite
from .corrections import Correction
from .zero_fields import ZeroVersion, with_zeros

#: One JSON object of a form; ``item`` is the id of the item that it was made from.
Row = Mapping[str, Any]
#: The file of the items that a form cannot be made of.
UNMADE = "unmade.jsonl"
#: What the names of persons become.
NewNames = Literal["chinese", "pinyin", "western"]


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


def all_unmade(form: str, path: Path) -> bool:
    """Return whether `unmade.jsonl` beside a form's file names, for this form, each item that the files of the folder have."""
    if not path.with_name(UNMADE).is_file():
        return False
    rows = [row for file in path.parent.glob("*.jsonl") for _, row in parse_jsonl(read_text(file), file)]
    items = {text_of(row, "item") for row in rows}
    return bool(items) and items == {text_of(row, "item") for row in rows if row.get("form") == form}


@dataclass(frozen=True, slots=True)
class FormOptions:
    """What some forms need in addition to the items.

    Args:
        corrections: segmentations by item id, used instead of the tokenizer's.
        names: what the names of persons become.
        seed: seed for the choice of names.
        glosses: English translations by item id, in which names change too.
    """

    corrections: Mapping[str, Correction] = field(default_factory=dict)
    names: NewNames = "chinese"
    seed: int = 0
    glosses: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Form:
    """A derived form: how it is made, what a row holds, and the suite that its file must pass.

    `fields` describes a row on the dataset card (Markdown). `languages` limits the form to items in some languages; where a
    collection has none of them, the form is not written. It is empty for a form of all languages. `zero` adds the zero form to the
    rows of a form that shows the anaphor, and its checks to the suite.
    """

    make: Callable[[Sequence[Item], FormOptions], DerivedForm]
    fields: str
    suite: Suite
    languages: tuple[str, ...] = ()
    zero: ZeroVersion | None = None

    def __post_init__(self) -> None:
        """Let the suite accept a file without rows if `unmade.jsonl` has every item, and check the zero forms."""
        checks = {**self.suite.checks, **(self.zero.checks if self.zero else {})}
        object.__setattr__(self, "suite", replace(self.suite, checks=checks, explained=partial(all_unmade, self.name)))

    def derive(self, items: Sequence[Item], options: FormOptions) -> DerivedForm:
        """Return the items in this form, with the zero form beside the overt one where the form shows the anaphor."""
        made = self.make(items, options)
        return replace(made, rows=with_zeros(made.rows, self.zero, items)) if self.zero else made

    def is_of(self, *languages: str) -> bool:
        """Return whether the form is made of items in one of the languages."""
        return not self.languages or not set(self.languages).isdisjoint(languages)

    @property
    def name(self) -> str:
        """The name of the form, of its suite and of its file."""
        return self.suite.name
