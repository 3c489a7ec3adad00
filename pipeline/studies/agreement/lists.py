"""Whether the lists of a study are equally difficult (WSC-ZA, section 3.3: balanced difficulty across the lists)."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from ...statistics.levels import kruskal_wallis
from ...statistics.ratings import Category
from ...statistics.ratios import ratio
from ..answers import TaskJudgement
from ..design.design import Control
from .expected import marks

#: Minimum number of raters of each list, so that lists can be told from their raters.
_FEWEST = 2


def list_effects(
    names: Iterable[str], answered: Iterable[TaskJudgement], control: Control, expected: Mapping[str, Category]
) -> dict[str, Any]:
    """Return the accuracy of each list, with Kruskal and Wallis' test over the accuracies of the lists' raters.

    Raters are independent of each other; the items are not, because the members of a pair are in different lists. `answered` are the
    judgements that count, so that a rater who met an item in two lists answers it in the first.

    Args:
        names: the names of the lists.
        answered: the judgements.
        control: the control that has expected answers.
        expected: the expected answers by item.
    """
    right: dict[str, dict[str, list[bool]]] = {name: defaultdict(list) for name in names}
    for judgement in answered:
        mark = marks(judgement, control, expected)
        if mark is not None:
            right[judgement.task.list][judgement.rater].append(mark)
    shares = {name: [sum(own) / len(own) for own in by_rater.values()] for name, by_rater in right.items()}
    test = kruskal_wallis(shares.values(), "list", "accuracy")
    fewest = min(map(len, shares.values()), default=0)
    if len(shares) > 1 and fewest < _FEWEST:
        test = dict.fromkeys(test) | {"why": "a list has fewer than two raters", "n": test["n"]}
    return {
        "lists": {
            name: {
                "raters": len(by_rater),
                "right": sum(map(sum, by_rater.values())),
                "n": sum(map(len, by_rater.values())),
                "accuracy": ratio(sum(map(sum, by_rater.values())), sum(map(len, by_rater.values()))),
            }
            for name, by_rater in right.items()
        },
        "test": test,
    }
