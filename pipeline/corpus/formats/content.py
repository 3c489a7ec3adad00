"""The content of a file, packed by bzip2 or not."""

from collections.abc import Iterator
from pathlib import Path

from .bzip2 import Unpacked
from .damage import Damage
from .stream import opened, read


class Plain:
    """The content of a file that is not packed."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def place(self, offset: int) -> tuple[int, None]:
        """Return the offset of a byte in the file; there is nothing that it could be within."""
        return offset, None

    def __iter__(self) -> Iterator[bytes]:
        """Yield the content."""
        with opened(self._path) as stream:
            yield from iter(lambda: read(stream, self._path), b"")


def is_packed(path: Path) -> bool:
    """Return whether the name of a file says that bzip2 packed it."""
    return path.suffix == ".bz2"


def content(path: Path, start: int, end: int, damage: Damage) -> Plain | Unpacked:
    """Return the content of a file, of a packed one only that of the streams that begin from `start` to before `end`."""
    return Unpacked(path, start, end, damage) if is_packed(path) else Plain(path)
