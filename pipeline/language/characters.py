"""Characters of a language: letters of another script, look-alikes, and characters that Unicode does not assign."""

import re
import unicodedata
from functools import cache, lru_cache

from ..core.invisible import code_point

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
