"""Difficulty levels of items, from ratings or accuracy (WSC-ZA, sections 3.2 and 5.3)."""

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import fmean
from typing import Literal, get_args

from .ratings import Judgements, require_numbers

Level = Literal["easy", "moderate", "hard"]
LEVELS: tuple[Level, ...] = get_args(Level)


@dataclass(frozen=True, slots=True)
class CutOffs:
    """Minimum value of an easy item and of a moderate item; lower values are hard."""

    easy: float
    moderate: float


#: Mean naturalness of 1 to 5 (section 3.2).
BY_RATING = CutOffs(easy=4.0, moderate=3.0)
#: Share of right answers (section 5.3). A fraction equal to a cut-off, such as 17/20, is the same float as the cut-off.
BY_ACCURACY = CutOffs(easy=0.85, moderate=0.60)


def difficulty(value: float, cut_offs: CutOffs) -> Level:
    """Return the level of one item.

    >>> difficulty(17 / 20, BY_ACCURACY), difficulty(3.99, BY_RATING), difficulty(2.99, BY_RATING)
    ('easy', 'moderate', 'hard')
    """
    if value >= cut_offs.easy:
        return "easy"
    return "moderate" if value >= cut_offs.moderate else "hard"


def by_difficulty(values: Mapping[str, float], cut_offs: CutOffs) -> dict[Level, dict[str, float]]:
    """Return the values by level; every level is a key, even without items. `summarise` of each level gives Table 3.

    Args:
        values: of each item, such as `mean_ratings` or `item_accuracies`.
        cut_offs: of the scale.
    """
    levels: dict[Level, dict[str, float]] = {level: {} for level in LEVELS}
    for item, value in values.items():
        levels[difficulty(value, cut_offs)][item] = value
    return levels


def mean_ratings(judgements: Judgements) -> dict[str, float]:
    """Return the mean rating of each item; an item without ratings is left out.

    Raises:
        ValueError: a rating is not a whole number.
    """
    means = {}
    for item, row in judgements.items():
        require_numbers(row.values())
        if row:
            means[item] = fmean(float(rating) for rating in row.values())
    return means
