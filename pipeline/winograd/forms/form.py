"""What a derived form is: its rows, the items it cannot be made of, how it is made, and the zero form beside the overt one.

Some forms need more than the items: segmentations by hand, glosses, a seed. These options are kept beside the forms to derive them again.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...core.convert import convert, to_object
from ...core.errors import PipelineError, errors_at
from ...core.files import from_json, read_text, require_unique, to_json
from ...core.model import Item
from ...core.records import KEYS, item_from_json
from ...core.rules import languages_with_zeros
from ...core.tables import read_table
from ...language.text_checks import check_personal_data, check_reminders
from ..zero_forms import to_zero

#: The columns of a table of segmentations by hand (tokens.tsv).
COLUMNS = ("item", "tokens", "note")
#: The file in the folder of the forms.
OPTIONS = "options.json"


@dataclass(frozen=True, slots=True)
class Correction:
    """The tokens of one item's text, with the place of the table that gives them; blanks of the text belong to no token."""

    item: str
    tokens: tuple[str, ...]
    path: Path
    line: int | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class _OptionsFile:
    """The content of `OPTIONS`: `glosses` tells whether the forms were made with glosses; the tokens of an item stand in one text."""

    seed: int
    glosses: bool
    corrections: dict[str, str]


@dataclass(frozen=True, slots=True)
class FormOptions:
    """What some forms need in addition to the items.

    `corrections` are segmentations by item id, used instead of the tokenizer's; `seed` is that of the choice of names; `glosses` are
    English translations by item id, in which names change too.
    """

    corrections: Mapping[str, Correction] = field(default_factory=dict)
    seed: int = 0
    glosses: Mapping[str, str] = field(default_factory=dict)


def read_corrections(path: Path) -> dict[str, Correction]:
    """Return the segmentations of a table by item id: by hand (tokens.tsv), or as a source prints them.

    The columns are item, tokens (separated by one blank) and note. Whether a correction fits its text is checked where it
    is applied.

    Raises:
        PipelineError: the table is malformed, or has an item twice.
    """
    corrections: dict[str, Correction] = {}
    lines: dict[str, int | None] = {}
    for line, row in read_table(path, COLUMNS):
        item_id, tokens = row["item"], tuple(row["tokens"].split(" "))
        require_unique(lines, item_id, path, line, "item")
        if any(token.split() != [token] for token in tokens):
            reason = f"[tokens] malformed; found {row['tokens'][:40]!r}, expected words separated by one blank"
            raise PipelineError(path, line, reason)
        if fault := check_reminders([row["note"]], "") or check_personal_data([row["note"]], ""):
            raise PipelineError(path, line, f"[note] not for print; {fault}")
        corrections[item_id] = Correction(item_id, tokens, path, line, row["note"])
    return corrections


def require_items(corrections: Mapping[str, Correction], ids: set[str]) -> None:
    """Raise `PipelineError` at the first correction of an item that the collection does not have."""
    for item_id, correction in corrections.items():
        if item_id not in ids:
            reason = f"[item] no longer applies; found no item {item_id!r}, expected one of this collection"
            raise PipelineError(correction.path, correction.line, reason)


def options_to_json(options: FormOptions) -> str:
    """Return the content of the file: the seed of names, whether glosses were given, and the corrections in words."""
    corrections = {item_id: " ".join(entry.tokens) for item_id, entry in options.corrections.items()}
    return f"{to_json(to_object(_OptionsFile(options.seed, bool(options.glosses), corrections)))}\n"


def read_options(path: Path, glosses: Mapping[str, str]) -> FormOptions:
    """Return the options of a file, with the glosses of the collection if the forms were made with them."""
    with errors_at(path, 1):
        options = convert(from_json(read_text(path)), _OptionsFile)
    corrections = {
        item_id: Correction(item_id, tuple(tokens.split(" ")), path, 1)
        for item_id, tokens in options.corrections.items()
    }
    return FormOptions(corrections, options.seed, glosses if options.glosses else {})


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
