"""The lists of an experiment: who sees which items and fillers, and in which pseudo-random order."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import cycle, islice, pairwise
from random import Random
from typing import TypeVar

from ...statistics.swaps import Draft, Group, balance, share_limits
from ...winograd.cloze import OR
from .materials import Design, Filler, Item, Sentence, require_unique_ids
from .records import Part

T = TypeVar("T")
#: Maximum number of deals before the lists are refused. From the second half on, a list may be one off its share of `_LOOSE`.
_MAX_DEALS = 12
#: Maximum number of swaps after one deal.
_MAX_SWAPS = 400
#: The finest group, which gives way where no lists have their share of all.
_LOOSE = "pronoun and place"


def item_lists(items: Sequence[Item], size: int, rng: Random) -> list[list[Item]]:
    """Return lists of items; each item is in one list, and no list has two members of a pair.

    There are as few lists as hold all items, at least two, and their lengths differ by one at most. Each list has its share of the
    right pronouns, of the places of the right antecedent (first, second) and of the registers: its part of all items, rounded up or
    down. So it has of each pronoun with each place where such lists are found; else that is one off.

    The same arguments give the same lists. The design is that of Petersen and Spalek, "A German WSC dataset", section 2.2: 100 items
    in ten lists of ten.

    Raises:
        ValueError: no such lists were found.
    """
    count = max(2, -(-len(items) // size))

    def draft(deal: int) -> Draft[Item]:
        limits = share_limits(items, groups_of, 1, count, {_LOOSE: int(2 * deal >= _MAX_DEALS)})
        return Draft(_deal(items, count, rng), [], limits, groups_of, lambda item: item.schema)

    if lists := balance(draft, _MAX_DEALS, _MAX_SWAPS, rng):
        return lists
    raise ValueError(
        f"[items] no balanced lists in {_MAX_DEALS} attempts; found {len(items)} items, expected {count} lists, each with its share of "
        "pronouns, places and registers and no two members of a pair: try another seed or another number of items in a list"
    )


def groups_of(item: Item) -> tuple[Group, ...]:
    """Return the groups of an item of which each list gets its share."""
    return (
        ("pronoun", item.pronoun),
        ("place", item.place),
        ("register", item.register),
        ("pronoun and place", (item.pronoun, item.place)),
    )


def _deal(items: Sequence[Item], count: int, rng: Random) -> list[list[Item]]:
    """Deal the items to the lists in turn: those of a pronoun and a place after each other, within them those of a register."""
    shuffled = rng.sample(items, len(items))
    shuffled.sort(key=lambda item: (item.pronoun, item.place, item.register))
    return [shuffled[number::count] for number in rng.sample(range(count), count)]


def filler_lists(fillers: Sequence[Filler], count: int, size: int, rng: Random) -> list[list[Filler]]:
    """Return `count` lists of fillers, each with equal shares of the right pronouns; the fillers with several have a share together.

    A filler is in several lists. Of those with the same pronoun, none is in more lists than another by more than one. Neighbours in
    the cycle from which lists are taken have different registers, so that a list has about equally many of each.

    Raises:
        ValueError: a list would have a filler twice.
    """
    by_pronoun: dict[str, list[Filler]] = {}
    for filler in fillers:
        by_pronoun.setdefault("several pronouns" if OR in filler.pronoun else filler.pronoun, []).append(filler)
    known = sorted({filler.register for filler in fillers})
    registers = rng.sample(known, len(known))
    lists: list[list[Filler]] = [[] for _ in range(count)]
    for number, (pronoun, own) in enumerate(sorted(by_pronoun.items())):
        shares = [_share(size, number, place, len(by_pronoun)) for place in range(count)]
        if max(shares) > len(own):
            reason = f"found {len(own)} with {pronoun}, expected {max(shares)} or more for lists of {size}"
            raise ValueError(f"[fillers] too few fillers; {reason}")
        # Another start for each pronoun: the registers that its share leaves out are others too.
        start = 2 * number % len(registers)
        turned = registers[start:] + registers[:start]
        own = [filler for register in turned for filler in own if filler.register == register]
        stream = cycle(taking_turns(own, lambda filler: filler.register, rng))
        for part, share in zip(lists, shares, strict=True):
            part += islice(stream, share)
    return lists


def _share(size: int, number: int, place: int, parts: int) -> int:
    """Return how many of `size` go to a part; what is left over goes to other parts from place to place.

    >>> [_share(16, number, 0, 3) for number in range(3)], [_share(16, number, 1, 3) for number in range(3)]
    ([6, 5, 5], [5, 6, 5])
    """
    return size // parts + ((number - place) % parts < size % parts)


def taking_turns(sentences: Iterable[T], group: Callable[[T], str], rng: Random) -> list[T]:
    """Return sentences in a random order in which groups, such as registers, take turns."""
    stacks: dict[str, list[T]] = {}
    for sentence in sentences:
        stacks.setdefault(group(sentence), []).append(sentence)
    for stack in stacks.values():
        rng.shuffle(stack)
    ordered = []
    while any(stacks.values()):
        ordered += [stack.pop() for stack in stacks.values() if stack]
    return ordered


#: Number of fillers with which a list begins, after practice.
LEAD = 2
#: Maximum number of test items in a row.
ITEMS_IN_ROW = 2
#: Maximum number of trials in a row with the same right pronoun.
PRONOUNS_IN_ROW = 3
#: Maximum restarts when the draw reaches a dead end.
_MAX_ATTEMPTS = 500


def order_trials(
    items: Sequence[Sentence], fillers: Sequence[Sentence], attention: Sequence[Sentence], rng: Random
) -> list[Sentence]:
    """Return the sentences of a list in a random order.

    The first `LEAD` are fillers, at most `ITEMS_IN_ROW` test items and `PRONOUNS_IN_ROW` equal right pronouns follow each other. The
    attention trials are spread: the list has as many parts of about the same length, and one in each, neither the first nor the last.

    The attention trials come in the order of `attention`.

    Raises:
        ValueError: no such order was found.
    """
    kinds = {sentence.id: kind for kind, part in enumerate((items, fillers, attention)) for sentence in part}
    for _ in range(_MAX_ATTEMPTS):
        places = _attention_places(len(kinds), len(attention), rng)
        order = _attempt([*items, *fillers], dict(zip(places, attention, strict=True)), kinds, rng)
        if order is not None:
            return order
    raise ValueError(
        f"[order] no order of a list in {_MAX_ATTEMPTS} attempts; found {len(items)} items and {len(fillers)} fillers, expected {LEAD} "
        f"fillers first, at most {ITEMS_IN_ROW} items and {PRONOUNS_IN_ROW} equal pronouns in a row"
    )


def _attention_places(length: int, count: int, rng: Random) -> list[int]:
    """Return a place, from 0, in each of `count` parts of a list; none among the first or last in its part."""
    edges = [LEAD + (length - LEAD) * part // count for part in range(count + 1)] if count else []
    return [rng.randrange(low + 1, max(high - 1, low + 2)) for low, high in pairwise(edges)]


def _attempt(
    sentences: Sequence[Sentence], fixed: dict[int, Sentence], kinds: dict[str, int], rng: Random
) -> list[Sentence] | None:
    """Return an order, or None where the draw reached a dead end."""
    left = rng.sample(sentences, len(sentences))
    order: list[Sentence] = []
    for place in range(len(kinds)):
        candidates = [fixed[place]] if place in fixed else left
        chosen = next((sentence for sentence in candidates if _allowed(order, sentence, kinds)), None)
        if chosen is None:
            return None
        order.append(chosen)
        if place not in fixed:
            left.remove(chosen)
            rng.shuffle(left)
    return order


def _allowed(order: Sequence[Sentence], sentence: Sentence, kinds: dict[str, int]) -> bool:
    kind = kinds[sentence.id]
    if len(order) < LEAD and kind != 1:
        return False
    if kind == 0 and _run(order, lambda other: kinds[other.id] == 0) >= ITEMS_IN_ROW:
        return False
    return _run(order, lambda other: other.pronoun == sentence.pronoun) < PRONOUNS_IN_ROW


def _run(order: Sequence[Sentence], alike: Callable[[Sentence], bool]) -> int:
    """Return how many sentences at the end of an order are alike."""
    return next((number for number, other in enumerate(reversed(order)) if not alike(other)), len(order))


@dataclass(frozen=True, slots=True)
class Placed:
    """A sentence at a position of a list, both from 1; `part` is practice, item, filler or attention."""

    list: int
    position: int
    part: Part
    sentence: Sentence


@dataclass(frozen=True, slots=True)
class Layout:
    """An experiment laid out."""

    lang: str
    options: tuple[str, ...]
    placed: tuple[Placed, ...]  # the sentences of all lists, in their order
    design: Design

    @property
    def lists(self) -> dict[int, list[Placed]]:
        """The sentences of each list, by its number."""
        lists: dict[int, list[Placed]] = {}
        for placed in self.placed:
            lists.setdefault(placed.list, []).append(placed)
        return lists

    def counts(self) -> dict[str, int]:
        """Return how many lists there are, and how many sentences of each part, each counted once."""
        parts = {placed.sentence.id: placed.part for placed in self.placed}
        return {"lists": len(self.lists), "trials": len(self.placed), **dict(sorted(Counter(parts.values()).items()))}


def lay_out(
    lang: str, options: Sequence[str], items: Sequence[Item], fillers: Sequence[Filler], design: Design, seed: int
) -> Layout:
    """Return the layout of an experiment; the same arguments give the same one.

    Each list begins with the practice trials. Then come its items, fillers and attention trials, whose right answers differ, in the
    order of `order_trials`.

    Raises:
        PipelineError: two sentences share an id.
        ValueError: no lists or no orders were found.
    """
    require_unique_ids([*items, *fillers, *design.practice, *design.attention])
    rng = Random(seed)  # noqa: S311 - draws lists, no keys
    lists = item_lists(items, design.items, rng)
    others = filler_lists(fillers, len(lists), design.fillers, rng)
    attention = cycle(taking_turns(design.attention, lambda sentence: sentence.pronoun, rng))
    placed = []
    for number, (own, filling) in enumerate(zip(lists, others, strict=True), 1):
        checks = list(islice(attention, design.attention_trials))
        order = order_trials(own, filling, checks, rng)
        parts: dict[Part, Sequence[Sentence]] = {
            "item": own,
            "filler": filling,
            "attention": checks,
            "practice": design.practice,
        }
        part_of = {sentence.id: part for part, sentences in parts.items() for sentence in sentences}
        placed += [
            Placed(number, position, part_of[sentence.id], sentence)
            for position, sentence in enumerate((*design.practice, *order), 1)
        ]
    return Layout(lang, tuple(options), tuple(placed), design)
