"""The page on the association baseline: every item with its counts, the differences, the accuracy by threshold."""

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from . import page_environment

if TYPE_CHECKING:
    from ..metrics.association import Baseline

_BINS = 20
_WIDTH, _HEIGHT = 480, 160


def page(
    corpus: str,
    windows: int,
    rows: Sequence[Mapping[str, Any]],
    found: "Baseline",
    interval: tuple[float, float] | None,
    curve: Sequence[tuple[float, "Baseline"]],
    solved: Sequence[str],
) -> str:
    """Return the page, which needs no network.

    Args:
        corpus: what was counted, in words.
        windows: how many windows it has.
        rows: a row for each item, as the stage writes them.
        found: the figures.
        interval: of the accuracy, pairs as clusters.
        curve: the figures by threshold.
        solved: the schemas that association solves in both members.
    """
    differences = [row["difference"] for row in rows if isinstance(row.get("difference"), float)]
    infinite = sum(row.get("difference") in ("inf", "-inf") for row in rows)
    return (
        page_environment()
        .get_template("association.html.j2")
        .render(
            corpus=corpus,
            windows=windows,
            rows=rows,
            found=found,
            interval=interval,
            curve=curve,
            line=polyline([(step, one.accuracy or 0.0) for step, one in curve]),
            bars=histogram(differences),
            infinite=infinite,
            solved=solved,
            width=_WIDTH,
            height=_HEIGHT,
        )
    )


def histogram(values: Sequence[float]) -> list[tuple[float, float, float, float, str]]:
    """Return the bars of a histogram around zero as (x, y, width, height, label), in a drawing of `_WIDTH` by `_HEIGHT`."""
    if not values:
        return []
    limit = max(max(map(abs, values)), 1e-9)
    counts = [0] * _BINS
    for value in values:
        counts[min(int((value + limit) / (2 * limit) * _BINS), _BINS - 1)] += 1
    width, tallest = _WIDTH / _BINS, max(counts)
    bars = []
    for number, count in enumerate(counts):
        low, high = (2 * limit * (number + step) / _BINS - limit for step in (0, 1))
        height = _HEIGHT * count / tallest
        bars.append((number * width, _HEIGHT - height, width - 1, height, f"{low:.2f} to {high:.2f}: {count}"))
    return bars


def polyline(points: Sequence[tuple[float, float]]) -> str:
    """Return the points of a line from threshold to accuracy, in a drawing of `_WIDTH` by `_HEIGHT`; 0.5 is half way up.

    >>> polyline([(0.0, 0.5), (2.0, 1.0)])
    '0.0,80.0 480.0,0.0'
    """
    if not points:
        return ""
    furthest = max(x for x, _ in points) or 1.0
    return " ".join(f"{_WIDTH * x / furthest:.1f},{_HEIGHT * (1 - y):.1f}" for x, y in points if not math.isinf(x))
