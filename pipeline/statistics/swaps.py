"""Swap records between lists until each list has its share of every group.

The min-conflicts heuristic of Minton et al. (1992), "Minimizing conflicts: a heuristic repair method for constraint satisfaction and
scheduling problems", Artificial Intelligence 58.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from random import Random
from typing import Generic, TypeVar

T = TypeVar("T")
#: What records have in common of which each list gets its share, as the same answer.
Group = tuple[str, object]
#: The least and the greatest number of records of each group in a list.
Limits = Mapping[Group, tuple[int, int]]


def share_limits(
    records: Iterable[T],
    groups: Callable[[T], tuple[Group, ...]],
    above: int,
    below: int,
    slack: Mapping[str, int],
) -> Limits:
    """Return for each group the share of a list, the part above / below of its records, rounded down and up.

    `slack` says by how many records the share of a group may be off, by the kind of the group.
    """
    numbers = Counter(group for record in records for group in groups(record))
    off = {group: slack.get(group[0], 0) for group in numbers}
    return {
        group: (number * above // below - off[group], -(-number * above // below) + off[group])
        for group, number in numbers.items()
    }


def balance(draft: "Callable[[int], Draft[T]]", deals: int, swaps: int, rng: Random) -> list[list[T]] | None:
    """Return the lists of the first draft whose limits all hold after some swaps; None if there is none.

    `draft` deals the records anew, at most `deals` times; it gets the number of the deal, from 0. See `Draft.repair` for the swaps.
    """
    drafts = map(draft, range(deals))
    return next((dealt.lists for dealt in drafts if dealt.repair(rng, swaps)), None)


class Draft(Generic[T]):
    """Lists in the making."""

    def __init__(
        self,
        lists: list[list[T]],
        spare: list[T],
        limits: Limits,
        groups: Callable[[T], tuple[Group, ...]],
        schema: Callable[[T], Hashable],
    ) -> None:
        """Begin with `lists`, whose records may be exchanged for `spare` ones; no list may have two records of a schema."""
        self.lists = lists
        self._limits = limits
        self._groups = groups
        self._schema = schema
        self._parts = [*lists, spare]
        self._numbers = [Counter(group for record in part for group in groups(record)) for part in self._parts]
        self._members = [Counter(map(schema, part)) for part in self._parts]

    def repair(self, rng: Random, swaps: int) -> bool:
        """Swap records until all limits hold; return whether they do.

        The maximum number of swaps is `swaps`, and two for each schema with two records in a list.
        """
        doubled = sum(number > 1 for members in self._members[:-1] for number in members.values())
        for _ in range(swaps + 2 * doubled):
            wrong = list(self._wrong())
            if not wrong:
                return True
            source, record = rng.choice(wrong)
            best = self._best_swaps(source, record)
            if not best:
                return False
            target, other = rng.choice(best)
            self._move(record, source, target)
            self._move(other, target, source)
        return not any(self._wrong())

    def _wrong(self) -> Iterator[tuple[int, T]]:
        """Yield the records whose exchange can mend something, each with the number of its list."""
        for number, part in enumerate(self.lists):
            for record in part:
                if self._members[number][self._schema(record)] > 1:
                    yield number, record
            for group, (low, high) in self._limits.items():
                present = self._numbers[number][group]
                if not low <= present <= high:
                    for record in part:
                        if (group in self._groups(record)) == (present > high):
                            yield number, record

    def _best_swaps(self, source: int, record: T) -> list[tuple[int, T]]:
        """Return the records, with the numbers of their lists, for which a record is best exchanged."""
        own, schema = self._groups(record), self._schema(record)
        swaps: dict[int, list[tuple[int, T]]] = {}
        for target, part in enumerate(self._parts):
            if target == source:
                continue
            change = {
                groups: self._imbalance_change(source, target, own, groups) for groups in {*map(self._groups, part)}
            }
            for other in part:
                wrong = change[self._groups(other)]
                if self._schema(other) != schema:
                    wrong += self._clash_change(schema, source, target)
                    wrong += self._clash_change(self._schema(other), target, source)
                swaps.setdefault(wrong, []).append((target, other))
        return swaps[min(swaps)] if swaps else []

    def _imbalance_change(self, source: int, target: int, own: tuple[Group, ...], others: tuple[Group, ...]) -> int:
        """Return by how much both lists get farther from their shares when records of these groups are exchanged."""
        change = 0
        for group in {*own} ^ {*others}:
            low, high = self._limits[group]
            step = 1 if group in own else -1
            for number, by in ((source, -step), (target, step)):
                if number < len(self.lists):
                    before = self._numbers[number][group]
                    after = before + by
                    change += max(low - after, after - high, 0) - max(low - before, before - high, 0)
        return change

    def _clash_change(self, schema: Hashable, source: int, target: int) -> int:
        """Return how many more records of its schema a record meets in the target than in the source."""
        here = self._members[source][schema] - 1 if source < len(self.lists) else 0
        there = self._members[target][schema] if target < len(self.lists) else 0
        return there - here

    def _move(self, record: T, source: int, target: int) -> None:
        for number, step in ((source, -1), (target, 1)):
            self._members[number][self._schema(record)] += step
            for group in self._groups(record):
                self._numbers[number][group] += step
        self._parts[source].remove(record)
        self._parts[target].append(record)
