"""Judgements of items by raters: the table that measures of agreement take."""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence

#: A label, or a whole number where it is a rating.
Category = str | int
#: Judgements of one item, by rater. A rater who did not judge it is absent: a missing cell is not a category.
Row = Mapping[str, Category]
#: The rows by item. Coefficients do not need the ids of items and take `judgements.values()`.
Judgements = Mapping[str, Row]


def category_counts(rows: Iterable[Row]) -> tuple[list[Category], list[list[int]]]:
    """Return the categories in use (numbers in order, labels as they first occur), and their counts.

    The counts have a row for each item with a judgement and a column for each category.

    >>> category_counts([{"r1": "B", "r2": "B"}, {}, {"r2": "A"}])
    (['B', 'A'], [[2, 0], [0, 1]])
    """
    tallies = [Counter(row.values()) for row in rows if row]
    used = list(dict.fromkeys(category for tally in tallies for category in tally))
    numbers = [category for category in used if isinstance(category, int)]
    ordered: list[Category] = [*sorted(numbers)] if len(numbers) == len(used) else used
    return ordered, [[tally[category] for category in ordered] for tally in tallies]


def require_numbers(categories: Iterable[Category]) -> None:
    """Raise `ValueError` for a label, where a measure needs distances between categories."""
    for category in categories:
        if not isinstance(category, int):
            raise ValueError(f"[category] labels have no distance; found {category!r}, expected a whole number")


def right_answer(item: str, answers: Mapping[str, Category]) -> Category:
    """Return the right answer of an item; raises `ValueError` if it has none."""
    if item not in answers:
        raise ValueError(f"[item] no right answer; found {item!r}, expected one of the {len(answers)} that have one")
    return answers[item]


def clusters(judgements: Judgements, cluster_of: Mapping[str, Hashable]) -> list[Sequence[Row]]:
    """Return the rows by cluster, such as a schema's pair, in their order; raises `ValueError` for an item without a cluster."""
    grouped: dict[Hashable, list[Row]] = {}
    for item, row in judgements.items():
        if item not in cluster_of:
            raise ValueError(
                f"[item] item without a cluster; found {item!r}, expected one of the {len(cluster_of)} that have one"
            )
        grouped.setdefault(cluster_of[item], []).append(row)
    return list(grouped.values())
