"""Zero against overt pronoun of the same item: what the zero alone costs a system."""

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from ...statistics.intervals import clustered_mean_interval
from ...statistics.significance import McNemar, cluster_permutation, holm, mcnemar
from ..predictions import Run, Runs
from .accuracy import Clusters, Interval

#: Stands for all modes of a system.
ALL = "all"


@dataclass(frozen=True, slots=True)
class ZeroAgainstOvert:
    """How the answers of a system with the zero differ from those with the pronoun, on the same items in the same mode and order."""

    model: str
    mode: str  # how it was asked; `ALL` of a row that adds up its modes and orders
    order: str  # the order of the options, or `ALL`
    mcnemar: McNemar | None  # McNemar's test; None in a row of all, whose answers are not independent
    n: int
    zero: float
    overt: float
    difference: float  # the former less the latter, with its interval; schemas are the clusters
    interval: Interval | None
    p: float | None  # of a permutation test of schemas; None without any difference to permute
    holm: float | None = None  # this p, corrected over the rows of single modes, or over those of all


def zero_against_overt(
    runs: Runs, cluster_of: Clusters, *, own: Collection[Run], seed: int, permutations: int
) -> list[ZeroAgainstOvert]:
    """Return a row for each system, mode and order in both forms, and one for all that are in `own`, of a system with several."""
    rows: list[ZeroAgainstOvert] = []
    together: dict[str, list[tuple[str, bool, bool]]] = defaultdict(list)
    added: Counter[str] = Counter()
    for run, responses in runs.items():
        overt = runs.get(Run(run.model, run.mode, "overt", run.order), {})
        pairs = [(item, given.right, overt[item].right) for item, given in responses.items() if item in overt]
        if run.form == "zero" and pairs:
            if run in own:
                together[run.model] += pairs
                added[run.model] += 1
            test = mcnemar([(zero, pronoun) for _, zero, pronoun in pairs])
            rows.append(_row((run.model, run.mode, run.order), test, pairs, cluster_of, seed, permutations))
    summed = [
        _row((model, ALL, ALL), None, pairs, cluster_of, seed, permutations)
        for model, pairs in together.items()
        if added[model] > 1
    ]
    return [*_corrected(rows), *_corrected(summed)]


def _row(
    of_runs: tuple[str, str, str],
    mcnemar_test: McNemar | None,
    pairs: Sequence[tuple[str, bool, bool]],
    cluster_of: Clusters,
    seed: int,
    permutations: int,
) -> ZeroAgainstOvert:
    clusters: dict[str, list[float]] = defaultdict(list)
    for item, zero, overt in pairs:
        clusters[cluster_of[item]].append(float(zero) - float(overt))
    interval = clustered_mean_interval(clusters.values())
    test = cluster_permutation(clusters.values(), seed=seed, permutations=permutations)
    return ZeroAgainstOvert(
        *of_runs,
        mcnemar=mcnemar_test,
        n=len(pairs),
        zero=sum(zero for _, zero, _ in pairs) / len(pairs),
        overt=sum(overt for _, _, overt in pairs) / len(pairs),
        difference=sum(zero - overt for _, zero, overt in pairs) / len(pairs),
        # of very few clusters it would reach beyond what a difference can be
        interval=(max(-1.0, interval[0]), min(1.0, interval[1])) if interval else None,
        p=test.p if test else None,
    )


def _corrected(rows: Sequence[ZeroAgainstOvert]) -> list[ZeroAgainstOvert]:
    return [replace(row, holm=p) for row, p in zip(rows, holm([row.p for row in rows]), strict=True)]
