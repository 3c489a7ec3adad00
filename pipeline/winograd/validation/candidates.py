"""Checks of candidates: noun phrases, each found whole in the text."""

import re
from collections.abc import Sequence

from ...core.model import Span
from ...core.validation.profiles import profile_of
from ...core.validation.rows import candidates_of, lang_of, span_of, text_of
from ...core.validation.suite import Value
from ...language.names import chinese_names
from ...language.questions import question_table
from ...language.script import to_simplified
from ...language.segmentation import cut, tag_of
from ...language.text_checks import CHINESE
from ..forms.names.renaming import long_titles
from ..mentions import cuts_word, mentioned

#: The head of a Chinese candidate: a word of at least two Chinese characters.
_HEAD = re.compile("[\u3400-\u9fff]{2,}")
#: Characters before a word of kinship that make it the name of another person (妹妹 in 大妹妹).
_RANKS = "大小老二三四五六七八九表堂干亲"
#: Punctuation that no name holds; full stops, apostrophes, hyphens and middle dots may be in names.
_MARK = re.compile('[，。、；：？！“”「」『』（）《》;:?!()"Ø]')
#: Words that make a Chinese expression a clause.
_PREDICATE = frozenset(["不", "没", "没有", "把", "被", "是"])
#: Particles that no Chinese noun phrase ends with.
_PARTICLE = re.compile("[的了着吗呢吧]$")
#: Prepositions that no Chinese noun phrase begins with, unless it has a clause (给他礼物的人).
_PREPOSITIONS = frozenset("给向跟对替朝往从")
#: Words of kinship of one character, which form one word with a rank (大哥) or a surname.
_KINSHIP = frozenset("哥姐弟妹叔伯婶姨姑舅嫂爷")


def two_candidates(value: Value) -> str:
    """There are two candidates, by profile one or more than two; none is empty, and they differ."""
    names, profile = candidates_of(value), profile_of(value)
    least, most = 1 if profile.allows("lone-candidate") else 2, None if profile.allows("more-candidates") else 2
    if not least <= len(names) <= (most or len(names)) or not all(name.strip() for name in names):
        number = "one or more" if least == 1 else "two candidates" if most else "two or more"
        return f"found {value.get('candidates')!r}, expected {number}"
    folded = [name.casefold() for name in names]
    return next((f"found {name!r} twice" for name in names if folded.count(name.casefold()) > 1), "")


def candidates_in_text(value: Value) -> str:
    """The text outside the target names both candidates, a described one by its head; a single-entity text only the answer."""
    rest = without_target(value)
    for name in _named(value):
        if not mentioned(name, rest) and not _named_by_head(name, rest, lang_of(value)):
            return f"found no {name!r} in {text_of(value)!r}"
    return ""


def candidates_are_nouns(value: Value) -> str:
    """A candidate is a name or another noun phrase: no pronoun, no mark, no clause; in Chinese not the question word either."""
    span, lang = span_of(value), lang_of(value)
    target = span.of(text_of(value)).casefold() if span else ""
    for name in candidates_of(value):
        if not any(character.isalpha() for character in name) or _MARK.search(name):
            return f"found {name!r}, expected words without marks"
        if name.casefold() == target:
            return f"found {name!r}, the target itself"
        if lang not in CHINESE:
            continue
        simplified = to_simplified(name)
        table = question_table("zh")
        if simplified in table.pronouns or simplified == "自己":
            return f"found the pronoun {name!r}, expected a noun phrase"
        if any(kind.words.fullmatch(simplified) for kind in table.question_words):
            return f"found the question word {name!r}, expected a noun phrase"
        words = cut(simplified)
        in_phrase = len(words) > 1 and words[0] in _PREPOSITIONS and "的" not in words and not _titled(words)
        if _PARTICLE.search(simplified) or _PREDICATE.intersection(words) or in_phrase:
            return f"found {name!r}, expected a noun phrase"
    return ""


def candidates_whole(value: Value) -> str:
    """The text has each candidate whole, not only in a longer expression (妹妹 in 大妹妹, 叶 in 叶师傅), and not twice in a row."""
    text, names = without_target(value), candidates_of(value)
    for name in _named(value):
        if len(name) > 1 and name * 2 in text and lang_of(value) in CHINESE:
            return f"found {name * 2!r} in {text_of(value)!r}, expected the name once"
        places = [match.start() for match in re.finditer(f"(?={re.escape(name)})", text)] if name else []
        others = [other for other in names if other != name] or [""]
        longer = [max(_longer(text, start, name, other, lang_of(value)) for other in others) for start in places]
        if places and all(longer):
            return f"found {name!r} in {text_of(value)!r} only as a part of {longer[0]!r}"
    return ""


def _longer(text: str, start: int, name: str, other: str, lang: str) -> str:
    """Return the longer expression that the candidate at a place is a part of, or an empty text."""
    before, after = text[:start], text[start + len(name) :]
    if lang == "en" and cuts_word(text, Span(start, start + len(name))):
        return re.sub(r"^.*\W", "", before) + name + re.split(r"\W", after)[0]
    if lang not in CHINESE:
        return ""
    if name in other and text.startswith(other, start - other.index(name)) and not after.startswith("的"):
        return other  # Joe的叔叔 names Joe too
    if len(name) == 1 and name in (before[-1:], after[:1]):
        return name * 2
    if (name == name[0] * 2 or name in _KINSHIP) and before and before[-1] in _RANKS:
        return before[-1] + name
    surnames = chinese_names().surnames
    if name in surnames and (title := next(filter(after.startswith, long_titles()), "")):
        return name + title
    if before and len(name) < len(other) and {before[-1], other[0]} <= surnames.keys() and name[0] not in surnames:
        return before[-1] + name
    rest = other[len(name) :]
    return name + rest if rest and after.startswith(rest) and other[: len(name)] != name else ""


def _titled(words: Sequence[str]) -> bool:
    """Return whether words are a surname and a title (向老师): 向 is a surname too."""
    return len(words) == 2 and words[0] in chinese_names().surnames and words[1] in long_titles()


def without_target(value: Value) -> str:
    """Return the text with a line end in the target's place."""
    span, text = span_of(value), text_of(value)
    return text[: span.start] + "\n" + text[span.end :] if span and span.end <= len(text) else text


def _named(value: Value) -> list[str]:
    """Return the candidates that the text must name: both, but in a single-entity text the answer only."""
    names = candidates_of(value)
    if not text_of(value, "id").startswith(f"{lang_of(value)}-single-"):
        return names
    answer = value.get("answer")
    return [names[answer]] if isinstance(answer, int) and 0 <= answer < len(names) else []


def _named_by_head(candidate: str, text: str, lang: str) -> bool:
    """Return whether a text names a described Chinese candidate by its head: 抛接西瓜的人 by 人, 这段乐谱 by 乐谱, no clause."""
    if lang != "zh":
        return False
    *description, head = candidate.split("的")
    if not description:
        *description, head = cut(candidate) or [""]
        if not _HEAD.fullmatch(head) or any(tag_of(word) == "v" for word in description):
            return False
    return bool(description and head) and head in text
