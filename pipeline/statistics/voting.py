"""Majority vote of raters."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from .ratings import Category, Judgements, right_answer
from .ratios import ratio


@dataclass(frozen=True, slots=True)
class MajorityVote:
    """Majority vote on one item: `leaders` are the categories with the most votes, `votes` the votes of each of them."""

    leaders: frozenset[Category]
    votes: int
    raters: int

    @property
    def winner(self) -> Category | None:
        """The category with the most votes; None for a tie, and without votes."""
        return next(iter(self.leaders)) if len(self.leaders) == 1 else None

    @property
    def tied(self) -> bool:
        """Whether two or more categories have the most votes."""
        return len(self.leaders) > 1

    @property
    def absolute(self) -> bool:
        """Whether more than half of the raters chose the winner; otherwise it has only a plurality."""
        return 2 * self.votes > self.raters

    @property
    def unanimous(self) -> bool:
        """Whether all raters, at least two, chose the same category."""
        return self.votes == self.raters > 1


def majority_vote(judgements: Iterable[Category]) -> MajorityVote:
    """Return the vote on one item from its judgements, in any order.

    >>> majority_vote(["A", "B", "A"]).winner, majority_vote(["A", "B"]).winner
    ('A', None)
    """
    tally = Counter(judgements)
    votes = max(tally.values(), default=0)
    return MajorityVote(
        frozenset(category for category, count in tally.items() if count == votes), votes, tally.total()
    )


@dataclass(frozen=True, slots=True)
class VoteAccuracy:
    """Accuracy of the majority vote over judged items; a tied vote is not right."""

    items: int
    right: int
    tied: int

    @property
    def accuracy(self) -> float | None:
        """The share of right votes among all judged items."""
        return ratio(self.right, self.items)

    @property
    def of_decided(self) -> float | None:
        """The share of right votes among the items without a tie."""
        return ratio(self.right, self.items - self.tied)


def vote_accuracy(judgements: Judgements, answers: Mapping[str, Category]) -> VoteAccuracy:
    """Return the accuracy of the majority vote; items without judgements are ignored.

    It does not measure one person: an item can be right although two of five people disagree (Mandarinograd, LREC 2020,
    section 3.2, on GLUE's 95.9 %). WNLI's votes had five raters and could not tie between two answers; four raters can.

    Raises:
        ValueError: an item has no right answer.
    """
    items = right = tied = 0
    for item, row in judgements.items():
        answer = right_answer(item, answers)
        vote = majority_vote(row.values())
        items += bool(row)
        tied += vote.tied
        right += vote.winner is not None and vote.winner == answer
    return VoteAccuracy(items, right, tied)
