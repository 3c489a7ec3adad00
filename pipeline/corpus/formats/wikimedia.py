"""Dumps of articles as Wikimedia publishes them: XML, plain, in one bzip2 stream, or in many with an index."""

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from .bzip2 import MARK_LENGTH, STREAM_MARK, content_of, is_packed
from .reading import DamageHandler, Shard, file_size, open_file, read_chunk, split_stream
from .wikimedia_xml import BEGIN, END, ROOT_END, Page, XmlError, check_head, head_length, parse_page
from .wikitext import conventions, plain_text

#: Maximum size of a page in bytes. Wikipedia allows 2 MiB of wikitext, and a character may be written as six.
LIMIT = 16 << 20
#: An entry of an index, as ``617:12:苹果``: the byte at which the stream begins, the number of the page, its title.
_ENTRY = re.compile(rb"(\d{1,18}):\d+:")
#: Maximum size of an entry in bytes.
_ENTRY_LIMIT = 1 << 16

# --- pages ------------------------------------------------------------------------------------------------------------


def wikimedia_documents(shard: Shard, damage: DamageHandler, limit: int = LIMIT) -> Iterator[str]:
    """Yield the text of each article, without its markup.

    Pages of other namespaces, redirects and disambiguation pages are left out. Damage is a bzip2 stream that cannot be unpacked, and
    a page that breaks off, is not well-formed, is longer than `limit` bytes, or lacks an element that all pages have; other
    pages are still read. A document type is damage too: its entities could expand without end, so none is ever expanded.
    """
    content = content_of(shard.path, shard.start, shard.end, damage)

    def report(offset: int, reason: str) -> None:
        byte, within = content.place(offset)
        damage(shard.path, byte, reason if within is None else f"{reason}; {within} bytes into the unpacked stream")

    for offset, data in _page_elements(content, shard, report, limit):
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
    content: Iterable[bytes | None], shard: Shard, report: Callable[[int, str], None], limit: int
) -> Iterator[tuple[int, bytes]]:
    """Yield each page element with its offset in the content; report everything else between them but white space."""
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
                report(error.offset, str(error))
            data, offset = data[head:], head
        data += END if piece.ended else b""
        begin = data.rfind(BEGIN) if piece.ended and BEGIN in data else len(data)
        between = data[:begin].strip()
        expected = ROOT_END if last and not piece.ended else b""
        if between != expected:
            white = begin - len(data[:begin].lstrip())
            reason = f"no whole page; found {_excerpt(between)}, expected {_excerpt(expected or BEGIN)}"
            report(offset + white, f"[xml] {reason}")
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


def stream_ranges(path: Path, size: int, damage: DamageHandler, index: Path | None) -> list[tuple[int, int]]:
    """Cut a packed dump at streams of its index, as soon as a shard has `size` bytes; a dump without an index is one shard.

    An entry that points where no stream begins is damage and cuts nothing, so no page is lost.
    """
    end = file_size(path)
    index = index or index_beside(path)
    starts = [0]
    if index is not None and is_packed(path):
        with open_file(path) as dump:
            for place, start in _entries(index, damage):
                if start < end and start - starts[-1] < size:
                    continue
                mark = b""
                if start < end:  # a larger number may be more than the system can seek to
                    dump.seek(start)
                    mark = read_chunk(dump, path, MARK_LENGTH)
                if STREAM_MARK.match(mark):
                    starts.append(start)
                else:
                    content = f"{mark!r} at byte {start}" if mark else f"byte {start} of a dump of {end} bytes"
                    reason = f"no stream begins there; found {content}, expected the beginning of one"
                    damage(index, place, f"[index] {reason}")
    return list(zip(starts, [*starts[1:], end], strict=True))


def _entries(index: Path, damage: DamageHandler) -> Iterator[tuple[int, int]]:
    """Yield the byte of the index and the byte of the dump of each entry that points elsewhere than the one before it."""
    content = content_of(index, 0, file_size(index), damage)
    before = None
    for piece in split_stream(content, b"\n", _ENTRY_LIMIT):
        if not piece.length:
            continue
        place, _ = content.place(piece.offset)
        data = bytes(piece.data or b"")
        entry = _ENTRY.match(data)
        if entry is None:
            expected = "a number, a colon, a number, a colon, a title"
            damage(index, place, f"[index] no entry; found {data[:60]!r}, expected {expected}")
        elif (start := int(entry[1])) != before:
            before = start
            yield place, start
