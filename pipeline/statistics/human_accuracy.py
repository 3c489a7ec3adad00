"""Accuracy of people: by subject, by item, over all answers (WSC-ZA, section 3.3, Table 4)."""

from collections.abc import Mapping
from dataclasses import dataclass

from .ratings import Category, Judgements, right_answer
from .ratios import ratio
from .summary import Summary, summarise_shares

#: For each item, whether each rater was right; a rater who did not answer is absent.
Marks = Mapping[str, Mapping[str, bool]]


def mark(judgements: Judgements, answers: Mapping[str, Category]) -> dict[str, dict[str, bool]]:
    """Return which judgements are right.

    Args:
        judgements: the judgements.
        answers: the right answer of each item.

    Raises:
        ValueError: a judged item has no right answer.
    """
    return {
        item: {rater: judgement == right_answer(item, answers) for rater, judgement in row.items()}
        for item, row in judgements.items()
    }


def subject_accuracies(marks: Marks) -> dict[str, float]:
    """Return each rater's share of right answers among the rater's answers, in the order of names."""
    given: dict[str, list[bool]] = {}
    for row in marks.values():
        for rater, right in row.items():
            given.setdefault(rater, []).append(right)
    return {rater: sum(rights) / len(rights) for rater, rights in sorted(given.items())}


def item_accuracies(marks: Marks) -> dict[str, float]:
    """Return each item's share of right answers; an item without answers is left out."""
    return {item: sum(row.values()) / len(row) for item, row in marks.items() if row}


@dataclass(frozen=True, slots=True)
class HumanAccuracy:
    """The three accuracies of WSC-ZA's Table 4: means over subjects, over items, and over answers (`micro`).

    They differ if subjects answered unequal numbers of items. `subjects` and `items` are None without answers.
    """

    subjects: Summary | None
    items: Summary | None
    right: int
    answers: int

    @property
    def micro(self) -> float | None:
        """The share of right answers among all answers."""
        return ratio(self.right, self.answers)


def human_accuracy(marks: Marks, level: float = 0.95) -> HumanAccuracy:
    """Return the accuracies of people, with t intervals over subjects and over items.

    Args:
        marks: see `mark`.
        level: the coverage of the intervals.
    """
    return HumanAccuracy(
        subjects=summarise_shares(subject_accuracies(marks).values(), level),
        items=summarise_shares(item_accuracies(marks).values(), level),
        right=sum(sum(row.values()) for row in marks.values()),
        answers=sum(len(row) for row in marks.values()),
    )
