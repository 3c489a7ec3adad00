"""What is done about damaged input: it is refused, unless somebody counts it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from ...core.errors import PipelineError

#: Is told the file, the offset in it where the damage was found, and ``[field] reason; found X, expected Y``.
#: What returns lets the reader go on with what comes next.
Damage = Callable[[Path, int, str], None]
_TOLD = 10


def damaged(path: Path, offset: int, reason: str) -> PipelineError:
    """Return the error that reports damage at a byte of a file."""
    return PipelineError(path, None, f"{reason} (byte {offset})")


def refuse(path: Path, offset: int, reason: str) -> None:
    """End the reading at the first damage.

    Raises:
        PipelineError: always.
    """
    raise damaged(path, offset, reason)


@dataclass(slots=True)
class Skipped:
    """Counts what damage was passed over; keeps the first ten reports, since a hostile file could have millions."""

    count: int = 0
    reports: list[str] = field(default_factory=list)

    def __call__(self, path: Path, offset: int, reason: str) -> None:
        """Count one damage."""
        self.count += 1
        if len(self.reports) < _TOLD:
            self.reports.append(str(damaged(path, offset, reason)))

    def add(self, other: "Skipped") -> None:
        """Add what another reader passed over."""
        self.count += other.count
        self.reports = (self.reports + other.reports)[:_TOLD]
