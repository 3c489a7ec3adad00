"""Segmentation corrected by hand: raw/<collection>/tokens.tsv, where Jieba parts a text wrongly."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...core.errors import PipelineError
from ...core.files import parse_tsv, read_text

COLUMNS = ("item", "tokens", "note")


@dataclass(frozen=True, slots=True)
class Correction:
    """The tokens of one item's text, and the place that says so; the blanks of the text belong to none of them."""

    item: str
    tokens: tuple[str, ...]
    path: Path
    line: int | None = None
    note: str = ""


def read_corrections(path: Path) -> dict[str, Correction]:
    """Return the corrections of a table by item.

    The columns are item, tokens (with one blank between two of them) and note. Whether they fit is told where they are
    applied.

    Raises:
        PipelineError: the table is malformed, or has an item twice.
    """
    corrections: dict[str, Correction] = {}
    for line, row in parse_tsv(read_text(path), path, COLUMNS):
        name, tokens = row["item"], tuple(row["tokens"].split(" "))
        if name in corrections:
            reason = f"[item] not unique; found {name!r} in line {corrections[name].line} too, expected each item once"
            raise PipelineError(path, line, reason)
        if any(token.split() != [token] for token in tokens):
            reason = (
                f"[tokens] no tokens; found {row['tokens'][:40]!r}, expected words with one blank between two of them"
            )
            raise PipelineError(path, line, reason)
        corrections[name] = Correction(name, tokens, path, line, row["note"])
    return corrections


def corrections_of(
    segmentation: Mapping[str, Sequence[str]], items: Iterable[str], path: Path
) -> dict[str, Correction]:
    """Return a published segmentation as corrections of those `items` that it has; `path` is where it was read."""
    return {name: Correction(name, tuple(segmentation[name]), path) for name in items if name in segmentation}
