"""Items in words: what must hold of each."""

import re

from ...core.validation.rows import keyed
from ...core.validation.suite import Suite, Value
from ...core.validation.values import list_of, span_of, text_of
from ...language.questions import question_table


def tokens_are_the_text(value: Value) -> str:
    """Each token is the text at its offsets, in order, and only blanks are between them."""
    text, tokens, offsets = text_of(value), list_of(value, "tokens", str), list_of(value, "offsets", list)
    if len(tokens) != len(offsets) or not tokens:
        return f"found {len(tokens)} tokens and {len(offsets)} offsets"
    end = 0
    for token, offset in zip(tokens, offsets, strict=True):
        start, after = offset if len(offset) == 2 else (-1, -1)
        if text[start:after] != token or not token or text[end:start].strip() or start < end:
            return f"found {token!r} at {offset}, expected {text[max(start, 0) : max(after, 0)]!r}"
        end = after
    return f"found no token for {text[end:]!r}" if text[end:].strip() else ""


def no_blank_in_a_token(value: Value) -> str:
    """No token has a blank in it."""
    odd = next((one for one in list_of(value, "tokens", str) if one.split() != [one]), None)
    return f"found {odd!r}" if odd is not None else ""


def ranges_in_tokens(value: Value) -> str:
    """The target and every mention of a candidate are ranges of tokens; only the target's may be empty."""
    count = len(list_of(value, "tokens", str))
    target = span_of(value)
    if target is None or target.end > count:
        return f"found target {value.get('target')!r} of {count} tokens"
    for mentions in list_of(value, "candidates", list):
        for one in mentions:
            if not (isinstance(one, list) and len(one) == 2 and 0 <= one[0] < one[1] <= count):
                return f"found {one!r} of {count} tokens"
    return ""


def target_is_a_pronoun(value: Value) -> str:
    """The tokens of a Chinese target are a pronoun, or it is empty; rows in Latin letters do not tell their language."""
    span, tokens = span_of(value), list_of(value, "tokens", str)
    form = "".join(tokens[span.start : span.end]) if span else ""
    chinese = re.search("[\u3400-\u9fff]", text_of(value)) is not None
    if not form or not chinese or form in question_table("zh").pronouns:
        return ""
    return f"found {form!r}, expected a third-person pronoun"


TOKENS = Suite("tokens", "items in words (JSON Lines)", keyed, {
    "tokens-are-the-text": tokens_are_the_text,
    "no-blank-in-a-token": no_blank_in_a_token,
    "ranges-in-tokens": ranges_in_tokens,
    "target-is-a-pronoun": target_is_a_pronoun,
})  # fmt: skip
