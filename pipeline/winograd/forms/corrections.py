"""Segmentations by hand (tokens.tsv), or as a source prints them."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ...core.errors import PipelineError
from ...core.files import parse_tsv, read_text, require_unique

COLUMNS = ("item", "tokens", "note")


@dataclass(frozen=True, slots=True)
class Correction:
    """The tokens of one item's text, with the place of the table that gives them; blanks of the text belong to no token."""

    item: str
    tokens: tuple[str, ...]
    path: Path
    line: int | None = None
    note: str = ""


def read_corrections(path: Path) -> dict[str, Correction]:
    """Return the corrections of a table by item id.

    The columns are item, tokens (separated by one blank) and note. Whether a correction fits its text is checked where it
    is applied.

    Raises:
        PipelineError: the table is malformed, or has an item twice.
    """
    corrections: dict[str, Correction] = {}
    lines: dict[str, int | None] = {}
    for line, row in parse_tsv(read_text(path), path, COLUMNS):
        name, tokens = row["item"], tuple(row["tokens"].split(" "))
        require_unique(lines, name, path, line, "item")
        if any(token.split() != [token] for token in tokens):
            reason = f"[tokens] malformed; found {row['tokens'][:40]!r}, expected words separated by one blank"
            raise PipelineError(path, line, reason)
        corrections[name] = Correction(name, tokens, path, line, row["note"])
    return corrections


def require_items(corrections: Mapping[str, Correction], ids: set[str]) -> None:
    """Raise `PipelineError` at the first correction of an item that the collection does not have."""
    for name, correction in corrections.items():
        if name not in ids:
            reason = f"[item] no longer applies; found no item {name!r}, expected one of this collection"
            raise PipelineError(correction.path, correction.line, reason)
