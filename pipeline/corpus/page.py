"""The page on the association baseline: each item with its counts, the differences, the accuracy by threshold."""

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..core.pages import page_environment

if TYPE_CHECKING:
    from .baseline import Score
    from .counting.counts import Counts

#: Number of bars of the histogram.
_BARS = 20
#: Size of a drawing in pixels.
_WIDTH, _HEIGHT = 480, 160


def page(
    corpus: str,
    items_name: str,
    counts: "Counts",
    rows: Sequence[Mapping[str, Any]],
    score: "Score",
    interval: tuple[float, float] | None,
    released: "Score | None",
    scores: Sequence[tuple[float, "Score"]],
    solved: Sequence[str],
    *,
    threshold: float,
    seed: int,
) -> str:
    """Return the page as HTML, which loads nothing.

    Args:
        rows: a row for each item, see `answer_rows`.
        interval: the confidence interval of the accuracy, with schemas as clusters.
        released: the score of the released items alone, None if they are not known.
        scores: the score at each threshold that changes it, ascending.
        solved: the schemas that association solves in all their items.
        threshold: the difference of PMI, in bits, that a decision must exceed.
    """
    all_differences = [row["difference"] for row in rows if "difference" in row]
    differences = [value for value in all_differences if isinstance(value, float)]
    limit = whole_above(max((step for step, _ in scores), default=0.0))
    return (
        page_environment()
        .get_template("corpus/page.html.j2")
        .render(
            corpus=corpus,
            items_name=items_name,
            counts=counts,
            threshold=threshold,
            seed=seed,
            rows=rows,
            score=score,
            interval=interval,
            released=released,
            line=step_line([(step, at_step.accuracy or 0.0) for step, at_step in scores], limit),
            limit=limit,
            bars=histogram(differences),
            furthest=max(map(abs, differences), default=0.0),
            tallest=max(_bar_counts(differences), default=0),
            infinite=sum(isinstance(value, str) for value in all_differences),
            undefined=sum(value is None for value in all_differences),
            solved=solved,
            width=_WIDTH,
            height=_HEIGHT,
        )
    )


def histogram(values: Sequence[float]) -> list[tuple[float, float, float, float, str]]:
    """Return the bars of a histogram around zero as (x, y, width, height, label), in a drawing of 480 by 160 pixels."""
    counts = _bar_counts(values)
    if not counts:
        return []
    limit, width, tallest = _limit(values), _WIDTH / _BARS, max(counts)
    bars = []
    for number, count in enumerate(counts):
        low, high = (2 * limit * (number + step) / _BARS - limit for step in (0, 1))
        height = _HEIGHT * count / tallest
        bars.append((number * width, _HEIGHT - height, width - 1, height, f"{low:.2f} to {high:.2f}: {count}"))
    return bars


def _bar_counts(values: Sequence[float]) -> list[int]:
    """Return the number of values of each bar, from the least to the greatest; none without values."""
    if not values:
        return []
    limit = _limit(values)
    counts = [0] * _BARS
    for value in values:
        counts[min(int((value + limit) / (2 * limit) * _BARS), _BARS - 1)] += 1
    return counts


def _limit(values: Sequence[float]) -> float:
    return max(max(map(abs, values)), 1e-9)


def whole_above(value: float) -> int:
    """Return the least whole number above `value`, where the axis of thresholds ends, so that the last step is visible.

    >>> whole_above(0.0), whole_above(4.7), whole_above(5.0)
    (1, 5, 6)
    """
    return math.floor(value) + 1


def step_line(points: Sequence[tuple[float, float]], limit: float) -> str:
    """Return the points of a line from threshold to accuracy, in a drawing of 480 by 160 pixels; 0.5 is half way up.

    Args:
        points: each threshold that changes the accuracy, ascending, with the accuracy from there to the next one.
        limit: the threshold at the right edge, above all others.

    >>> step_line([(0.0, 0.5), (2.0, 1.0)], 4)
    '0.0,80.0 240.0,80.0 240.0,0.0 480.0,0.0'
    """
    ends = [*(threshold for threshold, _ in points[1:]), limit]
    corners = [(x, y) for (start, y), end in zip(points, ends, strict=False) for x in (start, end)]
    return " ".join(f"{_WIDTH * x / limit:.1f},{_HEIGHT * (1 - y):.1f}" for x, y in corners)
