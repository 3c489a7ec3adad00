"""Numbers shuffled within a document, the same in both languages."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from random import Random

#: A number in digits, with commas between thousands or decimals, that is no part of a word, a code, a date with dots or a path.
_NUMBER = re.compile(r"(?<![A-Za-z0-9_.,\-/:])[0-9]+(?:,[0-9]{3})*(?:\.[0-9]+)?(?![A-Za-z0-9_/:]|[.,\-–][0-9])")
_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
#: What makes a number a day or a month, whose translation may be a word.
_DATE_BEFORE = re.compile(rf"(?:\b(?:{_MONTHS})\s|月)$")
_DATE_AFTER = re.compile(rf"\s?(?:月|日|号|(?:{_MONTHS})\b)")
#: The years that are shuffled among each other.
_YEARS = range(1900, 2100)
#: Maximum number of digits: longer ones are no amounts.
_DIGITS = 9


def numbers_of(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield the numbers of a text that may be shuffled: the offsets, and the number without commas.

    >>> list(numbers_of("2010年5月发表1,200篇"))
    [(0, 4, '2010'), (9, 14, '1200')]
    """
    for match in _NUMBER.finditer(text):
        if _DATE_BEFORE.search(text, 0, match.start()) or _DATE_AFTER.match(text, match.end()):
            continue
        number = match[0].replace(",", "")
        if len(number) <= _DIGITS:
            yield match.start(), match.end(), number


def shuffled(pairs: Sequence[tuple[Sequence[str], Sequence[str]]], random: Random) -> dict[str, str]:
    """Return what takes the place of each number of a document.

    A number is exchanged only where each sentence has it as often as its translation: a three that is *three* in English would
    otherwise contradict its translation. Years are exchanged with years, other whole numbers with such, decimals with decimals, so that
    none keeps its place where there are two of a kind.

    Args:
        pairs: the numbers of each sentence and of its translation.
        random: the source of the order.
    """
    unequal = set()
    numbers: Counter[str] = Counter()
    for source, target in pairs:
        first, second = Counter(source), Counter(target)
        unequal |= {number for number in first | second if first[number] != second[number]}
        numbers += first
    kinds = defaultdict(list)
    for number in sorted(numbers.keys() - unequal):
        kinds[_kind(number)].append(number)
    result: dict[str, str] = {}
    for kind in sorted(kinds):
        order = kinds[kind]
        random.shuffle(order)
        result |= dict(zip(order, [*order[1:], order[0]], strict=True))
    return result


def _kind(number: str) -> str:
    if "." in number:
        return "decimal"
    return "year" if len(number) == 4 and int(number) in _YEARS else "whole"
