"""Coefficients of agreement with their intervals, and why one is undefined."""

import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...statistics.agreement import (
    Weights,
    fleiss_kappa,
    fleiss_test,
    krippendorff_alpha,
    mean_kappa,
    pairwise,
    percent_agreement,
)
from ...statistics.bootstrap import bootstrap_interval
from ...statistics.ratings import Judgements, Row, clusters
from ..answers import schema_of


@dataclass(frozen=True, slots=True)
class Bootstrap:
    """How intervals are drawn: the seed, and how many resamples."""

    seed: int
    resamples: int


def figure(
    value: float | None, interval: Sequence[float] | None = None, *, why: str = "", no_interval: str = ""
) -> dict[str, Any]:
    """Return a figure with its interval.

    Args:
        value: undefined where it is None.
        interval: its limits.
        why: the reason of an undefined value.
        no_interval: the reason where there is no interval though there is a value.
    """
    limits = list(interval) if interval and value is not None else None
    return {"value": value, "interval": limits, "why": why if value is None else None if limits else no_interval}


def why_undefined(rows: Iterable[Row]) -> str:
    """Return why a coefficient of agreement of these rows is undefined."""
    told = [row for row in rows if row]
    if not told:
        return "nobody answered"
    if all(len(row) < 2 for row in told):
        return "no item was answered by two raters"
    if len({said for row in told if len(row) > 1 for said in row.values()}) < 2:
        return "all said the same, which leaves no room for disagreement"
    fewest, most = min(map(len, told)), max(map(len, told))
    return f"items have {fewest} to {most} raters, and it takes the same number of each; see Krippendorff's α"


def nominal_agreement(rows: Judgements, bootstrap: Bootstrap) -> dict[str, Any]:
    """Return the agreement on labels: percent, Cohen's, Fleiss', Krippendorff's coefficients."""
    told = list(rows.values())
    test = fleiss_test(told)
    alpha: Callable[[Iterable[Row]], float | None] = krippendorff_alpha
    return {
        "percent": _drawn(rows, percent_agreement, bootstrap),
        "cohen": _cohen(told, None),
        "pairs": _pairs(told),
        "fleiss": _drawn(rows, fleiss_kappa, bootstrap),
        "fleiss_test": None if test is None else {"z": test.z, "p": test.p, "items": test.items, "raters": test.raters},
        "alpha": _drawn(rows, alpha, bootstrap),
    }


def rating_agreement(rows: Judgements, bootstrap: Bootstrap) -> dict[str, Any]:
    """Return the agreement on ratings: percent, weighted kappas, alphas of ranks and of intervals."""
    told = list(rows.values())
    return {
        "percent": _drawn(rows, percent_agreement, bootstrap),
        "cohen_linear": _cohen(told, "linear"),
        "cohen_quadratic": _cohen(told, "quadratic"),
        "pairs": _pairs(told, "quadratic"),
        "alpha_ordinal": _drawn(rows, lambda drawn: krippendorff_alpha(drawn, "ordinal"), bootstrap),
        "alpha_interval": _drawn(rows, lambda drawn: krippendorff_alpha(drawn, "interval"), bootstrap),
    }


def _drawn(
    rows: Judgements, statistic: Callable[[Sequence[Row]], float | None], bootstrap: Bootstrap
) -> dict[str, Any]:
    told = list(rows.values())
    value = statistic(told)
    if value is None:
        return figure(None, why=why_undefined(told))
    schemas: Mapping[str, Hashable] = {item: schema_of(item) for item in rows}
    found = bootstrap_interval(clusters(rows, schemas), statistic, seed=bootstrap.seed, resamples=bootstrap.resamples)
    if found is None:
        return figure(value, no_interval="fewer than two schemas")
    if math.isclose(found.low, found.high):  # such an interval has no width whatever the number of items
        return figure(value, no_interval="no resample differs")
    return figure(value, (found.low, found.high))


def _cohen(rows: Sequence[Row], weights: Weights | None) -> dict[str, Any]:
    pairs = pairwise(rows, weights)
    value = mean_kappa(pairs)
    why = why_undefined(rows) if not pairs else "each two raters said one same category throughout"
    defined = sum(pair.kappa is not None for pair in pairs)
    return figure(value, why=why, no_interval="a mean of pairs that share raters") | {
        "pairs": len(pairs),
        "defined": defined,
    }


def _pairs(rows: Sequence[Row], weights: Weights | None = None) -> list[dict[str, Any]]:
    return [
        {
            "raters": list(pair.raters),
            "items": pair.items,
            "agreed": pair.agreed,
            "percent": pair.percent,
            "kappa": pair.kappa,
        }
        for pair in pairwise(rows, weights)
    ]
