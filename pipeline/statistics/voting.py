"""Majority vote of raters."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from .ratings import Category, Judgements, right_answer
from .ratios import ratio


@dataclass(frozen=True, slots=True)
class MajorityVote:
    """What most raters of an item said: `leaders` are the categories with the most votes, `votes` how many each of them got."""

    leaders: frozenset[Category]
    votes: int
    raters: int

    @property
    def winner(self) -> Category | None:
        """The category with the most votes; None for a tie, which nothing here breaks, and where nobody voted."""
        return next(iter(self.leaders)) if len(self.leaders) == 1 else None

    @property
    def tied(self) -> bool:
        """Whether two categories or more share the most votes."""
        return len(self.leaders) > 1

    @property
    def absolute(self) -> bool:
        """Whether more than half of the raters said the winner; else it has a plurality only."""
        return 2 * self.votes > self.raters

    @property
    def unanimous(self) -> bool:
        """Whether all raters said the same, at least two of them."""
        return self.votes == self.raters > 1


def majority_vote(said: Iterable[Category]) -> MajorityVote:
    """Return the vote over what was said of one item, whatever the order.

    >>> majority_vote(["A", "B", "A"]).winner, majority_vote(["A", "B"]).winner
    ('A', None)
    """
    tally = Counter(said)
    votes = max(tally.values(), default=0)
    return MajorityVote(
        frozenset(category for category, count in tally.items() if count == votes), votes, tally.total()
    )


@dataclass(frozen=True, slots=True)
class VoteAccuracy:
    """How often the vote is right of the items that were judged; the `tied` ones are not right."""

    items: int
    right: int
    tied: int

    @property
    def accuracy(self) -> float | None:
        """Right of all items judged."""
        return ratio(self.right, self.items)

    @property
    def of_decided(self) -> float | None:
        """Right of the items whose vote is no tie."""
        return ratio(self.right, self.items - self.tied)


def vote_accuracy(judgements: Judgements, answers: Mapping[str, Category]) -> VoteAccuracy:
    """Return how often the majority vote is the right answer; items that nobody judged are passed over.

    It is no measure of one person: an item counts as right though two of five people disagree (Mandarinograd, LREC 2020,
    section 3.2, on GLUE's 95.9 %). WNLI's vote took five people, so it could not tie between two answers; one of four can.

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
