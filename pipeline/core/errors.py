"""The one exception that reports a user's mistake."""

from pathlib import Path


class PipelineError(Exception):
    """Wrong usage or malformed input, with its place.

    Args:
        path: the faulty file, or None if the fault is in no file.
        line: the 1-based line, or None if the fault is in no line.
        reason: ``[field-or-rule] what is wrong; found X, expected Y``.
    """

    def __init__(self, path: Path | str | None, line: int | None, reason: str) -> None:
        super().__init__(path, line, reason)
        self.path = None if path is None else Path(path)
        self.line = line
        self.reason = reason

    def __str__(self) -> str:
        place = [str(part) for part in (self.path, self.line) if part is not None]
        return f"{':'.join(place)}: {self.reason}" if place else self.reason
