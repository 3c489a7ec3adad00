"""The `pages-articles` XML that Wikimedia publishes: plain, in one bzip2 stream, or in many with an index."""

from collections.abc import Callable, Iterable, Iterator

from .content import content
from .conventions import conventions
from .damage import Damage
from .shard import Shard
from .stream import pieces, size_of
from .wikimedia_xml import BEGIN, END, ROOT_END, Page, XmlError, check_head, head_length, parse_page
from .wikitext import plain_text

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
