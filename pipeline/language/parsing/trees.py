"""Dependency trees as CoNLL-U, with the span of every token in the sentence."""

import hashlib
import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import conllu
from conllu.exceptions import ParseException

from ...core.errors import PipelineError
from ...core.model import Span

_RANGE = "TokenRange"
#: The parts of speech of Universal Dependencies; spaCy raises for others.
UPOS = frozenset({
    "ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM", "PART", "PRON", "PROPN", "PUNCT", "SCONJ", "SYM", "VERB", "X",
})  # fmt: skip
#: The relations of Universal Dependencies, with the subtypes that Chinese treebanks and our parsers use.
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

    `upos` is the parser's tag. `xpos` is the tag of the segmenter's dictionary, the same for every parser: a second opinion on
    verbs, where small parsers make most errors.
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
        end = 0
        for token in self.tokens:
            if token.span.start < end or token.span.of(self.text) != token.form:
                raise ValueError(f"[{_RANGE}] token {token.form!r} is not at {token.span} of {self.text!r}")
            if token.head is not None and not 0 <= token.head < len(self.tokens):
                raise ValueError(f"[head] token {token.form!r} has no head {token.head + 1}")
            end = token.span.end

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


def _tree(sentence: conllu.TokenList) -> Tree:
    for name in ("text", "parser"):
        if not sentence.metadata.get(name):
            raise ValueError(f"[{name}] missing comment; expected '# {name} = …'")
    tokens = []
    for row in sentence:
        if not isinstance(row["id"], int):
            raise ValueError(f"[id] not a plain word; found {row['id']}, expected whole numbers")
        start, _, end = ((row["misc"] or {}).get(_RANGE) or "").partition(":")
        if not (start.isdecimal() and end.isdecimal()):
            raise ValueError(
                f"[{_RANGE}] missing range of token {row['form']!r}; expected start:end in the last column"
            )
        tokens.append(
            Token(
                form=row["form"],
                span=Span(int(start), int(end)),
                upos="" if row["upos"] in (None, "_") else row["upos"],
                xpos="" if row["xpos"] in (None, "_") else row["xpos"],
                head=row["head"] - 1 if row["head"] else None,
                relation=row["deprel"] or "",
            )
        )
    _check_shape(tokens)
    return Tree(sentence.metadata["text"], sentence.metadata["parser"], tuple(tokens))


def _check_shape(tokens: Sequence[Token]) -> None:
    """Check that heads form a tree and parts of speech are universal tags."""
    if (roots := sum(token.head is None for token in tokens)) != 1:
        raise ValueError(f"[head] wrong number of roots; found {roots}, expected one")
    for token in tokens:
        if token.upos and token.upos not in UPOS:
            raise ValueError(f"[upos] unknown tag; found {token.upos!r} for {token.form!r}, expected a universal tag")
        seen: set[int] = set()
        head = token.head
        while head is not None and head < len(tokens):
            if head in seen:
                raise ValueError(f"[head] heads form a circle; found it above {token.form!r}, expected a tree")
            seen.add(head)
            head = tokens[head].head


def parse_trees(text: str, path: Path) -> list[Tree]:
    """Return the trees of a CoNLL-U text whose tokens have a ``TokenRange`` and whose sentences name their parser.

    Raises:
        PipelineError: with the first line of the first malformed sentence.
    """
    trees: list[Tree] = []
    line = 1
    for block in text.split("\n\n"):
        if block.strip():
            try:
                trees += map(_tree, conllu.parse(f"{block.strip(chr(10))}\n\n"))
            except (ParseException, ValueError, TypeError, KeyError) as error:
                raise PipelineError(path, line + len(block) - len(block.lstrip("\n")), f"[conllu] {error}") from error
        line += block.count("\n") + 2
    return trees
