"""Dumps of articles as Wikimedia publishes them: XML, plain, in one bzip2 stream, or in many with an index."""

import re
from bisect import bisect_right
from bz2 import BZ2Decompressor
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from .reading import CHUNK, DamageHandler, Shard, file_size, open_file, read_chunk, refuse, split_stream
from .wikimedia_xml import BEGIN, END, ROOT_END, Page, XmlError, check_head, head_length, parse_page
from .wikitext import conventions, plain_text

#: Maximum size of a page in bytes. Wikipedia allows 2 MiB of wikitext, and a character may be written as six.
LIMIT = 16 << 20
#: An entry of an index, as ``617:12:苹果``: the byte at which the stream begins, the number of the page, its title.
_ENTRY = re.compile(rb"(\d{1,18}):\d+:")
#: Maximum size of an entry in bytes.
_ENTRY_LIMIT = 1 << 16
#: A bzip2 stream begins with its mark, the size of its blocks, and the mark of a block (or of the end, if it is empty).
_STREAM_MARK = re.compile(rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)", re.DOTALL)
_MARK_LENGTH = 10
#: Number of packed bytes read at once. Bytes read past the end of a stream are read again, and a dump has many small streams.
_PACKED = 1 << 16

# --- content, plain or packed -----------------------------------------------------------------------------------------


def _is_packed(path: Path) -> bool:
    """Return whether the name of a file says that bzip2 packed it."""
    return path.suffix == ".bz2"


class Content:
    """The content of a file in chunks; of a packed one, that of the bzip2 streams that begin from `start` to before `end`.

    Memory stays bounded at any compression ratio.
    """

    def __init__(self, path: Path, start: int, end: int) -> None:
        self._path, self._start, self._end = path, start, end
        self._contents = [0]  # the byte of the whole content at which that of each stream begins
        self._streams = [start]  # the byte of the file at which each stream begins

    def place(self, offset: int) -> tuple[int, str]:
        """Return the byte of the file for a byte of the content: of a packed one that of its stream, with words on where in the stream.

        Only streams that the iteration has reached are known.
        """
        if not _is_packed(self._path):
            return offset, ""
        stream = bisect_right(self._contents, offset) - 1
        return self._streams[stream], f"; {offset - self._contents[stream]} bytes into the unpacked stream"

    def __iter__(self) -> Iterator[bytes]:
        """Yield the content.

        Raises:
            PipelineError: a bit of a stream has changed, or it breaks off.
        """
        with open_file(self._path) as file:
            if not _is_packed(self._path):
                yield from iter(lambda: read_chunk(file, self._path), b"")
                return
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


#: Takes a byte of the content and what is wrong there.
Reporter = Callable[[int, str], None]

# --- pages ------------------------------------------------------------------------------------------------------------


def wikimedia_documents(shard: Shard, damage: DamageHandler, limit: int = LIMIT) -> Iterator[str]:
    """Yield the text of each article, without its markup.

    Pages of other namespaces, redirects and disambiguation pages are left out. Damage is a page that is not well-formed, is longer
    than `limit` bytes, has markup that cannot be parsed, or lacks an element that all pages have.

    Raises:
        PipelineError: a bzip2 stream cannot be unpacked, or something else stands before, between or behind the pages. That may be
            a document type, whose entities could expand without end, so none is ever expanded.
    """
    content = Content(shard.path, shard.start, shard.end)

    def report(offset: int, reason: str, handler: DamageHandler = damage) -> None:
        byte, within = content.place(offset)
        handler(shard.path, byte, f"{reason}{within}")

    def stop(offset: int, reason: str) -> None:
        report(offset, reason, refuse)

    for offset, data in _page_elements(content, shard, report, stop, limit):
        try:
            page = parse_page(data)
            text = plain_text(page.text) if _is_article(page) else ""
        except XmlError as error:
            report(offset + error.offset, str(error))
        except ValueError as error:
            report(offset, f"{error}, in the page {page.title!r}")
        else:
            if text:
                yield text


def _is_article(page: Page) -> bool:
    return not (page.namespace or page.redirect or conventions().is_disambiguation(page.title, page.text))


def _page_elements(
    content: Iterable[bytes], shard: Shard, report: Reporter, stop: Reporter, limit: int
) -> Iterator[tuple[int, bytes]]:
    """Yield each page element with its offset in the content; report one that is too long, stop at anything else between them."""
    last = shard.end >= file_size(shard.path)
    for piece in split_stream(content, END, limit):
        if piece.data is None:
            report(piece.offset, f"[page] too long; found {piece.length} bytes, expected at most {limit}")
            continue
        data, offset = bytes(piece.data), piece.offset
        if shard.start == offset == 0:
            head = head_length(data)
            try:
                check_head(data[:head])
            except XmlError as error:
                stop(error.offset, str(error))
            data, offset = data[head:], head
        data += END if piece.ended else b""
        begin = data.rfind(BEGIN) if piece.ended and BEGIN in data else len(data)
        between = data[:begin].strip()
        expected = ROOT_END if last and not piece.ended else b""
        if between != expected:
            white = begin - len(data[:begin].lstrip())
            reason = f"no whole page; found {_excerpt(between)}, expected {_excerpt(expected or BEGIN)}"
            stop(offset + white, f"[xml] {reason}")
        if begin < len(data):
            yield offset + begin, data[begin:]


def _excerpt(data: bytes) -> str:
    text = data[:60].decode("utf-8", "replace")
    return f"{text!r}{'…' if len(data) > 60 else ''}" if data else "nothing"


# --- the index of a multistream dump ----------------------------------------------------------------------------------


def index_beside(path: Path) -> Path | None:
    """Return the index that lies beside a dump, or None.

    Wikimedia's names differ as in
    ``zhwiki-20251101-pages-articles-multistream1.xml-p1p187712.bz2`` and ``…-multistream-index1.txt-p1p187712.bz2``.
    """
    before, multistream, after = path.name.rpartition("-multistream")
    beside = path.with_name(f"{before}-multistream-index{after.replace('.xml', '.txt', 1)}")
    return beside if multistream and beside.is_file() else None


def stream_ranges(path: Path, size: int, index: Path | None) -> list[tuple[int, int]]:
    """Cut a packed dump at streams of its index, as soon as a shard has `size` bytes; a dump without an index is one shard.

    Raises:
        PipelineError: the index is damaged, or an entry of it points where no stream begins.
    """
    end = file_size(path)
    index = index or index_beside(path)
    starts = [0]
    if index is not None and _is_packed(path):
        with open_file(path) as dump:
            for place, start in _entries(index):
                if start < end and start - starts[-1] < size:
                    continue
                mark = b""
                if start < end:  # a larger number may be more than the system can seek to
                    dump.seek(start)
                    mark = read_chunk(dump, path, _MARK_LENGTH)
                if not _STREAM_MARK.match(mark):
                    content = f"{mark!r} at byte {start}" if mark else f"byte {start} of a dump of {end} bytes"
                    reason = f"no stream begins there; found {content}, expected the beginning of one"
                    refuse(index, place, f"[index] {reason}")
                starts.append(start)
    return list(zip(starts, [*starts[1:], end], strict=True))


def _entries(index: Path) -> Iterator[tuple[int, int]]:
    """Yield the byte of the index and the byte of the dump of each entry that points elsewhere than the one before it."""
    content = Content(index, 0, file_size(index))
    before = None
    for piece in split_stream(content, b"\n", _ENTRY_LIMIT):
        if not piece.length:
            continue
        place, _ = content.place(piece.offset)
        data = bytes(piece.data or b"")
        entry = _ENTRY.match(data)
        if entry is None:
            expected = "a number, a colon, a number, a colon, a title"
            refuse(index, place, f"[index] no entry; found {data[:60]!r}, expected {expected}")
        if (start := int(entry[1])) != before:
            before = start
            yield place, start
