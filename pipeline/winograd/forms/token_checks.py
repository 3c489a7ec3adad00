"""The checks of the form `tokens`: words, offsets, and the ranges of the target and of the candidates."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain, pairwise, zip_longest
from pathlib import Path

from ...core.alignment import align
from ...core.errors import plural, shown
from ...core.model import Span
from ...core.validation.contract import ID, SPAN, TEXT, TRUTH, WHOLE_NUMBER, contract
from ...core.validation.contract import list_of as listed
from ...core.validation.rows import list_of, records_by_item, span_of, text_of
from ...core.validation.suite import Row, Value
from ...language.names import person_of
from ...language.questions import question_table
from ...language.text_checks import has_words
from ...language.word_standard import parts_of, standard_words, word_standard
from .checks import ADDED, mated, pair_checks, text_checks
from .zero_fields import OF_TOKENS

#: Key that the reader of rows adds: whether nearly all items of the file mention both candidates.
NAMED = "@named"
#: Key that the reader of rows adds: a string that another row of the file has as one word, and this one in parts.
CUTS = "@cuts"
#: Maximum number of words of this row that are compared with one word of another one.
_PARTS = 4
_HAN = re.compile("[\u3400-\u9fff]+")
#: Largest share of items with a candidate that is described, not named, in a collection that names its candidates.
_UNNAMED = 0.02


def token_rows(paths: Sequence[Path]) -> list[Row]:
    """Return a row for each item; its value also says whether nearly all items of its file mention both candidates."""
    rows: list[Row] = []
    for path in paths:
        items = records_by_item([path])
        unnamed = sum(not all(list_of(item.value, "candidates", list)) for item in items)
        named = unnamed <= max(1, _UNNAMED * len(items))
        words = _words(items)
        rows += [
            replace(item, value={**item.value, NAMED: named, CUTS: _cut_in_two_ways(item.value, words)})
            for item in items
        ]
    return rows


def whole_names(candidates: Iterable[str]) -> list[str]:
    """Return the candidates that are one word: names of people, and nouns of two characters.

    >>> whole_names(["苏明远", "黑牛", "那个顾客"])
    ['苏明远', '黑牛']
    """
    return [name for name in candidates if _HAN.fullmatch(name) and (len(name) == 2 or person_of(name) is not None)]


def standard_pieces(words: Iterable[Span], borders: Iterable[int], text: str) -> list[Span]:
    """Return the words of a Chinese text, split at the borders, each piece in the words of the standard."""
    pieces = [piece.of(text) for piece in split_words(words, borders)]
    return align([part for piece in pieces for part in parts_of(piece)], text)


def _words(rows: Iterable[Row]) -> dict[str, str]:
    """Return the Chinese words of at least two characters, with the first item that has each."""
    words: dict[str, str] = {}
    for row in rows:
        for token in list_of(row.value, "tokens", str):
            if len(token) > 1 and _HAN.fullmatch(token):
                words.setdefault(token, row.id)
    return words


def _cut_in_two_ways(value: Value, words: Mapping[str, str]) -> str:
    """Return the first words of a row that are one word in another row, unless the target or a mention parts them."""
    tokens, borders = list_of(value, "tokens", str), _borders(value)
    for start in range(len(tokens)):
        for end in range(start + 2, min(start + _PARTS, len(tokens)) + 1):
            whole = "".join(tokens[start:end])
            parted = not borders.isdisjoint(range(start + 1, end))
            if whole in words and not parted and whole not in word_standard().ambiguous:
                return f"found {'/'.join(tokens[start:end])}, but {whole} in {words[whole]}"
    return ""


def _borders(value: Value) -> set[int]:
    """Return the tokens at which the target and the mentions begin and end."""
    target = span_of(value)
    mentions = chain.from_iterable(list_of(value, "candidates", list))
    pairs = [*map(_pair, mentions), *([(target.start, target.end)] if target else [])]
    return set(chain.from_iterable(pairs))


def one_cut(value: Value) -> str:
    """A string is cut one way throughout the file, unless it is listed as ambiguous."""
    return text_of(value, CUTS)


def split_words(words: Iterable[Span], borders: Iterable[int]) -> list[Span]:
    """Return the words, each split at the borders that lie inside it."""
    cuts = sorted(set(borders))
    pieces = []
    for word in words:
        inside = cuts[bisect_right(cuts, word.start) : bisect_left(cuts, word.end)]
        pieces += [Span(*edges) for edges in zip([word.start, *inside], [*inside, word.end], strict=True)]
    return pieces


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


def _mentions(value: Value) -> list[list[str]]:
    """Return the words of each mention of each candidate; none if a mention lies outside the tokens."""
    text, offsets = text_of(value), value["offsets"]
    if not all(0 <= start < end <= len(offsets) for start, end in chain(*value["candidates"])):
        return []
    return [
        [text[offsets[start][0] : offsets[end - 1][1]] for start, end in mentions] for mentions in value["candidates"]
    ]


def candidates_mentioned(value: Value) -> str:
    """If nearly all items of the file mention both candidates, each does."""
    empty = [number for number, mentions in enumerate(value["candidates"]) if not mentions]
    return f"found no mention of candidate {empty[0]}" if empty and value[NAMED] else ""


def mentions_spell_candidates(value: Value) -> str:
    """A candidate is mentioned by the same words everywhere, in order, and not by those of the other one."""
    for mentions, ranges in zip(_mentions(value), value["candidates"], strict=False):
        if len(set(mentions)) > 1:
            return f"found {' and '.join(sorted(set(mentions)))} as mentions of one candidate, expected one name"
        if ranges != sorted(ranges) or any(first[1] > second[0] for first, second in pairwise(ranges)):
            return f"found the mentions {shown(ranges)}, expected them in order, each once"
        if mentions and not has_words(mentions[0]):
            return f"found the mark {mentions[0]!r} as a candidate"
    names = _names(value)
    return f"found {names[0]!r} as both candidates" if len(names) == 2 and names[0] == names[1] else ""


def every_mention_listed(value: Value) -> str:
    """Each place where whole words of the text spell a candidate is a mention of it, unless it is part of the other one."""
    text, offsets = text_of(value), value["offsets"]
    starts = {start: number for number, (start, _) in enumerate(offsets)}
    ends = {end: number + 1 for number, (_, end) in enumerate(offsets)}
    known = [mention for mentions in value["candidates"] for mention in mentions]
    for spelt, mentions in zip(_mentions(value), value["candidates"], strict=False):
        for match in re.finditer(re.escape(spelt[0]), text) if spelt else ():
            place = [starts.get(match.start(), -1), ends.get(match.end(), -1)]
            inside = any(start <= place[0] and place[1] <= end for start, end in known)
            if -1 not in place and place not in mentions and not inside:
                return f"found no mention at the tokens {place}, expected one of {spelt[0]!r}"
    return ""


def target_beside_mentions(value: Value) -> str:
    """The target is no part of a mention."""
    target = span_of(value)
    for mentions in value["candidates"]:
        for start, end in mentions:
            if target and start < target.end and target.start < end:
                return f"found the target at {shown(value['target'])} inside the mention {shown([start, end])}"
    return ""


def automatic_tokens(value: Value) -> str:
    """The tokens of a Chinese text that nobody corrected are the tokenizer's, split at the target and at the mentions."""
    text = text_of(value)
    if value["corrected"] or not re.search("[\u3400-\u9fff]", text):
        return ""
    offsets = value["offsets"]
    if len(offsets) != len(value["tokens"]) or ranges_in_tokens(value):
        return ""
    ranges = [[value["target"]["start"], value["target"]["end"]], *chain(*value["candidates"])]
    ends = [*(start for start, _ in offsets), len(text)]
    borders = [ends[edge] for pair in ranges for edge in pair]
    names = whole_names(name for mentions in _mentions(value) for name in mentions)
    expected = [token.of(text) for token in standard_pieces(align(standard_words(text, names), text), borders, text)]
    if value["tokens"] == expected:
        return ""
    at = next(at for at, pair in enumerate(zip_longest(value["tokens"], expected)) if pair[0] != pair[1])
    return f"found {shown(value['tokens'][at : at + 2])} at token {at}, expected {shown(expected[at : at + 2])}"


def target_is_a_pronoun(value: Value) -> str:
    """The tokens of a Chinese target are a pronoun, or there are none (rows in Latin script do not say their language)."""
    span, tokens = span_of(value), list_of(value, "tokens", str)
    form = "".join(tokens[span.start : span.end]) if span else ""
    chinese = re.search("[\u3400-\u9fff]", text_of(value)) is not None
    if not form or not chinese or form in question_table("zh").pronouns:
        return ""
    return f"found {form!r}, expected a third-person pronoun"


def _names(value: Value) -> list[str]:
    return [mentions[0] for mentions in _mentions(value) if mentions]


_CONTRACT = contract(
    "An item in words",
    {
        "item": ID,
        "text": TEXT,
        "tokens": listed(TEXT),
        "offsets": listed(listed(WHOLE_NUMBER, 2)),
        "target": SPAN,
        "candidates": listed(listed(listed(WHOLE_NUMBER, 2)), 2),
        "corrected": TRUTH,
    },
    OF_TOKENS,
    ignored=(*ADDED, NAMED, CUTS),
)

ROWS = mated(token_rows, _CONTRACT)
CHECKS = {
    "contract": _CONTRACT,
    "tokens-are-the-text": tokens_are_the_text,
    "no-blank-in-a-token": no_blank_in_a_token,
    "ranges-in-tokens": ranges_in_tokens,
    "candidates-mentioned": candidates_mentioned,
    "mentions-spell-candidates": mentions_spell_candidates,
    "every-mention-listed": every_mention_listed,
    "target-beside-mentions": target_beside_mentions,
    "target-is-a-pronoun": target_is_a_pronoun,
    "automatic-tokens": automatic_tokens,
    "one-cut": one_cut,
    **pair_checks(None, _names, text_of),
    **text_checks("text", finished="text"),
}
