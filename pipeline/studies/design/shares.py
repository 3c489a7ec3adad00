"""How many records of each kind go to each of several balanced lists."""

import math
from collections.abc import Iterator, Sequence

#: The member and the label of a record.
Cell = tuple[str, int | None]
#: The cells of the members of a schema.
Kind = tuple[Cell, ...]


def shares(
    kinds: Sequence[tuple[Kind, int]], count: int, size: int | None, *, slack: int
) -> list[list[list[int]]] | None:
    """Return for each kind of schema, each of its members and each list how many records go there; None where that cannot be.

    A small integer programme (HiGHS, in scipy). The size of a list and its records of each member and of each label are their
    part of all, rounded up or down. Of a kind with z schemas in use no list gets more than z records. That is enough for members
    to be in different lists: a bipartite multigraph of degree z has an edge colouring with z colours (König 1916), a colour
    being a schema. What it minimises are the schemas of which some member is left over and another is not.

    Args:
        kinds: the kinds of schemas, and how many there are of each.
        count: how many lists.
        size: of each list; None for all records in lists as equal as can be.
        slack: how far the records of a member with a label (a with the answer 0) may be off their part.
    """
    import numpy as np
    from scipy.optimize import Bounds, LinearConstraint, milp

    places = [(kind, cell) for kind, (cells, _) in enumerate(kinds) for cell in cells]
    amounts = [kinds[kind][1] for kind, _ in places]
    numbers = len(places) * count  # behind the counts stand the schemas of each kind that are in use
    rows, low, high = [], [], []
    for variables, kind, least, most in (*_parts(places, amounts, count, size, slack), *_uses(places, count, size)):
        row = np.zeros(numbers + len(kinds))
        row[variables] = 1
        if kind is not None:
            row[numbers + kind] = -1
        rows.append(row)
        low.append(least)
        high.append(most)
    present = [number for _, number in kinds]
    in_use = present if size is None else [0] * len(kinds)
    found = milp(
        np.array([-1] * numbers + [len(cells) for cells, _ in kinds]),
        integrality=np.ones(numbers + len(kinds)),
        bounds=Bounds(np.array([0] * numbers + in_use), np.array([*np.repeat(amounts, count), *present])),
        constraints=LinearConstraint(np.array(rows), low, high),
    )
    if found.x is None:
        return None
    counts: list[list[list[int]]] = [[] for _ in kinds]
    for place, (kind, _) in enumerate(places):
        counts[kind].append([round(value) for value in found.x[place * count : (place + 1) * count]])
    return counts


#: Variables, the kind whose schemas in use are taken off their sum (if any), and the least and the most that it may be.
_Limit = tuple[list[int], int | None, float, float]


def _parts(
    places: Sequence[tuple[int, Cell]], amounts: Sequence[int], count: int, size: int | None, slack: int
) -> Iterator[_Limit]:
    """Yield for each list the limits of what it has of all, of each member, each label, each cell."""
    for of, loose in _groups([cell for _, cell in places]):
        part = sum(amounts[place] for place in of)
        above, below = (part, count) if size is None else (part * size, sum(amounts))
        off = slack * loose
        for number in range(count):
            yield [place * count + number for place in of], None, above // below - off, -(-above // below) + off


def _uses(places: Sequence[tuple[int, Cell]], count: int, size: int | None) -> Iterator[_Limit]:
    """Yield the limits of what a list has of a kind and of what is laid out of a member: the schemas in use."""
    for kind in dict.fromkeys(kind for kind, _ in places):
        mine = [place for place, (other, _) in enumerate(places) if other == kind]
        for number in range(count):
            yield [place * count + number for place in mine], kind, -math.inf, 0
        for place in mine:
            yield [place * count + number for number in range(count)], kind, -math.inf if size else 0, 0


def _groups(cells: Sequence[Cell]) -> Iterator[tuple[list[int], bool]]:
    """Yield the places of which a list gets its part: all, those of each member, each label, each cell, whose part is loose."""
    yield list(range(len(cells))), False
    for axis in range(2):
        for value in dict.fromkeys(cell[axis] for cell in cells):
            yield [place for place, cell in enumerate(cells) if cell[axis] == value], False
    for both in dict.fromkeys(cells):
        yield [place for place, cell in enumerate(cells) if cell == both], True
