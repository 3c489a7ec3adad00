"""What must hold of any text that a person reads, whatever record it stands in."""

import re
import unicodedata
from collections.abc import Iterable

from ..core.invisible import INVISIBLE, code_point
from ..core.validation.rows import lang_of, list_of, text_of, texts_of
from ..core.validation.suite import Check, Value, described

_HAN = "\u3400-\u9fff"
#: A Western mark that touches a Chinese character; between digits or Latin letters it is at home (4:00).
_HALF_WIDTH = re.compile(f"[{_HAN}][,.?!;:()]|[,?!;:()][{_HAN}]")
_FULL_WIDTH_WORD = re.compile("[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]")
_PLACEHOLDER = re.compile(r"\$[A-Z_]+|[{}\[\]|]|\bTODO\b|�")
#: Blanks that are at home in a language: French parts high marks from their word, Japanese a sentence from its exclamation.
_OWN_BLANKS = {
    "fr": re.compile("(?<=«)[\u00a0\u202f]|[\u00a0\u202f](?=[?!:;»])"),
    "ja": re.compile("(?<=[？！])\u3000(?=.)"),
}
_PAIRS = (("“", "”"), ("「", "」"), ("『", "』"), ("（", "）"), ("《", "》"), ("«", "»"), ("(", ")"))
_ENDS = "。！？…”’\"'!?.）)」』»"


def unseen(texts: Iterable[str]) -> str:
    """Return what is wrong with texts that hold an invisible character."""
    for text in texts:
        if match := INVISIBLE.search(text):
            return f"found {code_point(match[0])} in {text!r}, expected visible characters only"
    return ""


def normal(texts: Iterable[str]) -> str:
    """Return what is wrong with texts that are not in Unicode's composed form (NFC)."""
    for text in texts:
        if unicodedata.normalize("NFC", text) != text:
            odd = next(one for one in text if unicodedata.normalize("NFC", one) != one or unicodedata.combining(one))
            return f"found U+{ord(odd):04X} in {text!r}, expected Unicode form NFC"
    return ""


def spaced(texts: Iterable[str], lang: str) -> str:
    """Return what is wrong with the blanks of texts: at an end, doubled, other than U+0020, or between Chinese characters."""
    own = _OWN_BLANKS.get(lang)
    for text in texts:
        foreign = own.sub("", text) if own else text
        if text != text.strip() or "  " in text or re.search(r"[^\S ]", foreign):
            return f"found {text!r}, expected single blanks, and none at the ends"
        if lang.startswith(("zh", "ja")) and re.search(f"[{_HAN}，。] [{_HAN}]", text):
            return f"found {text!r}, expected no blank between characters"
    return ""


def punctuated(texts: Iterable[str], lang: str) -> str:
    """Return what is wrong with the marks of texts: a half-width mark beside a Chinese character, a full-width letter."""
    if not lang.startswith("zh"):
        return ""
    for text in texts:
        if match := _HALF_WIDTH.search(text) or _FULL_WIDTH_WORD.search(text):
            return f"found {match[0]!r} in {text!r}, expected full-width marks and half-width letters"
    return ""


def quoted(texts: Iterable[str]) -> str:
    """Return what is wrong with texts whose quotation marks or brackets do not close."""
    for text in texts:
        # Hungarian opens low and closes as English does, others close with the mark that opens in English.
        marks = text.replace("“", "”").replace("„", "“") if "„" in text else text
        for opening, closing in _PAIRS:
            if (opened := marks.count(opening)) != (closed := marks.count(closing)):
                return f"found {opened} {opening} and {closed} {closing} in {text!r}"
        if text.count('"') % 2:
            return f"found an odd number of quotation marks in {text!r}"
    return ""


def _finished(text: str) -> str:
    """Return what is wrong with a text that does not end like a sentence."""
    text = text.rstrip()  # a blank at the end is what `spaced` finds
    return "" if text and text[-1] in _ENDS else f"found {text[-6:]!r} at the end, expected a mark that ends a sentence"


def filled(texts: Iterable[str]) -> str:
    """Return what is wrong with texts in which something was to be filled in."""
    for text in texts:
        if match := _PLACEHOLDER.search(text):
            return f"found {match[0]!r} in {text!r}, expected nothing left to fill in"
    return ""


def simplified(texts: Iterable[str], lang: str) -> str:
    """Return what is wrong with Chinese texts that hold a traditional character."""
    from .script import to_simplified

    if lang != "zh":
        return ""
    for text in texts:
        for one, other in zip(text, to_simplified(text), strict=False):
            if one != other:
                return f"found {one!r} in {text!r}, expected simplified script ({other!r})"
    return ""


def checks(*fields: str, finished: str = "") -> dict[str, Check]:
    """Return the checks of this module over the fields of a record; of one field also that it is a finished sentence."""

    def of(value: Value) -> list[str]:
        return [*texts_of(value, *fields), *(text for field in fields for text in list_of(value, field, str))]

    found = {
        "no-unseen-character": described(
            "No character that nobody can see.", lambda value: unseen([*of(value), *texts_of(value, "id")])
        ),
        "composed-unicode": described("Unicode's composed form (NFC).", lambda value: normal(of(value))),
        "single-blanks": described("Single blanks, none at the ends.", lambda value: spaced(of(value), lang_of(value))),
        "full-width-marks": described(
            "Chinese has full-width marks and half-width letters.", lambda value: punctuated(of(value), lang_of(value))
        ),
        "simplified-script": described(
            "Chinese is in simplified script.", lambda value: simplified(of(value), lang_of(value))
        ),
        "closed-quotations": described("Quotation marks and brackets close.", lambda value: quoted(of(value))),
        "nothing-to-fill-in": described("No placeholder is left.", lambda value: filled(of(value))),
    }
    if finished:
        found["finished-sentence"] = described(
            "The text ends like a sentence.", lambda value: _finished(text_of(value, finished))
        )
    return found
