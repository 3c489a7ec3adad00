"""`wsc-xml`: the Winograd Schema Collection (Levesque, Davis and Morgenstern 2012; Davis' XML)."""

import re
from collections import Counter
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element, ParseError, TreeBuilder  # no parser: defusedxml parses

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser, parse

from ...core.errors import PipelineError
from ...core.model import Span
from .draft import Draft, collapse, member

_ANSWER = re.compile(r"([A-Z])\.?")
#: What follows a blank: a word, an opening mark, an apostrophe (except that of it's).
_OPENING = re.compile(r"[\w\"“‘(\[]|'(?!(?:s|d|ll|re|ve)\b)")


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
        tree: Any = parse(BytesIO(data), parser=parser, forbid_dtd=True)
    except ParseError as error:
        line, column = error.position
        raise PipelineError(path, line, f"[xml] broken; {error.msg} (column {column})") from error
    except DefusedXmlException as error:
        line = parser.parser.CurrentLineNumber
        raise PipelineError(
            path, line, f"[xml] refused; found {error}, expected XML without DTD and entities"
        ) from error
    except (ValueError, LookupError) as error:
        raise PipelineError(path, 1, f"[xml] cannot be decoded; {error}") from error
    root: Element = tree.getroot()
    return root


def _text(node: Element, place: str) -> str:
    return collapse(node.findtext(place) or "")


def _joined(before: str, pronoun: str, after: str) -> tuple[str, Span]:
    """Return the sentence and the span of the pronoun: one blank between the parts, none before punctuation."""
    head = f"{before} " if before else ""
    tail = f" {after}" if after and _OPENING.match(after) else after
    return f"{head}{pronoun}{tail}", Span(len(head), len(head) + len(pronoun))


def read_wsc(data: bytes, path: Path, lang: str | None) -> list[Draft]:
    """Return the drafts of the collection, in file order; consecutive items with the same answers are one schema.

    Raises:
        PipelineError: the XML is broken, or has a document type, an entity or an external reference; no record.
    """
    root = _tree(data, path)
    if root.tag != "collection":
        raise PipelineError(path, None, f"[xml] wrong root element; found <{root.tag}>, expected <collection>")
    drafts: list[Draft] = []
    members: Counter[str] = Counter()
    number, previous = 0, None
    for index, node in enumerate(root.findall("schema"), 1):
        pronoun = _text(node, "text/pron")
        text, target = _joined(_text(node, "text/txt1"), pronoun, _text(node, "text/txt2"))
        answers = tuple(collapse(answer.text or "") for answer in node.findall("answers/answer"))
        key = tuple(answer.casefold() for answer in answers)
        number += key != previous or members[f"wsc-{number:03}"] == 2
        previous = key
        schema = f"wsc-{number:03}"
        letter = _ANSWER.fullmatch(_text(node, "correctAnswer"))
        position = ord(letter[1]) - ord("A") if letter else -1
        drafts.append(
            Draft(
                id=f"{schema}-{member(members[schema])}",
                schema=schema,
                version=member(members[schema]),
                lang=lang or "en",
                text=text,
                candidates=answers,
                gold=answers[position] if 0 <= position < len(answers) else None,
                target=target if pronoun else None,
                question=collapse(" ".join(_text(node, f"quote/{part}") for part in ("quote1", "pron", "quote2"))),
                source=", ".join(filter(None, (f"WSC {index}", _text(node, "source")))),
                lines={"id": int(node.attrib["line"])},
            )
        )
        members[schema] += 1
    if not drafts:
        raise PipelineError(path, None, "[schema] no record; expected at least one <schema> in <collection>")
    return drafts
