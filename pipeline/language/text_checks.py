"""Checks that hold of any text that a person reads: its characters, marks and blanks.

Each `check_…` function takes texts, with their language where that matters, and returns what is wrong with the first faulty one
(``found X, expected Y``), or an empty string. Its docstring is the expectation that pages show.
"""

import functools
import re
import unicodedata
from collections.abc import Callable, Iterable
from functools import cache, lru_cache

from ..core.invisible import INVISIBLE, code_point
from ..core.validation.rows import lang_of, list_of, text_of, texts_of
from ..core.validation.suite import Check, Value, described
from .doubled_words import doubled_word
from .personal_data import find_personal_data

#: Han characters: the unified ideographs with extensions, the iteration mark and the round zero; no radicals, no compatibility forms.
_HAN = "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0002f7ff\U00030000-\U000323af"
_LATIN = "A-Za-zªºÀ-ÖØ-öø-ɏ\u1e00-\u1eff"
#: Kana, and the full-width capitals of Japanese abbreviations (ＳＷＡＴ).
_KANA = "\uff21-\uff3a\u3041-\u3096\u3099-\u309f\u30a1-\u30fa\u30fc-\u30ff"
_CYRILLIC = "\u0400-\u052f"
#: Chinese in traditional script, of any region, of Taiwan and of Hong Kong; Chinese in both scripts.
TRADITIONAL = ("zh-Hant", "zh-Hant-TW", "zh-Hant-HK")
CHINESE = ("zh", *TRADITIONAL)
#: The letters of each language; Latin letters may stand in all of them, as in names.
_LETTERS = {
    "zh": re.compile(f"[{_HAN}{_LATIN}]"),
    **{lang: re.compile(f"[{_HAN}{_LATIN}]") for lang in TRADITIONAL},
    "ja": re.compile(f"[{_HAN}{_KANA}{_LATIN}]"),
    "ru": re.compile(f"[{_CYRILLIC}{_LATIN}]"),
    **{lang: re.compile(f"[{_LATIN}]") for lang in ("de", "en", "fr", "hu", "pt")},
}
#: What a text with words must have a letter of.
_OWN_LETTER = {
    "zh": re.compile(f"[{_HAN}]"),
    **{lang: re.compile(f"[{_HAN}]") for lang in TRADITIONAL},
    "ja": re.compile(f"[{_HAN}{_KANA}]"),
    "ru": re.compile(f"[{_CYRILLIC}]"),
}
_WORD = re.compile(r"[^\W\d_]+")
#: One letter of each of the scripts whose letters look alike.
_ALPHABETS = {
    "Latin": re.compile(f"[{_LATIN}]"),
    "Cyrillic": re.compile(f"[{_CYRILLIC}]"),
    "Greek": re.compile("[\u0370-\u03ff\u1f00-\u1fff]"),
}
#: Latin letters that look like a Russian word of one letter: а, в, к, о, с, у.
_LIKE_RUSSIAN = re.compile(r"\b[aokcyAOKCBY]\b")
#: Styled and joined forms of letters and digits (ﬁ, ℓ, ①, 𝐚), radicals instead of characters, letters of historic scripts.
_STYLED = re.compile(
    "[\u2100-\u214f\u2e80-\u2fdf\u2460-\u24ff\u2c00-\u2dff\ua640-\uabff\ufb00-\ufb06\ufb13-\ufdfb\ufe70-\ufefc\U0001d400-\U0001d7ff]"
)


#: Characters of Windows-1252 outside ASCII.
_WINDOWS = re.compile("[\xa1-\xff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]{2,}")


def _misread(text: str) -> str:
    """Return characters that are UTF-8 read as Windows-1252 (äºŒ for 二), or an empty text."""
    for characters in _WINDOWS.findall(text):
        try:
            return f"{characters!r}, which is {characters.encode('cp1252').decode('utf-8')!r} in another encoding"
        except UnicodeError:
            continue
    return ""


@lru_cache(maxsize=4096)
def unassigned(text: str) -> str:
    """Return the first character that the Unicode version of Python does not assign, or an empty text."""
    return next((character for character in text if unicodedata.category(character) == "Cn"), "")


@lru_cache(maxsize=4096)  # a text stands in several rows of a form
def foreign_letter(text: str, lang: str) -> str:
    """Return what is wrong with the letters of a text, or an empty text: another script, mixed scripts, a look-alike."""
    if text.isascii() and lang != "ru":
        return ""
    if styled := _STYLED.search(text):
        return f"{code_point(styled[0])} {styled[0]}"
    if misread := _misread(text):
        return misread
    for word in _WORD.findall(text):
        scripts = [script for script, letter in _ALPHABETS.items() if letter.search(word)]
        if len(scripts) > 1:
            return f"{word!r}, which mixes {' and '.join(scripts)} letters"
    if letters := _LETTERS.get(lang):
        for character in text:
            if unicodedata.category(character)[0] in "LM" and not letters.match(character):
                return f"{code_point(character)} {character}"
    if lang == "ru" and (match := _LIKE_RUSSIAN.search(text)):
        return f"the Latin letter {match[0]!r}"
    return next((f"{code_point(char)} {char}" for char in text if _of_another_language(char, lang)), "")


def lacks_own_script(text: str, lang: str) -> bool:
    """Return whether a text has words, but no letter that only its language's script has."""
    own = _OWN_LETTER.get(lang)
    return own is not None and any(character.isalpha() for character in text) and not own.search(text)


def _of_another_language(character: str, lang: str) -> bool:
    """Return whether a Han character is a form that only Japanese has (気, 歩), in a Chinese text."""
    from .script import to_simplified

    if character < "\u3400" or lang not in CHINESE or not _in("shift_jis", character):
        return False
    if _in("gb2312", character) or _in("big5hkscs" if lang == "zh-Hant-HK" else "big5", character):
        return False
    return lang == "zh" or to_simplified(character) == character  # OpenCC writes 爲 and 麪, which Big5 has not


@cache
def _in(charset: str, character: str) -> bool:
    """Return whether a national character set has a character."""
    try:
        character.encode(charset)
    except UnicodeEncodeError:
        return False
    return True


#: The characters beside which marks and blanks are checked.
_NEAR = "\u3400-\u9fff"
_FULL_WIDTH_MARKS = "，。、；：？！“”「」『』（）《》"
#: Half-width punctuation and mark-up next to a Chinese character; between digits or Latin letters it is right (4:00).
_MARKS = re.escape(",?!;:()\"'*/\\<>^`~-")
_HALF_WIDTH = re.compile(f"[{_NEAR}][.{_MARKS}]|[{_MARKS}][{_NEAR}]")
#: Full-width letters and digits, and marks that are half-width, small or vertical.
_FULL_WIDTH_WORD = re.compile("[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\uff61-\uff65\ufe10-\ufe19\ufe30-\ufe6f]")
#: A blank between two characters of Chinese or Japanese.
_BLANK_WITHIN = re.compile(f"[{_NEAR}{_FULL_WIDTH_MARKS}] [{_NEAR}{_FULL_WIDTH_MARKS}]")
#: Half of a Chinese ellipsis.
_HALF_ELLIPSIS = re.compile("(?<!…)…(?:……)*(?!…)")
#: What an author or a merge left: a reminder, a character that could not be read, the mark of a conflict.
_REMINDER = re.compile(r"(?<![A-Za-z])(?:TODO|FIXME|XXX)(?![A-Za-z])|�|(?m:^(?:<{7}|>{7})(?= |$))")
_PLACEHOLDER = re.compile(rf"\$[A-Z_]+|[{{}}\[\]|]|</?[A-Za-z]+>|https?://|{_REMINDER.pattern}")
#: Symbols that texts use as words.
_SYMBOLS_OF_TEXTS = "°½¼¾©®�〇"
#: Special spaces that a language's typography asks for: in French beside high punctuation, in Japanese after ？ and ！.
_OWN_BLANKS = {
    "fr": re.compile("(?<=«)[\u00a0\u202f]|[\u00a0\u202f](?=[?!:;»])"),
    "ja": re.compile("(?<=[？！])\u3000(?=.)"),
}
#: Closing marks by their opening ones; not ‘ and ’, which is an apostrophe too.
_CLOSING = {"“": "”", "「": "」", "『": "』", "（": "）", "《": "》", "«": "»", "(": ")", "【": "】", "〈": "〉"}
#: Marks that close what the mark before opened, with nothing in between.
_EMPTY = ("“”", "「」", "『』", "（）", "《》", "«»", "()", "【】", "〈〉")
#: Two marks of which only one can be meant; not …, —, ?! and an abbreviation's point before a comma.
_DOUBLED = re.compile(
    r"[，。、；：,;:]{2,}|[，。、；：,][.！？!?]|[.！？][，。、；：]|(?<!\.)\.\.(?!\.)|([！？!?])\1|·{2,}|““|””"
)
#: Marks that close or part something, and so cannot begin a text.
_LEADING = re.compile("[，。、；：！？,.;:?!)）」』”》»】〉·]")
_ENDS = "。！？…”’\"'!?.）)」』»"


#: Takes texts and their language, or an empty text where it does not matter.
TextCheck = Callable[[Iterable[str], str], str]


def has_words(text: str) -> bool:
    """Return whether a text has a letter or a digit.

    >>> has_words("了。"), has_words("。")
    (True, False)
    """
    return any(character.isalnum() for character in text)


def _of_each_text(fault: Callable[[str, str], str]) -> TextCheck:
    """Return the check of texts that returns the first fault of one of them."""

    @functools.wraps(fault)
    def check(texts: Iterable[str], lang: str) -> str:
        return next(filter(None, (fault(text, lang) for text in texts)), "")

    return check


@_of_each_text
def check_doubled_words(text: str, lang: str) -> str:
    """No word twice by mistake (the the, 的的).

    >>> check_doubled_words(["The ox sank in the the mud."], "en")
    "found 'the the' in 'The ox sank in the the mud.', expected each word once"
    >>> check_doubled_words(["She gave her her book in Bora Bora."], "en")
    ''
    """
    twice = doubled_word(text, lang)
    return f"found {twice!r} in {text!r}, expected each word once" if twice else ""


@_of_each_text
def check_invisible(text: str, _: str) -> str:
    """No invisible character."""
    match = INVISIBLE.search(text)
    return f"found {code_point(match[0])} in {text!r}, expected visible characters only" if match else ""


@_of_each_text
def check_composed(text: str, _: str) -> str:
    """Unicode's composed form (NFC)."""
    if unicodedata.normalize("NFC", text) == text:
        return ""
    odd = next(char for char in text if unicodedata.normalize("NFC", char) != char or unicodedata.combining(char))
    return f"found {code_point(odd)} in {text!r}, expected Unicode form NFC"


@_of_each_text
def check_blanks(text: str, lang: str) -> str:
    """Single blanks, none at the ends."""
    own = _OWN_BLANKS.get(lang)
    foreign = own.sub("", text) if own else text
    if text != text.strip() or "  " in text or re.search(r"[^\S ]", foreign):
        return f"found {text!r}, expected single blanks, and none at the ends"
    if lang.startswith(("zh", "ja")) and _BLANK_WITHIN.search(text):
        return f"found {text!r}, expected no blank between characters"
    return ""


@_of_each_text
def check_marks(text: str, lang: str) -> str:
    """Chinese has full-width marks and half-width letters."""
    if not lang.startswith("zh"):
        return ""
    if match := _HALF_WIDTH.search(text) or _FULL_WIDTH_WORD.search(text):
        return f"found {match[0]!r} in {text!r}, expected full-width marks and half-width letters"
    return f"found '…' in {text!r}, expected ……" if _HALF_ELLIPSIS.search(text) else ""


@_of_each_text
def check_quotations(text: str, _: str) -> str:
    """Quotation marks and brackets close in the order in which they open."""
    if "„" in text:  # Hungarian closes with ”; other languages close with “, which opens in English
        opened, closed = text.count("„"), text.count("“") + text.count("”")
        if opened != closed:
            return f"found {opened} „ and {closed} “ or ” in {text!r}"
    elif reason := _nesting(text):
        return f"found {reason} in {text!r}"
    if text.count('"') % 2:
        return f"found an odd number of quotation marks in {text!r}"
    nothing = next((pair for pair in _EMPTY if pair in text), None)
    return f"found {nothing} in {text!r}, expected something between the marks" if nothing else ""


def _nesting(text: str) -> str:
    """Return the first quotation mark or bracket without a partner, with what was expected, or an empty text."""
    expected: list[str] = []
    for character in text:
        if character in _CLOSING:
            expected.append(_CLOSING[character])
        elif expected and character == expected[-1]:
            expected.pop()
        elif character in _CLOSING.values():
            return f"{character}, expected {expected[-1] if expected else 'an opening mark before it'}"
    return f"no {expected[-1]}, expected one" if expected else ""


@_of_each_text
def check_doubled_marks(text: str, _: str) -> str:
    """No two marks of which only one can be meant (。。)."""
    match = _DOUBLED.search(text)
    return f"found {match[0]!r} in {text!r}, expected one mark" if match else ""


@_of_each_text
def check_leading_marks(text: str, _: str) -> str:
    """No text begins with a mark that closes or parts something."""
    return f"found {text[0]!r} at the start of {text!r}, expected a word" if _LEADING.match(text) else ""


@_of_each_text
def check_symbols(text: str, _: str) -> str:
    """No emoji or other symbol, no digit of another script, no numeral as one character (Ⅳ, ²)."""
    for character in text:
        if character.isascii() or character.isalpha() or character in _SYMBOLS_OF_TEXTS:
            continue
        symbol = unicodedata.category(character) in ("So", "Sk", "Nl", "No")
        if symbol or (character.isdecimal() and not _FULL_WIDTH_WORD.match(character)):
            return f"found {code_point(character)} {character} in {text!r}, expected no symbol"
    return ""


@_of_each_text
def check_assigned(text: str, _: str) -> str:
    """No character that Unicode does not assign."""
    character = unassigned(text)
    return f"found {code_point(character)} in {text!r}, expected characters that Unicode assigns" if character else ""


@_of_each_text
def check_letters(text: str, lang: str) -> str:
    """Letters of the language's script: none of another one, no look-alike, no word of two scripts."""
    odd = foreign_letter(text, lang)
    return f"found {odd} in {text!r}, expected letters of one script, that of the language" if odd else ""


@_of_each_text
def check_placeholders(text: str, _: str) -> str:
    """No placeholder is left."""
    match = _PLACEHOLDER.search(text)
    return f"found {match[0]!r} in {text!r}, expected no placeholder" if match else ""


@_of_each_text
def check_reminders(text: str, _: str) -> str:
    """No reminder to the author is left in remarks, which may have brackets."""
    match = _REMINDER.search(text)
    return f"found {match[0]!r} in {text!r}, expected no reminder" if match else ""


@_of_each_text
def check_personal_data(text: str, _: str) -> str:
    """No address, telephone number, identity number or folder of a person.

    >>> check_personal_data(["Ask 13812345678.", "by A. Miller, 2026"], "")
    "found '13812345678' in 'Ask 13812345678.', expected nothing that tells who a person is"
    >>> check_personal_data(["他用手机打了30分钟。"], "")
    ''
    """
    part = next(iter(find_personal_data(text, certain=True)), None)
    return (
        f"found {text[part.start : part.end]!r} in {text!r}, expected nothing that tells who a person is"
        if part
        else ""
    )


@_of_each_text
def check_script(text: str, lang: str) -> str:
    """Chinese is in simplified script."""
    from .script import to_simplified

    for char, simplified in zip(text, to_simplified(text) if lang == "zh" else "", strict=False):
        if char != simplified:
            return f"found {char!r} in {text!r}, expected simplified script ({simplified!r})"
    return ""


def lang_of_texts(texts: Iterable[str]) -> str:
    """Return the language of a row that does not say it: zh for Chinese characters with few kana, otherwise an empty text."""
    text = "".join(texts)
    chinese, kana = len(re.findall(f"[{_NEAR}]", text)), len(re.findall("[\u3041-\u30fa]", text))
    return "zh" if chinese and kana * 4 < chinese else ""


def checks(
    *fields: str,
    finished: str = "",
    named: tuple[str, ...] = (),
    plain: tuple[str, ...] = (),
    lang: Callable[[Value], str] = lang_of,
) -> dict[str, Check]:
    """Return the checks of this module by expectation id, for the text fields of a record.

    Args:
        fields: fields that hold a text or a list of texts; the invisible characters of the id are checked too.
        finished: a field that must also end like a sentence.
        named: fields that may be names only, in the letters of any language.
        plain: fields of no language, such as a source: only their characters are checked.
        lang: gives the language of a record.
    """

    def texts(value: Value, *names: str) -> list[str]:
        return [*texts_of(value, *names), *(text for field in names for text in list_of(value, field, str))]

    def own(value: Value) -> list[str]:
        return texts(value, *fields, *named)

    def every(value: Value) -> list[str]:
        return [*own(value), *texts(value, "id", *plain)]

    def script(value: Value) -> str:
        code = lang(value)
        if odd := next((text for text in texts(value, *fields) if lacks_own_script(text, code)), ""):
            return f"found no letter of the language in {odd!r}"
        return check_letters(own(value), code) or check_letters(texts(value, "id", *plain), "")

    def placeholders(value: Value) -> str:
        return check_placeholders(own(value), "") or check_reminders(texts(value, *plain), "")

    def of_texts(check: TextCheck, of: Callable[[Value], list[str]] = own) -> Check:
        return described((check.__doc__ or "").partition("\n")[0], lambda value: check(of(value), lang(value)))

    by_id = {
        "no-invisible-character": of_texts(check_invisible, every),
        "no-unassigned-character": of_texts(check_assigned, every),
        "composed-unicode": of_texts(check_composed, every),
        "script-of-language": described(check_letters.__doc__ or "", script),
        "single-blanks": of_texts(check_blanks),
        "full-width-marks": of_texts(check_marks),
        "simplified-script": of_texts(check_script),
        "closed-quotations": of_texts(check_quotations),
        "no-doubled-mark": of_texts(check_doubled_marks),
        "no-leading-mark": of_texts(check_leading_marks),
        "no-doubled-word": of_texts(check_doubled_words),
        "no-symbol": of_texts(check_symbols),
        "no-placeholder": described(check_placeholders.__doc__ or "", placeholders),
    }
    if finished:
        by_id["finished-sentence"] = described(
            "The text ends like a sentence.", lambda value: _check_end(text_of(value, finished))
        )
    return by_id


def _check_end(text: str) -> str:
    text = text.rstrip()  # `check_blanks` reports a blank at the end
    return "" if text and text[-1] in _ENDS else f"found {text[-6:]!r} at the end, expected a mark that ends a sentence"
