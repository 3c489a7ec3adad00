"""The content of a file in chunks, plain or packed; what packed it is known by its first bytes, not by its name."""

from bisect import bisect_right
from bz2 import BZ2Decompressor
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from .reading import CHUNK, open_file, read_chunk, refuse

#: The first bytes of the packers.
_MARKS = {b"BZh": "bz2", b"\x1f\x8b": "gzip", b"\x28\xb5\x2f\xfd": "zstd"}
#: What follows the first byte of a frame of Zstandard that holds no content, such as pzstd writes first.
_SKIPPED = b"\x2a\x4d\x18"
#: Number of packed bytes read at once. Bytes read past the end of a stream are read again, and a dump has many small streams.
_PACKED = 1 << 16


def packing_of(path: Path) -> str:
    """Return which packer made a file: bz2, gzip or zstd; empty if none did."""
    with open_file(path) as file:
        data = read_chunk(file, path, max(map(len, _MARKS)))
    if len(data) == 4 and data[0] >> 4 == 5 and data[1:] == _SKIPPED:
        return "zstd"
    return next((packer for mark, packer in _MARKS.items() if data.startswith(mark)), "")


class Content:
    """The content of a file in chunks; of one that bzip2 packed, that of the streams that begin from `start` to before `end`.

    Memory stays bounded at any compression ratio.
    """

    def __init__(self, path: Path, start: int, end: int) -> None:
        self._path, self._start, self._end = path, start, end
        self.packing = packing_of(path)
        self._contents = [0]  # the byte of the whole content at which that of each stream begins
        self._streams = [start]  # the byte of the file at which each stream begins

    def place(self, offset: int) -> tuple[int, str]:
        """Return the byte of the file for a byte of the content: of a packed one that of its stream, with words on where in the stream.

        Only streams that the iteration has reached are known.
        """
        if not self.packing:
            return offset, ""
        stream = bisect_right(self._contents, offset) - 1
        return self._streams[stream], f"; {offset - self._contents[stream]} bytes into the unpacked stream"

    def __iter__(self) -> Iterator[bytes]:
        """Yield the content.

        Raises:
            PipelineError: a bit of a stream has changed, or it breaks off.
        """
        with open_file(self._path) as file:
            if self.packing == "bz2":
                yield from self._bz2_streams(file)
            elif self.packing:
                yield from self._unpacked(file)
            else:
                yield from iter(lambda: read_chunk(file, self._path), b"")

    def _bz2_streams(self, file: BinaryIO) -> Iterator[bytes]:
        begin, size = self._start, 0
        while begin < self._end:
            self._contents.append(size)
            self._streams.append(begin)
            decoder = BZ2Decompressor()
            position = file.seek(begin)
            try:
                while not decoder.eof:
                    packed = b""
                    if decoder.needs_input:
                        position = file.tell()
                        packed = read_chunk(file, self._path, min(_PACKED, self._end - position))
                        if not packed:
                            raise EOFError("the stream breaks off")
                    chunk = decoder.decompress(packed, CHUNK)
                    size += len(chunk)
                    yield chunk
            except (OSError, EOFError) as error:
                reason = f"[bz2] damaged stream; {error}, expected a stream of bzip2 from byte {begin} on"
                refuse(self._path, position, reason)
            begin = file.tell() - len(decoder.unused_data)

    def _unpacked(self, file: BinaryIO) -> Iterator[bytes]:
        from pyarrow import CompressedInputStream, PythonFile

        try:
            with CompressedInputStream(PythonFile(file, mode="r"), self.packing) as stream:
                while chunk := stream.read(CHUNK):
                    yield chunk
        except OSError as error:
            words = " ".join(str(error).split())[:200]
            if "too much memory" in words:
                reason = "[zstd] window too long; expected at most 128 MiB, so unpack it first (zstd -d --long=31 FILE)"
                refuse(self._path, self._start, reason)
            refuse(self._path, self._end, f"[{self.packing}] damaged or cut off; {words}, expected a whole file")
