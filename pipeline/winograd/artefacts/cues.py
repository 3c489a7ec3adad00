"""Cues: single properties that may tell which answer is right, each tested against a fair coin.

Gardner et al. (2021, Competency problems, section 3) call a property an artefact if the share of a label among the items that have it is
farther from a half than a fair coin would bring it. A cue guesses an answer wherever it is there: the candidate that has the property, or,
for a property of the whole item, the candidate that the text mentions first. That one is itself right more often than not in some
collections; what an item's properties are tested against is this share, so that they tell only what they add to it. A cue that is nearly
always wrong tells as much as one that is nearly always right.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from ...core.model import Item
from ...statistics.intervals import ratio
from ...statistics.significance import holm
from ..mentions import before_target, own_mentions
from ..variety import NONE, connective

#: The chance that one or more cues of a collection without artefacts are reported.
ALPHA = 0.05
#: Characters of scripts that write no blanks between words: Chinese characters and kana.
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff]+")
_WORDS = re.compile(r"[^\W\d_\u3040-\u30ff\u3400-\u9fff]+")


@dataclass(frozen=True, slots=True)
class Cue:
    """A property with how often its guess is right.

    Attributes:
        solved: the ids of the items in which the guess is right.
        wrong: the ids of those in which it is not.
        chance: the share that is expected of it: 0.5, or for a property of whole items that of the first mention.
        p: two-sided exact p of that chance, corrected for the number of cues; None where it is too rare for any. For a property of whole
            items it is too large, since its own items are part of the share: for one of half of the items, z is up to a factor of
            sqrt(2) too small. A test that allows for it (Fisher's) gives false alarms where a pair's other member lacks the property.
    """

    name: str
    solved: tuple[str, ...]
    wrong: tuple[str, ...]
    chance: float
    p: float | None

    @property
    def items(self) -> int:
        """The number of items in which the cue guesses."""
        return len(self.solved) + len(self.wrong)

    @property
    def share(self) -> float:
        """The share of its guesses that are right."""
        return len(self.solved) / self.items

    @property
    def z(self) -> float:
        """The deviation in standard deviations: (share - chance) / sqrt(chance (1 - chance) / items) (Gardner et al. 2021)."""
        return (self.share - self.chance) / math.sqrt(self.chance * (1 - self.chance) / self.items)

    @property
    def tells(self) -> bool:
        """Whether the cue is an artefact: chance alone takes none of the cues so far with a probability of 1 - `ALPHA`."""
        return self.p is not None and self.p <= ALPHA


def two_way(items: Iterable[Item]) -> tuple[Item, ...]:
    """Return the items with two candidates; only of these a fair coin is the measure."""
    return tuple(item for item in items if len(item.candidates) == 2)


def cues(items: Sequence[Item], registers: Mapping[str, str]) -> list[Cue]:
    """Return all cues of items with two candidates, those that tell most first, then by name.

    A cue of so few items that not even a row of right guesses could be significant counts for no correction (Tarone 1990, Biometrics 46);
    the others are corrected together (Holm 1979).

    Args:
        registers: the register of each item that has one, by id.
    """
    solved: dict[str, list[str]] = defaultdict(list)
    wrong: dict[str, list[str]] = defaultdict(list)
    of_items: set[str] = set()
    named = Counter(candidate for item in items for candidate in item.candidates)
    length = median(len(item.text) for item in items) if items else 0
    firsts = [first_mention(item) for item in items]
    usual = ratio(sum(first == item.answer for item, first in zip(items, firsts, strict=True)), len(items))
    for item, first in zip(items, firsts, strict=True):
        properties = set(_properties(item, registers.get(item.id), length)) if usual not in (0, 1) else set()
        of_items |= properties
        for name, answer in (dict.fromkeys(properties, first) | _preferences(item, first, named)).items():
            (solved if answer == item.answer else wrong)[name].append(item.id)
    counts = {name: (len(solved[name]), len(wrong[name])) for name in sorted({*solved, *wrong})}
    chances = {name: usual if name in of_items and usual else 0.5 for name in counts}
    least = _least(Counter(map(sum, counts.values())))
    tested = [name for name, sizes in counts.items() if sum(sizes) >= least]
    corrected = dict(zip(tested, holm([_p(*counts[name], chances[name]) for name in tested]), strict=True))
    found = [Cue(name, tuple(solved[name]), tuple(wrong[name]), chances[name], corrected.get(name)) for name in counts]
    return sorted(found, key=lambda cue: (1.0 if cue.p is None else cue.p, -abs(cue.z), cue.name))


def _p(right: int, wrong: int, chance: float) -> float:
    from scipy.stats import binomtest

    return float(binomtest(right, right + wrong, chance).pvalue)


def _least(sizes: Counter[int]) -> int:
    """Return the fewest items that a cue must have to be tested, by Tarone's rule.

    It is the least number n for which the smallest p that n tosses of a fair coin can give, 2 / 2^n, times the number of cues with n items
    or more is at most `ALPHA`. It depends on no answer, so that the correction holds for the cues with other chances, too.

    >>> _least(Counter({1: 1000, 10: 4}))  # 4 * 2 / 2 ** 8 <= 0.05
    8
    """
    return next(
        (n for n in range(1, max(sizes, default=0) + 1) if _at_least(sizes, n) * 2.0 ** (1 - n) <= ALPHA),
        max(sizes, default=0) + 1,
    )


def _at_least(sizes: Counter[int], least: int) -> int:
    return sum(number for size, number in sizes.items() if size >= least)


def _properties(item: Item, register: str | None, length: float) -> Iterator[str]:
    """Yield the properties of a whole item that may tell the place of the answer; `length` is the median of the texts."""
    around = f"{item.text[: item.target.start]} {item.text[item.target.end :]}"
    yield from (f"text has {unit}" for unit in units(around))
    yield from (f"question has {unit}" for unit in units(item.question))
    if register:
        yield f"register {register}"
    if (word := connective(item)) != NONE:
        yield f"connective {word}"
    yield f"target in the {'first' if 2 * item.target.start < len(item.text) else 'second'} half of the text"
    yield f"text {'longer' if len(item.text) > length else 'not longer'} than the median"


def _preferences(item: Item, first: int, named: Mapping[str, int]) -> dict[str, int]:
    """Return which of two candidates the cues prefer that only one of them has."""
    guesses = {"the first mention": first}
    if before := before_target(item):
        last = max(before, key=lambda span: span.end)
        guesses["the mention nearest to the target"] = next(
            index for index, spans in enumerate(own_mentions(item)) if last in spans
        )
    for name, values in {
        "the longer candidate": [len(candidate) for candidate in item.candidates],
        "the candidate of more items": [named[candidate] for candidate in item.candidates],
    }.items():
        if values[0] != values[1]:
            guesses[name] = values.index(max(values))
    one, other = map(units, item.candidates)
    return guesses | {f"candidate has {unit}": int(unit in other) for unit in one ^ other}


def first_mention(item: Item) -> int:
    """Return the candidate that the text mentions first, the first one where none is mentioned."""
    starts = [spans[0].start if spans else len(item.text) for spans in own_mentions(item)]
    return starts.index(min(starts))


def units(text: str) -> set[str]:
    """Return the words of a text in small letters; of scripts without blanks, its characters and pairs of characters.

    >>> sorted(units("Anna看书。"))
    ['anna', '书', '看', '看书']
    """
    runs = _UNSPACED.findall(text)
    pairs = {run[at : at + 2] for run in runs for at in range(len(run) - 1)}
    return {word.casefold() for word in _WORDS.findall(text)} | {character for run in runs for character in run} | pairs
