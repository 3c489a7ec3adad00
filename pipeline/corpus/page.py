"""The page on the association baseline: what it decides and what that means, the score by threshold, each item with its counts."""

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..core.pages import page_environment

if TYPE_CHECKING:
    from ..core.model import Item
    from .baseline import Score
    from .counting.counts import Counts

#: Share of decided items below which the score says nothing about the items.
FEW = 0.1
#: The accuracy of guesses between two candidates.
_CHANCE = 0.5
#: Number of thresholds in the table.
_THRESHOLDS = 12


def page(
    corpus: str,
    items_name: str,
    counts: "Counts",
    items: "Sequence[Item]",
    rows: Sequence[Mapping[str, Any]],
    score: "Score",
    interval: tuple[float, float] | None,
    released: "Score | None",
    scores: Sequence[tuple[float, "Score"]],
    solved: Sequence[str],
    *,
    threshold: float,
    seed: int,
    records: str = "",
) -> str:
    """Return the page as HTML, which loads nothing.

    Args:
        rows: a row for each item, see `answer_rows`.
        interval: the confidence interval of the accuracy on the released items, or on all, with schemas as clusters.
        released: the score of the released items alone, None if they are not known.
        scores: the score at each threshold that changes it, ascending.
        solved: the schemas that association solves in all their items.
        threshold: the difference of PMI, in bits, that a decision must exceed.
        records: the address of the page of the records; empty if there is none.
    """
    differences = [row["difference"] for row in rows if "difference" in row]
    return (
        page_environment()
        .get_template("corpus/page.html.j2")
        .render(
            corpus=corpus,
            items_name=items_name,
            counts=counts,
            items={item.id: item for item in items},
            threshold=threshold,
            seed=seed,
            records=records,
            rows=[row for row in rows if "reference" in row],
            score=score,
            interval=interval,
            few=is_few(released or score),
            meaning=meaning(released or score, interval),
            released=released,
            scores=whole_thresholds(scores),
            infinite=sum(isinstance(value, str) for value in differences),
            undefined=sum(value is None for value in differences),
            solved=solved,
        )
    )


def is_few(score: "Score") -> bool:
    """Return whether so few items are decided that the score says nothing about them."""
    return score.coverage is None or score.coverage < FEW


def meaning(score: "Score", interval: tuple[float, float] | None) -> str:
    """Return what the score says about the items: nothing, no better than guesses, better or worse than guesses."""
    if is_few(score):
        return "So few decisions say nothing about the items. Their words hardly occur together in this corpus; count in a larger one."
    if interval is None or interval[0] <= _CHANCE <= interval[1]:
        return "That is no better than guesses: word association does not solve these items."
    if interval[0] > _CHANCE:
        return "That is better than guesses: some of these items can be solved without understanding them."
    return "That is worse than guesses: the associations mislead."


def whole_thresholds(scores: Sequence[tuple[float, "Score"]]) -> list[tuple[int, "Score"]]:
    """Return the score at 0, 1, 2, … bits, up to the first at which no finite difference decides, at most twelve.

    >>> whole_thresholds([(0.0, "all"), (0.5, "most"), (1.0, "few"), (1.5, "none")])
    [(0, 'all'), (1, 'few'), (2, 'none')]
    """
    last = math.ceil(max((step for step, _ in scores), default=0.0))
    return [
        (bits, [at for step, at in scores if step <= bits][-1]) for bits in range(min(last + 1, _THRESHOLDS)) if scores
    ]
