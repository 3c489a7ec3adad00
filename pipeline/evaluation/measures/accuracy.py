"""Accuracy of answers, with intervals whose clusters are the schemas."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from ...statistics.intervals import clustered_interval
from ...statistics.ratios import ratio

#: The schema of each item.
Schemas = Mapping[str, str]


def accuracy(marks: Iterable[tuple[str, bool]], schemas: Schemas) -> dict[str, Any]:
    """Return the share of right answers (micro accuracy, WSC-ZA 4.1.3) as ``right``, ``n``, ``value`` and ``interval``.

    Args:
        marks: item and whether its answer is right, of each answer; an item may have several answers.
        schemas: the schema of each item; a schema is a cluster of the interval.
    """
    clusters: dict[str, list[bool]] = defaultdict(list)
    for item, mark in marks:
        clusters[schemas[item]].append(mark)
    right, size = sum(map(sum, clusters.values())), sum(map(len, clusters.values()))
    interval = clustered_interval((sum(answers), len(answers)) for answers in clusters.values())
    return {"right": right, "n": size, "value": ratio(right, size), "interval": list(interval) if interval else None}


def pair_accuracy(marks: Mapping[str, bool], schemas: Schemas) -> dict[str, Any]:
    """Return the share of schemas with two or more answered items that are right in all of them.

    ``chance`` is the expected share of a system that chooses one of two candidates at random. The schemas are independent, so that the
    interval is that of Clopper and Pearson.
    """
    members: dict[str, list[bool]] = defaultdict(list)
    for item, mark in marks.items():
        members[schemas[item]].append(mark)
    whole = [answers for answers in members.values() if len(answers) > 1]
    right = sum(all(answers) for answers in whole)
    interval = clustered_interval((all(answers), 1) for answers in whole)
    return {
        "right": right,
        "n": len(whole),
        "value": ratio(right, len(whole)),
        "interval": list(interval) if interval else None,
        "chance": sum(0.5 ** len(answers) for answers in whole) / len(whole) if whole else None,
    }


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
