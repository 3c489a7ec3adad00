"""The page on the association baseline: every item with its counts, the differences, the accuracy by threshold."""

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..core.pages import page_environment

if TYPE_CHECKING:
    from .counting.counts import Counts
    from .pmi import Baseline

_BINS = 20
_WIDTH, _HEIGHT = 480, 160


def page(
    corpus: str,
    counts: "Counts",
    rows: Sequence[Mapping[str, Any]],
    found: "Baseline",
    interval: tuple[float, float] | None,
    curve: Sequence[tuple[float, "Baseline"]],
    solved: Sequence[str],
    *,
    threshold: float,
    seed: int,
) -> str:
    """Return the page, which needs no network.

    Args:
        corpus: what was counted, in words.
        counts: of that; only the number of windows is shown, and whether it is an estimate.
        rows: a row for each item, as the stage writes them.
        found: the figures.
        interval: of the accuracy, pairs as clusters.
        curve: the figures by threshold.
        solved: the schemas that association solves in both members.
        threshold: what a difference had to exceed to decide, in bits.
        seed: of the coins.
    """
    told = [row["difference"] for row in rows if "difference" in row]
    differences = [value for value in told if isinstance(value, float)]
    limit = whole_above(max((step for step, _ in curve), default=0.0))
    return (
        page_environment()
        .get_template("corpus/page.html.j2")
        .render(
            corpus=corpus,
            counts=counts,
            threshold=threshold,
            seed=seed,
            rows=rows,
            found=found,
            interval=interval,
            line=step_line([(step, one.accuracy or 0.0) for step, one in curve], limit),
            limit=limit,
            bars=histogram(differences),
            furthest=max(map(abs, differences), default=0.0),
            tallest=max(binned(differences), default=0),
            infinite=sum(isinstance(value, str) for value in told),
            undefined=sum(value is None for value in told),
            solved=solved,
            width=_WIDTH,
            height=_HEIGHT,
        )
    )


def binned(values: Sequence[float]) -> list[int]:
    """Return how many values each bar of the histogram has, from the least to the greatest; none without values."""
    if not values:
        return []
    limit = _limit(values)
    counts = [0] * _BINS
    for value in values:
        counts[min(int((value + limit) / (2 * limit) * _BINS), _BINS - 1)] += 1
    return counts


def _limit(values: Sequence[float]) -> float:
    return max(max(map(abs, values)), 1e-9)


def histogram(values: Sequence[float]) -> list[tuple[float, float, float, float, str]]:
    """Return the bars of a histogram around zero as (x, y, width, height, label), in a drawing of `_WIDTH` by `_HEIGHT`."""
    counts = binned(values)
    if not counts:
        return []
    limit, width, tallest = _limit(values), _WIDTH / _BINS, max(counts)
    bars = []
    for number, count in enumerate(counts):
        low, high = (2 * limit * (number + step) / _BINS - limit for step in (0, 1))
        height = _HEIGHT * count / tallest
        bars.append((number * width, _HEIGHT - height, width - 1, height, f"{low:.2f} to {high:.2f}: {count}"))
    return bars


def whole_above(value: float) -> int:
    """Return the least whole number above `value`: where the axis of thresholds ends, so that the last step is seen.

    >>> whole_above(0.0), whole_above(4.7), whole_above(5.0)
    (1, 5, 6)
    """
    return math.floor(value) + 1


def step_line(points: Sequence[tuple[float, float]], limit: float) -> str:
    """Return the points of a line from threshold to accuracy, in a drawing of `_WIDTH` by `_HEIGHT`; 0.5 is half way up.

    Args:
        points: each threshold at which the accuracy changes, rising, with the accuracy from there to the next.
        limit: the threshold at the right edge, above all of them.

    >>> step_line([(0.0, 0.5), (2.0, 1.0)], 4)
    '0.0,80.0 240.0,80.0 240.0,0.0 480.0,0.0'
    """
    ends = [*(threshold for threshold, _ in points[1:]), limit]
    corners = [(x, y) for (start, y), end in zip(points, ends, strict=False) for x in (start, end)]
    return " ".join(f"{_WIDTH * x / limit:.1f},{_HEIGHT * (1 - y):.1f}" for x, y in corners)
