"""Figures of ours beside printed ones, with the reasons of their differences."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import isfinite
from pathlib import Path

from ..core.errors import PipelineError, shown
from ..core.files import parse_tsv, read_text, require_unique

#: The columns of a file of printed figures, and of a file of reasons.
COLUMNS = ("table", "row", "column", "value")
REASONS = ("table", "row", "column", "reason")
#: Largest difference that needs no reason, in the unit of the printed figure: a percentage point, a thousand words, a document.
TOLERANCE = 0.5

#: The row and the column of a figure.
Cell = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Comparison:
    """A printed figure and ours.

    Attributes:
        row: the row of the table.
        column: its column.
        printed: the printed figure.
        ours: our figure; None if the published files do not give it.
        reason: why they differ; empty if none is given.
    """

    row: str
    column: str
    printed: float
    ours: float | None
    reason: str

    @property
    def difference(self) -> float | None:
        """Our figure less the printed one."""
        return None if self.ours is None else self.ours - self.printed

    @property
    def differs(self) -> bool:
        """Whether there is no figure of ours, or one more than `TOLERANCE` away."""
        return self.difference is None or abs(self.difference) > TOLERANCE


def read_printed(path: Path) -> dict[Cell, float]:
    """Return the printed figures of a file.

    Raises:
        PipelineError: a column is missing, a cell occurs twice or is no number.
    """
    figures: dict[Cell, float] = {}
    for number, cell, row in _cells(path, COLUMNS):
        try:
            value = float(row["value"])
        except ValueError:
            value = float("nan")
        if not isfinite(value):
            raise PipelineError(
                path, number, f"[value] not a number; found {shown(row['value'])}, expected a printed figure"
            )
        figures[cell] = value
    return figures


def read_reasons(path: Path) -> dict[Cell, str]:
    """Return the reasons of differences; raises `PipelineError` for a malformed file."""
    return {cell: row["reason"].strip() for _, cell, row in _cells(path, REASONS)}


def _cells(path: Path, columns: tuple[str, ...]) -> Iterable[tuple[int, Cell, dict[str, str]]]:
    lines: dict[Cell, int | None] = {}
    for number, row in parse_tsv(read_text(path), path, columns):
        cell = (row["row"], row["column"])
        require_unique(lines, cell, path, number, "column")
        yield number, cell, row


def comparisons(
    printed: Mapping[Cell, float], ours: Mapping[Cell, float | None], reasons: Mapping[Cell, str]
) -> list[Comparison]:
    """Return each printed figure with ours, in the order of the printed ones."""
    return [
        Comparison(*cell, printed=figure, ours=ours.get(cell), reason=reasons.get(cell, ""))
        for cell, figure in printed.items()
    ]
