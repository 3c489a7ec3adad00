"""Accuracy of answers, with intervals whose clusters are the schemas."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from math import prod
from typing import Any, Literal

from ...statistics.intervals import clustered_interval, ratio

#: The cluster of each item: its schema, or several schemas that are alike.
Clusters = Mapping[str, str]
#: Where an interval lies that does not, or does, include the accuracy of guesses.
AgainstChance = Literal["above", "includes", "below"]


def accuracy(marks: Iterable[tuple[str, bool]], cluster_of: Clusters) -> dict[str, Any]:
    """Return the share of right answers (micro accuracy, WSC-ZA 4.1.3) as ``right``, ``n``, ``value`` and ``interval``.

    Args:
        marks: item and whether its answer is right, of each answer; an item may have several answers.
        cluster_of: the cluster of each item, for the interval.
    """
    clusters: dict[str, list[bool]] = defaultdict(list)
    for item, mark in marks:
        clusters[cluster_of[item]].append(mark)
    right, size = sum(map(sum, clusters.values())), sum(map(len, clusters.values()))
    interval = clustered_interval((sum(answers), len(answers)) for answers in clusters.values())
    return {"right": right, "n": size, "value": ratio(right, size), "interval": list(interval) if interval else None}


def against_chance(estimate: Mapping[str, Any], chance: float | None) -> AgainstChance | None:
    """Return whether the interval of an accuracy lies above chance, includes it or lies below it; None without one of them.

    >>> against_chance({"interval": [0.4, 0.6]}, 0.5), against_chance({"interval": [0.6, 0.8]}, 0.5)
    ('includes', 'above')
    """
    if chance is None or not estimate["interval"]:
        return None
    low, high = estimate["interval"]
    return "above" if low > chance else "below" if high < chance else "includes"


def pair_accuracy(
    marks: Mapping[str, bool], schemas: Mapping[str, str], cluster_of: Clusters, counts: Mapping[str, int]
) -> dict[str, Any]:
    """Return the share of schemas with two or more answered items that are right in all of them.

    ``chance`` is the expected share of a system that chooses one of the candidates of each item at random.

    Args:
        marks: whether the answer to each item is right.
        schemas: the schema of each item.
        cluster_of: the cluster of each item, for the interval.
        counts: number of candidates of each item.
    """
    members: dict[str, dict[str, bool]] = defaultdict(dict)
    for item, mark in marks.items():
        members[schemas[item]][item] = mark
    whole = [answers for answers in members.values() if len(answers) > 1]
    total = accuracy([(next(iter(answers)), all(answers.values())) for answers in whole], cluster_of)
    chances = [prod(1 / counts[item] for item in answers) for answers in whole]
    return total | {"chance": sum(chances) / len(whole) if whole else None}


def item_accuracy(answers: Iterable[Mapping[str, bool]]) -> dict[str, float]:
    """Return the share of right answers to each item over several runs (item-level accuracy, WSC-ZA 4.1.3).

    Args:
        answers: for each run, whether its answer to an item is right.
    """
    given: dict[str, list[bool]] = defaultdict(list)
    for run in answers:
        for item, mark in run.items():
            given[item].append(mark)
    return {item: sum(marks) / len(marks) for item, marks in given.items()}
