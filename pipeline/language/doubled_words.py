"""Words that a text has twice by mistake: the the, 的的, 因为因为, schickte der der Kundin."""

import re
from collections.abc import Iterator

#: A word twice in an English text; two names may be one (Bora Bora).
_ENGLISH = re.compile(r"\b([A-Za-z]+) (?-i:(?=[a-z]))\1\b", re.IGNORECASE)
#: And in a German one, where nouns have capitals.
_GERMAN = re.compile(r"\b([A-Za-zÄÖÜäöüß]+) \1\b", re.IGNORECASE)
#: English words that may follow themselves: what it is is clear, she gave her her book, a long long way.
_MAY_REPEAT = frozenset({
    "had", "that", "is", "was", "do", "did", "in", "on", "her", "his", "you", "very", "really", "so", "too", "many", "more", "much", "far",
    "long", "again", "never", "well", "no", "yes", "bye",
})  # fmt: skip
#: German words that may: weil sie sie sah, sehr sehr müde.
_MAY_REPEAT_IN_GERMAN = frozenset({
    "sie", "ihr", "es", "sehr", "ganz", "so", "viel", "lange", "immer", "weit", "ja", "nein", "ach", "hin", "her", "nach", "bla", "doch",
    "nie",
})  # fmt: skip
#: Forms that are article and relative or demonstrative pronoun, and what stands before the pronoun: die Frau, bei der der Mann wohnt.
_ARTICLES = frozenset(["der", "die", "das", "den", "dem"])
_BEFORE_PRONOUN = re.compile(
    r"(?:[,;:–]|\b(?:an|auf|aus|bei|durch|für|gegen|hinter|in|mit|nach|neben|ohne|über|um|unter|von|vor|während|wegen|zu|zwischen"
    r"|aber|als|dass|denn|ob|obwohl|oder|und|weil|wenn|wie)) $",
    re.IGNORECASE,
)
#: 的 twice, and not in 目的的, 标的的, 的的确确.
_OF_CHINESE = re.compile("(?<![目标之鹄])的的(?![确士])")
#: What may be a Chinese word twice, and a clause twice.
_TWICE = re.compile("([\u4e00-\u9fff]{1,2})\\1")
_CLAUSE = re.compile("([\u4e00-\u9fff]{4,}[，；])\\1")
#: Chinese words that may follow themselves only where a clause ends, as an answer: 是是。
_BEFORE_WORD = frozenset({"是", "不"})
#: Chinese words that never follow themselves. 对对, 最最, 看着着火的房子, 还还不清 and verbs (说说, 商量商量) are no mistakes.
_ONCE = frozenset({
    "了", "被", "把", "在", "给", "向", "于", "与", "或", "而", "但", "却", "就", "都", "也", "才", "很", "又", "且", "因为", "所以",
    "因此", "如果", "虽然", "但是", "可是", "不过", "而且", "于是", "结果", "然后", "由于", "只要", "只有", "并且", "或者", "以及",
    "即使", "尽管", "否则", "没有", "已经", "终于", "居然", "竟然", "突然", "忽然", "对于", "关于", "为了", "除了", "从", "和", "跟",
    "叫", "让", "使", "令", "有", "没", "能", "再", "更", "太", "将",
})  # fmt: skip


def doubled_word(text: str, lang: str) -> str:
    """Return what a text has twice, or an empty text; of languages other than Chinese, English and German nothing is known.

    >>> doubled_word("The ox sank in the the mud.", "en"), doubled_word("Er gab der der Frau recht.", "de")
    ('the the', 'der der')
    >>> doubled_word("因为因为下雨，他没去。", "zh"), doubled_word("他受不了了，一把把门推开。", "zh")
    ('因为因为', '')
    """
    if lang.startswith("zh"):
        return next(_in_chinese(text), "")
    allowed = {"en": _MAY_REPEAT, "de": _MAY_REPEAT_IN_GERMAN}.get(lang)
    for match in (_ENGLISH if lang == "en" else _GERMAN).finditer(text) if allowed else ():
        word = match[1].lower()
        is_pronoun = word in _ARTICLES and lang == "de" and _BEFORE_PRONOUN.search(text[: match.start()])
        if allowed and word not in allowed and not is_pronoun:
            return match[0]
    return ""


def _in_chinese(text: str) -> Iterator[str]:
    for pattern in (_OF_CHINESE, _CLAUSE):
        if match := pattern.search(text):
            yield match[0]
    if any(match[1] in _ONCE | _BEFORE_WORD for match in _TWICE.finditer(text)):
        from .segmentation import cut

        words = cut(text)
        for word, other, after in zip(words, words[1:], [*words[2:], ""], strict=False):
            if word == other and (word in _ONCE or (word in _BEFORE_WORD and after.isalpha() and after != word)):
                yield word + other
