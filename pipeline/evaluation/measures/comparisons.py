"""Paired answers in schemas: systems against each other (WSC-ZA, Table 7), the errors that they share, zero against overt pronoun."""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import prod

from ...statistics.intervals import clustered_mean_interval
from ...statistics.significance import McNemar, PairedT, cluster_permutation, holm, mcnemar, paired_t
from ..predictions import Run, Runs
from .accuracy import Clusters, Interval, item_accuracy

#: Whether each item is right, by model and mode.
Marks = Mapping[str, Mapping[str, Mapping[str, bool]]]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two systems over the items that both answered, each with its accuracy over the modes that both have."""

    models: Sequence[str]
    modes: Sequence[str]
    n: int
    difference: float | None  # mean accuracy of the first less that of the second; None without items
    t: PairedT | None  # the paired t test over items; None where it is undefined
    permutation: float | None  # p of a permutation test of schemas
    t_holm: float | None = None  # p of the t test, corrected over all comparisons
    permutation_holm: float | None = None  # p of the permutation test, corrected likewise


@dataclass(frozen=True, slots=True)
class ModeComparison:
    """McNemar's exact test of two systems in one mode: the items that only the first, and only the second has right; p, and corrected."""

    models: Sequence[str]
    mode: str
    n: int
    only_first: int
    only_second: int
    p: float
    holm: float | None = None


def compare_models(marks: Marks, cluster_of: Clusters, *, seed: int, permutations: int) -> list[Comparison]:
    """Return a row for every two systems: t test over items, permutation test over schemas, both with Holm's correction.

    The paper's t test seems to be over items, each with its accuracy over the modes: its p = 5.61e-6 for t = 4.65 fits 239 degrees of
    freedom. Such differences are neither normal nor independent within a schema; the permutation test needs neither. Compared are,
    in each mode that both systems have, the items that both answered in this mode.
    """
    rows: list[Comparison] = []
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
            Comparison(
                (first, second),
                shared,
                len(differences),
                test.difference if test else None,
                t,
                test.p if test else None,
            )
        )
    of_t, of_permutation = holm([row.t.p if row.t else None for row in rows]), holm([row.permutation for row in rows])
    return [replace(row, t_holm=t, permutation_holm=p) for row, t, p in zip(rows, of_t, of_permutation, strict=True)]


def compare_in_modes(marks: Marks) -> list[ModeComparison]:
    """Return McNemar's exact test of every two systems in each mode, with Holm's correction over all of them."""
    rows: list[ModeComparison] = []
    for first, second in combinations(marks, 2):
        for mode in [mode for mode in marks[first] if mode in marks[second]]:
            ours, theirs = marks[first][mode], marks[second][mode]
            pairs = [(ours[item], theirs[item]) for item in ours if item in theirs]
            test = mcnemar(pairs)
            rows.append(ModeComparison((first, second), mode, len(pairs), test.only_first, test.only_second, test.p))
    return [replace(row, holm=p) for row, p in zip(rows, holm([row.p for row in rows]), strict=True)]


#: When a system with several modes has an item wrong: its share of right answers is below the limit. The paper does not say which; its
#: Figure 3 can only count with `any` (docs/evaluation_errors.md), and so is ours drawn.
LIMITS: Mapping[str, float] = {"any": 1.0, "most": 0.5, "all": 1e-9}


@dataclass(frozen=True, slots=True)
class SharedErrors:
    """How many items exactly the systems of a set have wrong."""

    models: Sequence[str]
    any: int  # items that are wrong in at least one mode of each
    most: int  # items that are wrong in more than half of the modes
    all: int  # items that are wrong in all modes
    #: The number of `any` if the systems erred independently of each other, each at its own rate: systems with many errors share
    #: some by chance.
    expected: float
    items: Sequence[str]  # the items of `any`


def answered_by_all(marks: Marks, items: Sequence[str]) -> list[str]:
    """Return the items that every system answered in at least one mode."""
    answered = [{item for of_mode in by_mode.values() for item in of_mode} for by_mode in marks.values()]
    return [item for item in items if all(item in of_model for of_model in answered)]


def shared_errors(marks: Marks, items: Sequence[str]) -> list[SharedErrors]:
    """Return for each set of systems how many items exactly these have wrong (WSC-ZA, Figure 3), largest sets first.

    Counted are the items that all systems answered. Sets without an item are left out.
    """
    share = {model: item_accuracy(by_mode.values()) for model, by_mode in marks.items()}
    counted = answered_by_all(marks, items)
    counts: dict[tuple[str, ...], dict[str, list[str]]] = defaultdict(lambda: {name: [] for name in LIMITS})
    for item in counted:
        for name, limit in LIMITS.items():
            counts[tuple(model for model in marks if share[model][item] < limit)][name].append(item)
    wrong = {model: sum(share[model][item] < LIMITS["any"] for item in counted) for model in marks}

    def expected(models: Sequence[str]) -> float:
        parts = (count if model in models else len(counted) - count for model, count in wrong.items())
        return len(counted) * prod(part / len(counted) for part in parts)

    ordered = sorted(counts.items(), key=lambda entry: (-len(entry[0]), [list(marks).index(name) for name in entry[0]]))
    return [
        SharedErrors(models, len(sets["any"]), len(sets["most"]), len(sets["all"]), expected(models), sets["any"])
        for models, sets in ordered
        if models
    ]


#: Stands for all modes of a system.
ALL = "all"


@dataclass(frozen=True, slots=True)
class ZeroAgainstOvert:
    """How the answers of a system with the zero differ from those with the pronoun, on the same items in the same mode and order."""

    model: str
    mode: str  # how it was asked; `ALL` of a row that adds up its modes and orders
    order: str  # the order of the options, or `ALL`
    mcnemar: McNemar | None  # McNemar's test; None in a row of all, whose answers are not independent
    n: int  # number of items
    zero: float  # accuracy with the zero
    overt: float  # accuracy with the pronoun
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
