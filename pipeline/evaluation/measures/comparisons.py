"""Systems against each other on the same items (WSC-ZA, Table 7), with tests that fit paired answers in schemas."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import asdict
from itertools import combinations
from typing import Any

from ...statistics.significance import cluster_permutation, holm, mcnemar, paired_t
from .accuracy import Clusters, item_accuracy

#: Whether each item is right, by model and mode.
Marks = Mapping[str, Mapping[str, Mapping[str, bool]]]


def compare_models(marks: Marks, cluster_of: Clusters, *, seed: int, permutations: int) -> list[dict[str, Any]]:
    """Return a row for every two systems: t test over items, permutation test over schemas, both with Holm's correction.

    The paper's t test seems to be over items, each with its accuracy over the modes: its p = 5.61e-6 for t = 4.65 fits 239 degrees of
    freedom. Such differences are neither normal nor independent within a schema; the permutation test needs neither. Compared are,
    in each mode that both systems have, the items that both answered in this mode.

    Args:
        marks: whether each item is right, by model and mode.
        cluster_of: the cluster of each item.
        seed: of the permutations.
        permutations: number of permutations drawn.
    """
    rows: list[dict[str, Any]] = []
    for first, second in combinations(marks, 2):
        shared = [mode for mode in marks[first] if mode in marks[second]]
        both = {mode: marks[first][mode].keys() & marks[second][mode].keys() for mode in shared}
        ours, theirs = (
            item_accuracy(
                {item: mark for item, mark in marks[model][mode].items() if item in both[mode]} for mode in shared
            )
            for model in (first, second)
        )
        differences = {item: share - theirs[item] for item, share in ours.items()}
        clusters: dict[str, list[float]] = defaultdict(list)
        for item, difference in differences.items():
            clusters[cluster_of[item]].append(difference)
        t = paired_t(differences.values())
        test = cluster_permutation(clusters.values(), seed=seed, permutations=permutations)
        rows.append(
            {
                "models": [first, second],
                "modes": shared,
                "n": len(differences),
                "difference": test.difference if test else None,
                "t": asdict(t) if t else None,
                "permutation": test.p if test else None,
            }
        )
    corrected = zip(
        holm([row["t"] and row["t"]["p"] for row in rows]), holm([row["permutation"] for row in rows]), strict=True
    )
    return [row | {"t_holm": t, "permutation_holm": p} for row, (t, p) in zip(rows, corrected, strict=True)]


def compare_in_modes(marks: Marks) -> list[dict[str, Any]]:
    """Return McNemar's exact test of every two systems in each mode, with Holm's correction over all of them."""
    rows: list[dict[str, Any]] = []
    for first, second in combinations(marks, 2):
        for mode in [mode for mode in marks[first] if mode in marks[second]]:
            ours, theirs = marks[first][mode], marks[second][mode]
            pairs = [(ours[item], theirs[item]) for item in ours if item in theirs]
            rows.append({"models": [first, second], "mode": mode, "n": len(pairs)} | asdict(mcnemar(pairs)))
    return [row | {"holm": p} for row, p in zip(rows, holm([row["p"] for row in rows]), strict=True)]
