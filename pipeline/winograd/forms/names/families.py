"""Families in a text: which of the people that it names have one surname."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from ....core.model import Span
from ....language.names import Gender, Kin, kin_words

#: While relatives are looked for, each name is one character of the private use area, from the first one on.
_FIRST, _LAST = 0xE000, 0xF8FF
_NAME = f"[{chr(_FIRST)}-{chr(_LAST)}]"
#: Who has the relative: a name, or a pronoun for the name before.
_OWNER: Mapping[str, str] = {
    "en": rf"(?:(?P<owner>{_NAME})['’]s? |(?P<his>[Hh]is) |(?P<her>[Hh]er) |[Tt]heir )",
    "zh": f"(?:(?P<owner>{_NAME})|(?P<his>他)|(?P<her>她)|他们|她们|自己)",
}
#: What may stand before the word of kinship: younger, twin; 亲, 双胞胎.
_ADJECTIVES: Mapping[str, str] = {"en": r"(?:[a-z]+[ -]){0,2}", "zh": "(?:亲|双胞胎|孪生|小|大){0,2}"}
#: One has the other: Tom's brother Nick; Nick is Tom's brother.
_OWNED: Mapping[str, Sequence[str]] = {
    "en": (
        r"{owner}{adjectives}(?:{kin}),? (?P<other>{name})",
        r"(?P<other>{name})(?:,| is| was|, who is|, who was) {owner}{adjectives}(?:{kin})\b",
    ),
    "zh": (
        "{owner}?的?{adjectives}(?:{kin})(?P<other>{name})",
        "(?P<other>{name})[是，]{owner}的?{adjectives}(?:{kin})",
    ),
}
#: Both are called by one word: Tom and Nick are brothers; the brothers Tom and Nick.
_PAIRED: Mapping[str, Sequence[str]] = {
    "en": (
        r"(?P<owner>{name}),? and (?P<other>{name}),?(?: who)?(?: are| were)? {adjectives}(?:{kin})s\b",
        r"\b(?:{kin})s,? (?P<owner>{name}) and (?P<other>{name})",
    ),
    "zh": (
        "(?P<owner>{name})[和与跟、](?P<other>{name})[是这那两俩对个都一]{{0,5}}{adjectives}(?:{kin})",
        "(?:{kin})[俩两个]{{0,2}}(?P<owner>{name})[和与跟、](?P<other>{name})",
    ),
}
#: A parent who is nobody's in the text: at the head of a clause, without a possessor or an article.
_PARENT: Mapping[str, str] = {
    "en": r"(?:^|[,.;:!?]['\"’”]? |\b(?:so|and|but|then|when|while|as|because|until|before|after|that|if|to|by|for|with) )(?:{kin})\b",
    "zh": "(?:^|[，。；：！？])(?:{kin})(?!{name}|的)",
}


def relatives(text: str, places: Sequence[Span], lang: str, genders: Sequence[Gender]) -> set[tuple[int, int]]:
    """Return the pairs of people, by the numbers of their names, who have one surname by what a text says of them.

    A child has its father's surname: brothers and sisters share it, a father and his child, not a mother and hers. A parent
    who is nobody's in the text (so father gave him a look) is that of all people named. The places and genders are those of the names
    in their order; only English and Chinese texts have pairs.
    """
    if lang not in _OWNED or not 2 <= len(places) <= _LAST - _FIRST:
        return set()
    masked, end = "", 0
    for number, place in enumerate(places):
        masked += re.sub(_NAME, " ", text[end : place.start]) + chr(_FIRST + number)
        end = place.end
    masked += re.sub(_NAME, " ", text[end:])
    pairs = set(_linked(masked, lang, genders))
    if _pattern(_PARENT[lang], "parents", lang).search(masked):
        pairs |= {(0, number) for number in range(1, len(places))}
    return {pair for pair in pairs if pair[0] != pair[1]}


def _linked(masked: str, lang: str, genders: Sequence[Gender]) -> Iterator[tuple[int, int]]:
    kinds: Sequence[Kin] = ("siblings", "fathers", "children")
    for kind in kinds:
        for match in _matches(_OWNED[lang], kind, lang, masked):
            owner = _owner(match, masked, genders)
            if owner is not None and (kind != "children" or match["his"] or genders[owner] == "male"):
                yield _pair(owner, _number(match["other"]))
        for match in _matches(_PAIRED[lang], kind, lang, masked) if kind != "fathers" else ():
            yield _pair(_number(match["owner"]), _number(match["other"]))


def _owner(match: re.Match[str], masked: str, genders: Sequence[Gender]) -> int | None:
    """Return the number of the owner: the name, or the last one before that the pronoun may mean."""
    if match["owner"]:
        return _number(match["owner"])
    other: Gender | None = "female" if match["his"] else "male" if match["her"] else None
    before = map(_number, reversed(re.findall(_NAME, masked[: match.start()])))
    return next((number for number in before if genders[number] != other), None)


def _matches(patterns: Sequence[str], kind: Kin, lang: str, masked: str) -> Iterator[re.Match[str]]:
    return (match for pattern in patterns for match in _pattern(pattern, kind, lang).finditer(masked))


def _number(name: str) -> int:
    return ord(name) - _FIRST


def _pair(first: int, second: int) -> tuple[int, int]:
    return min(first, second), max(first, second)


@cache
def _pattern(pattern: str, kind: Kin, lang: str) -> re.Pattern[str]:
    kin = "|".join(sorted(kin_words()[kind][lang], key=len, reverse=True))
    return re.compile(pattern.format(kin=kin, owner=_OWNER[lang], name=_NAME, adjectives=_ADJECTIVES[lang]))
