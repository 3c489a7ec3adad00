"""Find what tells who somebody is in the remarks of raters: addresses, telephone numbers, accounts, links."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

#: Domains that a link without ``http`` ends in.
_TOP = "com|org|net|edu|gov|info|io|app|cn|tw|hk|de|at|ch|uk|eu|fr|us|jp"
_HOST = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,62})"
_URL = r"[A-Za-z0-9._~:/?#@!$&'()*+,;=%-]"
#: What is looked for, in this order; where two overlap, the first counts. Every repetition is bounded, so that the time is
#: proportional to the length of the text.
_PATTERNS: Mapping[str, re.Pattern[str]] = {
    "e-mail address": re.compile(
        rf"(?<![A-Za-z0-9._%+-])[A-Za-z0-9._%+-]{{1,64}} ?(?:[@＠]|[(\[（]at[)\]）]) ?{_HOST}(?:\.{_HOST}){{1,6}}",
        re.IGNORECASE,
    ),
    "link": re.compile(
        rf"(?:https?://|www\.){_URL}{{1,2000}}|(?<![A-Za-z0-9.@-])(?:{_HOST}\.){{1,5}}(?:{_TOP})(?![A-Za-z0-9-])(?:/{_URL}{{0,2000}})?",
        re.IGNORECASE,
    ),
    "account": re.compile(
        r"(?:微信|企鹅|扣扣|QQ|WeChat|VX|Telegram|WhatsApp|Skype|Weibo|微博)(?:号码|号|账号|ID|群)?\s?(?:是|为|[:：=])?\s?@?"
        r"[A-Za-z0-9][A-Za-z0-9_-]{4,30}",
        re.IGNORECASE,
    ),
    # At least seven digits, three of them together, with up to two signs between two; no date and no span of years.
    "number": re.compile(
        r"(?<![\d.,-])(?!(?:1[5-9]|20)\d\d ?[-–—/.年] ?(?:\d\d?[-–—/.月]\d\d?|(?:1[5-9]|20)\d\d)(?!\d))"
        r"(?=[+\d ()（）/–-]{0,24}\d{3})[+(（]{0,2}\d(?:[ ()（）/–-]{0,2}\d){6,18}[Xx]?(?!\d)"
    ),
    "postal address": re.compile(
        r"[\u4e00-\u9fff]{1,12}(?:路|街|巷|弄|道|胡同|里|村|苑|小区) ?\d{1,5} ?(?:号|弄|巷|幢|栋|单元|室|楼)"
        r"|(?<!\d)\d{1,5}[A-Za-z]? (?:[A-Z][\w'-]{1,30} ){1,4}"
        r"(?:Street|St|Road|Rd|Avenue|Ave|Lane|Ln|Drive|Dr|Boulevard|Blvd|Square|Court)\b"
        r"|\b[A-ZÄÖÜ][\wß-]{0,30}?(?:straße|strasse|str\.|weg|gasse|platz|allee) \d{1,4}(?: ?[a-z]\b)?"
    ),
}


@dataclass(frozen=True, slots=True)
class PersonalData:
    """A part of a text that may tell who somebody is."""

    kind: str  # a key of `_PATTERNS`; a ``number`` is of a telephone, an identity card or an account
    start: int  # in code points, as `end`, which is exclusive
    end: int


def find_personal_data(text: str) -> list[PersonalData]:
    """Return the parts of a text that look like personal data, in order, none overlapping another. Names are not found.

    >>> [(part.kind, part.start) for part in find_personal_data("救不回来 wang@uni.edu")]
    [('e-mail address', 5)]
    >>> find_personal_data("2026-11-22 第 128 句，见 3.2 节。")
    []
    """
    parts: list[PersonalData] = []
    for kind, pattern in _PATTERNS.items():
        for match in pattern.finditer(text):
            if all(match.end() <= part.start or part.end <= match.start() for part in parts):
                parts.append(PersonalData(kind, match.start(), match.end()))
    return sorted(parts, key=lambda part: part.start)


def without_parts(text: str, parts: list[PersonalData]) -> str:
    """Return a text with some parts replaced by their kinds in angle quotes.

    >>> text = "写信给 wang@uni.edu 吧"
    >>> without_parts(text, find_personal_data(text))
    '写信给 ‹e-mail address› 吧'
    """
    pieces = []
    end = 0
    for part in parts:
        pieces += [text[end : part.start], f"‹{part.kind}›"]
        end = part.end
    return "".join([*pieces, text[end:]])
