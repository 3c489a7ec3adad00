"""The `pages-articles` XML that Wikimedia publishes: plain, in one bzip2 stream, or in many with an index."""

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from .bzip2 import STREAM, Unpacked
from .damage import Damage
from .shard import Shard
from .stream import opened, pieces, read, size_of
from .wikimedia_xml import BEGIN, END, ROOT_END, Page, XmlError, check_head, head_length, parse_page
from .wikitext import conventions, plain_text


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


#: A page of a Wikipedia has at most 2 MiB of wikitext, of which a character may be written as six.
LIMIT = 16 << 20


def wikimedia_documents(shard: Shard, damage: Damage, limit: int = LIMIT) -> Iterator[str]:
    """Yield the words of each article, without its markup.

    Pages of other namespaces, redirects and pages of disambiguation are left out. Damage is a stream of bzip2 that cannot be
    unpacked, and a page that is cut off, not well-formed, longer than `limit` bytes, or lacks what all pages have; other
    pages are read all the same. A document type is damage too, since its entities can be made to expand without end: none is
    ever expanded.
    """
    source = content(shard.path, shard.start, shard.end, damage)

    def tell(offset: int, reason: str) -> None:
        byte, within = source.place(offset)
        damage(shard.path, byte, reason if within is None else f"{reason}; {within} bytes into what is packed there")

    for offset, data in _page_elements(source, shard, tell, limit):
        try:
            page = parse_page(data)
            text = plain_text(page.text) if _is_article(page) else ""
        except XmlError as fault:
            tell(offset + fault.offset, str(fault))
        except ValueError as error:
            tell(offset, f"{error}, in the page {page.title!r}")
        else:
            if text:
                yield text


def _is_article(page: Page) -> bool:
    return not (page.namespace or page.redirect or conventions().is_disambiguation(page.title, page.text))


def _page_elements(
    source: Iterable[bytes | None], shard: Shard, tell: Callable[[int, str], None], limit: int
) -> Iterator[tuple[int, bytes]]:
    """Yield each element with its offset in the content; tell of all that stands between that is not white."""
    last = shard.end >= size_of(shard.path)
    for piece in pieces(source, END, limit):
        if piece.data is None:
            tell(piece.offset, f"[page] too long; found {piece.length} bytes, expected at most {limit}")
            continue
        data, offset = bytes(piece.data), piece.offset
        if shard.start == offset == 0:
            head = head_length(data)
            try:
                check_head(data[:head])
            except XmlError as fault:
                tell(fault.offset, str(fault))
            data, offset = data[head:], head
        data += END if piece.ended else b""
        begin = data.rfind(BEGIN) if piece.ended and BEGIN in data else len(data)
        between = data[:begin].strip()
        expected = ROOT_END if last and not piece.ended else b""
        if between != expected:
            white = begin - len(data[:begin].lstrip())
            tell(offset + white, f"[xml] no whole page; found {_shown(between)}, expected {_shown(expected or BEGIN)}")
        if begin < len(data):
            yield offset + begin, data[begin:]


def _shown(data: bytes) -> str:
    text = data[:60].decode("utf-8", "replace")
    return f"{text!r}{'…' if len(data) > 60 else ''}" if data else "nothing"


#: ``617:12:苹果``: where the stream begins, the page's number, its title.
_ENTRY = re.compile(rb"(\d{1,18}):\d+:")


_LIMIT = 1 << 16


_MARK = 10


def index_beside(path: Path) -> Path | None:
    """Return the index of a dump, if it is beside it.

    Its name differs from that of the dump as in
    ``zhwiki-20251101-pages-articles-multistream1.xml-p1p187712.bz2`` and ``…-multistream-index1.txt-p1p187712.bz2``.
    """
    before, multistream, after = path.name.rpartition("-multistream")
    beside = path.with_name(f"{before}-multistream-index{after.replace('.xml', '.txt', 1)}")
    return beside if multistream and beside.is_file() else None


def multistream_shards(path: Path, end: int, size: int, damage: Damage, index: Path | None) -> list[Shard]:
    """Return the shards of a dump of `end` bytes: groups of streams if it has an index, else one.

    An entry that points where no stream begins is damage, and ends no shard: nothing of the dump is lost by it.
    """
    index = index or index_beside(path)
    starts = [0]
    if index is not None and is_packed(path):
        with opened(path) as dump:
            for place, start in _entries(index, damage):
                if start < end and start - starts[-1] < size:
                    continue
                mark = b""
                if start < end:  # an offset may be more than the system can seek to
                    dump.seek(start)
                    mark = read(dump, path, _MARK)
                if STREAM.match(mark):
                    starts.append(start)
                else:
                    found = f"{mark!r} at byte {start}" if mark else f"byte {start} of a dump of {end} bytes"
                    damage(
                        index, place, f"[index] no stream begins there; found {found}, expected the beginning of one"
                    )
    return [Shard(path, "wikimedia-xml", start, stop) for start, stop in zip(starts, [*starts[1:], end], strict=True)]


def _entries(index: Path, damage: Damage) -> Iterator[tuple[int, int]]:
    """Yield where an entry stands, in the file as it is packed, with where it points; one for each run of entries that point alike."""
    source = content(index, 0, size_of(index), damage)
    before = None
    for piece in pieces(source, b"\n", _LIMIT):
        if not piece.length:
            continue
        place, _ = source.place(piece.offset)
        entry = _ENTRY.match(piece.data or b"")
        if entry is None:
            found = bytes((piece.data or b"")[:60])
            damage(
                index,
                place,
                f"[index] no entry; found {found!r}, expected a number, a colon, a number, a colon, a title",
            )
        elif (start := int(entry[1])) != before:
            before = start
            yield place, start
