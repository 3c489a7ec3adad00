"""Divide cloze items and fillers into the lists of an experiment."""

from collections.abc import Callable, Iterable, Sequence
from itertools import cycle, islice
from random import Random
from typing import TypeVar

from ...statistics.swaps import Draft, Group, balance, share_limits
from .materials import Filler, Item

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
    """Return `count` lists of fillers, each with equal shares of the right pronouns.

    A filler is in several lists. Of those with the same pronoun, none is in more lists than another by more than one. Neighbours in
    the cycle from which lists are taken have different registers, so that a list has about equally many of each.

    Raises:
        ValueError: a list would have a filler twice.
    """
    pronouns = sorted({filler.pronoun for filler in fillers})
    known = sorted({filler.register for filler in fillers})
    registers = rng.sample(known, len(known))
    lists: list[list[Filler]] = [[] for _ in range(count)]
    for number, pronoun in enumerate(pronouns):
        own = [filler for filler in fillers if filler.pronoun == pronoun]
        shares = [_share(size, number, place, len(pronouns)) for place in range(count)]
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
