"""Levels of difficulty: how many items each has, what was rated in each, and whether they differ."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from ...statistics.human_accuracy import (
    BY_ACCURACY,
    BY_RATING,
    LEVELS,
    CutOffs,
    by_difficulty,
    difficulty,
    mean_ratings,
)
from ...statistics.ratings import Judgements
from ...statistics.significance import kruskal_wallis
from ...statistics.summary import summarise
from .measures import mean_estimate

_EMPTY = "no item has this level"


def rating_levels(table: Judgements, shares: Mapping[str, Mapping[str, float]]) -> dict[str, Any]:
    """Return the figures of levels that are cut by the items' mean ratings of 1 to 5 (WSC-ZA, section 3.2, Table 3).

    ``difficulty`` summarises item means and ``difficulty_ratings`` single ratings, in both the level is that of the item. The paper does
    not name its unit; a mean of 3.05 within [3, 4) leaves item means a standard deviation of 0.22 at most, so that the printed 0.47 is
    that of single ratings. ``ratings_by_level`` and ``means_by_level`` are the paper's Kruskal-Wallis test in both units: its groups are
    cut by the tested values, so that they differ even where ratings are noise. ``accuracy_by_level`` tests other values instead.

    Args:
        table: the ratings.
        shares: for each control with expected answers, the share of right answers of each item.
    """
    means = mean_ratings(table)
    levels = by_difficulty(means, BY_RATING)
    single = {
        level: [float(rating) for item in of_level for rating in table[item].values()]
        for level, of_level in levels.items()
    }
    return {
        "difficulty": level_means(means, BY_RATING),
        "difficulty_ratings": {level: mean_estimate(summarise(given), _EMPTY) for level, given in single.items()},
        "ratings_by_level": kruskal_wallis(single.values(), "level", "rating"),
        "means_by_level": kruskal_wallis([list(of_level.values()) for of_level in levels.values()], "level", "rating"),
        "accuracy_by_level": {
            name: kruskal_wallis(
                [[of_item[item] for item in of_level if item in of_item] for of_level in levels.values()]
            )
            for name, of_item in sorted(shares.items())
        },
    }


def level_means(values: Mapping[str, float], cut_offs: CutOffs) -> dict[str, dict[str, Any]]:
    """Return the mean of each level over the values of its items, with interval, number and standard deviation."""
    return {
        level: mean_estimate(summarise(of_level.values()), _EMPTY)
        for level, of_level in by_difficulty(values, cut_offs).items()
    }


def levels_by_raters(table: Judgements) -> list[dict[str, Any]]:
    """Return which numbers of right answers are which level, for each number of raters that items have.

    A row has ``raters``, ``items`` and for each level the numbers of right answers, least and greatest, or None if no number of them is
    that level: of six raters only six right answers are 85 %, so that easy means unanimous.
    """
    rows = []
    for raters, items in sorted(Counter(len(row) for row in table.values() if row).items()):
        of_level: dict[str, list[int]] = {level: [] for level in LEVELS}
        for right in range(raters + 1):
            of_level[difficulty(right / raters, BY_ACCURACY)].append(right)
        limits = {level: [numbers[0], numbers[-1]] if numbers else None for level, numbers in of_level.items()}
        rows.append({"raters": raters, "items": items, **limits})
    return rows
