"""What some forms need in addition to the items: segmentations by hand, glosses, a seed; kept beside the forms to derive them again."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ...core.convert import convert, to_object
from ...core.errors import PipelineError, errors_at
from ...core.files import from_json, read_text, require_unique, to_json
from ...core.tables import read_table
from ...language.text_checks import check_personal_data, check_reminders

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
