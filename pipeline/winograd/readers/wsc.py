"""`wsc-xml`: the Winograd Schema Collection (Levesque, Davis and Morgenstern 2012; Davis' XML), and others in its layout."""

import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from string import ascii_uppercase
from xml.etree.ElementTree import Element, ParseError, TreeBuilder

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser

from ...core.errors import PipelineError, shown
from ...core.hints import signature_hint
from ...core.model import Span
from ...language.questions import QuestionTable, question_table
from .draft import Draft, collapse, defect, require_chinese
from .pairing import with_schemas

#: The parts of a sentence and of its question.
_TEXT, _QUOTE = ("txt1", "pron", "txt2"), ("quote1", "pron", "quote2")
#: Elements of markup, whose text is read.
_MARKUP = frozenset(["b", "br", "em", "font", "i", "small", "span", "strong", "sub", "sup", "u"])
_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
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


def _text(node: Element | None, tag: str) -> str:
    """Return the text of the first child with a tag, as it stands in the file; empty without one."""
    child = None if node is None else node.find(tag)
    return "" if child is None else "".join(child.itertext())


def _other_elements(node: Element) -> str:
    """Return why the text of a schema is not one each of its parts; empty if it is."""
    text = node.find("text")
    if text is None:
        return ""
    tags = [child.tag for child in text]
    inner = [part.tag for child in text for part in child.iter() if part is not child and part.tag not in _MARKUP]
    stray = [place.strip() for place in (text.text, *(child.tail for child in text)) if place and place.strip()]
    if len(set(tags)) == len(tags) and set(tags) <= set(_TEXT) and not inner and not stray:
        return ""
    other = shown(stray[0]) if stray else ", ".join(f"<{tag}>" for tag in inner or tags)[:60]
    return f"unknown content of <text>; found {other}, expected one each of {', '.join(f'<{part}>' for part in _TEXT)}"


def _language(node: Element, otherwise: str) -> str:
    """Return the language that an element declares: fr of xml:lang="fr-CA"."""
    return (node.get(_LANG) or node.get("lang") or otherwise).split("-")[0].lower()


def read_wsc(data: bytes, path: Path, lang: str | None) -> list[Draft]:
    """Return the drafts of the collection, in file order; `with_schemas` says which items are one schema.

    Their language is that of xml:lang (or lang), else `lang`, else English; with `lang`, records in other languages are left out.

    Raises:
        PipelineError: the XML is broken, or has a document type, an entity or an external reference; no record (in that language); a
            language without pronouns in rules/questions; a text has no character of the language.
    """
    root = _tree(data, path)
    if root.tag != "collection":
        raise PipelineError(path, None, f"[xml] wrong root element; found <{root.tag[:60]}>, expected <collection>")
    nodes = root.findall("schema")
    texts = [[_text(node.find("text"), part) for part in _TEXT] for node in nodes]
    beside = [before[-1:].isspace() or pronoun[:1].isspace() for before, pronoun, _ in texts]
    drafts: list[Draft] = []
    for index, (node, parts) in enumerate(zip(nodes, texts, strict=True), 1):
        language = _language(node, _language(root, lang or "en"))
        if lang is not None and language != lang:
            continue
        table, line = question_table(language), int(node.attrib["line"])
        text, target = joined(parts, table, spaced=sum(beside) * 2 > len(beside))
        if lang == "zh":
            require_chinese(text, path, line)
        answers = tuple(collapse("".join(answer.itertext())) for answer in node.findall("answers/answer"))
        by_letter = dict(zip(ascii_uppercase, answers, strict=False))
        correct = collapse(_text(node, "correctAnswer"))
        gold = by_letter.get(correct.removesuffix("."))
        faults = []
        if correct and gold is None:
            reason = f"unknown right answer; found {shown(correct)}, expected one of {', '.join(by_letter) or 'none'}"
            faults.append(defect("answer", reason))
        if content := _other_elements(node):
            faults.append(defect("text", content))
        drafts.append(
            Draft(
                lang=language,
                text=text,
                candidates=answers,
                gold=gold,
                target=target if parts[1].strip() else None,
                question=joined([_text(node.find("quote"), part) for part in _QUOTE], table)[0],
                source=", ".join(filter(None, (str(index), collapse(_text(node, "source"))))),
                defects=tuple(faults),
                lines={"id": line},
            )
        )
    if not drafts:
        wanted = f" in {shown(lang)}" if nodes else ""
        raise PipelineError(path, None, f"[schema] no record; expected at least one <schema>{wanted} in <collection>")
    drafts = with_schemas(drafts, "wsc", 3)
    label = _label(root, path, drafts)
    return [replace(draft, source=f"{label} {draft.source}") for draft in drafts]


def _label(root: Element, path: Path, drafts: Sequence[Draft]) -> str:
    """Return what a source begins with: ``WSC``; for single problems or under a title, the title or name of the file.

    The Winograd Schema Collection has pairs; the problems of the Pronoun Disambiguation Challenge, for one, stand alone.
    """
    title = collapse(root.get("title") or root.get("name") or root.findtext("title") or "")
    sizes = Counter(draft.schema for draft in drafts)
    single = sum(size for size in sizes.values() if size > 1) * 2 < len(drafts) > 1
    if not (single or title):
        return "WSC"
    return f"{title or path.stem}, {'problem' if single else 'sentence'}"


# --- joints ---------------------------------------------------------------------------------------------------------------
# How the parts of a sentence meet, with a blank or without one. In the XML the white space at the ends of a part is that of the markup,
# so the language decides: its words are separated by blanks or not, and `attaches` of its question table says where a pronoun follows
# without one (qu'il, va-t-il, שהוא).


#: A hyphen, and the t that French puts between verb and pronoun: part of the text where the markup has them with the pronoun.
_LINK = re.compile(r"(?:[-‐‑]?[tT])?[-‐‑](?=\w)")
_DASHES = "-‐‑–—/־"
_OPENING = "([{“‘¿¡„‚「『《〈（"
#: Marks that open and close, told apart by how many stand before.
_TOGGLES = '"«»״'
#: French has a blank inside of these marks and before them, if the markup has one.
_FRENCH = "«»;:!?"
_CLOSING = ",.;:!?)]}…%،؛؟।。，、；：！？）」』》〉"
#: After a pronoun: the end of a contraction ('s), of a quotation (' or ’), and a quotation mark that closes what „ and ‚ opened.
_CONTRACTION = re.compile(r"['’](?:(?:s|d|ll|re|ve|m)\b|(?!\w))|’\w", re.IGNORECASE)
_LOW = {"“": "„", "‘": "‚"}


def joined(parts: Sequence[str], table: QuestionTable, *, spaced: bool = False) -> tuple[str, Span]:
    """Return the text of what stands before a pronoun, the pronoun, and what stands after it, and the pronoun's span.

    Args:
        parts: the three parts as the markup has them.
        spaced: whether the markup has white space beside most pronouns, so that its lack shows a joint (Spanish *comprar|lo*).
    """
    before, pronoun, after = parts
    head, form, tail = map(collapse, parts)
    if not form:
        return collapse(f"{head} {tail}"), Span(len(head), len(head))
    link = _LINK.match(form)
    if link:
        head, form = head + link[0], form[link.end() :]
    gaps = before[-1:].isspace() or pronoun[:1].isspace(), pronoun[-1:].isspace() or after[:1].isspace()
    if head and not link and _parted_before(head, form, table, gap=gaps[0], spaced=spaced):
        head += " "
    text = head + form
    span = Span(len(head), len(text))
    return f"{text}{' ' if tail and _parted_after(text, tail, table, gap=gaps[1]) else ''}{tail}", span


def _parted_before(head: str, form: str, table: QuestionTable, *, gap: bool, spaced: bool) -> bool:
    last = head[-1]
    if not table.segmented:
        return _are_latin(last, form[0])
    if table.lang == "fr" and last in "«»":
        return gap
    if last in _OPENING or (last in _TOGGLES and _is_open(head, last)):
        return False
    dashes = len(head) - len(head.rstrip(_DASHES))
    if dashes:
        return head[: len(head) - dashes][-1:] in ("", " ")
    word = f"{head[head.rfind(' ') + 1 :]} {form}"
    return not (table.attaches.search(word) or (spaced and not gap and table.may_attach.search(word)))


def _parted_after(text: str, tail: str, table: QuestionTable, *, gap: bool) -> bool:
    first = tail[0]
    if not table.segmented:
        return _are_latin(text[-1], first)
    if table.lang == "fr" and first in _FRENCH:
        return gap
    if first in _TOGGLES:
        return not _is_open(text, first)
    if first in _LOW and text.count(_LOW[first]) > text.count(first):
        return False
    if first in _DASHES:
        return tail.lstrip(_DASHES)[:1] in ("", " ")
    return not (text[-1] in "'’" or first in _CLOSING or first == "”" or _CONTRACTION.match(tail))


def _is_open(text: str, mark: str) -> bool:
    """Return whether a quotation that `mark` belongs to is open at the end of a text."""
    marks = "«»" if mark in "«»" else mark
    return sum(map(text.count, marks)) % 2 == 1


def _are_latin(first: str, second: str) -> bool:
    return all(character.isascii() and character.isalnum() for character in (first, second))
