"""What people's answers are worth: the majority vote, accuracy by subject and by item, levels of difficulty."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import fmean
from typing import Literal, get_args

from .ratings import Category, Judgements, require_numbers, right_answer

#: For each item, whether each rater was right; a rater who did not answer is absent.
Marks = Mapping[str, Mapping[str, bool]]
Level = Literal["easy", "moderate", "hard"]
LEVELS: tuple[Level, ...] = get_args(Level)


# --- the majority -------------------------------------------------------------------------------------------------------


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
    def unanimous(self) -> bool:
        """Whether all raters, at least two, chose the same category."""
        return self.votes == self.raters > 1


def majority_vote(judgements: Iterable[Category]) -> MajorityVote:
    """Return the vote on one item from its judgements, in any order.

    How often votes are right does not measure one person: an item can be right although two of five people disagree (Mandarinograd, LREC
    2020, section 3.2, on GLUE's 95.9 %). WNLI's votes had five raters and could not tie between two answers; four raters can.

    >>> majority_vote(["A", "B", "A"]).winner, majority_vote(["A", "B"]).winner
    ('A', None)
    """
    tally = Counter(judgements)
    votes = max(tally.values(), default=0)
    return MajorityVote(
        frozenset(category for category, count in tally.items() if count == votes), votes, tally.total()
    )


# --- accuracy (WSC-ZA, section 3.3, Table 4) ------------------------------------------------------------------------------


def mark(judgements: Judgements, answers: Mapping[str, Category]) -> dict[str, dict[str, bool]]:
    """Return which judgements are right.

    Raises:
        ValueError: a judged item has no right answer.
    """
    return {
        item: {rater: judgement == right_answer(item, answers) for rater, judgement in row.items()}
        for item, row in judgements.items()
    }


def subject_accuracies(marks: Marks) -> dict[str, float]:
    """Return each rater's share of right answers among the rater's answers, in the order of names.

    WSC-ZA's Table 4 has the mean over subjects, that over items (`item_accuracies`) and the share of all answers; they differ if subjects
    answered unequal numbers of items.
    """
    given: dict[str, list[bool]] = {}
    for row in marks.values():
        for rater, right in row.items():
            given.setdefault(rater, []).append(right)
    return {rater: sum(rights) / len(rights) for rater, rights in sorted(given.items())}


def item_accuracies(marks: Marks) -> dict[str, float]:
    """Return each item's share of right answers; an item without answers is left out."""
    return {item: sum(row.values()) / len(row) for item, row in marks.items() if row}


# --- difficulty (WSC-ZA, sections 3.2 and 5.3) ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CutOffs:
    """Minimum value of an easy item and of a moderate item; lower values are hard."""

    easy: float
    moderate: float


#: Mean naturalness of 1 to 5 (section 3.2).
BY_RATING = CutOffs(easy=4.0, moderate=3.0)
#: Share of right answers (section 5.3). A fraction equal to a cut-off, such as 17/20, is the same float as the cut-off.
BY_ACCURACY = CutOffs(easy=0.85, moderate=0.60)


def difficulty(value: float, cut_offs: CutOffs) -> Level:
    """Return the level of one item.

    >>> difficulty(17 / 20, BY_ACCURACY), difficulty(3.99, BY_RATING), difficulty(2.99, BY_RATING)
    ('easy', 'moderate', 'hard')
    """
    if value >= cut_offs.easy:
        return "easy"
    return "moderate" if value >= cut_offs.moderate else "hard"


def by_difficulty(values: Mapping[str, float], cut_offs: CutOffs) -> dict[Level, dict[str, float]]:
    """Return the values of items by level; every level is a key, even without items. `summarise` of each level gives Table 3."""
    levels: dict[Level, dict[str, float]] = {level: {} for level in LEVELS}
    for item, value in values.items():
        levels[difficulty(value, cut_offs)][item] = value
    return levels


def mean_ratings(judgements: Judgements) -> dict[str, float]:
    """Return the mean rating of each item; an item without ratings is left out.

    Raises:
        ValueError: a rating is not a whole number.
    """
    means = {}
    for item, row in judgements.items():
        require_numbers(row.values())
        if row:
            means[item] = fmean(float(rating) for rating in row.values())
    return means
