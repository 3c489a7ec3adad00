"""Balanced lists: no list has two members of a schema, and each has its share of the members and of the answers.

Records are dealt to the lists in turn, cell after cell: first the members a with the answer 0, then those with the answer 1, and so
on. That gives every list its share of nearly everything. What is still wrong is repaired by swaps: the min-conflicts heuristic of
Minton et al. (1992), "Minimizing conflicts: a heuristic repair method for constraint satisfaction and scheduling problems", Artificial
Intelligence 58.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from random import Random

from .fields import StudyRecord

#: Maximum number of fresh deals before the lists are refused. In the second half cells may be one off their share, and records that
#: are left over may be exchanged.
_MAX_DEALS = 24
#: Maximum number of swaps after one deal, besides two for each schema with two members in one list.
_MAX_SWAPS = 60

#: The member (a, b) and the answer of a record.
Cell = tuple[str, int | None]
#: Records of which each list gets its share: those of a member, those with an answer, those of a cell.
Group = tuple[str, object]
#: The least and the greatest number of records of each group in a list.
Limits = Mapping[Group, tuple[int, int]]


def balanced_lists(
    schemas: Sequence[Sequence[StudyRecord]], count: int, size: int | None, rng: Random
) -> list[list[StudyRecord]]:
    """Return `count` lists; each record is in one list at most, and pair-mates are in different lists.

    Each list has its share of the records, of each member (a, b) and of each answer: its part of all records, rounded up or down.
    Where that leaves a choice, it has its share of each member with an answer too (a with the answer 0); else that share may be
    one off. WSC-ZA's lists (section 3.3): 240 records in 4 lists of 60.

    The same arguments give the same lists. Lists that are returned keep every promise; lists that are refused may still exist. Of
    3,982 random collections of up to 80 records for which an integer programme found lists, none was refused.

    Args:
        schemas: the records of each schema, in a fixed order.
        count: the number of lists.
        size: the number of records in each; None to put all records in lists that differ by one at most. Left over are whole
            schemas where such lists are found.
        rng: the source of randomness.

    Raises:
        ValueError: the lists are impossible, or none were found.
    """
    total = sum(map(len, schemas))
    most = max(map(len, schemas), default=0)
    if size is None and count < most:
        raise ValueError(
            f"[count] too few lists; found {count}, expected at least {most}: one for each member of a schema"
        )
    if size is not None and count * size > total:
        raise ValueError(
            f"[size] too many records; found {count} lists of {size}, expected at most {total} records in all"
        )
    records = [record for members in schemas for record in members]
    for deal in range(_MAX_DEALS):
        strict = 2 * deal < _MAX_DEALS
        left_over = [] if size is None else _left_over(schemas, total - count * size, rng, by_kind=deal % 2 == 0)
        lists = _deal(records, left_over, count, rng)
        draft = _Draft(lists, [] if strict else left_over, _limits(records, count, size, slack=int(not strict)))
        if draft.repair(rng):
            return draft.lists
    raise ValueError(_refusal(schemas, count, size))


def _cell(record: StudyRecord) -> Cell:
    return record.item.version, record.item.answer


@cache
def _groups(cell: Cell) -> tuple[Group, ...]:
    version, answer = cell
    return ("member", version), ("answer", answer), ("cell", cell)


def _limits(records: Sequence[StudyRecord], count: int, size: int | None, *, slack: int) -> Limits:
    """Return the share of a list, rounded down and up; that of a cell may be `slack` records off."""
    numbers = Counter(group for record in records for group in _groups(_cell(record)))
    above, below = (1, count) if size is None else (size, len(records))
    limits = {}
    for group, number in numbers.items():
        off = slack if group[0] == "cell" else 0
        limits[group] = number * above // below - off, -(-number * above // below) + off
    return limits


def _left_over(
    schemas: Sequence[Sequence[StudyRecord]], number: int, rng: Random, *, by_kind: bool
) -> list[StudyRecord]:
    """Return `number` records to leave over, whole schemas as far as possible; `by_kind` of each kind its share."""
    total = sum(map(len, schemas))
    ordered = rng.sample(schemas, len(schemas))
    if by_kind:
        ordered.sort(key=lambda members: repr([_cell(record) for record in members]))
    chosen: list[StudyRecord] = []
    rest = []
    due = rng.random()
    for members in ordered:
        due += number / total
        if due >= 1 and len(chosen) + len(members) <= number:
            chosen += members
            due -= 1
        else:
            rest.append(members)
    for members in rng.sample(rest, len(rest)):
        chosen += members[: number - len(chosen)]
    return chosen


def _deal(
    records: Sequence[StudyRecord], left_over: Sequence[StudyRecord], count: int, rng: Random
) -> list[list[StudyRecord]]:
    """Deal the records to the lists in turn, cell after cell.

    Neighbouring cells share the member or the answer (a 0, a 1, b 1, b 0). So the records of a member or an answer come one after
    another, and each list gets its share of them.
    """
    answers = sorted({record.item.answer for record in records}, key=repr)
    members = sorted({record.item.version for record in records})

    def place(record: StudyRecord) -> tuple[int, int]:
        member, answer = members.index(record.item.version), answers.index(record.item.answer)
        return member, -answer if member % 2 else answer

    out = {record.id for record in left_over}
    used = [record for record in records if record.id not in out]
    rng.shuffle(used)
    used.sort(key=place)
    return [used[number::count] for number in rng.sample(range(count), count)]


class _Draft:
    """Lists in the making.

    Attributes:
        lists: the records of each list.
    """

    def __init__(self, lists: list[list[StudyRecord]], spare: list[StudyRecord], limits: Limits) -> None:
        """Begin with `lists`, whose records may be exchanged for `spare` ones."""
        self.lists = lists
        self._limits = limits
        self._parts = [*lists, spare]
        self._numbers = [Counter(group for record in part for group in _groups(_cell(record))) for part in self._parts]
        self._members = [Counter(record.item.schema for record in part) for part in self._parts]

    def repair(self, rng: Random) -> bool:
        """Swap records until nothing is wrong; return whether that was reached."""
        doubled = sum(number > 1 for members in self._members[:-1] for number in members.values())
        for _ in range(_MAX_SWAPS + 2 * doubled):
            wrong = list(self._wrong())
            if not wrong:
                return True
            source, record = rng.choice(wrong)
            swaps = self._best_swaps(source, record)
            if not swaps:
                return False
            target, other = rng.choice(swaps)
            self._move(record, source, target)
            self._move(other, target, source)
        return not any(self._wrong())

    def _wrong(self) -> Iterator[tuple[int, StudyRecord]]:
        """Yield the records whose exchange can mend something, each with the number of its list."""
        for number, part in enumerate(self.lists):
            for record in part:
                if self._members[number][record.item.schema] > 1:
                    yield number, record
            for group, (low, high) in self._limits.items():
                present = self._numbers[number][group]
                if not low <= present <= high:
                    for record in part:
                        if (group in _groups(_cell(record))) == (present > high):
                            yield number, record

    def _best_swaps(self, source: int, record: StudyRecord) -> list[tuple[int, StudyRecord]]:
        """Return the records, with the numbers of their lists, for which a record is best exchanged."""
        swaps: dict[int, list[tuple[int, StudyRecord]]] = {}
        for target, part in enumerate(self._parts):
            if target == source:
                continue
            cells = set(map(_cell, part))
            change = {cell: self._imbalance_change(source, target, _cell(record), cell) for cell in cells}
            for other in part:
                wrong = change[_cell(other)]
                if other.item.schema != record.item.schema:
                    wrong += self._clash_change(record.item.schema, source, target)
                    wrong += self._clash_change(other.item.schema, target, source)
                swaps.setdefault(wrong, []).append((target, other))
        return swaps[min(swaps)] if swaps else []

    def _imbalance_change(self, source: int, target: int, cell: Cell, other: Cell) -> int:
        """Return by how much both lists get farther from their shares when records of two cells are exchanged."""
        change = 0
        for group in {*_groups(cell)} ^ {*_groups(other)}:
            low, high = self._limits[group]
            step = 1 if group in _groups(cell) else -1
            for number, by in ((source, -step), (target, step)):
                if number < len(self.lists):
                    before = self._numbers[number][group]
                    after = before + by
                    change += max(low - after, after - high, 0) - max(low - before, before - high, 0)
        return change

    def _clash_change(self, schema: str, source: int, target: int) -> int:
        """Return how many more members of its schema a record meets in the target than in the source."""
        here = self._members[source][schema] - 1 if source < len(self.lists) else 0
        there = self._members[target][schema] if target < len(self.lists) else 0
        return there - here

    def _move(self, record: StudyRecord, source: int, target: int) -> None:
        for number, step in ((source, -1), (target, 1)):
            self._members[number][record.item.schema] += step
            for group in _groups(_cell(record)):
                self._numbers[number][group] += step
        self._parts[source].remove(record)
        self._parts[target].append(record)


def _refusal(schemas: Sequence[Sequence[StudyRecord]], count: int, size: int | None) -> str:
    cells = Counter(_cell(record) for members in schemas for record in members)
    present = ", ".join(
        f"{number} {member} with answer {answer}" for (member, answer), number in sorted(cells.items(), key=repr)
    )
    wanted = f"{count} lists of {size}" if size is not None else f"{count} lists with all"
    return (
        f"[lists] no balanced lists in {_MAX_DEALS} attempts; found {present} in {len(schemas)} schemas, expected {wanted}, each with "
        "its share of members and answers and no two members of a schema: try another count or a smaller size"
    )
