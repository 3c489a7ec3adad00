"""Edge colouring of bipartite multigraphs."""

from collections.abc import Sequence


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
