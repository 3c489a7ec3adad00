"""Select the items of a study that a person should review first."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ...statistics.human_accuracy import BY_RATING, majority_vote, mean_ratings
from ...statistics.ratings import Category, Judgements
from ..model.study import Study
from .measures import SCALE_OF_FIVE

#: A vote is split where no answer has this share of the votes.
SPLIT = 2 / 3
#: The reasons to review an item, in the order in which items are listed.
REASONS: Mapping[str, str] = {
    "split": "split vote: no answer has two thirds of the votes",
    "against-gold": "the majority, or the only answer, is wrong",
    "low-rating": "mean rating below 3",
    "skipped": "skipped",
}


@dataclass(frozen=True, slots=True)
class Doubt:
    """An item with the reasons to review it, each with the number that orders items of the same first reason, lowest first.

    The number is the leader's share of a split vote, the share of right answers, the mean rating, or minus the number of raters
    who skipped the item.
    """

    item: str
    reasons: Mapping[str, float]


def look_first(
    study: Study,
    tables: Mapping[str, Judgements],
    expected: Mapping[str, Mapping[str, Category]],
    skipped: Iterable[str],
) -> list[Doubt]:
    """Return the items with a reason to review them, by their first reason, then the gravest first, then by id."""
    reasons: dict[str, dict[str, float]] = defaultdict(dict)

    def add(reason: str, numbers: Mapping[str, float]) -> None:
        for item, number in numbers.items():
            reasons[item][reason] = min(number, reasons[item].get(reason, number))

    add("skipped", {item: -float(count) for item, count in Counter(skipped).items()})
    for control in study.controls:
        table = tables[control.name]
        if control.kind == "rating":
            if (control.low, control.high) == SCALE_OF_FIVE:
                add(
                    "low-rating",
                    {item: mean for item, mean in mean_ratings(table).items() if mean < BY_RATING.moderate},
                )
        elif control.expects_answer:
            add("split", _split(table))
        add("against-gold", _against_gold(table, expected.get(control.name, {})))
    doubts = [
        Doubt(item, {name: numbers[name] for name in REASONS if name in numbers}) for item, numbers in reasons.items()
    ]
    return sorted(doubts, key=_urgency)


def _split(table: Judgements) -> dict[str, float]:
    votes = {item: majority_vote(row.values()) for item, row in table.items()}
    shares = {item: vote.votes / vote.raters for item, vote in votes.items()}
    return {item: share for item, share in shares.items() if share < SPLIT}


def _against_gold(table: Judgements, gold: Mapping[str, Category]) -> dict[str, float]:
    return {
        item: list(row.values()).count(gold[item]) / len(row)
        for item, row in table.items()
        if item in gold and majority_vote(row.values()).winner not in (None, gold[item])
    }


def _urgency(doubt: Doubt) -> tuple[int, float, str]:
    first = next(iter(doubt.reasons))
    return list(REASONS).index(first), doubt.reasons[first], doubt.item
