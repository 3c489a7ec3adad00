"""Checks that hold of any text that a person reads.

Each `check_…` function takes texts and returns what is wrong with the first faulty one (``found X, expected Y``), or an empty
string.
"""

import re
import unicodedata
from collections.abc import Iterable

from ..core.invisible import INVISIBLE, code_point
from ..core.validation.rows import lang_of, list_of, text_of, texts_of
from ..core.validation.suite import Check, Value, described

_HAN = "\u3400-\u9fff"
#: Half-width punctuation next to a Chinese character; between digits or Latin letters it is right (4:00).
_HALF_WIDTH = re.compile(f"[{_HAN}][,.?!;:()]|[,?!;:()][{_HAN}]")
_FULL_WIDTH_WORD = re.compile("[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]")
_PLACEHOLDER = re.compile(r"\$[A-Z_]+|[{}\[\]|]|\bTODO\b|�")
#: Special spaces that a language's typography asks for: in French beside high punctuation, in Japanese after ？ and ！.
_OWN_BLANKS = {
    "fr": re.compile("(?<=«)[\u00a0\u202f]|[\u00a0\u202f](?=[?!:;»])"),
    "ja": re.compile("(?<=[？！])\u3000(?=.)"),
}
_PAIRS = (("“", "”"), ("「", "」"), ("『", "』"), ("（", "）"), ("《", "》"), ("«", "»"), ("(", ")"))
_ENDS = "。！？…”’\"'!?.）)」』»"


def has_words(text: str) -> bool:
    """Return whether a text has a letter or a digit.

    >>> has_words("了。"), has_words("。")
    (True, False)
    """
    return any(character.isalnum() for character in text)


def check_invisible(texts: Iterable[str]) -> str:
    """Check that no text holds an invisible character."""
    for text in texts:
        if match := INVISIBLE.search(text):
            return f"found {code_point(match[0])} in {text!r}, expected visible characters only"
    return ""


def check_composed(texts: Iterable[str]) -> str:
    """Check that texts are in Unicode's composed form (NFC)."""
    for text in texts:
        if unicodedata.normalize("NFC", text) != text:
            odd = next(
                char for char in text if unicodedata.normalize("NFC", char) != char or unicodedata.combining(char)
            )
            return f"found {code_point(odd)} in {text!r}, expected Unicode form NFC"
    return ""


def check_blanks(texts: Iterable[str], lang: str) -> str:
    """Check the blanks of texts: none at the ends, none doubled, none but U+0020, none between Chinese characters."""
    own = _OWN_BLANKS.get(lang)
    for text in texts:
        foreign = own.sub("", text) if own else text
        if text != text.strip() or "  " in text or re.search(r"[^\S ]", foreign):
            return f"found {text!r}, expected single blanks, and none at the ends"
        if lang.startswith(("zh", "ja")) and re.search(f"[{_HAN}，。] [{_HAN}]", text):
            return f"found {text!r}, expected no blank between characters"
    return ""


def check_marks(texts: Iterable[str], lang: str) -> str:
    """Check that Chinese texts have no half-width mark next to a Chinese character and no full-width letter or digit."""
    if not lang.startswith("zh"):
        return ""
    for text in texts:
        if match := _HALF_WIDTH.search(text) or _FULL_WIDTH_WORD.search(text):
            return f"found {match[0]!r} in {text!r}, expected full-width marks and half-width letters"
    return ""


def check_quotations(texts: Iterable[str]) -> str:
    """Check that quotation marks and brackets close."""
    for text in texts:
        # Hungarian opens with „ and closes with ”; other languages open with „ and close with “, which opens in English.
        marks = text.replace("“", "”").replace("„", "“") if "„" in text else text
        for opening, closing in _PAIRS:
            if (opened := marks.count(opening)) != (closed := marks.count(closing)):
                return f"found {opened} {opening} and {closed} {closing} in {text!r}"
        if text.count('"') % 2:
            return f"found an odd number of quotation marks in {text!r}"
    return ""


def check_placeholders(texts: Iterable[str]) -> str:
    """Check that no placeholder is left in texts."""
    for text in texts:
        if match := _PLACEHOLDER.search(text):
            return f"found {match[0]!r} in {text!r}, expected no placeholder"
    return ""


def check_script(texts: Iterable[str], lang: str) -> str:
    """Check that texts in simplified Chinese hold no traditional character."""
    from .script import to_simplified

    if lang != "zh":
        return ""
    for text in texts:
        for char, simplified in zip(text, to_simplified(text), strict=False):
            if char != simplified:
                return f"found {char!r} in {text!r}, expected simplified script ({simplified!r})"
    return ""


def checks(*fields: str, finished: str = "") -> dict[str, Check]:
    """Return the checks of this module by expectation id, for the text fields of a record.

    Args:
        fields: fields that hold a text or a list of texts; the invisible characters of the id are checked too.
        finished: a field that must also end like a sentence.
    """

    def texts(value: Value) -> list[str]:
        return [*texts_of(value, *fields), *(text for field in fields for text in list_of(value, field, str))]

    by_id = {
        "no-invisible-character": described(
            "No invisible character.", lambda value: check_invisible([*texts(value), *texts_of(value, "id")])
        ),
        "composed-unicode": described("Unicode's composed form (NFC).", lambda value: check_composed(texts(value))),
        "single-blanks": described(
            "Single blanks, none at the ends.", lambda value: check_blanks(texts(value), lang_of(value))
        ),
        "full-width-marks": described(
            "Chinese has full-width marks and half-width letters.",
            lambda value: check_marks(texts(value), lang_of(value)),
        ),
        "simplified-script": described(
            "Chinese is in simplified script.", lambda value: check_script(texts(value), lang_of(value))
        ),
        "closed-quotations": described(
            "Quotation marks and brackets close.", lambda value: check_quotations(texts(value))
        ),
        "no-placeholder": described("No placeholder is left.", lambda value: check_placeholders(texts(value))),
    }
    if finished:
        by_id["finished-sentence"] = described(
            "The text ends like a sentence.", lambda value: _check_end(text_of(value, finished))
        )
    return by_id


def _check_end(text: str) -> str:
    text = text.rstrip()  # `check_blanks` reports a blank at the end
    return "" if text and text[-1] in _ENDS else f"found {text[-6:]!r} at the end, expected a mark that ends a sentence"
