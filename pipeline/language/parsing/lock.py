"""The parse lock: one committed tree for every sentence that holds a target."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...core.alignment import align
from ...core.errors import PipelineError
from ...core.files import read_text
from ...core.model import Item, Span
from ..segmentation import tag_of
from . import BACKENDS, BackendName
from .backend import Backend, Word
from .sentences import sentence_of, words
from .trees import Token, Tree, key_of, parse_trees

_MEND = "make parse, or winoforge parse with this lock"


@dataclass(frozen=True, slots=True)
class Lock:
    """The trees of a lock by the sha256 of their sentence, and the file they came from."""

    path: Path
    trees: Mapping[str, Tree]

    @property
    def parsers(self) -> list[str]:
        """The parsers that made its trees."""
        return sorted({tree.parser for tree in self.trees.values()})


@dataclass(frozen=True, slots=True)
class LocatedTarget:
    """A target in its sentence: the sentence's span in the item's text, its text, the target's span in it."""

    span: Span
    sentence: str
    target: Span


@dataclass(frozen=True, slots=True)
class LockUpdate:
    """A lock brought up to date: its trees in order of their keys, and how many were kept, parsed and dropped."""

    trees: tuple[Tree, ...]
    kept: int
    parsed: int
    dropped: int


def locate_sentence(item: Item) -> LocatedTarget:
    """Return the sentence of the item that holds its target."""
    span = sentence_of(item.text, item.target)
    target = Span(item.target.start - span.start, item.target.end - span.start)
    return LocatedTarget(span, span.of(item.text), target)


def targets_by_sentence(items: Iterable[Item]) -> dict[str, set[Span]]:
    """Return the sentences to be parsed, and in each the targets; an already unexpressed target needs no tree."""
    found: dict[str, set[Span]] = {}
    for item in items:
        if not item.already_zero:
            place = locate_sentence(item)
            found.setdefault(place.sentence, set()).add(place.target)
    return found


def read_lock(path: Path) -> Lock:
    """Return the lock of a CoNLL-U file; each sentence stands there once."""
    trees: dict[str, Tree] = {}
    for tree in parse_trees(read_text(path), path):
        if tree.key in trees:
            raise PipelineError(path, None, f"[sent_id] a sentence stands twice; found {tree.text!r}")
        trees[tree.key] = tree
    return Lock(path, trees)


def update(items: Iterable[Item], lock: Mapping[str, Tree], backend: Backend, *, afresh: bool = False) -> LockUpdate:
    """Return the lock that holds just the sentences of `items`, parsing those that it lacks.

    A tree counts as missing if another parser or model made it, or if a target is not one of its tokens.

    Args:
        items: the items whose targets the rules will judge.
        lock: what was parsed before.
        backend: the parser.
        afresh: parse everything again, so that the result shows what the parser gives today.
    """
    needs = targets_by_sentence(items)
    kept: dict[str, Tree] = {}
    missing: list[str] = []
    for sentence, targets in needs.items():
        tree = lock.get(key_of(sentence))
        fits = (
            tree is not None
            and tree.parser == backend.parser
            and all(tree.index_at(target) is not None for target in targets)
        )
        if tree is not None and fits and not afresh:
            kept[tree.key] = tree
        else:
            missing.append(sentence)
    segmented = [words(sentence, needs[sentence]) for sentence in missing]
    fresh = [
        Tree(sentence, backend.parser, _tokens(sentence, forms, backend_words))
        for sentence, forms, backend_words in zip(missing, segmented, backend.parse(segmented), strict=True)
    ]
    trees = kept | {tree.key: tree for tree in fresh}
    dropped = sum(key not in trees for key in lock)
    return LockUpdate(tuple(trees[key] for key in sorted(trees)), len(kept), len(fresh), dropped)


def _tokens(sentence: str, forms: list[str], parsed: Iterable[Word]) -> tuple[Token, ...]:
    return tuple(
        Token(form, span, upos, tag_of(form), None if head is None else head - 1, relation)
        for form, span, (upos, head, relation) in zip(forms, align(forms, sentence), parsed, strict=True)
    )


def tree_of(item: Item, lock: Lock) -> tuple[Tree, int]:
    """Return the tree of the item's sentence and the index of its target.

    Raises:
        PipelineError: if the lock has no such tree, or splits the target; it names the command that mends it.
    """
    place = locate_sentence(item)
    tree = lock.trees.get(key_of(place.sentence))
    if tree is None:
        raise PipelineError(lock.path, None, f"[{item.id}] no tree for {place.sentence!r}; run {_MEND}")
    index = tree.index_at(place.target)
    if index is None:
        raise PipelineError(
            lock.path, None, f"[{item.id}] the target is not one token of {place.sentence!r}; run {_MEND}"
        )
    return tree, index


def parse(
    items: Sequence[Item],
    backend: BackendName,
    lock: Path,
    *,
    model: Path | None = None,
    afresh: bool = False,
) -> LockUpdate:
    """Return the lock as it should be for the items.

    Args:
        items: the items, in their modified versions too.
        backend: the parser.
        lock: the trees of before; it need not exist.
        model: the parser's model; None for the one that comes with it.
        afresh: parse every sentence again.
    """
    for item in items:
        if item.lang != "zh":
            raise PipelineError(None, None, f"[lang] {item.id}: no parser for {item.lang!r}, expected 'zh'")
    return update(items, read_lock(lock).trees if lock.exists() else {}, BACKENDS[backend](model), afresh=afresh)
