"""The XML of MediaWiki's export format, parsed one page element at a time."""

import re
from dataclasses import dataclass
from xml.parsers import expat  # no entity can be declared: a page has no document type, and the head may have none

BEGIN = b"<page>"
END = b"</page>"
ROOT_END = b"</mediawiki>"
_HEAD_END = re.compile(rb"<page>|</mediawiki>")
#: Maximum depth of elements; mediawiki/page/revision/contributor/username is the deepest path of the format.
_DEPTH = 16
_FIELDS = ("page/title", "page/ns", "page/redirect", "page/revision/text")


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
