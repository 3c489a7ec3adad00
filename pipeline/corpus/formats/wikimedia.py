"""Dumps of articles as Wikimedia publishes them: XML, plain, in one bzip2 stream, or in many with an index."""

import re
from bisect import bisect_right
from bz2 import BZ2Decompressor
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.parsers import expat  # no entity can be declared: a page has no document type, and the head may have none

from .reading import CHUNK, DamageHandler, Shard, file_size, open_file, read_chunk, refuse, split_stream
from .wikitext import conventions, plain_text

BEGIN = b"<page>"
END = b"</page>"
ROOT_END = b"</mediawiki>"
_HEAD_END = re.compile(rb"<page>|</mediawiki>")
#: Maximum depth of elements; mediawiki/page/revision/contributor/username is the deepest path of the format.
_DEPTH = 16
_FIELDS = ("page/title", "page/ns", "page/redirect", "page/revision/text")
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


# --- the XML of a page -------------------------------------------------------------------------------------------------


class XmlError(Exception):
    """A malformed element, with the byte of it at which the error stands."""

    def __init__(self, offset: int, reason: str) -> None:
        super().__init__(reason)
        self.offset = offset


@dataclass(frozen=True, slots=True)
class Page:
    """A page with the wikitext of its last revision."""

    title: str
    namespace: int
    redirect: bool
    text: str


def head_length(data: bytes) -> int:
    """Return the number of bytes before the first page, or before the end of a dump without pages."""
    match = _HEAD_END.search(data)
    return match.start() if match else len(data)


def check_head(data: bytes) -> None:
    """Check what stands before the first page.

    Raises:
        XmlError: no element `mediawiki` begins there, the encoding is not UTF-8, there is a document type, or it is not XML.
    """
    parser = expat.ParserCreate("UTF-8")
    names: list[str] = []

    def declare(_version: str, encoding: str | None, _standalone: int) -> None:
        if encoding and encoding.upper() != "UTF-8":
            raise XmlError(0, f"[encoding] not UTF-8; found {encoding!r} declared, expected 'UTF-8'")

    def refuse(name: str, *_: object) -> None:
        begin = data.rfind(b"<!DOCTYPE", 0, parser.CurrentByteIndex + 1)
        raise XmlError(begin, f"[xml] a document type is not allowed; found '<!DOCTYPE {name}', expected none")

    def start(name: str, _attributes: dict[str, str]) -> None:
        _check_depth(names, parser)
        if not names and name != "mediawiki":
            reason = f"[xml] not an export of MediaWiki; found <{name}>, expected <mediawiki>"
            raise XmlError(parser.CurrentByteIndex, reason)
        names.append(name)

    parser.XmlDeclHandler, parser.StartDoctypeDeclHandler, parser.StartElementHandler = declare, refuse, start
    parser.EndElementHandler = lambda _: names.pop()
    _parse(parser, data, final=False)
    if names != ["mediawiki"]:
        content = f"<{names[-1]}> without an end" if names else "nothing"
        raise XmlError(0, f"[xml] not an export of MediaWiki; found {content}, expected <mediawiki> with pages")


def parse_page(data: bytes) -> Page:
    """Return the page of an element.

    Raises:
        XmlError: it is not well-formed, or has no title, namespace or text.
    """
    parser = expat.ParserCreate("UTF-8")
    parser.buffer_text = True
    parser.buffer_size = 1 << 20
    path: list[str] = []
    fields: dict[str, list[str]] = {}
    current: list[str] = []

    def start(name: str, _attributes: dict[str, str]) -> None:
        nonlocal current
        _check_depth(path, parser)
        path.append(name)
        current = []
        if (field := "/".join(path)) in _FIELDS:
            fields[field] = current

    def end(_name: str) -> None:
        nonlocal current
        path.pop()
        current = []

    def characters(text: str) -> None:
        current.append(text)

    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = start, end, characters
    _parse(parser, data, final=True)
    values = {field.rpartition("/")[2]: "".join(parts) for field, parts in fields.items()}
    title = values.get("title", "")
    for field in ("title", "ns", "text"):
        if field not in values:
            reason = f"[{field}] missing element; found a page without it ({title[:80]!r}), expected <{field}>"
            raise XmlError(0, reason)
    if not re.fullmatch(r"-?\d{1,9}", values["ns"].strip(), re.ASCII):
        raise XmlError(0, f"[ns] not a namespace; found {values['ns'][:40]!r}, expected an integer")
    return Page(title, int(values["ns"]), "redirect" in values, values["text"])


def _check_depth(path: list[str], parser: expat.XMLParserType) -> None:
    if len(path) > _DEPTH:
        raise XmlError(parser.CurrentByteIndex, f"[xml] nested too deeply; expected at most {_DEPTH} elements")


def _parse(parser: expat.XMLParserType, data: bytes, *, final: bool) -> None:
    try:
        data.decode("utf-8")  # expat does not say which byte it is
        parser.Parse(data, final)
    except UnicodeDecodeError as error:
        reason = f"[encoding] not UTF-8; found byte 0x{data[error.start]:02x}, expected UTF-8 text"
        raise XmlError(error.start, reason) from error
    except expat.ExpatError as error:
        reason = f"[xml] not well-formed; {expat.ErrorString(error.code)}"
        raise XmlError(parser.ErrorByteIndex, reason) from error


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
