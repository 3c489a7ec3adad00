"""How often people answer rightly: by subject, by item, over all answers (WSC-ZA, section 3.3, Table 4)."""

from collections.abc import Mapping
from dataclasses import dataclass

from .ratings import Category, Judgements, right_answer
from .ratios import ratio
from .summary import Summary, summarise

#: Whether each rater was right of each item, by item; who did not answer is absent.
Marks = Mapping[str, Mapping[str, bool]]


def mark(judgements: Judgements, answers: Mapping[str, Category]) -> dict[str, dict[str, bool]]:
    """Return which judgements are right.

    Args:
        judgements: what was said.
        answers: the right answer of each item.

    Raises:
        ValueError: an item that was judged has no right answer.
    """
    return {
        item: {rater: said == right_answer(item, answers) for rater, said in row.items()}
        for item, row in judgements.items()
    }


def subject_accuracies(marks: Marks) -> dict[str, float]:
    """Return each rater's share of right answers among those given, in the order of names."""
    given: dict[str, list[bool]] = {}
    for row in marks.values():
        for rater, right in row.items():
            given.setdefault(rater, []).append(right)
    return {rater: sum(rights) / len(rights) for rater, rights in sorted(given.items())}


def item_accuracies(marks: Marks) -> dict[str, float]:
    """Return each item's share of right answers; an item that nobody answered has none and is absent."""
    return {item: sum(row.values()) / len(row) for item, row in marks.items() if row}


@dataclass(frozen=True, slots=True)
class HumanAccuracy:
    """The three accuracies of WSC-ZA's Table 4; the first two are None where nobody answered.

    They differ where subjects answered unequal numbers of items: each subject, each item, each answer weighs the same.
    """

    subjects: Summary | None
    items: Summary | None
    right: int
    answers: int

    @property
    def micro(self) -> float | None:
        """Right of all answers."""
        return ratio(self.right, self.answers)


def human_accuracy(marks: Marks, level: float = 0.95) -> HumanAccuracy:
    """Return the accuracies of people, with t intervals over subjects and over items.

    Args:
        marks: see `mark`.
        level: the coverage that is wanted of the intervals.
    """
    return HumanAccuracy(
        subjects=summarise(subject_accuracies(marks).values(), level),
        items=summarise(item_accuracies(marks).values(), level),
        right=sum(sum(row.values()) for row in marks.values()),
        answers=sum(len(row) for row in marks.values()),
    )
