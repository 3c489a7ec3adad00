"""The form `tokens`: the text in words, with the target and the candidates as ranges of them."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from ...core.alignment import align
from ...core.errors import PipelineError, plural, shown
from ...core.model import Item, Span
from ...core.validation.rows import list_of, records_by_item, span_of, text_of
from ...core.validation.suite import Suite, Value
from ...language.questions import languages, question_table
from ...language.segmentation import cut
from ...statistics.boundaries import BoundaryAgreement, boundary_agreement
from ..mentions import own_mentions
from .corrections import Correction, require_items
from .form import DerivedForm, Form, Row, UnmadeItem, derived


def tokenised(items: Iterable[Item], corrections: Mapping[str, Correction]) -> DerivedForm:
    """Return each item in words: Jieba's for Chinese, those of spaCy's blank tokenizer for languages with blanks.

    A word is split where the target or a candidate's mention begins or ends in it. The target and the mentions are half-open
    ranges of token indices; a zero is an empty range before its token. Offsets are code points; blanks between tokens
    belong to no token.

    Raises:
        PipelineError: a correction no longer applies: its item is gone, or its text has changed.
    """
    all_items = list(items)
    require_items(corrections, {item.id for item in all_items})
    rows, unmade = [], []
    for item in all_items:
        try:
            rows.append(_row(item, corrections.get(item.id)))
        except ValueError as error:
            unmade.append(UnmadeItem("tokens", item.id, str(error)))
    return derived(rows, unmade)


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
            theirs[item.id] = correction.tokens
    return boundary_agreement(ours, theirs)


@cache
def _tokenizer(lang: str) -> Any:
    from ...language.spacy_parts import blank  # takes a second to load, and only languages with blanks need it

    return blank(lang).tokenizer


def _automatic(item: Item) -> list[Span]:
    """Return the spans of the words; raises `ValueError` for a language without a tokenizer."""
    if item.lang == "zh":
        return align(cut(item.text), item.text)
    if item.lang not in languages() or not question_table(item.lang).segmented:
        raise ValueError(f"[lang] no tokenizer; found {item.lang!r}, expected zh or a language written with blanks")
    return [Span(token.idx, token.idx + len(token)) for token in _tokenizer(item.lang)(item.text) if not token.is_space]


def _corrected(item: Item, correction: Correction) -> list[Span]:
    try:
        return align(correction.tokens, item.text)
    except ValueError as error:
        raise PipelineError(correction.path, correction.line, f"[tokens] no longer applies; {error}") from error


def _split(words: Iterable[Span], borders: Iterable[int]) -> list[Span]:
    """Return the words, each split at the borders that lie inside it."""
    cuts = sorted(set(borders))
    pieces = []
    for word in words:
        inside = cuts[bisect_right(cuts, word.start) : bisect_left(cuts, word.end)]
        pieces += [Span(*edges) for edges in zip([word.start, *inside], [*inside, word.end], strict=True)]
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


def _pair(value: object) -> tuple[int, int]:
    """Return two offsets; (-1, -1) if they are not two whole numbers."""
    pair = value if isinstance(value, list) and [type(offset) for offset in value] == [int, int] else (-1, -1)
    return pair[0], pair[1]


def tokens_are_the_text(value: Value) -> str:
    """Each token is the text at its offsets, in order, and there are only blanks between them."""
    text, tokens, offsets = text_of(value), list_of(value, "tokens", str), list_of(value, "offsets", list)
    if len(tokens) != len(offsets) or not tokens:
        return f"found {plural(len(tokens), 'token')} and {plural(len(offsets), 'offset')}"
    end = 0
    for token, offset in zip(tokens, offsets, strict=True):
        start, after = _pair(offset)
        if text[start:after] != token or not token or text[end:start].strip() or start < end:
            return f"found {token!r} at {offset}, expected {text[max(start, 0) : max(after, 0)]!r}"
        end = after
    return f"found no token for {text[end:]!r}" if text[end:].strip() else ""


def no_blank_in_a_token(value: Value) -> str:
    """No token has a blank in it."""
    odd = next((token for token in list_of(value, "tokens", str) if token.split() != [token]), None)
    return f"found {odd!r}" if odd is not None else ""


def ranges_in_tokens(value: Value) -> str:
    """The target and every mention of a candidate are ranges of tokens; only the target's may be empty."""
    count = len(list_of(value, "tokens", str))
    target = span_of(value)
    if target is None or target.end > count:
        return f"found target {value.get('target')!r} of {plural(count, 'token')}"
    candidates = list_of(value, "candidates", list)
    if not isinstance(value.get("candidates"), list) or len(candidates) != len(value["candidates"]) or not candidates:
        return f"found the candidates {shown(value.get('candidates'))}, expected a list of mentions for each"
    for mentions in candidates:
        for mention in mentions:
            start, end = _pair(mention)
            if not 0 <= start < end <= count:
                return f"found {mention!r} of {plural(count, 'token')}"
    return ""


def target_is_a_pronoun(value: Value) -> str:
    """The tokens of a Chinese target are a pronoun, or there are none (rows in Latin script do not say their language)."""
    span, tokens = span_of(value), list_of(value, "tokens", str)
    form = "".join(tokens[span.start : span.end]) if span else ""
    chinese = re.search("[\u3400-\u9fff]", text_of(value)) is not None
    if not form or not chinese or form in question_table("zh").pronouns:
        return ""
    return f"found {form!r}, expected a third-person pronoun"


TOKENS = Form(
    make=lambda items, options: tokenised(items, options.corrections),
    fields="`tokens` with their `offsets`; `target` and `candidates` are ranges of them",
    suite=Suite(
        "tokens",
        "items in words (JSON Lines)",
        records_by_item,
        {
            "tokens-are-the-text": tokens_are_the_text,
            "no-blank-in-a-token": no_blank_in_a_token,
            "ranges-in-tokens": ranges_in_tokens,
            "target-is-a-pronoun": target_is_a_pronoun,
        },
    ),
)
