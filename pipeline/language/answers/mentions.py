"""Where a text names an option: by letter, by number, by place (前者, the latter) or by name."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from .words import REACH, are_ruled_out, is_denied, is_doubted, phrases, turns_to

#: The numerals and ordinals of each option, from the first; the last one has a number that counts from the end.
_COUNTED = (
    "1 一 one first 1st erste", "2 二 two second 2nd zweite", "3 三 three third 3rd dritte", "4 四 four fourth 4th vierte",
    "5 五 five fifth 5th fünfte", "6 六 six sixth 6th sechste",
)  # fmt: skip
_NUMERALS = {word: index for index, words in enumerate(_COUNTED) for word in words.split()} | {
    "last": -1, "letzte": -1, "最后一": -1,
}  # fmt: skip
_FORMER = re.compile(r"前者|\b(?:the\s+)?former\b|\b(?:die|der|das)?\s*erstere[rsn]?\b", re.IGNORECASE)
_LATTER = re.compile(r"后者|\b(?:the\s+)?latter\b|\b(?:die|der|das)?\s*letztere[rsn]?\b", re.IGNORECASE)
_CLAUSE_END = re.compile(r"\s*(?:[.,!。]|吧|$)")
_END = re.compile(r"\)?\s*(?:$|[,.;!。\n]|(?:and|or)\b)")
_FINAL_ARTICLE = re.compile(r"\s*\b(?:the|der|die|das|den|dem)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Mention:
    """A place where a text names an option.

    Attributes:
        start: of the letter, number or name.
        end: of it.
        index: of the option as shown, from 0.
        denied: whether the text says that this one is not meant.
    """

    start: int
    end: int
    index: int
    denied: bool


def letter(index: int) -> str:
    """Return the letter of an option."""
    return chr(ord("A") + index)


def letters(text: str, count: int) -> Iterator[Mention]:
    """Yield each letter of an option that stands alone, and is not in doubt.

    A lower-case letter counts only where it is the whole answer, stands in brackets or before one, or follows "option": "a" is an
    English word.
    """
    bare = text.strip(" .。()[]")
    for match in _letter_pattern(count).finditer(text):
        found = match[1]
        bracketed = match[0] != found or text.startswith((".", ":", "、"), match.end())
        introduced = re.search(r"(?:option|choice|选项)\s*$", text[: match.start()][-12:], re.IGNORECASE)
        is_article = found == "a" and match.end() == len(text)  # of a text that is cut off
        said = (
            not is_article
            and phrases().said.search(text[: match.start()][-20:])
            and _CLAUSE_END.match(text, match.end())
        )
        if found.islower() and not (bare == found or introduced or said or (bracketed and not match.start())):
            continue
        if found == "A" and not bracketed and not introduced and phrases().after_letter.match(text, match.end()):
            continue
        if not is_doubted(text, match.start()):
            index = ord(found.upper()) - ord("A")
            yield Mention(match.start(), match.end(), index, is_denied(text, match.start(), match.end(), letter=True))


@cache
def _letter_pattern(count: int) -> re.Pattern[str]:
    last = letter(count - 1)
    return re.compile(
        rf"[(\[]?(?<![A-Za-zÄÖÜäöüß0-9])(?<![K-Z]/)([A-{last}a-{last.lower()}])(?![A-Za-zÄÖÜäöüß0-9班队组级]|'\w)[)\]]?"
    )


def numbers(text: str, names: Sequence[str]) -> Iterator[Mention]:
    """Yield each option that a text names by its number or its place, counted from the first that was shown.

    "The former" and "the latter" count the names that the text itself has before, if it has two.
    """
    bare = phrases().bare_number.fullmatch(text.strip(" .。"))
    for match in [bare] if bare else phrases().numbered.finditer(text):
        index = _NUMERALS[next(filter(None, match.groups())).casefold()]
        if index < len(names):
            index += len(names) if index < 0 else 0
            end = len(text) if bare else match.end()
            yield Mention(
                match.start(), end, index, not bare and is_denied(text, match.start(), match.end(), letter=True)
            )
    if len(names) == 2:
        for place, pattern in enumerate((_FORMER, _LATTER)):
            for match in pattern.finditer(text):
                order = list(dict.fromkeys(mention.index for mention in named(text[: match.start()], names)))
                index = order[place] if len(order) == 2 else place
                index = next((other for other in range(2) if begins_with(text[match.end() :], other, names)), index)
                yield Mention(
                    match.start(), match.end(), index, is_denied(text, match.start(), match.end(), letter=True)
                )


def named(text: str, names: Sequence[str]) -> list[Mention]:
    """Return the names in a text, in its order; a name inside a longer one of another candidate does not count.

    A name counts without its article, in any case of German, and by its head alone where no other candidate has it.
    """
    mentions, rest = [], text
    patterns = name_patterns(tuple(names))
    for index in sorted(range(len(names)), key=lambda index: -len(names[index])):
        if (pattern := patterns[index]) is None:
            continue
        for match in pattern.finditer(rest):
            denied = is_denied(text, match.start(), match.end(), letter=False)
            if not is_doubted(text, match.start()):
                mentions.append(Mention(match.start(), match.end(), index, denied))
        rest = pattern.sub(lambda match: "\0" * len(match[0]), rest)
    return sorted(mentions, key=lambda mention: mention.start)


@lru_cache(maxsize=4096)
def name_patterns(names: tuple[str, ...]) -> tuple[re.Pattern[str] | None, ...]:
    """Return what finds each candidate in a text, None for an empty one.

    That is its words without the article, inflected if the article is German, or the head of them; the whole with its article where the
    words of two candidates are the same (der Leiter, die Leiter).
    """
    bare = [_without_article(name) for name in names]
    heads = [_head(words) for words in bare]
    patterns: list[re.Pattern[str] | None] = []
    for index, name in enumerate(names):
        others = [other.casefold() for place, other in enumerate(bare) if place != index]
        if not name:
            patterns.append(None)
            continue
        if bare[index].casefold() in others:
            patterns.append(_pattern([name], german=False))
            continue
        variants = [bare[index]]
        if not any(re.search(rf"(?<!\w){re.escape(heads[index])}(?!\w)", other, re.IGNORECASE) for other in others):
            variants.append(heads[index])
        patterns.append(
            _pattern(variants, german=bool(re.match(rf"{phrases().german_article.pattern}\s", name, re.IGNORECASE)))
        )
    return tuple(patterns)


def _pattern(variants: Sequence[str], *, german: bool) -> re.Pattern[str]:
    alternatives = "|".join(dict.fromkeys(_words(variant, german=german) for variant in variants))
    latin = variants[0][:1].isascii() or german
    return re.compile(rf"(?<!\w)(?:{alternatives})(?!\w)" if latin else alternatives, re.IGNORECASE)


def _words(name: str, *, german: bool) -> str:
    """Return the pattern of a name; in German an adjective takes any ending of adjectives, and a noun any of nouns."""
    if not german:
        return re.escape(name).replace(r"\ ", r"\s+")
    endings = (
        rf"{re.escape(re.sub(r'e[nrms]?$', '', word))}(?:e[nrms]?)?" if word[:1].islower() and len(word) > 3
        else rf"{re.escape(word)}(?:e?s|e?n|e)?"
        for word in name.split()
    )  # fmt: skip
    return r"\s+".join(endings)


def _without_article(name: str) -> str:
    article = phrases().article.match(name)
    return name[article.end() :] if article else name


def _head(words: str) -> str:
    """Return the last word before what modifies it from behind; Chinese is not divided."""
    return phrases().postmodifier.split(words, maxsplit=1)[0].split(" ")[-1] or words


def begins_with(text: str, index: int, names: Sequence[str]) -> int | None:
    """Return where the name of a candidate ends that a text begins with, after an article; None if it does not begin with it."""
    pattern = name_patterns(tuple(names))[index]
    article = phrases().article.match(text)
    for start in dict.fromkeys((article.end() if article else 0, 0)):
        if pattern is not None and (match := pattern.match(text, start)):
            return match.end()
    return None


def name_before(text: str, names: Sequence[str]) -> Mention | None:
    """Return the name that ends a text before the words that lead to a letter: 妹妹（选项, "the boy, i.e. option"."""
    before = phrases().option_words.sub("", text)
    return next((mention for mention in named(before, names) if mention.end == len(before)), None)


def denied_together(text: str, mentions: Sequence[Mention], count: int) -> Sequence[Mention]:
    """Return the options of a text; what denies one denies those that are joined to it: A和B都不是, "not A or B".

    A comma joins two of three or more that are ruled out: "rule out A, B"; after "not" it does not.
    """
    result = list(mentions)
    places = range(1, len(result))
    for denied, other in [(place - 1, place) for place in places] + [(place, place - 1) for place in reversed(places)]:
        between = text[result[min(denied, other)].end : result[max(denied, other)].start].strip()
        is_joint = between[:1] not in ("", ",") and phrases().joint.fullmatch(_FINAL_ARTICLE.sub("", between))
        is_list = count > 2 and between == "," and denied < other and _END.match(text, result[other].end)
        if result[denied].denied and (is_joint or (is_list and are_ruled_out(text, result[denied].start))):
            result[other] = replace(result[other], denied=True)
    return result


def are_joined(text: str, mentions: Sequence[Mention]) -> bool:
    """Return whether the first letter is joined to another one: "A or B", "A和B"."""
    first, *others = mentions
    return any(
        other.index != first.index and phrases().joint.fullmatch(text[first.end : other.start]) for other in others
    )


def has_letters_only(text: str) -> bool:
    """Return whether a text joins letters of different options and says nothing else: "A B", "A or possibly B"."""
    rest = phrases().only_letters.sub("", text)
    return len(set(rest)) > 1 and re.fullmatch("[A-J]+", rest) is not None


def decisive(text: str, affirmed: Sequence[Mention]) -> Mention | None:
    """Return the letter that a text chooses: its only one, the one that it turns to and prefers, or the one that begins it."""
    if len({mention.index for mention in affirmed}) < 2:
        return next(iter(affirmed), None)
    preferred = [mention for mention in affirmed if phrases().preferred.match(text, mention.end)]
    if len(preferred) == 1 and turns_to(text, preferred[0].start):
        return preferred[0]
    first = affirmed[0]
    begins = (
        not text[: first.start].strip("选项 ([")
        and not phrases().as_topic.match(text, first.end)
        and not phrases().as_subject.match(text, first.end)
    )
    return first if begins and not are_joined(text, affirmed) else None


def is_label_of_list(text: str, mention: Mention) -> bool:
    """Return whether a letter begins a line or a sentence and names an option of a list."""
    before = text[max(0, mention.start - REACH) : mention.start].rstrip(" (")
    return (not before or before[-1] in "\n.。;;") and bool(
        re.match(r"\s*[.:、)]", text[mention.end : mention.end + REACH])
    )
