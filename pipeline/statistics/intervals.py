"""Confidence intervals of shares whose observations come in clusters."""

import math
from collections.abc import Iterable
from statistics import NormalDist


def clustered_interval(clusters: Iterable[tuple[int, int]], level: float = 0.95) -> tuple[float, float] | None:
    """Return the interval of a share by Wilson's formula (1927, JASA 22) on the effective number of observations.

    Observations of a cluster are alike, so that n of them tell no more than n / d independent ones. The design effect d is
    the variance of the share by linearization, G / (G - 1) * sum((x_i - p m_i)^2) / n^2 for G clusters with x_i successes
    of m_i, over p (1 - p) / n; it is never taken for less than 1 (Dean and Pagano 2015, J. Survey Statistics and
    Methodology 3). For d alone a cluster of successes and one of failures, both of the mean size, are added: where p is near
    0 or 1 a sample often lacks the few clusters that deviate, and d without them is far too small. In simulations of 20 to 180
    clusters, whose answers were alike in none to all of them, that kept the coverage of 95 % at 92 % or more; without the
    two it fell to 73 % (see the tests).

    Args:
        clusters: successes and observations of each cluster; clusters without observations are passed over.
        level: the coverage that is wanted.

    Returns:
        The lower and the upper limit, between 0 and 1; None for fewer than two clusters, whose spread is unknown.
    """
    told = [(successes, size) for successes, size in clusters if size]
    if len(told) < 2:
        return None
    right, size = (sum(column) for column in zip(*told, strict=True))
    effective = size / max(1.0, _design_effect([*told, (size / len(told), size / len(told)), (0, size / len(told))]))
    share = right / size
    z = NormalDist().inv_cdf((1 + level) / 2)
    weight = z * z / effective
    centre = (share + weight / 2) / (1 + weight)
    half = z / (1 + weight) * math.sqrt(share * (1 - share) / effective + weight / (4 * effective))
    return (0.0 if right == 0 else centre - half), (1.0 if right == size else centre + half)


def _design_effect(clusters: list[tuple[float, float]]) -> float:
    size = sum(of for _, of in clusters)
    share, count = sum(successes for successes, _ in clusters) / size, len(clusters)
    spread = sum((successes - share * of) ** 2 for successes, of in clusters)
    return count / (count - 1) * spread / size / (share * (1 - share))
