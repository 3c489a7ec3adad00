"""The items of a study: a row for each (items.tsv), those to review first; how many each level of difficulty and each list has."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from statistics import fmean
from typing import Any

from ...statistics.human_accuracy import (
    BY_ACCURACY,
    BY_RATING,
    LEVELS,
    CutOffs,
    by_difficulty,
    difficulty,
    majority_vote,
    mean_ratings,
)
from ...statistics.intervals import ratio, shrunken_means, summarise
from ...statistics.ratings import Category, Judgements
from ...statistics.significance import kruskal_wallis
from ..model.answers import TaskJudgement, answers_by_item, expected_answers, first_answers, marks
from ..model.design import Control
from ..model.study import Study, Task
from .measures import SCALE_OF_FIVE, MeanEstimate, mean_estimate

#: The decimals of means and shares: more would differ between machines.
_DIGITS = 4


@dataclass(frozen=True, slots=True)
class ItemRow:
    """The row of an item; None is what nobody answered, or what the study does not ask.

    Attributes:
        ratings: the ratings of the first control that rates from 1 to 5, from the lowest to the highest, so that a row does not say whose
            they are.
        mean: their mean, with four decimals as all means and shares.
        shrunken_mean: the prediction of `shrunken_means`, as `shrunken_accuracy`.
        rating_level: the level of difficulty by the mean.
        answers: the number of answers to the first control with expected answers, of which `right` are the expected ones.
        accuracy_level: the level of difficulty by the share of right answers.
    """

    item: str
    lists: list[str]
    raters: int
    skipped: int
    ratings: list[int] | None = None
    mean: float | None = None
    shrunken_mean: float | None = None
    rating_level: str | None = None
    answers: int | None = None
    right: int | None = None
    accuracy: float | None = None
    shrunken_accuracy: float | None = None
    accuracy_level: str | None = None


#: The columns; a cell is empty where nobody answered, or where the study does not ask.
COLUMNS = tuple(field.name for field in fields(ItemRow))


def item_rows(study: Study, tasks: Sequence[Task], judgements: Iterable[TaskJudgement]) -> list[ItemRow]:
    """Return the rows of the items of the main tasks, ordered by item; also of items that nobody judged."""
    main = [task for task in tasks if task.phase == "main"]
    lists: dict[str, dict[str, None]] = {}
    for task in main:
        for item in task.items:
            lists.setdefault(item, {})[task.list] = None
    judged = list(judgements)
    answered = first_answers(judged)
    raters = Counter(judgement.item for judgement in answered)
    skipped = Counter(judgement.item for judgement in judged if judgement.skipped and judgement.task.phase == "main")
    ratings, right = _rating_values(study, answered), _right_values(study, main, answered)
    return [
        ItemRow(item, list(lists[item]), raters[item], skipped[item], **ratings.get(item, {}), **right.get(item, {}))
        for item in sorted(lists)
    ]


def item_cells(row: ItemRow) -> list[str]:
    """Return the cells of a row of the table: lists with blanks between, means and shares with four decimals."""
    return [_cell(getattr(row, name)) for name in COLUMNS]


def _cell(value: object) -> str:
    if isinstance(value, list):
        return " ".join(map(str, value))
    return "" if value is None else f"{value:.4f}" if isinstance(value, float) else str(value)


def _rating_values(study: Study, answered: Iterable[TaskJudgement]) -> dict[str, dict[str, Any]]:
    """Return ratings, mean, shrunken mean and level of each item; empty if no control rates from 1 to 5."""
    for control in study.controls:
        if control.kind == "rating" and (control.low, control.high) == SCALE_OF_FIVE:
            table = answers_by_item(answered, control.name)
            ratings = {item: sorted(int(rating) for rating in row.values()) for item, row in table.items()}
            shrunken = shrunken_means(ratings)
            return {
                item: {
                    "ratings": given,
                    "mean": _rounded(fmean(given)),
                    "shrunken_mean": _rounded(shrunken.get(item)),
                    "rating_level": difficulty(fmean(given), BY_RATING),
                }
                for item, given in ratings.items()
            }
    return {}


def right_marks(study: Study, tasks: Sequence[Task], answered: Iterable[TaskJudgement]) -> dict[str, dict[str, bool]]:
    """Return whether each rater has an item right, by item and rater, of the first control that expects an answer; empty without one."""
    for control in study.controls:
        if expected := expected_answers(study, tasks, control):
            right: dict[str, dict[str, bool]] = {}
            for judgement in answered:
                mark = marks(judgement, control, expected)
                if mark is not None:
                    right.setdefault(judgement.item, {})[judgement.rater] = mark
            return right
    return {}


def _right_values(study: Study, tasks: Sequence[Task], answered: Iterable[TaskJudgement]) -> dict[str, dict[str, Any]]:
    """Return answers, right answers, accuracy, shrunken accuracy and level of each item; empty if no answer is expected."""
    right = {item: list(map(int, row.values())) for item, row in right_marks(study, tasks, answered).items()}
    shrunken = shrunken_means(right)
    return {
        item: {
            "answers": len(given),
            "right": sum(given),
            "accuracy": _rounded(fmean(given)),
            "shrunken_accuracy": _rounded(shrunken.get(item)),
            "accuracy_level": difficulty(fmean(given), BY_ACCURACY),
        }
        for item, given in right.items()
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, _DIGITS)


# --- levels of difficulty ---------------------------------------------------------------------------------------------

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
class LevelLimits:
    """The least and the greatest number of right answers of each level, for items with so many raters.

    None where no number is that level: of six raters only six right answers are 85 %, so that easy means unanimous.
    """

    raters: int
    items: int
    easy: tuple[int, int] | None
    moderate: tuple[int, int] | None
    hard: tuple[int, int] | None


def rating_levels(table: Judgements, shares: Mapping[str, Mapping[str, float]]) -> dict[str, Any]:
    """Return the fields of `ControlFigures` on levels that are cut by the items' mean ratings of 1 to 5 (WSC-ZA, section 3.2, Table 3).

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
    return {
        "difficulty": level_means(means, BY_RATING),
        "difficulty_ratings": {level: mean_estimate(summarise(given), _EMPTY) for level, given in single.items()},
        "ratings_by_level": kruskal_wallis(single.values(), "level", "rating"),
        "means_by_level": kruskal_wallis(by_mean, "level", "rating"),
        "accuracy_by_level": {
            name: kruskal_wallis(
                [[of_item[item] for item in of_level if item in of_item] for of_level in levels.values()]
            )
            for name, of_item in sorted(shares.items())
        },
    }


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


# --- which items to review first --------------------------------------------------------------------------------------

#: A vote is split where no answer has this share of the votes.
SPLIT = 2 / 3
#: The reasons to review an item, in the order in which items are listed.
REASONS: Mapping[str, str] = {
    "split": "split vote: no answer has two thirds of the votes",
    "against-gold": "the majority, or the only answer, is wrong",
    "low-rating": "mean rating below 3",
    "skipped": "skipped",
}


@dataclass(frozen=True, slots=True)
class Doubt:
    """An item with the reasons to review it, each with the number that orders items of the same first reason, lowest first.

    The number is the leader's share of a split vote, the share of right answers, the mean rating, or minus the number of raters
    who skipped the item.
    """

    item: str
    reasons: Mapping[str, float]


def look_first(
    study: Study,
    tables: Mapping[str, Judgements],
    expected: Mapping[str, Mapping[str, Category]],
    skipped: Iterable[str],
) -> list[Doubt]:
    """Return the items with a reason to review them, by their first reason, then the gravest first, then by id."""
    reasons: dict[str, dict[str, float]] = defaultdict(dict)

    def add(reason: str, numbers: Mapping[str, float]) -> None:
        for item, number in numbers.items():
            reasons[item][reason] = min(number, reasons[item].get(reason, number))

    add("skipped", {item: -float(count) for item, count in Counter(skipped).items()})
    for control in study.controls:
        table = tables[control.name]
        if control.kind == "rating":
            if (control.low, control.high) == SCALE_OF_FIVE:
                add(
                    "low-rating",
                    {item: mean for item, mean in mean_ratings(table).items() if mean < BY_RATING.moderate},
                )
        elif control.expects_answer:
            add("split", _split(table))
        add("against-gold", _against_gold(table, expected.get(control.name, {})))
    doubts = [
        Doubt(item, {name: numbers[name] for name in REASONS if name in numbers}) for item, numbers in reasons.items()
    ]
    return sorted(doubts, key=_urgency)


def _split(table: Judgements) -> dict[str, float]:
    votes = {item: majority_vote(row.values()) for item, row in table.items()}
    shares = {item: vote.votes / vote.raters for item, vote in votes.items()}
    return {item: share for item, share in shares.items() if share < SPLIT}


def _against_gold(table: Judgements, gold: Mapping[str, Category]) -> dict[str, float]:
    return {
        item: list(row.values()).count(gold[item]) / len(row)
        for item, row in table.items()
        if item in gold and majority_vote(row.values()).winner not in (None, gold[item])
    }


def _urgency(doubt: Doubt) -> tuple[int, float, str]:
    first = next(iter(doubt.reasons))
    return list(REASONS).index(first), doubt.reasons[first], doubt.item
