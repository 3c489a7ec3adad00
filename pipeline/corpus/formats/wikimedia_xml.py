"""The elements of MediaWiki's export format, each parsed by itself."""

import re
from dataclasses import dataclass
from xml.parsers import expat  # no entity can be declared: a page has no document type, and the head may have none

BEGIN = b"<page>"
END = b"</page>"
ROOT_END = b"</mediawiki>"
_HEAD_END = re.compile(rb"<page>|</mediawiki>")
#: mediawiki/page/revision/contributor/username, and some to spare.
_DEPTH = 16
_FIELDS = ("page/title", "page/ns", "page/redirect", "page/revision/text")


class XmlError(Exception):
    """What is wrong with an element, with the byte of it where that was found."""

    def __init__(self, offset: int, reason: str) -> None:
        super().__init__(reason)
        self.offset = offset


@dataclass(frozen=True, slots=True)
class Page:
    """A page with its last revision's wikitext."""

    title: str
    namespace: int
    redirect: bool
    text: str


def head_length(data: bytes) -> int:
    """Return how many bytes stand before the first page, or before the end of a dump without pages."""
    match = _HEAD_END.search(data)
    return match.start() if match else len(data)


def check_head(data: bytes) -> None:
    """Read what stands before the first page.

    Raises:
        XmlError: no element `mediawiki` begins there, the encoding is not UTF-8, there is a document type, it is not XML.
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
        if len(names) > _DEPTH:
            raise XmlError(parser.CurrentByteIndex, f"[xml] nested too deeply; expected at most {_DEPTH} elements")
        if not names and name != "mediawiki":
            raise XmlError(
                parser.CurrentByteIndex, f"[xml] no export of MediaWiki; found <{name}>, expected <mediawiki>"
            )
        names.append(name)

    parser.XmlDeclHandler, parser.StartDoctypeDeclHandler, parser.StartElementHandler = declare, refuse, start
    parser.EndElementHandler = lambda _: names.pop()
    _parse(parser, data, final=False)
    if names != ["mediawiki"]:
        found = "nothing" if not names else f"<{names[-1]}> without an end"
        raise XmlError(0, f"[xml] no export of MediaWiki; found {found}, expected <mediawiki> with pages")


def parse_page(data: bytes) -> Page:
    """Return the page of an element.

    Raises:
        XmlError: it is not well-formed, or there is no title, namespace or text in it.
    """
    parser = expat.ParserCreate("UTF-8")
    parser.buffer_text = True
    parser.buffer_size = 1 << 20
    path: list[str] = []
    found: dict[str, list[str]] = {}
    current: list[str] = []

    def start(name: str, _attributes: dict[str, str]) -> None:
        nonlocal current
        if len(path) > _DEPTH:
            raise XmlError(parser.CurrentByteIndex, f"[xml] nested too deeply; expected at most {_DEPTH} elements")
        path.append(name)
        current = []
        if (field := "/".join(path)) in _FIELDS:
            found[field] = current

    def end(_name: str) -> None:
        nonlocal current
        path.pop()
        current = []

    def characters(text: str) -> None:
        current.append(text)

    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = start, end, characters
    _parse(parser, data, final=True)
    values = {field.rpartition("/")[2]: "".join(parts) for field, parts in found.items()}
    title = values.get("title", "")
    for field in ("title", "ns", "text"):
        if field not in values:
            raise XmlError(
                0, f"[{field}] missing element; found a page without it ({title[:80]!r}), expected <{field}>"
            )
    if not re.fullmatch(r"-?\d{1,9}", values["ns"].strip(), re.ASCII):
        raise XmlError(0, f"[ns] no namespace; found {values['ns'][:40]!r}, expected an integer")
    return Page(title, int(values["ns"]), "redirect" in values, values["text"])


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
