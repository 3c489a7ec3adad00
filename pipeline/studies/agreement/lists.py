"""Whether the lists of a study are equally difficult (WSC-ZA, section 3.3: balanced difficulty across the lists)."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ...statistics.intervals import ratio
from ...statistics.ratings import Category
from ...statistics.significance import kruskal_wallis
from ..model.answers import TaskJudgement
from ..model.design import Control
from ..model.study import Study
from .expected import marks

#: For each group of judgements, whether the answers of each rater are right.
Marks = dict[str, dict[str, list[bool]]]
#: The orders of a list and of its mirrored twin.
AS_LAID_OUT, REVERSED = "as laid out", "reversed"
#: Minimum number of raters of each list, so that lists can be told from their raters.
_FEWEST = 2


def list_effects(
    study: Study, answered: Iterable[TaskJudgement], control: Control, expected: Mapping[str, Category]
) -> dict[str, Any]:
    """Return the accuracy of each list, and of each order of mirrored lists, with Kruskal and Wallis' test over their raters' accuracies.

    A mirrored list counts with its twin. Raters are independent of each other; the items are not, because the members of a pair are in
    different lists. ``orders`` is None without mirrored lists.

    Args:
        study: the study.
        answered: the judgements that count: of each rater the first of an item.
        control: the control that has expected answers.
        expected: the expected answers by item.
    """
    twins = dict(zip(study.lists[1::2], study.lists[::2], strict=False)) if study.layout.mirrored else {}
    lists: Marks = {name: defaultdict(list) for name in study.lists if name not in twins}
    orders: Marks = {name: defaultdict(list) for name in (AS_LAID_OUT, REVERSED)}
    for judgement in answered:
        given, name = marks(judgement, control, expected), judgement.task.list
        if given is not None:
            lists[twins.get(name, name)][judgement.rater].append(given)
            orders[REVERSED if name in twins else AS_LAID_OUT][judgement.rater].append(given)
    return {
        "lists": {name: _accuracy(by_rater) for name, by_rater in lists.items()},
        "test": _test(lists, "list"),
        "orders": {name: _accuracy(by_rater) for name, by_rater in orders.items()} if twins else None,
        "orders_test": _test(orders, "order") if twins else None,
    }


def _accuracy(by_rater: Mapping[str, Sequence[bool]]) -> dict[str, Any]:
    right, answers = sum(map(sum, by_rater.values())), sum(map(len, by_rater.values()))
    return {"raters": len(by_rater), "right": right, "n": answers, "accuracy": ratio(right, answers)}


def _test(groups: Marks, group: str) -> dict[str, Any]:
    shares = [[sum(own) / len(own) for own in by_rater.values()] for by_rater in groups.values()]
    test = kruskal_wallis(shares, group)
    if len(shares) > 1 and min(map(len, shares)) < _FEWEST:
        return dict.fromkeys(test) | {"why": f"fewer than two raters have one {group}", "n": test["n"]}
    return test
