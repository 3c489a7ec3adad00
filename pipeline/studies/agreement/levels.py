"""Levels of difficulty and lists: how many items or answers each has, and whether they differ."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
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
from ...statistics.intervals import ratio
from ...statistics.ratings import Category, Judgements
from ...statistics.significance import kruskal_wallis
from ...statistics.summary import summarise
from ..model.answers import TaskJudgement, marks
from ..model.design import Control
from ..model.study import Study
from .measures import MeanEstimate, mean_estimate

#: The test of Kruskal and Wallis as `kruskal_wallis` gives it.
Test = Mapping[str, Any]


#: For each group of judgements, whether the answers of each rater are right.
Marks = dict[str, dict[str, list[bool]]]
#: The orders of a list and of its mirrored twin.
AS_LAID_OUT, REVERSED = "as laid out", "reversed"
#: Minimum number of raters of each list, so that lists can be told from their raters.
_FEWEST = 2
_EMPTY = "no item has this level"


@dataclass(frozen=True, slots=True)
class RatingLevels:
    """The figures of levels that are cut by the items' mean ratings of 1 to 5; see `rating_levels`."""

    difficulty: Mapping[str, MeanEstimate]
    difficulty_ratings: Mapping[str, MeanEstimate]
    ratings_by_level: Test
    means_by_level: Test
    accuracy_by_level: Mapping[str, Test]


@dataclass(frozen=True, slots=True)
class LevelLimits:
    """The least and the greatest number of right answers of each level, for items with so many raters.

    None where no number is that level: of six raters only six right answers are 85 %, so that easy means unanimous.
    """

    raters: int
    items: int
    easy: tuple[int, int] | None
    moderate: tuple[int, int] | None
    hard: tuple[int, int] | None


def rating_levels(table: Judgements, shares: Mapping[str, Mapping[str, float]]) -> RatingLevels:
    """Return the figures of levels that are cut by the items' mean ratings of 1 to 5 (WSC-ZA, section 3.2, Table 3).

    ``difficulty`` summarises item means and ``difficulty_ratings`` single ratings, in both the level is that of the item. The paper does
    not name its unit; a mean of 3.05 within [3, 4) leaves item means a standard deviation of 0.22 at most, so that the printed 0.47 is
    that of single ratings. ``ratings_by_level`` and ``means_by_level`` are the paper's Kruskal-Wallis test in both units: its groups are
    cut by the tested values, so that they differ even where ratings are noise. ``accuracy_by_level`` tests other values instead.
    """
    means = mean_ratings(table)
    levels = by_difficulty(means, BY_RATING)
    single = {
        level: [float(rating) for item in of_level for rating in table[item].values()]
        for level, of_level in levels.items()
    }
    by_mean = [list(of_level.values()) for of_level in levels.values()]
    return RatingLevels(
        difficulty=level_means(means, BY_RATING),
        difficulty_ratings={level: mean_estimate(summarise(given), _EMPTY) for level, given in single.items()},
        ratings_by_level=kruskal_wallis(single.values(), "level", "rating"),
        means_by_level=kruskal_wallis(by_mean, "level", "rating"),
        accuracy_by_level={
            name: kruskal_wallis(
                [[of_item[item] for item in of_level if item in of_item] for of_level in levels.values()]
            )
            for name, of_item in sorted(shares.items())
        },
    )


def level_means(values: Mapping[str, float], cut_offs: CutOffs) -> dict[str, MeanEstimate]:
    """Return the mean of each level over the values of its items, with interval, number and standard deviation."""
    return {
        level: mean_estimate(summarise(of_level.values()), _EMPTY)
        for level, of_level in by_difficulty(values, cut_offs).items()
    }


def levels_by_raters(table: Judgements) -> list[LevelLimits]:
    """Return which numbers of right answers are which level, for each number of raters that items have."""
    rows = []
    for raters, items in sorted(Counter(len(row) for row in table.values() if row).items()):
        of_level: dict[str, list[int]] = {level: [] for level in LEVELS}
        for right in range(raters + 1):
            of_level[difficulty(right / raters, BY_ACCURACY)].append(right)
        limits = {level: (numbers[0], numbers[-1]) if numbers else None for level, numbers in of_level.items()}
        rows.append(LevelLimits(raters, items, **limits))
    return rows


# --- lists ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ListAccuracy:
    """The number of raters of a list, their right answers of `n`, and their share."""

    raters: int
    right: int
    n: int
    accuracy: float | None


@dataclass(frozen=True, slots=True)
class ListEffects:
    """The accuracy of each list and of each order of mirrored lists (None without such lists), with a test of their difference."""

    lists: Mapping[str, ListAccuracy]
    test: Test
    orders: Mapping[str, ListAccuracy] | None
    orders_test: Test | None


def list_effects(
    study: Study, answered: Iterable[TaskJudgement], control: Control, expected: Mapping[str, Category]
) -> ListEffects:
    """Return the accuracy of each list, and of each order of mirrored lists, with Kruskal and Wallis' test over their raters' accuracies.

    A mirrored list counts with its twin. Raters are independent of each other; the items are not, because the members of a pair are in
    different lists (WSC-ZA, section 3.3: balanced difficulty across the lists).
    """
    twins = dict(zip(study.lists[1::2], study.lists[::2], strict=False)) if study.layout.mirrored else {}
    lists: Marks = {name: defaultdict(list) for name in study.lists if name not in twins}
    orders: Marks = {name: defaultdict(list) for name in (AS_LAID_OUT, REVERSED)}
    for judgement in answered:
        given, name = marks(judgement, control, expected), judgement.task.list
        if given is not None:
            lists[twins.get(name, name)][judgement.rater].append(given)
            orders[REVERSED if name in twins else AS_LAID_OUT][judgement.rater].append(given)
    return ListEffects(
        lists={name: _accuracy(by_rater) for name, by_rater in lists.items()},
        test=_test(lists, "list"),
        orders={name: _accuracy(by_rater) for name, by_rater in orders.items()} if twins else None,
        orders_test=_test(orders, "order") if twins else None,
    )


def _accuracy(by_rater: Mapping[str, Sequence[bool]]) -> ListAccuracy:
    right, answers = sum(map(sum, by_rater.values())), sum(map(len, by_rater.values()))
    return ListAccuracy(len(by_rater), right, answers, ratio(right, answers))


def _test(groups: Marks, group: str) -> Test:
    shares = [[sum(own) / len(own) for own in by_rater.values()] for by_rater in groups.values()]
    test = kruskal_wallis(shares, group)
    if len(shares) > 1 and min(map(len, shares)) < _FEWEST:
        return dict.fromkeys(test) | {"why": f"fewer than two raters have one {group}", "n": test["n"]}
    return test
