"""Items in words, with the target and the candidates as ranges of them."""

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ...core.alignment import align
from ...core.errors import PipelineError
from ...core.files import parse_tsv, read_text
from ...core.model import Item, Span
from ...language.questions import languages, question_table
from ...language.segmentation import cut
from ...statistics.boundaries import Agreement, boundary_agreement
from ..mentions import own_mentions
from .derived import DerivedForm, Row, UnmadeItem, derived

COLUMNS = ("item", "tokens", "note")


@dataclass(frozen=True, slots=True)
class Correction:
    """The tokens of one item's text, and the place that says so; the blanks of the text belong to none of them."""

    item: str
    tokens: tuple[str, ...]
    path: Path
    line: int | None = None
    note: str = ""


def read_corrections(path: Path) -> dict[str, Correction]:
    """Return the corrections of a table by item.

    The columns are item, tokens (with one blank between two of them) and note. Whether they fit is told where they are
    applied.

    Raises:
        PipelineError: the table is malformed, or has an item twice.
    """
    corrections: dict[str, Correction] = {}
    for line, row in parse_tsv(read_text(path), path, COLUMNS):
        name, tokens = row["item"], tuple(row["tokens"].split(" "))
        if name in corrections:
            reason = f"[item] not unique; found {name!r} in line {corrections[name].line} too, expected each item once"
            raise PipelineError(path, line, reason)
        if any(token.split() != [token] for token in tokens):
            reason = (
                f"[tokens] no tokens; found {row['tokens'][:40]!r}, expected words with one blank between two of them"
            )
            raise PipelineError(path, line, reason)
        corrections[name] = Correction(name, tokens, path, line, row["note"])
    return corrections


def corrections_of(
    segmentation: Mapping[str, Sequence[str]], items: Iterable[str], path: Path
) -> dict[str, Correction]:
    """Return a published segmentation as corrections of those `items` that it has; `path` is where it was read."""
    return {name: Correction(name, tuple(segmentation[name]), path) for name in items if name in segmentation}


FORM = "tokens"


@cache
def _tokenizer(lang: str) -> Any:
    import spacy  # takes seconds, which only items in other languages are worth

    return spacy.blank(lang).tokenizer


def _automatic(item: Item) -> list[Span]:
    """Return the places of the words; raises `ValueError` where no tokenizer knows the language."""
    if item.lang == "zh":
        return align(cut(item.text), item.text)
    if item.lang not in languages() or not question_table(item.lang).segmented:
        raise ValueError(f"[lang] no tokenizer; found {item.lang!r}, expected zh or one of the languages with blanks")
    return [Span(token.idx, token.idx + len(token)) for token in _tokenizer(item.lang)(item.text) if not token.is_space]


def _corrected(item: Item, correction: Correction) -> list[Span]:
    try:
        return align(correction.tokens, item.text)
    except ValueError as error:
        raise PipelineError(correction.path, correction.line, f"[tokens] no longer applies; {error}") from error


def _split(words: Iterable[Span], borders: Iterable[int]) -> list[Span]:
    """Return the words with those that a border crosses split there."""
    cuts = sorted(set(borders))
    pieces = []
    for word in words:
        ends = [at for at in cuts if word.start < at < word.end]
        pieces += [Span(*ends_of) for ends_of in zip([word.start, *ends], [*ends, word.end], strict=True)]
    return pieces


def _row(item: Item, correction: Correction | None) -> Row:
    named = own_mentions(item)
    places = [item.target, *(span for spans in named for span in spans)]
    words = _corrected(item, correction) if correction else _automatic(item)
    tokens = _split(words, (at for span in places for at in (span.start, span.end)))
    starts = [token.start for token in tokens]

    def indices(span: Span) -> list[int]:
        return [bisect_left(starts, span.start), bisect_left(starts, span.end)]

    return {
        "item": item.id,
        "text": item.text,
        "tokens": [token.of(item.text) for token in tokens],
        "offsets": [[token.start, token.end] for token in tokens],
        "target": dict(zip(("start", "end"), indices(item.target), strict=True)),
        "candidates": [[indices(span) for span in spans] for spans in named],
        "corrected": correction is not None,
    }


def tokenised(items: Iterable[Item], corrections: Mapping[str, Correction]) -> DerivedForm:
    """Return each item in words, a row each: Jieba's for Chinese, spaCy's blank tokenizer's where blanks part words.

    A word that crosses a border of the target or of a candidate's mention is split there. The target and the mentions are
    half-open ranges of token indices; a zero is empty and stands before its token. Offsets are code points, and the blanks
    between tokens belong to none.

    Raises:
        PipelineError: a correction no longer applies: its item is gone, or its text has changed.
    """
    there = list(items)
    names = {item.id for item in there}
    for name, correction in corrections.items():
        if name not in names:
            reason = f"[item] no longer applies; found no item {name!r}, expected one of this collection"
            raise PipelineError(correction.path, correction.line, reason)
    rows, unmade = [], []
    for item in there:
        try:
            rows.append(_row(item, corrections.get(item.id)))
        except ValueError as error:
            unmade.append(UnmadeItem(FORM, item.id, str(error)))
    return derived(rows, unmade)


def agreement_with(items: Iterable[Item], corrections: Mapping[str, Correction]) -> Agreement:
    """Return how far the tokenizer, left to itself, agrees with the corrections (see `boundary_agreement`).

    Items without a correction, or in a language without a tokenizer, are passed over.
    """
    ours, theirs = {}, {}
    for item in items:
        if correction := corrections.get(item.id):
            try:
                ours[item.id] = [span.of(item.text) for span in _automatic(item)]
            except ValueError:
                continue
            theirs[item.id] = correction.tokens
    return boundary_agreement(ours, theirs)
