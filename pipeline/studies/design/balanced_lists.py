"""Lists that are balanced for member and label."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random

from .fields import StudyRecord


def edge_colouring(degrees: Sequence[Sequence[int]]) -> list[tuple[int, int, int]]:
    """Return (left, right, colour) for each edge so that no two edges at a node have a colour in common.

    There are as many colours as the greatest degree (König 1916): where both ends of an edge lack different colours, those are
    exchanged along the path from the right end on which they alternate; it cannot come back to the left end.

    Args:
        degrees: how many edges go from each left node to each right node.

    >>> edge_colouring([[1, 1], [1, 1]])
    [(0, 0, 1), (0, 1, 0), (1, 0, 0), (1, 1, 1)]
    """
    width = max(map(len, degrees), default=0)
    colours = max([*map(sum, degrees), *map(sum, zip(*degrees, strict=True))], default=0)
    # By colour, the node at the other end; right nodes stand behind the left ones.
    ends: list[dict[int, int]] = [{} for _ in range(len(degrees) + width)]
    for left, row in enumerate(degrees):
        for right, number in enumerate(row, len(degrees)):
            for _ in range(number):
                mine = next(colour for colour in range(colours) if colour not in ends[left])
                other = next(colour for colour in range(colours) if colour not in ends[right])
                if mine in ends[right]:
                    _exchange(ends, right, mine, other)
                ends[left][mine], ends[right][mine] = right, left
    return [
        (left, node - len(degrees), colour)
        for left in range(len(degrees))
        for node, colour in sorted((node, colour) for colour, node in ends[left].items())
    ]


def _exchange(ends: list[dict[int, int]], start: int, one: int, other: int) -> None:
    """Exchange two colours along the path from `start`, which lacks `other`."""
    path, colour = [start], one
    while colour in ends[path[-1]]:
        path.append(ends[path[-1]][colour])
        colour = other if colour == one else one
    for node in path:
        mine, theirs = ends[node].pop(one, None), ends[node].pop(other, None)
        if mine is not None:
            ends[node][other] = mine
        if theirs is not None:
            ends[node][one] = theirs


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


def balanced(
    schemas: Sequence[Sequence[StudyRecord]], count: int, size: int | None, rng: Random
) -> list[list[StudyRecord]]:
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
    kinds: dict[Kind, list[Sequence[StudyRecord]]] = {}
    for members in schemas:
        kinds.setdefault(tuple(map(_cell, members)), []).append(members)
    ordered = sorted(kinds, key=repr)
    amounts = [(kind, len(kinds[kind])) for kind in ordered]
    counts = shares(amounts, count, size, slack=0) or shares(amounts, count, size, slack=1)
    if counts is None:
        raise ValueError(_impossible(schemas, count, size))
    numbers = list(range(count))
    rng.shuffle(numbers)
    lists: list[list[StudyRecord]] = [[] for _ in numbers]
    for kind, degrees in zip(ordered, counts, strict=True):
        chosen = kinds[kind]
        rng.shuffle(chosen)
        for place, number, schema in edge_colouring(degrees):
            lists[numbers[number]].append(chosen[schema][place])
    return lists


def _cell(asked: StudyRecord) -> Cell:
    return asked.record.version, asked.record.answer


def _impossible(schemas: Sequence[Sequence[StudyRecord]], count: int, size: int | None) -> str:
    cells = Counter(_cell(asked) for members in schemas for asked in members)
    told = ", ".join(
        f"{number} {version} with answer {label}" for (version, label), number in sorted(cells.items(), key=repr)
    )
    wanted = f"{count} lists of {size}" if size is not None else f"{count} lists with all"
    return (
        f"[lists] no such lists; found {told} in {len(schemas)} schemas, expected {wanted}, each with its share of every member "
        "and label to within one and no two members of a schema: try another count, or a lesser size"
    )
