"""Items in traditional script: what must hold of each."""

from ...core.validation.rows import keyed
from ...core.validation.suite import Suite, Value
from ...core.validation.values import candidates_of, span_of, text_of, texts_of
from ...language import text_checks as texts


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
