"""Lists that are balanced for member and label."""

from collections import Counter
from collections.abc import Sequence
from random import Random

from .colouring import edge_colouring
from .fields import Asked
from .shares import Cell, Kind, shares


def balanced(schemas: Sequence[Sequence[Asked]], count: int, size: int | None, rng: Random) -> list[list[Asked]]:
    """Return `count` lists of which no record is in two, none has two members of a schema, and each has its share of all.

    The share of a member (version a, b) or of a label is its part of all records, rounded up or down; so in a collection with as
    many of each, two members or labels differ by one at most. The same holds of the lists' sizes. A member with a label (a with
    the answer 0) has its share too where that can be, else it may be one off. WSC-ZA's lists (section 3.3): 240 records, 4 lists of 60.

    How many records of each kind of schema go to each list is a small integer programme, which tells whether there is a solution
    at all; which ones is drawn. A programme's solution is the same in every run, but another version of scipy may find another.

    Args:
        schemas: the records by schema, in a fixed order.
        count: how many lists.
        size: how many records each has; None for all in lists as equal as can be. Rather whole schemas are left over than halves.
        rng: what draws.

    Raises:
        ValueError: there are no such lists.
    """
    total = sum(map(len, schemas))
    most = max(map(len, schemas), default=0)
    if size is None and count < most:
        raise ValueError(f"[count] found {count}, expected at least {most}: members of a schema are in different lists")
    if size is not None and count * size > total:
        raise ValueError(f"[size] found {count} lists of {size}, expected at most {total} records in all")
    kinds: dict[Kind, list[Sequence[Asked]]] = {}
    for members in schemas:
        kinds.setdefault(tuple(map(_cell, members)), []).append(members)
    ordered = sorted(kinds, key=repr)
    amounts = [(kind, len(kinds[kind])) for kind in ordered]
    counts = shares(amounts, count, size, slack=0) or shares(amounts, count, size, slack=1)
    if counts is None:
        raise ValueError(_impossible(schemas, count, size))
    numbers = list(range(count))
    rng.shuffle(numbers)
    lists: list[list[Asked]] = [[] for _ in numbers]
    for kind, degrees in zip(ordered, counts, strict=True):
        chosen = kinds[kind]
        rng.shuffle(chosen)
        for place, number, schema in edge_colouring(degrees):
            lists[numbers[number]].append(chosen[schema][place])
    return lists


def _cell(asked: Asked) -> Cell:
    return asked.record.version, asked.record.answer


def _impossible(schemas: Sequence[Sequence[Asked]], count: int, size: int | None) -> str:
    cells = Counter(_cell(asked) for members in schemas for asked in members)
    told = ", ".join(
        f"{number} {version} with answer {label}" for (version, label), number in sorted(cells.items(), key=repr)
    )
    wanted = f"{count} lists of {size}" if size is not None else f"{count} lists with all"
    return (
        f"[lists] no such lists; found {told} in {len(schemas)} schemas, expected {wanted}, each with its share of every member "
        "and label to within one and no two members of a schema: try another count, or a lesser size"
    )
