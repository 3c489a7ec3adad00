"""Trees of sentences with zeros: parsed with the pronouns restored, and cut where zeros and mentions begin and end."""

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from pathlib import Path

from ...core.errors import PipelineError, shown
from ...core.model import Span
from ...language.parsing import BACKENDS, BackendName
from ...language.parsing.lock import Lock, LockUpdate, present_trees, renew
from ...language.parsing.sentences import words
from ...language.parsing.trees import Tree, key_of
from ..pronouns import translation_table
from ..sentence import Sentence
from .links import LinkedDocument, LinkedSentence


def restored_spans(sentence: Sentence) -> list[Span]:
    """Return the span of each zero's pronoun in the oracle, in the order of the zeros."""
    spans, shift = [], 0
    for zero in sentence.zeros:
        spans.append(Span(zero.place + shift, zero.place + shift + len(zero.pronoun)))
        shift += len(zero.pronoun)
    return spans


def in_oracle(span: Span, sentence: Sentence) -> Span:
    """Return the span of some words of the text in the oracle; a zero before their first character stays outside."""
    before = sum(len(zero.pronoun) for zero in sentence.zeros if zero.place <= span.start)
    inside = sum(len(zero.pronoun) for zero in sentence.zeros if span.start < zero.place < span.end)
    return Span(span.start + before, span.end + before + inside)


def _parts(sentence: Sentence) -> list[Span]:
    """Return the spans in the oracle that are one word each: 他 and 的 of the zero <他的>_Pa."""
    pronoun_of = translation_table().pronoun_of
    parts = []
    for zero, span in zip(sentence.zeros, restored_spans(sentence), strict=True):
        middle = span.start + len(pronoun_of.get(zero.pronoun, zero.pronoun))
        parts += [part for part in (Span(span.start, middle), Span(middle, span.end)) if part.length]
    return parts


def _borders(sentence: LinkedSentence) -> set[int]:
    """Return the places in the oracle where a word must begin or end."""
    spans = [*_parts(sentence.sentence), *(in_oracle(span, sentence.sentence) for span, _ in sentence.mentions)]
    return {place for span in spans for place in (span.start, span.end)}


def _segmented(text: str, whole: Iterable[Span], borders: Iterable[int]) -> list[str]:
    """Return the words of a text with a boundary at each border, and none inside a span of `whole` but these."""
    kept = [*whole]
    forms: list[str] = []
    for start, end in pairwise(sorted({0, *borders, len(text)})):
        one_word = any(span.start <= start and end <= span.end for span in kept)
        forms += text[start:end].split() if one_word else words(text[start:end])
    return forms


def _has_borders(tree: Tree, borders: Iterable[int]) -> bool:
    """Return whether no token reaches over a border."""
    return not any(token.span.start < place < token.span.end for place in borders for token in tree.tokens)


def renew_trees(
    documents: Iterable[LinkedDocument],
    backend: BackendName,
    lock: Path,
    *,
    track: Callable[[Sequence[str]], Iterable[str]] = iter,
) -> LockUpdate:
    """Return the updated lock for the sentences of some documents; see `language.parsing.lock.parse`."""
    whole: dict[str, set[Span]] = {}
    borders: dict[str, set[int]] = {}
    for sentence in (sentence for document in documents for sentence in document.sentences):
        oracle = sentence.sentence.oracle
        whole.setdefault(oracle, set()).update(_parts(sentence.sentence))
        borders.setdefault(oracle, set()).update(_borders(sentence))
    return renew(
        borders,
        present_trees(lock, backend),
        BACKENDS[backend](None),
        segment=lambda text: _segmented(text, whole[text], borders[text]),
        fits=lambda tree: _has_borders(tree, borders[tree.text]),
        track=track,
    )


def tree_of(sentence: LinkedSentence, lock: Lock) -> Tree:
    """Return the tree of a sentence with its pronouns restored, in which no token reaches over the border of a zero or a mention."""
    oracle = sentence.sentence.oracle
    tree = lock.trees.get(key_of(oracle))
    if tree is None:
        raise PipelineError(lock.path, None, f"[{sentence.id}] no tree for {shown(oracle)}; run winoforge zp parse")
    if not _has_borders(tree, _borders(sentence)):
        reason = f"a token reaches over the border of a zero or mention in {shown(oracle)}; run winoforge zp parse"
        raise PipelineError(lock.path, None, f"[{sentence.id}] {reason}")
    return tree
