"""The figures of each item: votes, majority, accuracy, confidence, response time."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import fmean, median

from ...evaluation.cloze.items import ClozeItem
from ...language.pronoun_classes import GENDERS, Gender, is_gender
from ...statistics.human_accuracy import MajorityVote, majority_vote
from .judgements import Judgement


@dataclass(frozen=True, slots=True)
class ItemFigures:
    """An item with at least one answer.

    Attributes:
        item: the item.
        votes: number of answers by gender of the pronoun.
        vote: the majority vote over genders.
        confidence: mean confidence, from 1 to 5.
        rt_mean: mean time of the answer in milliseconds.
        rt_median: median time of the answer in milliseconds.
    """

    item: ClozeItem
    votes: Mapping[Gender, int]
    vote: MajorityVote
    confidence: float
    rt_mean: float
    rt_median: float

    @property
    def majority(self) -> Gender | None:
        """The gender with the most votes; None for a tie."""
        winner = self.vote.winner
        return winner if is_gender(winner) else None

    @property
    def accuracy(self) -> float:
        """The share of right answers."""
        return self.votes[self.item.gender] / self.vote.raters

    @property
    def agreement(self) -> float:
        """The share of the most frequent answer, the paper's human agreement; of a tie too."""
        return self.vote.votes / self.vote.raters

    @property
    def right(self) -> bool | None:
        """Whether the majority is right; None for a tie."""
        return None if self.majority is None else self.majority == self.item.gender


def item_figures(judgements: Iterable[Judgement]) -> list[ItemFigures]:
    """Return the figures of each item with an answer, sorted by id."""
    by_item: dict[str, list[Judgement]] = defaultdict(list)
    for judgement in judgements:
        by_item[judgement.item.id].append(judgement)
    figures = []
    for _, given in sorted(by_item.items()):
        counts = Counter(judgement.gender for judgement in given)
        times = [judgement.response.rt_answer_ms for judgement in given]
        figures.append(
            ItemFigures(
                given[0].item,
                {gender: counts[gender] for gender in GENDERS},
                majority_vote(judgement.gender for judgement in given),
                fmean(judgement.response.confidence for judgement in given),
                fmean(times),
                median(times),
            )
        )
    return figures
