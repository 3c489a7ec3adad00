"""`wsc-xml`: the Winograd Schema Collection (Levesque, Davis and Morgenstern 2012; Davis' XML)."""

import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable
from pathlib import Path
from string import ascii_uppercase
from xml.etree.ElementTree import Element, ParseError, TreeBuilder  # no parser: defusedxml parses

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser

from ...core.errors import PipelineError, shown
from ...core.hints import signature_hint
from ...core.model import Span
from .draft import Draft, collapse, defect, require_chinese
from .pairing import with_schemas

#: What follows a blank: a word, an opening mark, an apostrophe (except that of it's).
_OPENING = re.compile(r"[\w\"“‘(\[]|'(?!(?:s|d|ll|re|ve)\b)")

_MARKS = (BOM_UTF8, BOM_UTF16_LE, BOM_UTF16_BE)
_WELL_FORMED = "closed tags, &amp; for &, &lt; for <, and the encoding that the first line names"
_REFUSED = {
    "DTD": "a document type (<!DOCTYPE …>)",
    "Entities": "an entity",
    "ExternalReference": "a reference to a file",
}


class _Builder(TreeBuilder):
    """Builds a tree in which each <schema> has its line as an attribute."""

    line: Callable[[], int]

    def start(self, tag: str, attributes: dict[str, str]) -> Element:
        return super().start(tag, attributes | {"line": str(self.line())} if tag == "schema" else attributes)


def _tree(data: bytes, path: Path) -> Element:
    builder = _Builder()
    # Entities, external references and document type definitions are refused before anything is expanded.
    parser = DefusedXMLParser(target=builder, forbid_dtd=True, forbid_entities=True, forbid_external=True)
    builder.line = lambda: int(parser.parser.CurrentLineNumber)
    try:
        parser.feed(data)  # at once: in pieces, a long text is read again with each of them
        root: Element = parser.close()
    except ParseError as error:
        line, column = error.position
        problem = str(error.msg).partition(": line ")[0]
        if data.strip() and not data.lstrip().startswith((b"<", *_MARKS)):
            reason = f"[xml] not XML; found {shown(data[:20])}, expected <collection>{signature_hint(data)}"
            raise PipelineError(path, 1, reason) from error
        reason = f"[xml] broken ({problem}, column {column}); expected {_WELL_FORMED}"
        raise PipelineError(path, line, reason) from error
    except DefusedXmlException as error:
        line, kind = parser.parser.CurrentLineNumber, type(error).__name__.removesuffix("Forbidden")
        reason = f"[xml] refused; found {_REFUSED.get(kind, kind)}, expected XML without document type and entities"
        raise PipelineError(path, line, reason) from error
    except (ValueError, LookupError) as error:
        reason = f"[xml] cannot be decoded; {error}: save the file as UTF-8 and say so in its first line"
        raise PipelineError(path, 1, reason) from error
    return root


def _text(node: Element, place: str) -> str:
    return collapse(node.findtext(place) or "")


def _joined(before: str, pronoun: str, after: str) -> tuple[str, Span]:
    """Return the sentence and the span of the pronoun: one blank between the parts, none before punctuation."""
    head = f"{before} " if before else ""
    tail = f" {after}" if after and _OPENING.match(after) else after
    return f"{head}{pronoun}{tail}", Span(len(head), len(head) + len(pronoun))


def read_wsc(data: bytes, path: Path, lang: str | None) -> list[Draft]:
    """Return the drafts of the collection, in file order; `with_schemas` says which items are one schema.

    Raises:
        PipelineError: the XML is broken, or has a document type, an entity or an external reference; no record; a text has no
            character of the language.
    """
    root = _tree(data, path)
    if root.tag != "collection":
        raise PipelineError(path, None, f"[xml] wrong root element; found <{root.tag[:60]}>, expected <collection>")
    drafts: list[Draft] = []
    for index, node in enumerate(root.findall("schema"), 1):
        pronoun = _text(node, "text/pron")
        text, target = _joined(_text(node, "text/txt1"), pronoun, _text(node, "text/txt2"))
        line = int(node.attrib["line"])
        if lang == "zh":
            require_chinese(text, path, line)
        answers = tuple(collapse(answer.text or "") for answer in node.findall("answers/answer"))
        by_letter = dict(zip(ascii_uppercase, answers, strict=False))
        correct = _text(node, "correctAnswer")
        gold = by_letter.get(correct.removesuffix("."))
        reason = f"unknown right answer; found {shown(correct)}, expected one of {', '.join(by_letter) or 'none'}"
        drafts.append(
            Draft(
                lang=lang or "en",
                text=text,
                candidates=answers,
                gold=gold,
                target=target if pronoun else None,
                question=collapse(" ".join(_text(node, f"quote/{part}") for part in ("quote1", "pron", "quote2"))),
                source=", ".join(filter(None, (f"WSC {index}", _text(node, "source")))),
                defects=(defect("answer", reason),) if correct and gold is None else (),
                lines={"id": line},
            )
        )
    if not drafts:
        raise PipelineError(path, None, "[schema] no record; expected at least one <schema> in <collection>")
    return with_schemas(drafts, "wsc", 3)
