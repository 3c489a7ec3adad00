"""Files of coreference with zeros: CoNLL-2012 with the empty elements of OntoNotes' trees, and CorefUD's CoNLL-U with empty nodes.

Formats: https://cemantix.org/conll/2012/data.html (one word a line, its columns separated by blanks, the last one for coreference, a
zero as the word ``*pro*``), https://universaldependencies.org/format.html (empty nodes such as ``3.1``) and CorefUD's ``Entity=`` in MISC.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..core.errors import PipelineError, errors_at, shown
from ..core.files import lines_of, read_text
from .documents import Document, ParallelText, SentencePair
from .labels import Sentence, Zero, zero_mark

CONLL_2012, COREFUD = "CoNLL-2012", "CorefUD (CoNLL-U)"
_BEGIN, _END = "#begin document", "#end document"
_NODE = re.compile(r"[0-9]+(?:[-.][0-9]+)?(?:\t[^\t]*){9}")
#: A word whose columns are separated by blanks, as an editor or a web page leaves them.
_SPACED_NODE = re.compile(r"[0-9]+(?:[-.][0-9]+)?(?:[ \t]+[^ \t]+){9}[ \t]*")
#: The opening of a mention: of an entity, as (12, or of the fields that CorefUD has, as (e12-person-1-
_OPENING = re.compile(r"\((?P<entity>[^()|]+)")
#: The names of these fields, unless a comment of the file says others.
_FIELDS = "eid-etype-head-other"
_GLOBAL = "# global.Entity"
_INDEX = re.compile("[1-9][0-9]{0,4}")
#: Fewest columns of a word in CoNLL-2012, without predicates; the word and its part of speech are the fourth and the fifth.
_COLUMNS, _WORD, _TAG = 12, 3, 4
_EMPTY = "-NONE-"
_HAN = re.compile("[\u3000-\u9fff\uff00-\uffef]")


@dataclass(frozen=True, slots=True)
class Node:
    """A word or a zero of a sentence, whether a blank follows it, and the entities whose mention it begins; in CorefUD, heads."""

    form: str
    entities: Sequence[str]
    mark: str = ""  # of a zero, as the file writes it
    blank: bool = False


@dataclass(frozen=True, slots=True)
class CoreferenceText:
    """The documents of a file, without translations, and of its zeros how many are mentions, and of an entity named before."""

    layout: str
    text: ParallelText
    words: int
    mentions: int
    anaphoric: int


def layout_of(text: str) -> str:
    """Return `CONLL_2012` or `COREFUD` for the content of such a file, and an empty text for another one."""
    lines = [line for line in text.split("\n") if line.strip()][:200]
    if lines and lines[0].lstrip("\ufeff").startswith(_BEGIN):
        return CONLL_2012
    rows = [line for line in lines if not line.startswith("#")]
    return COREFUD if rows and any(node.fullmatch(rows[0].rstrip("\r")) for node in (_NODE, _SPACED_NODE)) else ""


def read_coreference(path: Path) -> CoreferenceText:
    """Return the documents of a file in either layout.

    Raises:
        PipelineError: a line is malformed; a skeleton of CoNLL-2012 has no words; there is no sentence.
    """
    content = read_text(path)
    layout = layout_of(content)
    read = _conll_2012 if layout == CONLL_2012 else _corefud
    documents = [document for document in read(lines_of(content), path) if document]
    if not documents:
        raise PipelineError(path, None, f"[sentence] no sentence; expected those of {layout}")
    mentions = anaphoric = words = 0
    for document in documents:
        seen = set[str]()
        for _, nodes in document:
            words += sum(not node.mark for node in nodes)
            for node in nodes:
                mentions += bool(node.mark and node.entities)
                anaphoric += bool(node.mark and seen.intersection(node.entities))
                seen.update(node.entities)
    texts: list[Document] = [tuple(_pair(line, nodes) for line, nodes in document) for document in documents]
    return CoreferenceText(layout, ParallelText(tuple(texts), len(texts), ()), words, mentions, anaphoric)


def _pair(line: int, nodes: Iterable[Node]) -> SentencePair:
    text, zeros = "", []
    for node in nodes:
        if node.mark:
            zeros.append(Zero(len(text), "", "UN", node.mark))
        else:
            text += node.form + (" " if node.blank else "")
    return SentencePair(line, Sentence(text.rstrip(), tuple(zeros)), "")


_Sentences = list[tuple[int, list[Node]]]


def _conll_2012(lines: Sequence[str], path: Path) -> Iterator[_Sentences]:
    document: _Sentences = []
    inside = False
    for number, line in enumerate([*lines, _END], 1):
        if line.startswith("#"):
            if document:
                yield document
            document, inside = [], False
        elif not line.strip():
            inside = False
        else:
            with errors_at(path, number):
                node = _word(line.split())
            if not inside:
                document.append((number, []))
            inside = True
            if node:
                document[-1][1].append(node)


def _word(cells: Sequence[str]) -> Node | None:
    """Return the word or zero of a line; None for a trace; raises `ValueError`."""
    if len(cells) < _COLUMNS:
        raise ValueError(f"[columns] too few; found {len(cells)}, expected at least {_COLUMNS} of {CONLL_2012}")
    word, coreference = cells[_WORD], cells[-1]
    if word == "[WORD]":
        raise ValueError("[word] a skeleton without words; found '[WORD]', expected what skeleton2conll.sh makes of it")
    if not re.fullmatch(r"-|[()|0-9]+", coreference):
        raise ValueError(f"[coreference] not a chain; found {shown(coreference)}, expected - or a number such as (12)")
    entities = [match["entity"] for match in _OPENING.finditer(coreference)]
    if mark := zero_mark(word):
        return Node("", entities, mark)
    if cells[_TAG] == _EMPTY:
        return None
    return Node(word, entities, "", _HAN.search(word) is None)


def _corefud(lines: Sequence[str], path: Path) -> Iterator[_Sentences]:
    document: _Sentences = []
    start = 0
    header = next((line for line in lines if line.startswith(_GLOBAL)), _FIELDS)
    fields = header.rpartition("=")[2].strip().split("-")
    for number, line in enumerate([*lines, ""], 1):
        if line.strip():
            start = start or number
            continue
        if not start:
            continue
        block = lines[start - 1 : number - 1]
        if document and any(row.startswith("# newdoc") for row in block):
            yield document
            document = []
        document.append((start, list(_nodes(block, path, start, fields))))
        start = 0
    yield document


def _nodes(block: Sequence[str], path: Path, start: int, fields: Sequence[str]) -> Iterator[Node]:
    """Yield the words and zeros of a sentence: empty nodes that are the head of a mention."""
    last = 0  # of the words that are written as one
    rows = []
    for number, row in enumerate(block, start):
        if row.startswith("#"):
            continue
        if _NODE.fullmatch(row) is None:
            reason = f"[node] not a word of CoNLL-U; found {shown(row)}, expected an id and nine more columns, separated by tabs"
            raise PipelineError(path, number, reason)
        node, form, lemma, *_, misc = row.split("\t")
        rows.append((node, form, lemma, dict(value.partition("=")[::2] for value in misc.split("|"))))
    heads = iter(_headed([values.get("Entity", "") for node, *_, values in rows if "-" not in node], fields))
    for node, form, lemma, values in rows:
        blank = values.get("SpaceAfter") != "No" and _HAN.search(form) is None
        entities = [] if "-" in node else next(heads)
        if "-" in node:
            last = int(node.partition("-")[2])
            yield Node(form, [], "", blank)
        elif "." not in node:
            written = int(node) > last
            yield Node(form if written else "", entities, "", blank and written)
        elif entities:
            yield Node("", entities, next((name for name in (form, lemma) if name != "_"), "∅"))


def _headed(marks: Sequence[str], fields: Sequence[str]) -> list[list[str]]:
    """Return the entities of the mentions that each word or empty node is the head of.

    Args:
        marks: the value of ``Entity`` of each word and empty node of a sentence.
        fields: what an opening bracket says, in order; ``head`` counts the words and empty nodes of a mention from 1. A mention whose
            head is not told has its first word as head.
    """
    headed: list[list[str]] = [[] for _ in marks]
    for start, mark in enumerate(marks):
        for opening in _OPENING.finditer(mark):
            values = dict(zip(fields, opening["entity"].split("-"), strict=False))
            entity, _, part = values.get("eid", values.get("GRP", "")).partition("[")
            if part and not part.startswith("1/"):
                continue
            words = _words_in_parts(entity, marks, start) if part else range(start, len(marks))
            index = values.get("head", "")
            head = int(index) if _INDEX.fullmatch(index) else 1
            headed[words[min(head, len(words)) - 1]].append(entity)
    return headed


def _words_in_parts(entity: str, marks: Sequence[str], start: int) -> list[int]:
    """Return the words of a mention that is written in parts, as ``(e1[1/2]-person-3`` and ``e1[1/2])``."""
    words, is_inside = [], False
    for place in range(start, len(marks)):
        is_inside |= f"({entity}[" in marks[place]
        if is_inside:
            words.append(place)
        is_inside &= re.search(rf"{re.escape(entity)}\[[^()]*\)", marks[place]) is None
    return words
