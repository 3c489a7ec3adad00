"""Errors that systems share."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod

from .accuracy import item_accuracy
from .comparisons import Marks

#: When a system with several modes has an item wrong: its share of right answers is below the limit. The paper does not say which.
LIMITS: Mapping[str, float] = {"any": 1.0, "most": 0.5, "all": 1e-9}


@dataclass(frozen=True, slots=True)
class SharedErrors:
    """How many items exactly the systems of a set have wrong.

    Attributes:
        models: the systems.
        any: items that are wrong in at least one mode of each.
        most: items that are wrong in more than half of the modes.
        all: items that are wrong in all modes.
        expected: the number of `most` if the systems erred independently of each other, each at its own rate: systems with many errors
            share some by chance.
        items: the items of `most`.
    """

    models: Sequence[str]
    any: int
    most: int
    all: int
    expected: float
    items: Sequence[str]


def answered_by_all(marks: Marks, items: Sequence[str]) -> list[str]:
    """Return the items that every system answered in at least one mode."""
    answered = [{item for of_mode in by_mode.values() for item in of_mode} for by_mode in marks.values()]
    return [item for item in items if all(item in of_model for of_model in answered)]


def shared_errors(marks: Marks, items: Sequence[str]) -> list[SharedErrors]:
    """Return for each set of systems how many items exactly these have wrong (WSC-ZA, Figure 3), largest sets first.

    Counted are the items that all systems answered. Sets without an item are left out.

    Args:
        marks: whether each item is right, by model and mode.
        items: the items in their order.
    """
    share = {model: item_accuracy(by_mode.values()) for model, by_mode in marks.items()}
    counted = answered_by_all(marks, items)
    counts: dict[tuple[str, ...], dict[str, list[str]]] = defaultdict(lambda: {name: [] for name in LIMITS})
    for item in counted:
        for name, limit in LIMITS.items():
            counts[tuple(model for model in marks if share[model][item] < limit)][name].append(item)
    wrong = {model: sum(share[model][item] < LIMITS["most"] for item in counted) for model in marks}

    def expected(models: Sequence[str]) -> float:
        parts = (count if model in models else len(counted) - count for model, count in wrong.items())
        return len(counted) * prod(part / len(counted) for part in parts)

    ordered = sorted(counts.items(), key=lambda entry: (-len(entry[0]), [list(marks).index(name) for name in entry[0]]))
    return [
        SharedErrors(models, len(sets["any"]), len(sets["most"]), len(sets["all"]), expected(models), sets["most"])
        for models, sets in ordered
        if models
    ]
