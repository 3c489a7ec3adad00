"""Zero against overt pronoun of the same item: what the zero alone costs a system."""

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from dataclasses import asdict
from typing import Any

from ...statistics.intervals import clustered_mean_interval
from ...statistics.significance import cluster_permutation, holm, mcnemar
from ..predictions import Run, Runs
from .accuracy import Clusters

#: Stands for all modes of a system.
ALL = "all"


def zero_against_overt(
    runs: Runs, cluster_of: Clusters, *, own: Collection[Run], seed: int, permutations: int
) -> list[dict[str, Any]]:
    """Return for each system that saw both forms in the same mode and order how its answers differ on the same items.

    ``difference`` is the accuracy with the zero less that with the overt pronoun; its interval and the permutation test have schemas as
    clusters. A row ``all`` adds up the modes and orders of a system with several, those in `own`; McNemar's test would count its answers as
    independent, and is left out there. ``holm`` corrects the permutation's p over the rows of single modes, and over those of all.
    """
    rows: list[dict[str, Any]] = []
    together: dict[str, list[tuple[str, bool, bool]]] = defaultdict(list)
    added: Counter[str] = Counter()
    for run, responses in runs.items():
        overt = runs.get(Run(run.model, run.mode, "overt", run.order), {})
        pairs = [(item, given.right, overt[item].right) for item, given in responses.items() if item in overt]
        if run.form == "zero" and pairs:
            if run in own:
                together[run.model] += pairs
                added[run.model] += 1
            test = asdict(mcnemar([(zero, pronoun) for _, zero, pronoun in pairs]))
            row = {"model": run.model, "mode": run.mode, "order": run.order, "mcnemar": test}
            rows.append(row | _difference(pairs, cluster_of, seed, permutations))
    summed = [
        {"model": model, "mode": ALL, "order": ALL, "mcnemar": None}
        | _difference(pairs, cluster_of, seed, permutations)
        for model, pairs in together.items()
        if added[model] > 1
    ]
    return [*_corrected(rows), *_corrected(summed)]


def _difference(
    pairs: Sequence[tuple[str, bool, bool]], cluster_of: Clusters, seed: int, permutations: int
) -> dict[str, Any]:
    clusters: dict[str, list[float]] = defaultdict(list)
    for item, zero, overt in pairs:
        clusters[cluster_of[item]].append(float(zero) - float(overt))
    interval = clustered_mean_interval(clusters.values())
    test = cluster_permutation(clusters.values(), seed=seed, permutations=permutations)
    return {
        "n": len(pairs),
        "zero": sum(zero for _, zero, _ in pairs) / len(pairs),
        "overt": sum(overt for _, _, overt in pairs) / len(pairs),
        "difference": sum(zero - overt for _, zero, overt in pairs) / len(pairs),
        # of very few clusters it would reach beyond what a difference can be
        "interval": [max(-1.0, interval[0]), min(1.0, interval[1])] if interval else None,
        "p": test.p if test else None,
    }


def _corrected(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [row | {"holm": p} for row, p in zip(rows, holm([row["p"] for row in rows]), strict=True)]
