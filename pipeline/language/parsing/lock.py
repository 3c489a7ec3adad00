"""The parse lock: a committed tree for every sentence with a target, so that a build needs no parser."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...core.alignment import align
from ...core.errors import PipelineError
from ...core.files import read_text
from ...core.model import Item, Span
from ..languages import language_of, parsed_languages
from .backends import BACKENDS, Backend, BackendName, Word
from .trees import Token, Tree, key_of, parse_trees

#: What a message tells the user to run.
_REPAIR = "make parse, or winoforge parse with this lock"


@dataclass(frozen=True, slots=True)
class Lock:
    """The trees of a lock by the sha256 of their sentence, and the file of the lock."""

    path: Path
    trees: Mapping[str, Tree]

    @property
    def parsers(self) -> list[str]:
        """The names of the parsers of its trees."""
        return sorted({tree.parser for tree in self.trees.values()})


@dataclass(frozen=True, slots=True)
class LocatedTarget:
    """A target in its sentence: the span of the sentence in the item, its text, the span of the target in the sentence."""

    span: Span
    sentence: str
    target: Span


@dataclass(frozen=True, slots=True)
class LockUpdate:
    """An updated lock: its trees in order of their keys, and the numbers of trees kept, parsed and dropped."""

    trees: tuple[Tree, ...]
    kept: int
    parsed: int
    dropped: int


def locate_sentence(item: Item) -> LocatedTarget:
    """Return the sentence of the item that holds its target."""
    span = language_of(item.lang).sentence_of(item.text, item.target)
    target = Span(item.target.start - span.start, item.target.end - span.start)
    return LocatedTarget(span, span.of(item.text), target)


def targets_by_sentence(items: Iterable[Item]) -> dict[str, set[Span]]:
    """Return the sentences to parse, each with its targets; a target that is a zero already needs no tree."""
    sentences: dict[str, set[Span]] = {}
    for item in items:
        if not item.already_zero:
            place = locate_sentence(item)
            sentences.setdefault(place.sentence, set()).add(place.target)
    return sentences


def read_lock(path: Path) -> Lock:
    """Return the lock of a CoNLL-U file; raises `PipelineError` if it has a sentence twice."""
    trees: dict[str, Tree] = {}
    for tree in parse_trees(read_text(path), path, keyed=True):
        if tree.key in trees:
            raise PipelineError(path, None, f"[sent_id] sentence not unique; found {tree.text!r} twice")
        trees[tree.key] = tree
    return Lock(path, trees)


def read_locks(paths: Sequence[Path]) -> list[Lock]:
    """Return the locks of several parsers, the deciding one first; two of one parser are refused, whose decisions could not differ."""
    locks: list[Lock] = []
    for path in paths:
        lock = read_lock(path)
        if len(lock.parsers) > 1:
            reason = f"[parser] trees of several parsers; found {', '.join(lock.parsers)}, expected one; run {_REPAIR}"
            raise PipelineError(path, None, reason)
        for before in locks:
            if before.path.resolve() == path.resolve():
                raise PipelineError(path, None, "[parses] lock given twice; expected a lock of another parser")
            if same := sorted({*before.parsers} & {*lock.parsers}):
                reason = f"[parses] parser given twice; found {same[0]} in {before.path} too, expected another parser"
                raise PipelineError(path, None, reason)
        locks.append(lock)
    return locks


def update(
    items: Iterable[Item],
    lock: Mapping[str, Tree],
    backend: Backend,
    *,
    afresh: bool = False,
    track: Callable[[Sequence[str]], Iterable[str]] = iter,
) -> LockUpdate:
    """Return the lock with exactly the sentences of `items`, whose targets the rules will judge; see `renew`.

    A tree counts as missing if a target is not one of its tokens.
    """
    all_items = list(items)
    language = language_of(all_items[0].lang if all_items else "")
    needs = targets_by_sentence(all_items)
    return renew(
        needs,
        lock,
        backend,
        segment=lambda sentence: language.words(sentence, needs[sentence]),
        tag=language.tag,
        fits=lambda tree: all(tree.index_at(target) is not None for target in needs[tree.text]),
        afresh=afresh,
        track=track,
    )


def renew(
    sentences: Iterable[str],
    lock: Mapping[str, Tree],
    backend: Backend,
    *,
    segment: Callable[[str], list[str]],
    tag: Callable[[str], str] | None,
    fits: Callable[[Tree], bool],
    afresh: bool = False,
    track: Callable[[Sequence[str]], Iterable[str]] = iter,
) -> LockUpdate:
    """Return the lock with exactly some sentences, each given once; missing trees are parsed, with `afresh` all of them.

    Args:
        sentences: the sentences.
        lock: the trees of the present lock.
        backend: the parser; a tree by another one, or by another model, counts as missing.
        segment: returns the words of a sentence.
        tag: returns the XPOS of a word; None if the parser gives it.
        fits: tells whether a tree of the present lock has the words that are needed; if not, it counts as missing.
        afresh: whether to parse all sentences.
        track: passes the sentences through as they are parsed, to show how far it is.
    """
    kept: dict[str, Tree] = {}
    missing: list[str] = []
    for sentence in sentences:
        tree = lock.get(key_of(sentence))
        if tree is not None and tree.parser == backend.parser and fits(tree) and not afresh:
            kept[tree.key] = tree
        else:
            missing.append(sentence)
    segmented = [segment(sentence) for sentence in missing]
    fresh = [
        Tree(sentence, backend.parser, _tokens(sentence, forms, backend_words, tag))
        for sentence, forms, backend_words in zip(track(missing), segmented, backend.parse(segmented), strict=True)
    ]
    trees = kept | {tree.key: tree for tree in fresh}
    dropped = sum(key not in trees for key in lock)
    return LockUpdate(tuple(trees[key] for key in sorted(trees)), len(kept), len(fresh), dropped)


def _tokens(
    sentence: str, forms: list[str], parsed: Iterable[Word], tag: Callable[[str], str] | None
) -> tuple[Token, ...]:
    return tuple(
        Token(form, span, upos, tag(form) if tag else xpos, None if head is None else head - 1, relation)
        for form, span, (upos, head, relation, xpos) in zip(forms, align(forms, sentence), parsed, strict=True)
    )


def tree_of(item: Item, lock: Lock) -> tuple[Tree, int]:
    """Return the tree of the item's sentence and the index of its target, which must be one token.

    Raises:
        PipelineError: the lock has no such tree or token; the message names the command that repairs it.
    """
    place = locate_sentence(item)
    tree = lock.trees.get(key_of(place.sentence))
    if tree is None:
        raise PipelineError(lock.path, None, f"[{item.id}] no tree for {place.sentence!r}; run {_REPAIR}")
    index = tree.index_at(place.target)
    if index is None:
        raise PipelineError(
            lock.path, None, f"[{item.id}] the target is not one token of {place.sentence!r}; run {_REPAIR}"
        )
    return tree, index


def parse(
    items: Sequence[Item],
    backend: BackendName,
    lock: Path,
    *,
    model: Path | None = None,
    afresh: bool = False,
    track: Callable[[Sequence[str]], Iterable[str]] = iter,
) -> LockUpdate:
    """Return the updated lock for the items and their modified versions; the file of the present lock need not exist. See `renew`."""
    for item in items:
        parsers = language_of(item.lang).parsers
        if item.lang not in parsed_languages() or item.lang != items[0].lang:
            expected = " or ".join(map(repr, parsed_languages()))
            reason = f"[lang] no parser for the language of {item.id}; found {item.lang!r}, expected {expected}"
            raise PipelineError(None, None, f"{reason}, and one language a lock")
        if backend not in parsers:
            reason = f"[backend] no parser of this language; found {backend!r} for {item.lang!r}"
            raise PipelineError(None, None, f"{reason}, expected {' or '.join(parsers)}")
    return update(items, present_trees(lock, backend), BACKENDS[backend](model), afresh=afresh, track=track)


def present_trees(lock: Path, backend: BackendName) -> Mapping[str, Tree]:
    """Return the trees of a lock that a parser is to update; none if there is no such file."""
    present = read_lock(lock) if lock.exists() else Lock(lock, {})
    others = [parser for parser in present.parsers if parser.partition("/")[0] != backend]
    if others:
        reason = f"[parser] lock of another parser; found {', '.join(others)}, expected {backend}"
        raise PipelineError(lock, None, f"{reason}: give each parser a lock of its own, or remove this one first")
    return present.trees
