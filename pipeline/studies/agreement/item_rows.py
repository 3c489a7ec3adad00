"""The table items.tsv: a row for each item of a study with its ratings, accuracy and levels."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean

from ...statistics.difficulty import BY_ACCURACY, BY_RATING, CutOffs, difficulty
from ...statistics.summary import shrunken_means
from ..answers import TaskJudgement, answers_by_item, first_answers
from ..study import Study, Task
from .expected import expected_answers, marks
from .measures import SCALE_OF_FIVE

#: The columns; a cell is empty where nobody answered, or where the study does not ask.
COLUMNS = (
    "item",
    "lists",
    "raters",
    "skipped",
    "ratings",
    "mean",
    "shrunken_mean",
    "rating_level",
    "answers",
    "right",
    "accuracy",
    "shrunken_accuracy",
    "accuracy_level",
)


def item_rows(study: Study, tasks: Sequence[Task], judgements: Iterable[TaskJudgement]) -> list[tuple[str, ...]]:
    """Return the cells for `COLUMNS` of each item of the main tasks, ordered by item; also of items that nobody judged.

    Ratings are those of the first control that rates from 1 to 5, from the lowest to the highest, so that a row does not tell whose they
    are. Right are answers to the first control with expected answers. Means and shares have four decimals; shrunken ones are the
    predictions of `shrunken_means`.

    Args:
        study: the study.
        tasks: all its tasks.
        judgements: what raters submitted.
    """
    main = [task for task in tasks if task.phase == "main"]
    lists: dict[str, dict[str, None]] = {}
    for task in main:
        for item in task.items:
            lists.setdefault(item, {})[task.list] = None
    judged = list(judgements)
    answered = first_answers(judged)
    raters = Counter(judgement.item for judgement in answered)
    skipped = Counter(judgement.item for judgement in judged if judgement.skipped and judgement.task.phase == "main")
    ratings, right = _rating_cells(study, answered), _accuracy_cells(study, main, answered)
    return [
        (
            item,
            " ".join(lists[item]),
            str(raters[item]),
            str(skipped[item]),
            *ratings.get(item, ("",) * 4),
            *right.get(item, ("",) * 5),
        )
        for item in sorted(lists)
    ]


def _rating_cells(study: Study, answered: Iterable[TaskJudgement]) -> dict[str, tuple[str, ...]]:
    """Return ratings, mean, shrunken mean and level of each item; empty if no control rates from 1 to 5."""
    for control in study.controls:
        if control.kind == "rating" and (control.low, control.high) == SCALE_OF_FIVE:
            table = answers_by_item(answered, control.name)
            ratings = {item: sorted(float(rating) for rating in row.values()) for item, row in table.items()}
            shrunken = shrunken_means(ratings)
            return {
                item: (" ".join(f"{rating:g}" for rating in given), *_mean_cells(item, given, shrunken, BY_RATING))
                for item, given in ratings.items()
            }
    return {}


def _accuracy_cells(
    study: Study, tasks: Sequence[Task], answered: Sequence[TaskJudgement]
) -> dict[str, tuple[str, ...]]:
    """Return answers, right answers, accuracy, shrunken accuracy and level of each item; empty if no answer is expected."""
    for control in study.controls:
        if expected := expected_answers(study, tasks, control):
            right: dict[str, list[float]] = {}
            for judgement in answered:
                mark = marks(judgement, control, expected)
                if mark is not None:
                    right.setdefault(judgement.item, []).append(float(mark))
            shrunken = shrunken_means(right)
            return {
                item: (str(len(given)), f"{sum(given):g}", *_mean_cells(item, given, shrunken, BY_ACCURACY))
                for item, given in right.items()
            }
    return {}


def _mean_cells(
    item: str, values: Sequence[float], shrunken: Mapping[str, float], cut_offs: CutOffs
) -> tuple[str, str, str]:
    mean = fmean(values)
    return f"{mean:.4f}", f"{shrunken[item]:.4f}" if item in shrunken else "", difficulty(mean, cut_offs)
