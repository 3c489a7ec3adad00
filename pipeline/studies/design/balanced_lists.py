"""Balanced lists: no list has two members of a schema, and each has its share of the members and of the answers.

Records are dealt to the lists in turn, cell after cell: first the members a with the answer 0, then those with the answer 1, and so
on. That gives every list its share of nearly everything. What is still wrong is repaired by swaps.
"""

from collections import Counter
from collections.abc import Sequence
from functools import cache
from random import Random

from ...statistics.swaps import Draft, Group, Limits
from .fields import StudyRecord

#: Maximum number of fresh deals before the lists are refused. In the second half cells may be one off their share, and records that
#: are left over may be exchanged.
_MAX_DEALS = 24
#: Maximum number of swaps after one deal, besides two for each schema with two members in one list.
_MAX_SWAPS = 60

#: The member (a, b) and the answer of a record.
Cell = tuple[str, int | None]


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
        limits = _limits(records, count, size, slack=int(not strict))
        spare = [] if strict else left_over
        draft = Draft(lists, spare, limits, lambda record: _groups(_cell(record)), lambda record: record.item.schema)
        if draft.repair(rng, _MAX_SWAPS):
            return draft.lists
    raise ValueError(_refusal(schemas, count, size))


def _cell(record: StudyRecord) -> Cell:
    return record.item.version, record.item.answer


@cache
def _groups(cell: Cell) -> tuple[Group, ...]:
    version, answer = cell
    return ("member", version), ("answer", answer), ("cell", cell)


def _limits(records: Sequence[StudyRecord], count: int, size: int | None, *, slack: int) -> Limits:
    """Return the share of a list, rounded down and up; that of a cell may be `slack` records off.

    The groups are the records of a member, those with an answer, those of a cell.
    """
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
