"""Items with other names: what must hold of each, beside what holds of an item."""

import re

from ...core.validation.rows import candidates_of, keyed, list_of, span_of, text_of, texts_of
from ...core.validation.suite import Suite, Value
from ...language import text_checks as texts
from ...language.questions import question_table
from .items import ITEM


def _names(value: Value) -> dict[str, str]:
    found = value.get("names")
    return {old: new for old, new in found.items() if isinstance(new, str)} if isinstance(found, dict) else {}


def _stands(name: str, text: str) -> bool:
    """Tell whether a name stands in a text, and not inside another word of Latin letters."""
    edge = "[A-Za-z]"
    before, after = (f"(?<!{edge})" if name[:1].isascii() else "", f"(?!{edge})" if name[-1:].isascii() else "")
    return re.search(f"{before}{re.escape(name)}{after}", text) is not None


def no_old_name(value: Value) -> str:
    """No old name is left in the text, the question or the candidates."""
    everything = "\n".join([text_of(value), text_of(value, "question"), *candidates_of(value)])
    left = next((old for old in _names(value) if _stands(old, everything)), "")
    return f"found {left!r}, expected {_names(value)[left]!r}" if left else ""


def new_names_used(value: Value) -> str:
    """Each new name stands in the text, the question or a candidate, and no two persons share one."""
    everything = "\n".join([text_of(value), text_of(value, "question"), *candidates_of(value)])
    names = _names(value)
    unused = next((new for new in names.values() if not _stands(new, everything)), "")
    if unused:
        return f"found no {unused!r} in the item"
    return "" if len(set(names.values())) == len(names) else f"found one name for two: {', '.join(names.values())}"


NAMES = Suite("names", "items with other names (JSON Lines)", keyed, {
    **ITEM,
    "no-old-name": no_old_name,
    "new-names-used": new_names_used,
})  # fmt: skip


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


def traditional_script(value: Value) -> str:
    """No simplified character is left: converting the text again changes nothing."""
    from ...language.script import script_table, to_simplified, to_traditional

    for text in [*texts_of(value, "text", "question"), *candidates_of(value)]:
        for one, other in zip(text, to_traditional(to_simplified(text)), strict=False):
            only_simplified = to_simplified(one) == one != to_traditional(one)
            if one != other and only_simplified and not script_table().named.fullmatch(one):  # 余 is a surname in both
                return f"found {one!r} in {text!r}, expected {to_traditional(one)!r}"
    return ""


def target_and_candidates_stand(value: Value) -> str:
    """The target is a pronoun in traditional script, or empty, and a candidate named in the text is so in its form."""
    span, text = span_of(value), text_of(value)
    if span is None or span.end > len(text):
        return f"found target {value.get('target')!r} in a text of {len(text)}"
    form = span.of(text)
    if form and form not in ("他", "她", "它", "牠", "他們", "她們", "它們"):
        return f"found {form!r}, expected a pronoun"
    lost = next((one for one in candidates_of(value) if one not in text and one.split("的")[-1] not in text), "")
    return f"found no {lost!r} in {text!r}" if lost else ""


def language_tag(value: Value) -> str:
    """The language is Chinese in traditional script."""
    return "" if value.get("lang") == "zh-Hant" else f"found {value.get('lang')!r}, expected 'zh-Hant'"


_TEXT = texts.checks("text", "question", "candidates", finished="text")


del _TEXT["simplified-script"]  # which this form must not have


TRADITIONAL = Suite("traditional", "items in traditional script (JSON Lines)", keyed, {
    "language-tag": language_tag,
    "traditional-script": traditional_script,
    "target-and-candidates-stand": target_and_candidates_stand,
    **_TEXT,
})  # fmt: skip
