"""Dumps of articles as Wikimedia publishes them: XML, plain, in one bzip2 stream, or in many with an index."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from html import escape
from pathlib import Path
from xml.parsers import expat  # no entity can be declared: a page has no document type, and the head may have none

from ...core.hints import encoding_hint
from .markup import plain_text
from .packing import Content, packing_of
from .reading import (
    NOT_WIKITEXT,
    OTHER_NAMESPACES,
    WIKITEXT,
    DamageHandler,
    Document,
    LeftOut,
    Shard,
    file_size,
    open_file,
    read_chunk,
    refuse,
    split_stream,
)
from .wikitext import Site, conventions, namespace_of

BEGIN = b"<page>"
END = b"</page>"
ROOT_END = b"</mediawiki>"
_HEAD_END = re.compile(rb"<page>|</mediawiki>")
#: Maximum size in bytes of what stands before the first page.
_HEAD_LIMIT = 1 << 20
#: Maximum depth of elements; mediawiki/page/revision/contributor/username is the deepest path of the format.
_DEPTH = 16
_TEXT = "page/revision/text"
_FIELDS = frozenset(("page/title", "page/ns", "page/redirect", "page/revision/model", _TEXT))
#: The names of the namespaces of an export, and the keys of those of files and categories.
_NAMESPACE, _LINK_KEYS = "mediawiki/siteinfo/namespaces/namespace", ("6", "14")
#: A page as Wikimedia writes it, up to the content of its elements.
_WRITTEN = re.compile(
    r"""<page>\s*<title>([^<]*)</title>\s*<ns>(-?\d{1,9})</ns>\s*<id>\d+</id>\s*(<redirect\ title="[^"<]*"\ />\s*)?
    <revision>\s*<id>\d+</id>\s*(?:<parentid>\d+</parentid>\s*)?(?:<timestamp>[^<]*</timestamp>\s*)?
    <contributor>\s*(?:<username>[^<]*</username>\s*(?:<id>\d+</id>\s*)?|<ip>[^<]*</ip>\s*)</contributor>\s*
    (?:<minor\ />\s*)?(?:<comment>[^<]*</comment>\s*)?(?:<origin>\d+</origin>\s*)?
    (?:<model>([^<]*)</model>\s*)?(?:<format>[^<]*</format>\s*)?
    <text(?:\ bytes="\d+")?(?:\ sha1="\w*")?(?:\ xml:space="preserve")?(?:\ />|>([^<]*)</text>)\s*
    (?:<sha1>\w*</sha1>\s*)?</revision>\s*</page>""",
    re.ASCII | re.VERBOSE,
)
#: The entities of that content; any other, or what is no content in XML, makes it no such page.
_ENTITIES = (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&amp;", "&"))
_OTHER_ENTITY = re.compile(r"&(?!(?:lt|gt|quot|amp);)")
_NO_CONTENT = ("]]>", "\ufffe", "\uffff")
_CONTROLS = bytes(code for code in range(32) if code not in b"\t\n")
#: Maximum size of a page in bytes. Wikipedia allows 2 MiB of wikitext, and a character may be written as six.
LIMIT = 16 << 20
#: An entry of an index, as ``617:12:苹果``: the byte at which the stream begins, the number of the page, its title.
_ENTRY = re.compile(rb"(\d{1,18}):\d+:")
#: Maximum size of an entry in bytes.
_ENTRY_LIMIT = 1 << 16
#: A bzip2 stream begins with its mark, the size of its blocks, and the mark of a block (or of the end, if it is empty).
_STREAM_MARK = re.compile(rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)", re.DOTALL)
_MARK_LENGTH = 10

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
    namespace: int | None  # None if an old export does not say it
    redirect: bool
    text: str
    model: str = WIKITEXT  # the kind of its content


def head_length(data: bytes) -> int:
    """Return the number of bytes before the first page, or before the end of a dump without pages."""
    match = _HEAD_END.search(data)
    return match.start() if match else len(data)


def read_head(data: bytes) -> Site:
    """Check what stands before the first page, and return the namespaces of the wiki.

    Raises:
        XmlError: no element `mediawiki` begins there, the encoding is not UTF-8, there is a document type, or it is not XML.
    """
    parser = expat.ParserCreate("UTF-8")
    names: list[str] = []
    namespaces: list[tuple[str, list[str]]] = []  # the key and the parts of the name of each

    def declare(_version: str, encoding: str | None, _standalone: int) -> None:
        if encoding and encoding.upper() != "UTF-8":
            raise XmlError(0, f"[encoding] not UTF-8; found {encoding!r} declared, expected 'UTF-8'")

    def refuse(name: str, *_: object) -> None:
        begin = data.rfind(b"<!DOCTYPE", 0, parser.CurrentByteIndex + 1)
        raise XmlError(begin, f"[xml] a document type is not allowed; found '<!DOCTYPE {name}', expected none")

    def start(name: str, attributes: dict[str, str]) -> None:
        _check_place("/".join(names), name, parser)
        if not names and name != "mediawiki":
            reason = f"[xml] not an export of MediaWiki; found <{name}>, expected <mediawiki>"
            raise XmlError(parser.CurrentByteIndex, reason)
        names.append(name)
        if "/".join(names) == _NAMESPACE:
            namespaces.append((attributes.get("key", ""), []))

    def characters(text: str) -> None:
        if "/".join(names) == _NAMESPACE:
            namespaces[-1][1].append(text)

    parser.CharacterDataHandler = characters
    parser.XmlDeclHandler, parser.StartDoctypeDeclHandler, parser.StartElementHandler = declare, refuse, start
    parser.EndElementHandler = lambda _: names.pop()
    _parse(parser, data, final=False)
    if names != ["mediawiki"]:
        content = f"<{names[-1]}> without an end" if names else "nothing"
        raise XmlError(0, f"[xml] not an export of MediaWiki; found {content}, expected <mediawiki> with pages")
    named = [(key, namespace_of("".join(parts) + ":")) for key, parts in namespaces]
    return Site(
        links=frozenset(name for key, name in named if key in _LINK_KEYS and name),
        namespaces=frozenset(name for _, name in named if name),
    )


def parse_page(data: bytes) -> Page:
    """Return the page of an element; elements in its text, which some writers do not escape, belong to its wikitext.

    Raises:
        XmlError: it is not well-formed, has no title or text, or has an element in another field.
    """
    return _written_page(data) or _xml_page(data)


def _written_page(data: bytes) -> Page | None:
    """Return a page as Wikimedia writes it, ten times as fast as `_xml_page`; None if it is malformed or written in another way."""
    try:
        content = data.decode()
    except UnicodeDecodeError:
        return None
    match = _WRITTEN.fullmatch(content)
    if not match or _OTHER_ENTITY.search(content) or any(map(content.__contains__, _NO_CONTENT)):
        return None
    if len(data.translate(None, _CONTROLS)) < len(data):  # faster than a search
        return None
    title, namespace, redirect, model, text = match.groups("")
    return Page(_unescaped(title), int(namespace), bool(redirect), _unescaped(text), model.strip() or WIKITEXT)


def _unescaped(content: str) -> str:
    for entity, character in _ENTITIES:  # the one for an ampersand last
        content = content.replace(entity, character)
    return content


def _xml_page(data: bytes) -> Page:
    """Return the page of any element."""
    parser = expat.ParserCreate("UTF-8")
    parser.buffer_text = True
    parser.buffer_size = 1 << 20
    place = ""
    fields: dict[str, list[str]] = {}

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal place
        _check_place(place, name, parser)
        place = f"{place}/{name}" if place else name
        if place.startswith(f"{_TEXT}/"):
            fields[_TEXT].append(_tag(name, attributes))
        else:
            parser.CharacterDataHandler = None
            if place in _FIELDS:  # of several revisions the last counts
                fields[place] = []
                parser.CharacterDataHandler = fields[place].append

    def end(name: str) -> None:
        nonlocal place
        place = place.rpartition("/")[0]
        if place == _TEXT or place.startswith(f"{_TEXT}/"):
            fields[_TEXT].append(f"</{name}>")
        else:
            parser.CharacterDataHandler = None

    parser.StartElementHandler, parser.EndElementHandler = start, end
    _parse(parser, data, final=True)
    values = {field.rpartition("/")[2]: "".join(parts) for field, parts in fields.items()}
    title = values.get("title", "")
    for field in ("title", "text"):
        if field not in values:
            reason = f"[{field}] missing element; found a page without it ({title[:80]!r}), expected <{field}>"
            raise XmlError(0, reason)
    number = values.get("ns", "").strip()
    if "ns" in values and not re.fullmatch(r"-?\d{1,9}", number, re.ASCII):
        raise XmlError(0, f"[ns] not a namespace; found {values['ns'][:40]!r}, expected an integer")
    model = values.get("model", "").strip() or WIKITEXT
    return Page(title, int(number) if number else None, "redirect" in values, values["text"], model)


def _tag(name: str, attributes: Mapping[str, str]) -> str:
    return " ".join([f"<{name}", *(f'{key}="{escape(value)}"' for key, value in attributes.items())]) + ">"


def _check_place(parent: str, name: str, parser: expat.XMLParserType) -> None:
    if parent.count("/") >= _DEPTH:
        raise XmlError(parser.CurrentByteIndex, f"[xml] nested too deeply; expected at most {_DEPTH} elements")
    if parent in _FIELDS and parent != _TEXT:
        reason = f"[xml] an element inside <{parent.rpartition('/')[2]}>; found <{name}>, expected text"
        raise XmlError(parser.CurrentByteIndex, reason)


def _parse(parser: expat.XMLParserType, data: bytes, *, final: bool) -> None:
    try:
        data.decode("utf-8")  # expat does not say which byte it is
        parser.Parse(data, final)
    except UnicodeDecodeError as error:
        reason = f"[encoding] not UTF-8; found byte 0x{data[error.start]:02x}, expected UTF-8 text"
        raise XmlError(error.start, f"{reason}{encoding_hint(data)}") from error
    except expat.ExpatError as error:
        reason = f"[xml] not well-formed; {expat.ErrorString(error.code)}"
        raise XmlError(parser.ErrorByteIndex, reason) from error


#: Takes a byte of the content and what is wrong there.
Reporter = Callable[[int, str], None]

# --- pages ------------------------------------------------------------------------------------------------------------


def wikimedia_documents(shard: Shard, damage: DamageHandler, left_out: LeftOut, limit: int = LIMIT) -> Iterator[str]:
    """Yield the text of each article, without its markup; see `wikimedia_articles`."""
    for article in wikimedia_articles(shard, damage, left_out, limit):
        if text := article.text():
            yield text


def wikimedia_articles(
    shard: Shard, damage: DamageHandler, left_out: LeftOut, limit: int = LIMIT
) -> Iterator[Document]:
    """Yield each article.

    Pages of other namespaces, redirects, disambiguation pages and pages that are not wikitext are left out. Damage is a page that is
    not well-formed, is longer than `limit` bytes, or lacks an element that all pages have.

    Raises:
        PipelineError: a bzip2 stream cannot be unpacked, or something else stands before, between or behind the pages. That may be
            a document type, whose entities could expand without end, so none is ever expanded.
    """
    content = Content(shard.path, shard.start, shard.end, threads=True)

    def report(offset: int, reason: str, handler: DamageHandler = damage) -> None:
        byte, within = content.place(offset)
        handler(shard.path, byte, f"{reason}{within}")

    def stop(offset: int, reason: str) -> None:
        report(offset, reason, refuse)

    try:
        site = read_head(_head(shard))
    except XmlError as error:
        stop(error.offset, str(error))
    for offset, data in _page_elements(content, shard, report, stop, limit):
        try:
            page = parse_page(data)
            if other := _other_kind(page, site):
                left_out[other] += 1
                continue
        except XmlError as error:
            report(offset + error.offset, str(error))
            continue
        yield Document(page.text, partial(plain_text, page.text, site))


def _head(shard: Shard) -> bytes:
    """Return what stands in a file before its first page, of which every shard needs the namespaces."""
    data = b""
    for chunk in Content(shard.path, 0, file_size(shard.path)):
        data += chunk
        if _HEAD_END.search(data) or len(data) > _HEAD_LIMIT:
            break
    return data[: head_length(data)]


def _other_kind(page: Page, site: Site) -> str:
    """Return what a page is, if it is no article."""
    table = conventions()
    if page.namespace or (page.namespace is None and not site.is_article(page.title)):
        return OTHER_NAMESPACES
    if page.model != WIKITEXT:
        return NOT_WIKITEXT
    if page.redirect or page.text.lstrip()[:40].casefold().startswith(table.redirects):
        return "redirects"
    return "disambiguation pages" if table.is_disambiguation(page.title, page.text) else ""


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


def stream_ranges(path: Path, size: int, index: Path | None, _field: str) -> list[tuple[int, int]]:
    """Cut a packed dump at streams of its index, as soon as a shard has `size` bytes; a dump without an index is one shard.

    Raises:
        PipelineError: the index is damaged, or an entry of it points where no stream begins.
    """
    end = file_size(path)
    index = index or index_beside(path)
    starts = [0]
    if index is not None and packing_of(path) == "bz2":
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
