"""The form `tokens`: the text in words, with the target and the candidates as ranges of them."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, partial
from itertools import chain, groupby
from typing import Any

from ...core.alignment import align
from ...core.convert import to_object
from ...core.errors import PipelineError
from ...core.model import Item, Span
from ...language.languages import language_of
from ...language.names import person_of, transliterated_names
from ...language.questions import languages, question_table
from ...language.segmentation import by_standard, parts_of, standard_words, word_standard
from ...statistics.agreement import BoundaryAgreement, boundary_agreement
from ..mentions import own_mentions
from ..zero_forms import zero_form
from .form import Correction, DerivedForm, Form, Row, derive_each

_HAN = re.compile("[\u3400-\u9fff]+")
#: Maximum number of words of one text that are compared with one word of another text.
_PARTS = 4


def tokenised(items: Iterable[Item], corrections: Mapping[str, Correction]) -> DerivedForm:
    """Return each item in words: Jieba's for Chinese, those of spaCy's blank tokenizer for languages with blanks.

    Chinese words, Jieba's as well as corrected ones, follow the standard of `word_standard`. A word is split where the target or
    a candidate's mention begins or ends in it. The target and the mentions are half-open ranges of token indices; a zero is an
    empty range before its token. Offsets are code points; blanks between tokens belong to no token.

    Raises:
        PipelineError: a correction no longer applies because the text of its item has changed.
    """
    return derive_each("tokens", items, lambda item: [_row(item, corrections.get(item.id))])


def agreement_with(items: Iterable[Item], corrections: Mapping[str, Correction]) -> BoundaryAgreement:
    """Return how far the tokenizer alone agrees with the corrections (see `boundary_agreement`).

    Items without a correction, or in a language without a tokenizer, are ignored.
    """
    ours, theirs = {}, {}
    for item in items:
        if correction := corrections.get(item.id):
            try:
                ours[item.id] = [span.of(item.text) for span in _automatic(item)]
            except ValueError:
                continue
            theirs[item.id] = [span.of(item.text) for span in _corrected(item, correction)]
    return boundary_agreement(ours, theirs)


@cache
def _tokenizer(lang: str) -> Any:
    from ...language.spacy_parts import blank  # takes a second to load, and only languages with blanks need it

    return blank(lang).tokenizer


def _automatic(item: Item) -> list[Span]:
    """Return the spans of the words; raises `ValueError` for a language without a tokenizer."""
    if item.lang == "zh":
        return align(standard_words(item.text, whole_names(item.candidates)), item.text)
    if item.lang not in languages() or not question_table(item.lang).segmented:
        raise ValueError(f"[lang] no tokenizer; found {item.lang!r}, expected zh or a language written with blanks")
    return [Span(token.idx, token.idx + len(token)) for token in _tokenizer(item.lang)(item.text) if not token.is_space]


def _corrected(item: Item, correction: Correction) -> list[Span]:
    try:
        spans = align(correction.tokens, item.text)
    except ValueError as error:
        raise PipelineError(correction.path, correction.line, f"[tokens] no longer applies; {error}") from error
    if item.lang != "zh":
        return spans
    names, words = whole_names(item.candidates), list[str]()
    for _, stretch in groupby(spans, partial(_blanks_before, item.text)):
        words += by_standard([span.of(item.text) for span in stretch], names)
    return align(words, item.text)


def _blanks_before(text: str, span: Span) -> int:
    return sum(map(str.isspace, text[: span.start]))


def _row(item: Item, correction: Correction | None) -> Row:
    named = own_mentions(item)
    left_out = language_of(item.lang).omission(item.text, item.target)
    places = [item.target, left_out, *(span for spans in named for span in spans)]
    words = _corrected(item, correction) if correction else _automatic(item)
    borders = [at for span in places for at in (span.start, span.end)]
    tokens = standard_pieces(words, borders, item.text) if item.lang == "zh" else split_words(words, borders)
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


def whole_names(candidates: Iterable[str]) -> list[str]:
    """Return the candidates that are one word: names of people, and nouns of two characters; of possessors and pairs, the names.

    >>> whole_names(["苏明远", "黑牛", "那个顾客", "玛丽·居里的丈夫"])
    ['苏明远', '黑牛', '玛丽·居里']
    """
    names = [name for name in candidates if _HAN.fullmatch(name) and (len(name) == 2 or person_of(name) is not None)]
    return names + transliterated_names(candidates)


def standard_pieces(words: Iterable[Span], borders: Iterable[int], text: str) -> list[Span]:
    """Return the words of a Chinese text, split at the borders, each piece in the words of the standard."""
    pieces = [piece.of(text) for piece in split_words(words, borders)]
    return align([part for piece in pieces for part in parts_of(piece)], text)


def split_words(words: Iterable[Span], borders: Iterable[int]) -> list[Span]:
    """Return the words, each split at the borders that lie inside it."""
    cuts = sorted(set(borders))
    pieces = []
    for word in words:
        inside = cuts[bisect_right(cuts, word.start) : bisect_left(cuts, word.end)]
        pieces += [Span(*edges) for edges in zip([word.start, *inside], [*inside, word.end], strict=True)]
    return pieces


def two_cuts(rows: Iterable[Row]) -> Iterator[tuple[str, str]]:
    """Yield the item and the reason for each row that has in parts what another row has as one word.

    Corrections by hand may cut one string in two ways. Words listed as ambiguous may be cut in two ways, and any word is where the
    target or a mention begins or ends.
    """
    all_rows, words = list(rows), dict[str, str]()
    for row in all_rows:
        for token in row["tokens"]:
            if len(token) > 1 and _HAN.fullmatch(token):
                words.setdefault(token, row["item"])
    for row in all_rows:
        tokens = row["tokens"]
        borders = {*row["target"].values(), *chain.from_iterable(chain.from_iterable(row["candidates"]))}
        pieces = (
            (start, end)
            for start in range(len(tokens))
            for end in range(start + 2, min(start + _PARTS, len(tokens)) + 1)
            if borders.isdisjoint(range(start + 1, end))
        )
        for start, end in pieces:
            whole = "".join(tokens[start:end])
            if whole in words and whole not in word_standard().table.ambiguous:
                yield (
                    row["item"],
                    f"cut in two ways; found {'/'.join(tokens[start:end])}, expected {whole} as in {words[whole]}",
                )
                break


def zero_of_tokens(row: Row, item: Item) -> Row:
    """Return a row in words with Ø as the one token of its target, and without any: only the target changes, with its particle."""
    offsets, words = row["offsets"], Span(row["target"]["start"], row["target"]["end"])
    edges = [*(start for start, _ in offsets), len(row["text"])]
    start = edges[words.start]
    target = Span(start, offsets[words.end - 1][1] if words.length else start)
    form, left_out = zero_form(row["text"], target, item.lang), language_of(item.lang).omission(row["text"], target)
    words = Span(words.start, bisect_left(edges, left_out.end))
    return {
        **_replace_target(row, words, left_out, form.text_zero, form.zero, "zero"),
        **_replace_target(row, words, left_out, form.text_dropped, form.dropped, "dropped"),
    }


def _replace_target(row: Row, words: Span, target: Span, text: str, new: Span, name: str) -> Row:
    """Return the fields of a text in which the words of the target are one word, or none."""
    own = [[new.start, new.end]] if new.length else []
    longer, further = new.length - target.length, len(own) - words.length
    offsets = [
        *row["offsets"][: words.start],
        *own,
        *([start + longer, end + longer] for start, end in row["offsets"][words.end :]),
    ]

    def move(start: int, end: int) -> list[int]:
        return [start + further, end + further] if start >= words.end else [start, end]

    return {
        f"text_{name}": text,
        f"tokens_{name}": [text[start:end] for start, end in offsets],
        f"offsets_{name}": offsets,
        name: to_object(Span(words.start, words.start + len(own))),
        f"candidates_{name}": [[move(*place) for place in places] for places in row["candidates"]],
    }


TOKENS = Form(
    "tokens",
    lambda items, options: tokenised(items, options.corrections),
    "`tokens` with their `offsets`; `target` and `candidates` are ranges of them",
    zero=zero_of_tokens,
)
