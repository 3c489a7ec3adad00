"""The items of a study that somebody should look at first."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ...statistics.difficulty import BY_RATING, mean_ratings
from ...statistics.ratings import Category, Judgements
from ...statistics.voting import majority_vote
from ..answers import TaskJudgement, rows
from ..design.design import Control
from ..study import Study
from .controls import asked_for, asked_who, comparable, gold_of

#: A vote is split where no answer has so great a share of it.
SPLIT = 2 / 3
#: The reasons in the order in which items are listed.
REASONS: Mapping[str, str] = {
    "split": "split vote: no answer has two thirds of the votes",
    "against-gold": "majority against the right answer",
    "low-rating": "mean rating under 3",
    "skipped": "passed over",
}


@dataclass(frozen=True, slots=True)
class Doubt:
    """An item with the reasons to look at it; of each what decides the order among those that share it, the least first.

    It is the leader's share of a split vote, the share of right answers, the mean rating, or minus the number of raters who
    passed the item over.
    """

    item: str
    reasons: Mapping[str, float]


def look_first(study: Study, answers: Sequence[TaskJudgement], skipped: Iterable[TaskJudgement]) -> list[Doubt]:
    """Return the items that have a reason to be looked at, by their first reason, then by how grave it is, then by name.

    Args:
        study: what its tasks share.
        answers: the judgements of the main phase, one of each rater of an item.
        skipped: those that passed an item over.
    """
    found = [(item, "skipped", -float(count)) for item, count in Counter(one.item for one in skipped).items()]
    for control in study.controls:
        told = rows(answers, control.name)
        if control.kind == "rating":
            found += _low(told, control)
        elif asked_for(control):
            found += _split(comparable(told) if control.kind == "text" else told)
        if asked_who(control):
            found += _against(told, gold_of(answers))
    graves: dict[str, dict[str, float]] = {}
    for item, reason, grave in found:
        told_of = graves.setdefault(item, {})
        told_of[reason] = min(grave, told_of.get(reason, grave))
    doubts = [Doubt(item, {name: told[name] for name in REASONS if name in told}) for item, told in graves.items()]
    return sorted(doubts, key=_urgency)


def _low(rows: Judgements, control: Control) -> list[tuple[str, str, float]]:
    if (control.low, control.high) != (1, 5):
        return []  # the limit is one of a scale of 1 to 5
    return [(item, "low-rating", mean) for item, mean in mean_ratings(rows).items() if mean < BY_RATING.moderate]


def _split(rows: Judgements) -> list[tuple[str, str, float]]:
    votes = {item: majority_vote(row.values()) for item, row in rows.items()}
    shares = {item: vote.votes / vote.raters for item, vote in votes.items()}
    return [(item, "split", share) for item, share in shares.items() if share < SPLIT]


def _against(rows: Judgements, gold: Mapping[str, Category]) -> list[tuple[str, str, float]]:
    found = []
    for item, row in rows.items():
        vote = majority_vote(row.values())
        if item in gold and vote.winner not in (None, gold[item]):
            found.append((item, "against-gold", list(row.values()).count(gold[item]) / vote.raters))
    return found


def _urgency(doubt: Doubt) -> tuple[int, float, str]:
    first = next(iter(doubt.reasons))
    return list(REASONS).index(first), doubt.reasons[first], doubt.item
