"""Dependency trees of sentences as CoNLL-U, with the span of every token in the sentence."""

import hashlib
import itertools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...core.errors import PipelineError, errors_at, plural, shown
from ...core.files import lines_of
from ...core.model import Span

_RANGE = "TokenRange"
_COLUMNS = ("id", "form", "lemma", "upos", "xpos", "feats", "head", "relation", "deps", "misc")
_NUMBER = re.compile(r"[0-9]{1,9}")
#: The parts of speech of Universal Dependencies; spaCy raises for others.
UPOS = frozenset({
    "ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM", "PART", "PRON", "PROPN", "PUNCT", "SCONJ", "SYM", "VERB", "X",
})  # fmt: skip
#: The relations of Universal Dependencies, with the subtypes that treebanks of our languages and our parsers use.
RELATIONS = frozenset({
    "acl", "acl:relcl", "advcl", "advcl:loc", "advmod", "advmod:df", "amod", "appos", "aux", "aux:pass", "case", "case:aspect",
    "case:dec", "case:loc", "case:pref", "case:suff", "cc", "ccomp", "clf", "compound", "compound:dir", "compound:ext",
    "compound:vo", "compound:vv", "conj", "cop", "csubj", "csubj:outer", "csubj:pass", "dep", "det", "discourse", "discourse:sp",
    "dislocated", "expl", "fixed", "flat", "flat:foreign", "flat:name", "flat:vv", "goeswith", "iobj", "list", "mark", "mark:adv",
    "mark:advb", "mark:comp", "mark:prt", "mark:rel", "mark:relcl", "nmod", "nmod:tmod", "nsubj", "nsubj:outer", "nsubj:pass",
    "nummod", "obj", "obj:periph", "obl", "obl:agent", "obl:lmod", "obl:patient", "obl:tmod", "orphan", "parataxis", "punct",
    "reparandum", "root", "vocative", "xcomp",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Token:
    """A word: its span in the sentence, tags, head (0-based, None for the root) and relation to the head.

    `upos` is the parser's tag. `xpos` is that of the language: of Chinese the tag of the segmenter's
    dictionary, the same for every parser: a second opinion on verbs, where small parsers make most errors.
    """

    form: str
    span: Span
    upos: str
    xpos: str
    head: int | None
    relation: str


@dataclass(frozen=True, slots=True)
class Tree:
    """The parse of a sentence; `parser` names the back end and the version of its model."""

    text: str
    parser: str
    tokens: tuple[Token, ...]

    def __post_init__(self) -> None:
        for _, reason in _faults(self.text, self.tokens):
            raise ValueError(reason)

    @property
    def key(self) -> str:
        """The key of the sentence in a lock."""
        return key_of(self.text)

    def index_at(self, span: Span) -> int | None:
        """Return the index of the token with exactly this span, or None."""
        return next((index for index, token in enumerate(self.tokens) if token.span == span), None)


def key_of(sentence: str) -> str:
    """Return the sha256 of a sentence's UTF-8 text, in hexadecimal."""
    return hashlib.sha256(sentence.encode("utf-8")).hexdigest()


def tree_to_conllu(tree: Tree) -> str:
    """Return the CoNLL-U block of a tree, with its closing blank line."""
    lines = [f"# sent_id = {tree.key}", f"# text = {tree.text}", f"# parser = {tree.parser}"]
    for number, (token, following) in enumerate(
        itertools.zip_longest(tree.tokens, (later.span.start for later in tree.tokens[1:])), 1
    ):
        misc = f"{_RANGE}={token.span.start}:{token.span.end}"
        if following in (token.span.end, None):
            misc = f"SpaceAfter=No|{misc}"
        head = 0 if token.head is None else token.head + 1
        columns = (
            number,
            token.form,
            "_",
            token.upos or "_",
            token.xpos or "_",
            "_",
            head,
            token.relation or "_",
            "_",
            misc,
        )
        lines.append("\t".join(map(str, columns)))
    return "\n".join(lines) + "\n\n"


def trees_to_conllu(trees: Iterable[Tree]) -> str:
    """Return the CoNLL-U text of trees."""
    return "".join(map(tree_to_conllu, trees))


def parse_trees(text: str, path: Path, *, keyed: bool = False) -> list[Tree]:
    """Return the trees of a CoNLL-U text whose tokens have a ``TokenRange`` and whose sentences name their parser.

    With `keyed`, the id of a sentence must be its key, as in a lock.

    Raises:
        PipelineError: at the line of the first malformed token, or at the first line of a sentence that is no tree.
    """
    trees: list[Tree] = []
    start, comments, rows = 0, dict[str, str](), list[tuple[int, str]]()
    for number, line in enumerate([*lines_of(text), ""], 1):
        if not line.strip():
            if start:
                trees.append(_tree(comments, rows, path, start))
                if keyed and comments.get("sent_id") not in (None, trees[-1].key):
                    reason = f"not of this text; found {shown(comments['sent_id'])}, expected {trees[-1].key}"
                    raise PipelineError(path, start, f"[sent_id] {reason}")
            start, comments, rows = 0, {}, []
        elif not line.startswith("#"):
            start = start or number
            rows.append((number, line))
        elif rows:
            raise PipelineError(path, number, "[conllu] comment after a token; expected a blank line between sentences")
        else:
            start = start or number
            name, _, value = line[1:].partition("=")
            comments[name.strip()] = value.strip()
    return trees


def _tree(comments: Mapping[str, str], rows: Sequence[tuple[int, str]], path: Path, start: int) -> Tree:
    for name in ("text", "parser"):
        if not comments.get(name):
            reason = f"[{name}] missing comment; expected '# {name} = …'"
            if not comments and "\t" not in rows[0][1]:
                reason = f"[conllu] not CoNLL-U; found {shown(rows[0][1])}, expected '# {name} = …'"
            raise PipelineError(path, start, reason)
    tokens = []
    for number, (line, row) in enumerate(rows, 1):
        with errors_at(path, line):
            tokens.append(_token(row, number))
    for index, reason in _faults(comments["text"], tokens):
        raise PipelineError(path, rows[index][0], reason)
    covered, text = "".join(token.form for token in tokens), comments["text"]
    if covered != "".join(text.split()):
        reason = f"[text] not covered by its tokens; found {shown(covered)}, expected {shown(text)}"
        raise PipelineError(path, start, reason)
    for place, reason in shape_faults(tokens):
        raise PipelineError(path, start if place is None else rows[place][0], reason)
    return Tree(comments["text"], comments["parser"], tuple(tokens))


def _token(row: str, number: int) -> Token:
    """Return the token of a line, the `number`-th of its sentence; raises `ValueError` with the column at fault."""
    cells = row.split("\t")
    if len(cells) != len(_COLUMNS):
        reason = (
            f"[conllu] wrong width; found {plural(len(cells), 'column')}, expected {len(_COLUMNS)} separated by tabs"
        )
        raise ValueError(reason)
    cell = dict(zip(_COLUMNS, cells, strict=True))
    if cell["id"] != str(number):
        reason = (
            f"[id] out of order; found {shown(cell['id'])}, expected {number}: plain words, numbered in each sentence"
        )
        raise ValueError(reason)
    if cell["upos"] != "_" and cell["upos"] not in UPOS:
        expected = ", ".join(sorted(UPOS))
        raise ValueError(
            f"[upos] unknown tag; found {shown(cell['upos'])} for {cell['form']!r}, expected one of {expected}"
        )
    if cell["relation"] not in RELATIONS:
        reason = f"unknown relation; found {shown(cell['relation'])} for {cell['form']!r}, expected one of Universal Dependencies"
        raise ValueError(f"[relation] {reason}")
    if not _NUMBER.fullmatch(cell["head"]):
        raise ValueError(
            f"[head] not a number; found {shown(cell['head'])}, expected that of a word, or 0 for the root"
        )
    features = dict(feature.partition("=")[::2] for feature in cell["misc"].split("|"))
    start, _, end = features.get(_RANGE, "").partition(":")
    if not (_NUMBER.fullmatch(start) and _NUMBER.fullmatch(end) and int(start) <= int(end)):
        reason = f"[{_RANGE}] missing range of token {cell['form']!r}; expected {_RANGE}=start:end in the last column"
        raise ValueError(reason)
    return Token(
        form=cell["form"],
        span=Span(int(start), int(end)),
        upos=cell["upos"].removeprefix("_"),
        xpos="" if cell["xpos"] == "_" else cell["xpos"],
        head=int(cell["head"]) - 1 if int(cell["head"]) else None,
        relation="" if cell["relation"] == "_" else cell["relation"],
    )


def _faults(text: str, tokens: Sequence[Token]) -> Iterator[tuple[int, str]]:
    """Yield each token that is not at its place in the text, or has no head among the tokens, with the reason."""
    end = 0
    for index, token in enumerate(tokens):
        if token.span.start < end or token.span.of(text) != token.form:
            actual = shown(token.span.of(text))
            reason = f"token {token.form!r} is not at {token.span.start}:{token.span.end} of the text; found {actual}"
            yield index, f"[{_RANGE}] {reason}"
        if token.head is not None and not 0 <= token.head < len(tokens):
            reason = f"token {token.form!r} has no head {token.head + 1}; expected 0 to {len(tokens)}"
            yield index, f"[head] {reason}"
        end = token.span.end


def shape_faults(tokens: Sequence[Token]) -> Iterator[tuple[int | None, str]]:
    """Yield why heads form no tree, with the index of a token if the fault is in one."""
    if (roots := sum(token.head is None for token in tokens)) != 1:
        yield None, f"[head] wrong number of roots; found {roots}, expected one"
    for index, token in enumerate(tokens):
        seen: set[int] = set()
        head = token.head
        while head is not None and head not in seen:
            seen.add(head)
            head = tokens[head].head
        if head is not None:
            yield index, f"[head] heads form a circle; found it above {token.form!r}, expected a tree"
    for index, token in enumerate(tokens):
        if (token.relation == "root") is not (token.head is None):
            yield (
                index,
                f"[relation] found {token.relation!r} of {token.form!r}, expected root for the word without a head only",
            )
