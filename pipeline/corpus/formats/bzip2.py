"""The content of a file, plain or packed by bzip2; damaged bzip2 streams are skipped."""

import re
from bisect import bisect_right
from bz2 import BZ2Decompressor
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from .reading import CHUNK, DamageHandler, open_file, read_chunk

#: A stream begins with its mark, the size of its blocks, and the mark of a block (or of the end, if it is empty).
STREAM_MARK = re.compile(rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)", re.DOTALL)
MARK_LENGTH = 10
#: Number of packed bytes read at once. Bytes read past the end of a stream are read again, and a dump has many small streams.
_READ = 1 << 16


def is_packed(path: Path) -> bool:
    """Return whether the name of a file says that bzip2 packed it."""
    return path.suffix == ".bz2"


def content_of(path: Path, start: int, end: int, damage: DamageHandler) -> "PlainContent | PackedContent":
    """Return the content of a file; of a packed one only the streams that begin from `start` to before `end`."""
    return PackedContent(path, start, end, damage) if is_packed(path) else PlainContent(path)


class PlainContent:
    """The content of a file that is not packed, in chunks."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def place(self, offset: int) -> tuple[int, None]:
        """Return the byte of the file at which a byte of the content stands; there is no stream around it."""
        return offset, None

    def __iter__(self) -> Iterator[bytes]:
        """Yield the content."""
        with open_file(self._path) as stream:
            yield from iter(lambda: read_chunk(stream, self._path), b"")


class PackedContent:
    """The content of the bzip2 streams that begin from `start` to before `end`, in chunks; None in place of damage.

    A stream is damaged where a bit of a block has changed or where it breaks off. The rest of it is skipped; the next stream is
    found by its mark. Memory stays bounded at any compression ratio.
    """

    def __init__(self, path: Path, start: int, end: int, damage: DamageHandler) -> None:
        self._path, self._start, self._end, self._damage = path, start, end, damage
        self._contents = [0]  # the byte of the whole content at which that of each stream begins
        self._streams = [start]  # the byte of the file at which each stream begins

    def place(self, offset: int) -> tuple[int, int]:
        """Return the byte of the file at which the stream around a byte of the content begins, and its offset in that stream.

        Only streams that the iteration has reached are known.
        """
        stream = bisect_right(self._contents, offset) - 1
        return self._streams[stream], offset - self._contents[stream]

    def __iter__(self) -> Iterator[bytes | None]:
        """Yield the content."""
        with open_file(self._path) as file:
            begin: int | None = self._start
            size = 0
            while begin is not None and begin < self._end:
                self._contents.append(size)
                self._streams.append(begin)
                decoder = BZ2Decompressor()
                position = file.seek(begin)
                try:
                    while not decoder.eof:
                        packed = b""
                        if decoder.needs_input:
                            position = file.tell()
                            packed = read_chunk(file, self._path, min(_READ, self._end - position))
                            if not packed:
                                raise EOFError("the stream breaks off")
                        chunk = decoder.decompress(packed, CHUNK)
                        size += len(chunk)
                        yield chunk
                except (OSError, EOFError) as error:
                    reason = f"[bz2] damaged stream; {error}, expected a stream of bzip2 from byte {begin} on"
                    self._damage(self._path, position, reason)
                    yield None
                    begin = _next_stream(file, begin + 1, self._end, self._path)
                else:
                    begin = file.tell() - len(decoder.unused_data)


def _next_stream(file: BinaryIO, start: int, end: int, path: Path) -> int | None:
    """Return the byte at which the first stream from `start` on begins."""
    offset, held = file.seek(start), b""
    while more := read_chunk(file, path, min(CHUNK, max(end - file.tell(), 0))):
        held += more
        if match := STREAM_MARK.search(held):
            return offset + match.start()
        offset += max(len(held) - MARK_LENGTH + 1, 0)
        held = held[-MARK_LENGTH + 1 :]
    return None
