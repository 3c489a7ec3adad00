"""Nodes of a sentence with empty nodes: the pronouns that were restored for the parser become empty."""

from collections.abc import Sequence
from dataclasses import dataclass

from ...core.model import Span
from ...language.parsing.trees import Token, Tree
from ..sentence import Sentence, Zero
from .parses import restored_spans

#: The relations of a zero by its form; the first one if the tree has none of them. A form without an entry keeps the tree's.
_RELATIONS = {
    "S": ("nsubj", "nsubj:pass", "nsubj:outer"),
    "O": ("obj", "iobj", "obl:patient", "obj:periph"),
    "Pa": ("nmod:poss",),
}
#: Universal relations that a pronoun can have; any other one of the tree becomes dep.
_OF_PRONOUNS = frozenset({"nsubj", "obj", "iobj", "obl", "nmod", "appos", "conj", "dislocated", "vocative"})
#: Relations that a word keeps if it depends on another word than in the tree.
_ANYWHERE = ("punct", "discourse")
#: The relation of a possessor in trees whose scheme has no nmod:poss.
_POSSESSOR = "det"


@dataclass(frozen=True, slots=True)
class Node:
    """A word or an empty node.

    Attributes:
        id: as CoNLL-U has it: 8, or 8.1 for the first empty node after the eighth word.
        head: the id of its head; 0 for the root.
        relation: its relation to its head.
        token: the word; None for an empty node.
        zero: the zero; None for a word.
        span: the span in the text without zeros; empty for an empty node.
    """

    id: str
    head: str
    relation: str
    token: Token | None
    zero: Zero | None
    span: Span


def nodes_of(sentence: Sentence, tree: Tree) -> list[Node]:
    """Return the nodes of a sentence in the order of the text.

    Args:
        sentence: the sentence, with a character at least besides its zeros.
        tree: the tree of its oracle, in which no token reaches over the border of a restored pronoun.

    A zero has the head and the relation of its pronoun in the tree; its form decides where the relation contradicts it. What
    depends on the pronoun depends on the pronoun's head then; if the pronoun is the root, the first word below becomes the root.
    """
    spans = restored_spans(sentence)
    owner = [_zero_at(token, spans) for token in tree.tokens]
    kept = [index for index, zero in enumerate(owner) if zero is None]
    heads = [_climbed(tree, owner, index) for index in range(len(tree.tokens))]
    root = _root(tree, kept, heads)
    ids = {index: str(number) for number, index in enumerate(kept, 1)}
    nodes: list[Node] = []
    for number, zero in enumerate(sentence.zeros):
        top = next((index for index, own in enumerate(owner) if own == number and _is_top(tree, owner, index)), None)
        above = None if top is None else heads[top]
        after = sum(tree.tokens[index].span.start < spans[number].start for index in kept)
        earlier = sum(node.id.startswith(f"{after}.") for node in nodes)
        relation = _relation(zero.form, "" if top is None else tree.tokens[top].relation)
        head = ids[root if above is None else above]
        nodes.append(Node(f"{after}.{earlier + 1}", head, relation, None, zero, Span(zero.place, zero.place)))
    for index in kept:
        token, above = tree.tokens[index], heads[index]
        head = "0" if index == root else ids[root if above is None else above]
        moved = above != token.head and token.relation not in _ANYWHERE
        relation = "root" if index == root else "dep" if moved else token.relation
        before = sum(span.length for span in spans if span.end <= token.span.start)
        span = Span(token.span.start - before, token.span.end - before)
        nodes.append(Node(ids[index], head, relation, token, None, span))
    return sorted(nodes, key=lambda node: tuple(map(int, node.id.split("."))))


def _root(tree: Tree, kept: Sequence[int], heads: Sequence[int | None]) -> int:
    """Return the root of the words: the tree's, or the first word below it that is no mark."""
    orphans = [index for index in kept if heads[index] is None]
    order = sorted(orphans, key=lambda index: (tree.tokens[index].head is not None, tree.tokens[index].upos == "PUNCT"))
    return order[0]


def _zero_at(token: Token, spans: Sequence[Span]) -> int | None:
    """Return the number of the zero whose pronoun a token is in."""
    return next(
        (number for number, span in enumerate(spans) if span.start <= token.span.start and token.span.end <= span.end),
        None,
    )


def _climbed(tree: Tree, owner: Sequence[int | None], index: int) -> int | None:
    """Return the nearest token above another one that is in no pronoun; None if there is none."""
    head = tree.tokens[index].head
    while head is not None and owner[head] is not None:
        head = tree.tokens[head].head
    return head


def _is_top(tree: Tree, owner: Sequence[int | None], index: int) -> bool:
    """Return whether the head of a token is outside the token's pronoun."""
    head = tree.tokens[index].head
    return head is None or owner[head] != owner[index]


def _relation(form: str, relation: str) -> str:
    if form in _RELATIONS:
        return relation if relation in _RELATIONS[form] else _RELATIONS[form][0]
    if relation == _POSSESSOR:
        return "nmod:poss"
    return relation if relation.partition(":")[0] in _OF_PRONOUNS else "dep"
