"""A bzip2 file unpacked stream by stream, past what is damaged in it."""

import re
from bisect import bisect_right
from bz2 import BZ2Decompressor
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from .damage import Damage
from .stream import CHUNK, opened, read

#: A stream begins with its mark, the size of its blocks, and the mark of a block, or of the end where it is empty.
STREAM = re.compile(rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)", re.DOTALL)
_MARK = 10
#: Few, since what was read past the end of a stream is read again: a file may have millions of small ones.
_READ = 1 << 16


class Unpacked:
    """The content of the streams from `start` to before `end`, in chunks; None in place of what is damaged.

    Damage is a block of which a bit has changed and a stream that breaks off. What is left of that stream is passed over;
    the next is found by its mark. Memory stays bounded however well the content was packed.
    """

    def __init__(self, path: Path, start: int, end: int, damage: Damage) -> None:
        self._path, self._start, self._end, self._damage = path, start, end, damage
        self._contents = [0]  # where the content of each stream begins, in the content of all
        self._streams = [start]  # where the stream begins in the file

    def place(self, offset: int) -> tuple[int, int]:
        """Return the stream in which a byte of the content lies, by its offset in the file, and the byte's offset in its content."""
        stream = bisect_right(self._contents, offset) - 1
        return self._streams[stream], offset - self._contents[stream]

    def __iter__(self) -> Iterator[bytes | None]:
        """Yield the content; the streams seen so far are known to `place`."""
        with opened(self._path) as file:
            begin: int | None = self._start
            content = 0
            while begin is not None and begin < self._end:
                self._contents.append(content)
                self._streams.append(begin)
                decoder = BZ2Decompressor()
                fed = file.seek(begin)
                try:
                    while not decoder.eof:
                        packed = b""
                        if decoder.needs_input:
                            fed = file.tell()
                            packed = read(file, self._path, min(_READ, self._end - fed))
                            if not packed:
                                raise EOFError("the stream breaks off")
                        chunk = decoder.decompress(packed, CHUNK)
                        content += len(chunk)
                        yield chunk
                except (OSError, EOFError) as error:
                    reason = f"[bz2] damaged stream; {error}, expected a stream of bzip2 from byte {begin} on"
                    self._damage(self._path, fed, reason)
                    yield None
                    begin = _next_stream(file, begin + 1, self._end, self._path)
                else:
                    begin = file.tell() - len(decoder.unused_data)


def _next_stream(file: BinaryIO, start: int, end: int, path: Path) -> int | None:
    """Return where the first stream begins from `start` on."""
    offset, held = file.seek(start), b""
    while more := read(file, path, min(CHUNK, max(end - file.tell(), 0))):
        held += more
        if match := STREAM.search(held):
            return offset + match.start()
        offset += max(len(held) - _MARK + 1, 0)
        held = held[-_MARK + 1 :]
    return None
