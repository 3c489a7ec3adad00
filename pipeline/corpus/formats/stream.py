"""A stream of bytes, cut at a separator without holding more of it than one piece."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from typing import BinaryIO

from ...core.errors import PipelineError

#: How much is read at once.
CHUNK = 1 << 18


@dataclass(frozen=True, slots=True)
class Piece:
    """What stands before a separator, or behind the last.

    Attributes:
        offset: where it begins, in bytes from the beginning of the stream.
        length: how many bytes it has, without the separator.
        data: the bytes; None where they are more than the limit, and were let go.
        ended: whether a separator follows.
    """

    offset: int
    length: int
    data: bytearray | None
    ended: bool


def opened(path: Path) -> BinaryIO:
    """Return a file opened for reading; one that cannot be is a `PipelineError`, and so is a pipe, which is read only once."""
    try:
        mode = path.stat().st_mode
        if not (S_ISREG(mode) or S_ISDIR(mode)):
            raise PipelineError(
                path, None, "[file] not a regular file; found a pipe or a device, expected a file on a disk"
            )
        return path.open("rb")
    except OSError as error:
        raise PipelineError(path, None, f"[file] cannot be read; {error.strerror or error}") from error


def read(stream: BinaryIO, path: Path, size: int = CHUNK) -> bytes:
    """Return the next bytes of a file, at most `size`; a disk that fails is a `PipelineError`, and no damage to pass over."""
    try:
        return stream.read(size)
    except OSError as error:
        raise PipelineError(path, None, f"[file] cannot be read; {error.strerror or error}") from error


def size_of(path: Path) -> int:
    """Return how many bytes a file has."""
    with opened(path) as stream:
        return stream.seek(0, 2)


def pieces(chunks: Iterable[bytes | None], separator: bytes, limit: int, offset: int = 0) -> Iterator[Piece]:
    r"""Yield what stands between the separators of a stream, in order; the last piece has none behind it and may be empty.

    Args:
        chunks: the stream in parts of any size; None where a part of it is missing. The piece begun there is let go, since
            who left it out has told so.
        separator: what ends a piece.
        limit: how many bytes a piece may have to be held; of a longer one only the length is known.
        offset: where in the stream the chunks begin.

    >>> [(piece.offset, bytes(piece.data or b"long")) for piece in pieces([b"a\nb", b"cd\n", b"e"], b"\n", 2)]
    [(0, b'a'), (2, b'long'), (6, b'e')]
    """
    held = bytearray()
    dropped = searched = 0  # of the piece that is being read: bytes let go; bytes held that have no separator in them
    whole = True
    for chunk in chunks:
        if chunk is None:
            offset += dropped + len(held)
            held, dropped, searched, whole = bytearray(), 0, 0, False
            continue
        whole = True
        held += chunk
        begin = 0
        while (end := held.find(separator, searched)) >= 0:
            length = dropped + end - begin
            yield Piece(offset, length, held[begin:end] if length <= limit else None, ended=True)
            offset += length + len(separator)
            dropped = 0
            begin = searched = end + len(separator)
        del held[:begin]
        if dropped or len(held) > limit + len(separator):  # keep what may be the beginning of a separator
            excess = max(len(held) - len(separator) + 1, 0)
            dropped += excess
            del held[:excess]
        searched = max(len(held) - len(separator) + 1, 0)
    if whole:
        length = dropped + len(held)
        yield Piece(offset, length, held if length <= limit else None, ended=False)
