"""The content of a file in chunks, plain or packed; what packed it is known by its first bytes, not by its name."""

from bisect import bisect_right
from bz2 import BZ2Decompressor
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import BinaryIO

from .reading import CHUNK, file_size, open_file, read_chunk, refuse

#: The first bytes of the packers.
_MARKS = {b"BZh": "bz2", b"\x1f\x8b": "gzip", b"\x28\xb5\x2f\xfd": "zstd"}
#: What follows the first byte of a frame of Zstandard that holds no content, such as pzstd writes first.
_SKIPPED = b"\x2a\x4d\x18"
#: Number of packed bytes read at once. Bytes read past the end of a stream are read again, and a dump has many small streams.
_PACKED = 1 << 16
#: Minimum number of packed bytes that several threads unpack, and their number: counting takes longer than unpacking.
_LARGE, _THREADS = 1 << 22, 2


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

    Args:
        threads: whether two threads may unpack a large file that bzip2 packed, which rapidgzip can even within one stream. Whoever reads
            the beginning of a file only needs none.
    """

    def __init__(self, path: Path, start: int, end: int, *, threads: bool = False) -> None:
        self._path, self._start, self._end = path, start, end
        whole = threads and start == 0 and end == file_size(path) >= _LARGE
        self._in_threads = whole and find_spec("rapidgzip") is not None
        self.packing = packing_of(path)
        self._size = 0  # the number of bytes of the content of the streams that `_bz2_streams` has unpacked
        self._second: Iterator[bytes] = iter(())  # reads the file again, for the beginnings of its streams
        self._contents = [0]  # the byte of the whole content at which that of each stream begins
        self._streams = [start]  # the byte of the file at which each stream begins

    def place(self, offset: int) -> tuple[int, str]:
        """Return the byte of the file for a byte of the content: of a packed one that of its stream, with words on where in the stream.

        The iteration must have reached that byte.
        """
        if not self.packing:
            return offset, ""
        while self._size <= offset and next(self._second, None) is not None:
            pass
        stream = bisect_right(self._contents, offset) - 1
        return self._streams[stream], f"; {offset - self._contents[stream]} bytes into the unpacked stream"

    def __iter__(self) -> Iterator[bytes]:
        """Yield the content.

        Raises:
            PipelineError: a bit of a stream has changed, or it breaks off.
        """
        if self.packing == "bz2":
            yield from self._bz2_in_threads() if self._in_threads else self._bz2_streams()
            return
        with open_file(self._path) as file:
            if self.packing:
                yield from self._unpacked(file)
            else:
                yield from iter(lambda: read_chunk(file, self._path), b"")

    def _bz2_in_threads(self) -> Iterator[bytes]:
        """Yield the content of a whole file; where that fails, go on in one thread, which names the damage.

        rapidgzip verifies the checksum of each block, not that of a stream, whose last four bytes may be damaged unnoticed.
        """
        import rapidgzip

        self._second = self._bz2_streams()
        size = 0
        try:
            with rapidgzip.open(str(self._path), parallelization=_THREADS) as stream:
                while chunk := stream.read(CHUNK):
                    size += len(chunk)
                    yield chunk
        except (RuntimeError, ValueError, OSError):
            self._size, self._contents, self._streams, self._second = 0, [0], [0], iter(())
            for chunk in self._bz2_streams():
                if (unread := self._size - size) > 0:
                    yield chunk[-unread:]

    def _bz2_streams(self) -> Iterator[bytes]:
        with open_file(self._path) as file:
            yield from self._bz2_streams_of(file)

    def _bz2_streams_of(self, file: BinaryIO) -> Iterator[bytes]:
        begin = self._start
        while begin < self._end:
            self._contents.append(self._size)
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
                    self._size += len(chunk)
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
