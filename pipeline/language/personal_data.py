"""Find what tells who somebody is in a text, such as the remark of a rater: addresses, telephone numbers, accounts, links, folders."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

#: Domains that a link without ``http`` ends in.
_TOP = "com|org|net|edu|gov|info|io|app|cn|tw|hk|de|at|ch|uk|eu|fr|us|jp"
_HOST = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,62})"
_URL = r"[A-Za-z0-9._~:/?#@!$&'()*+,;=%-]"
_WEB = re.compile(rf"(?:https?://|www\.){_URL}{{1,2000}}", re.IGNORECASE)
#: What an account follows.
_SERVICE = (
    r"(?<![A-Za-z])(?:微信|企鹅|扣扣|QQ|WeChat|VX|Telegram|WhatsApp|Skype|Weibo|微博)"
    r"(?:号码|号|账号|ID|群)?\s?(?:是|为|[:：=])?\s?@?"
)
#: The folder of a person, on any system.
HOME = re.compile(
    r"(?:/home/|/Users/|/root/|[A-Za-z]:\\{1,2}(?:Users|Documents and Settings)\\{1,2}|file:///)[^\s\"'/\\]+"
)
#: What tells who somebody is, whatever the text is. Every repetition is bounded, so that the time is proportional to the length of the
#: text; where a pattern has a group, that is the part.
_TELLING: Mapping[str, re.Pattern[str]] = {
    "e-mail address": re.compile(
        rf"(?<![A-Za-z0-9._%+-])[A-Za-z0-9._%+-]{{1,64}} ?(?:[@＠]|[(\[（]at[)\]）]) ?{_HOST}(?:\.{_HOST}){{1,6}}",
        re.IGNORECASE,
    ),
    "account": re.compile(
        rf"{_SERVICE}(?=[A-Za-z_-]{{0,30}}\d)[A-Za-z0-9][A-Za-z0-9_-]{{4,30}}",
        re.IGNORECASE,
    ),
    # A telephone number of China, one with the code of a country or a town, one that is called so; a number of an identity card.
    "number": re.compile(
        r"(?<![\w.-])1[3-9]\d[- ]?\d{4}[- ]?\d{4}(?!\w)|(?<=[\u4e00-\u9fff])1[3-9]\d[- ]?\d{4}[- ]?\d{4}(?!\d)"
        r"|(?<![\w.])[(（]?\+\d{1,3}[)）]?[ /-]?\(?\d[\d ()/-]{6,20}\d|(?<![A-Za-z\d.-])0\d{2,4}[-/ ]\d{5,8}(?!\d)"
        r"|(?<![\d.])\d{17}[\dXx](?!\w)|(?:电话|手机|身份证|\b(?:Tel|Phone)\b)(?:号码|号)?[.:： ]{0,3}(\d[\d -]{3,18}\d[Xx]?)"
    ),
    "postal address": re.compile(
        r"[\u4e00-\u9fff]{1,12}(?:路|街|巷|弄|道|胡同|里|村|苑|小区) ?\d{1,5} ?(?:号|弄|巷|幢|栋|单元|室|楼)"
        r"|(?<!\d)\d{1,5}[A-Za-z]? (?:[A-Z][\w'-]{1,30} ){1,4}"
        r"(?:Street|St|Road|Rd|Avenue|Ave|Lane|Ln|Drive|Dr|Boulevard|Blvd|Square|Court)\b"
        r"|\b[A-ZÄÖÜ][\wß-]{0,30}?(?:straße|strasse|str\.|weg|gasse|platz|allee) \d{1,4}(?: ?[a-z]\b)?"
    ),
    "folder": HOME,
}
#: What may tell it in the remark of a rater, and has other uses elsewhere: a source has links and long numbers.
_POSSIBLE: Mapping[str, re.Pattern[str]] = {
    "link": re.compile(
        rf"{_WEB.pattern}|(?<![A-Za-z0-9.@-])(?:{_HOST}\.){{1,5}}(?:{_TOP})(?![A-Za-z0-9-])(?:/{_URL}{{0,2000}})?",
        re.IGNORECASE,
    ),
    "account": re.compile(rf"{_SERVICE}[A-Za-z0-9][A-Za-z0-9_-]{{4,30}}", re.IGNORECASE),
    # At least seven digits, three of them together, with up to two signs between two; no date and no span of years.
    "number": re.compile(
        r"(?<![\d.,-])(?!(?:1[5-9]|20)\d\d ?[-–—/.年] ?(?:\d\d?[-–—/.月]\d\d?|(?:1[5-9]|20)\d\d)(?!\d))"
        r"(?=[+\d ()（）/–-]{0,24}\d{3})[+(（]{0,2}\d(?:[ ()（）/–-]{0,2}\d){6,18}[Xx]?(?!\d)"
    ),
}


@dataclass(frozen=True, slots=True)
class PersonalData:
    """A part of a text that may tell who somebody is."""

    kind: str  # a key of `_TELLING` or `_POSSIBLE`; a ``number`` is of a telephone, an identity card or an account
    start: int  # in code points, as `end`, which is exclusive
    end: int


def find_personal_data(text: str, *, certain: bool = False) -> list[PersonalData]:
    """Return the parts of a text that look like personal data, in order, none overlapping another. Names are not found.

    Parts that overlap are one, of the kind of the first. With `certain`, only what tells who somebody is in any text counts, outside links:
    an address or a telephone number, but no link, other long number or name of an account.

    >>> [(part.kind, part.start) for part in find_personal_data("救不回来 wang@uni.edu")]
    [('e-mail address', 5)]
    >>> find_personal_data("2026-11-22 第 128 句，见 3.2 节。")
    []
    """
    searched = _WEB.sub(lambda match: " " * len(match[0]), text) if certain else text
    patterns = [*_TELLING.items(), *([] if certain else _POSSIBLE.items())]
    found = [
        (*match.span(match.lastindex or 0), kind) for kind, pattern in patterns for match in pattern.finditer(searched)
    ]
    parts: list[PersonalData] = []
    for start, end, kind in sorted(found, key=lambda part: part[0]):
        if parts and start < parts[-1].end:
            parts[-1] = replace(parts[-1], end=max(end, parts[-1].end))
        else:
            parts.append(PersonalData(kind, start, end))
    return parts


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
