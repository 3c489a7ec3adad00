"""Trees of other people's treebanks (CoNLL-U), with the spans of their words: no range and no parser is asked for."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...core.alignment import align
from ...core.errors import PipelineError, plural, shown
from ...core.files import lines_of
from ...core.model import Span
from .trees import UPOS, Token, Tree, shape_faults

_WIDTH = 10
_WORD, _BETWEEN = re.compile(r"[0-9]{1,6}"), re.compile(r"[0-9]+[-.][0-9]+")
#: A word of CoNLL-U: ten columns, of which the first is a number, after nothing but comments.
_BEGINS = re.compile(r"\s*(?:#[^\n]*\n\s*)*[0-9]+(?:[-.][0-9]+)?(?:\t[^\t\n]+){9}(?:\r?\n|\Z)")

#: The same with blanks between the columns, of which the seventh is a number or empty.
_BLANKS = re.compile(r"\s*(?:#[^\n]*\n\s*)*([0-9]+(?: +[^\s]+){5} +(?:[0-9]+|_)(?: +[^\s]+){3})[ \r]*(?:\n|\Z)")


def is_conllu(text: str) -> bool:
    """Tell whether a text begins as CoNLL-U does: with comments, then a word in ten columns."""
    return _BEGINS.match(text) is not None


def line_of_blanks(text: str) -> int:
    """Return the number of the first word's line if a text begins as CoNLL-U but with blanks between the columns, else 0."""
    found = _BLANKS.match(text)
    return text.count("\n", 0, found.start(1)) + 1 if found else 0


@dataclass(frozen=True, slots=True)
class TreebankSentence:
    """A sentence of a treebank: its id or number, the line where it begins, its text, its tree."""

    id: str
    line: int
    text: str
    tree: Tree


def read_treebank(text: str, path: Path, parser: str, adapt: Callable[[str], str] = str) -> Iterator[TreebankSentence]:
    """Yield the sentences of a treebank of Universal Dependencies; lines of multiword tokens and of empty nodes are passed over.

    Args:
        parser: the name of the parser in the trees.
        adapt: returns a text in the script of the rules, of the same length; the tree is of this text.

    Raises:
        PipelineError: a line is no word of CoNLL-U, or the words of a sentence are not its text or no tree.
    """
    comments: dict[str, str] = {}
    rows: list[tuple[int, list[str]]] = []
    start = number = 0
    for place, line in enumerate([*lines_of(text), ""], 1):
        if not line.strip():
            if rows:
                number += 1
                written = comments.get("text") or "".join(cells[1] for _, cells in rows)
                tree = _tree(written, adapt(written), rows, path, start, parser)
                yield TreebankSentence(comments.get("sent_id") or str(number), start, written, tree)
            start, comments, rows = 0, {}, []
            continue
        start = start or place
        if line.startswith("#"):
            name, _, value = line[1:].partition("=")
            comments[name.strip()] = value.strip()
            continue
        cells = line.split("\t")
        if len(cells) != _WIDTH:
            reason = f"wrong width; found {plural(len(cells), 'column')}, expected {_WIDTH} separated by tabs"
            raise PipelineError(path, place, f"[conllu] {reason}")
        if _BETWEEN.fullmatch(cells[0]):
            continue
        if cells[0] != str(len(rows) + 1):
            raise PipelineError(path, place, f"[id] out of order; found {shown(cells[0])}, expected {len(rows) + 1}")
        rows.append((place, cells))


def _tree(
    written: str, adapted: str, rows: Sequence[tuple[int, list[str]]], path: Path, start: int, parser: str
) -> Tree:
    try:
        spans = align((cells[1] for _, cells in rows), written)
    except ValueError as error:
        raise PipelineError(path, start, f"[text] not covered by its words; {error}") from None
    tokens = []
    for (line, cells), span in zip(rows, spans, strict=True):
        upos, head = cells[3], cells[6]
        if upos not in UPOS:
            expected = ", ".join(sorted(UPOS))
            raise PipelineError(path, line, f"[upos] unknown tag; found {shown(upos)}, expected one of {expected}")
        if not _WORD.fullmatch(head) or int(head) > len(rows) or head == cells[0]:
            reason = f"no head; found {shown(head)}, expected the number of another word, or 0 for the root"
            raise PipelineError(path, line, f"[head] {reason}")
        tokens.append(Token(span.of(adapted), span, upos, cells[4], int(head) - 1 if int(head) else None, cells[7]))
    for place, reason in shape_faults(tokens):
        raise PipelineError(path, start if place is None else rows[place][0], reason)
    return Tree(adapted, parser, tuple(tokens))


def joined(tree: Tree, spans: Iterable[Span], tag: Callable[[str], str] | None) -> Tree:
    """Return a tree with each span that is several of its words as one word, and with the tags of a dictionary.

    The joined word hangs where the first of its words hangs that has its head outside (他 and 们 become 他们).
    """
    groups: list[list[int]] = []
    wanted = list(spans)
    for index, token in enumerate(tree.tokens):
        inside = next((span for span in wanted if span.start < token.span.start and token.span.end <= span.end), None)
        if inside is not None and groups and tree.tokens[groups[-1][0]].span.start == inside.start:
            groups[-1].append(index)
        else:
            groups.append([index])
    place = {index: number for number, group in enumerate(groups) for index in group}
    tokens = []
    for number, group in enumerate(groups):
        parts = [tree.tokens[index] for index in group]
        first = next((part for part in parts if part.head is None or place[part.head] != number), parts[0])
        span = Span(parts[0].span.start, parts[-1].span.end)
        form = span.of(tree.text)
        head = None if first.head is None else place[first.head]
        upos = first.upos if len(parts) == 1 else "PRON"
        tokens.append(Token(form, span, upos, tag(form) if tag else first.xpos, head, first.relation))
    return Tree(tree.text, tree.parser, tuple(tokens))
