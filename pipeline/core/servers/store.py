"""A file that keeps each answer of a server as it comes, so that a run that was stopped continues where it was."""

import fcntl
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Generic, Self, TypeVar

from ..errors import PipelineError
from ..files import decode, parse_jsonl, read_bytes, to_json
from ..records import text_field

Value = TypeVar("Value")


class AnswerStore(Generic[Value]):
    """Answers by key in a JSON Lines file; each is on the disk before the next one is awaited.

    A line that a killed process left unfinished is cut off. One process at a time may write.

    Args:
        path: the file; its folder is created if it does not exist.
        value_of: makes an answer of the object of a line, or raises `ValueError` with the field at fault.
        what: what the file keeps, for messages.

    Raises:
        PipelineError: another process writes there, the folder cannot be written, or a line is not one of ours.
    """

    def __init__(self, path: Path, value_of: Callable[[Mapping[str, Any]], Value], what: str) -> None:
        self._path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._stream = path.open("ab")
        except OSError as error:
            raise PipelineError(path.parent, None, f"[cache] cannot be written; {error.strerror or error}") from error
        try:
            self._lock(what)
            self._values = self._read(value_of)
        except BaseException:
            self._stream.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stream.close()

    @property
    def values(self) -> Mapping[str, Value]:
        """The answers by key."""
        return self._values

    def get(self, key: str) -> Value | None:
        """Return the answer with a key, None if none is stored."""
        return self._values.get(key)

    def put(self, rows: Mapping[str, tuple[Mapping[str, Any], Value]]) -> None:
        """Store answers by key, each with the object of its line; they are on the disk when this returns."""
        try:
            for key, (row, _) in rows.items():
                self._stream.write(f"{to_json({'key': key, **row})}\n".encode())
            self._stream.flush()
            os.fsync(self._stream.fileno())
        except OSError as error:
            raise PipelineError(self._path, None, f"[cache] cannot be written; {error.strerror or error}") from error
        self._values |= {key: value for key, (_, value) in rows.items()}

    def _lock(self, what: str) -> None:
        try:
            fcntl.flock(self._stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            reason = f"[cache] another run writes {what} there; wait for it, or give another folder"
            raise PipelineError(self._path, None, reason) from error

    def _read(self, value_of: Callable[[Mapping[str, Any]], Value]) -> dict[str, Value]:
        data = read_bytes(self._path)
        whole = data[: data.rfind(b"\n") + 1]
        if whole != data:
            self._stream.truncate(len(whole))
        return stored_values(whole, self._path, value_of)


def stored_values(data: bytes, path: Path, value_of: Callable[[Mapping[str, Any]], Value]) -> dict[str, Value]:
    """Return the answers by key of the content of such a file; an unfinished line at its end is left out.

    Raises:
        PipelineError: a line is not one of ours.
    """
    values = {}
    for line, row in parse_jsonl(decode(data[: data.rfind(b"\n") + 1], path), path):
        try:
            values[text_field(row, "key")] = value_of(row)
        except ValueError as error:
            raise PipelineError(path, line, str(error)) from error
    return values
