"""Judge whether a translation has the word for each zero of its source (AZPT; EMNLP 2022, section 4.1, equation 1)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from .details import Verdict
from .expected import LabelledWord, all_zeros, published_zeros
from .links import Link

#: Words on each side of an aligned word that are looked at. The published files have 3; the default of the authors' tool is 2.
NEIGHBOURS = 3
#: Maximum of the same, so that no number is out of range for a list.
MAX_NEIGHBOURS = 1000


@dataclass(frozen=True, slots=True)
class Rules:
    """Where the judge departs from the authors' tool.

    Attributes:
        own_table: translations of rules/pronouns/zh-en.yaml, such as *its* for <它>_Pa, not those of the authors' tool.
        even_window: as many words to the right of an aligned word as to its left, not one more.
        between: the words of a zero without a link are those between the translations of its aligned neighbours, not those from its
            left neighbour to the end of the sentence.
        every_zero: zeros whose form is undetermined or missing are counted, as undecided.
        neighbours: words on each side of an aligned word.
    """

    own_table: bool
    even_window: bool
    between: bool
    every_zero: bool
    neighbours: int = NEIGHBOURS


PUBLISHED = Rules(own_table=False, even_window=False, between=False, every_zero=False)
CORRECTED = Rules(own_table=True, even_window=True, between=True, every_zero=True)
MODES: Mapping[str, Rules] = {"published": PUBLISHED, "corrected": CORRECTED}
#: The departures of `CORRECTED`, by the attributes of `Rules`.
DEPARTURES = ("own_table", "even_window", "between", "every_zero")


def zeros_of(words: Sequence[str], rules: Rules) -> list[LabelledWord]:
    """Return the zeros of a source that count, with the words that they expect."""
    published = {zero.place: zero for zero in published_zeros(words)}
    ours = {zero.place: zero for zero in all_zeros(words)}
    table, others = (ours, published) if rules.own_table else (published, ours)
    places = published | ours if rules.every_zero else published
    return [table.get(place) or others[place] for place in sorted(places)]


def judge(
    sentence: int, source: Sequence[str], target: Sequence[str], links: Sequence[Link], rules: Rules
) -> Iterator[Verdict]:
    """Yield the verdict on each zero of a sentence.

    Args:
        sentence: the number of the sentence, from 0.
        source: its words, with labels as words.
        target: the words of its translation, in small letters.
        links: the alignment, in the order of its file; no link leaves the sentence.
        rules: what is looked at, and for what.
    """
    targets: dict[int, list[int]] = {}
    for link in links:
        targets.setdefault(link.source, []).append(link.target)
    for zero in zeros_of(source, rules):
        aligned = zero.place in targets
        places = (
            _aligned(target, targets[zero.place], rules) if aligned else _unaligned(zero.place, target, targets, rules)
        )
        positions, words, right = places.searched(zero.expected, target)
        yield Verdict(sentence, zero.place, zero.label, zero.expected, positions, words, right, aligned)


@dataclass(frozen=True, slots=True)
class _Places:
    """Where to look for a word.

    Attributes:
        order: the positions, in the order of the search.
        positions: what to record if the word is not there.
        words: the same, as positions of the words to record.
    """

    order: Sequence[int]
    positions: Sequence[int]
    words: Sequence[int]

    def searched(self, word: str | None, target: Sequence[str]) -> tuple[tuple[int, ...], tuple[str, ...], bool]:
        """Return the position of a word, the word and True; or else all that was looked at, and False."""
        for position in self.order:
            if word is not None and target[position] == word:
                return (position,), (word,), True
        return tuple(self.positions), tuple(target[position] for position in self.words), False


def _aligned(target: Sequence[str], places: Sequence[int], rules: Rules) -> _Places:
    """Return the aligned words, then the neighbours of each in the order of the alignment; the last window is recorded, as published."""
    reach, last = rules.neighbours, len(target) - 1
    order = list(places)
    window: Sequence[int] = ()
    words: Sequence[int] = ()
    for place in places:
        window = range(max(place - reach, 0), min(place + reach, last) + 1)
        words = window if rules.even_window else range(window.start, min(window.stop + 1, len(target)))
        order += words
    if rules.even_window:
        window = words = sorted(set(order))
    return _Places(order, window, words)


def _unaligned(place: int, target: Sequence[str], targets: Mapping[int, Sequence[int]], rules: Rules) -> _Places:
    """Return the words between the translations of the neighbours; as published, those from the left one to the end.

    The authors' tool drops the last word where there is no right neighbour: a condition is turned round there.
    """
    left = max((source for source in targets if source < place), default=None)
    right = min((source for source in targets if source > place), default=None)
    before = [0] if left is None else targets[left]
    if rules.between:
        first, last = max(before), len(target) - 1 if right is None else min(targets[right])
        words = range(min(first, last), max(first, last) + 1) if target else range(0)
        return _Places(words, words, words)
    words = range(min(before), len(target) - 1 if right is None else len(target))
    positions = range(max(before), len(target) if right is None else max(targets[right]))
    return _Places(words, positions, words)
