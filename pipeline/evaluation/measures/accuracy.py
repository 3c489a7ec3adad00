"""Accuracy of answers, with intervals whose clusters are the schemas, macro-averaged scores (WSC-ZA, 4.1.3), groups of items."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Literal

from ...statistics.intervals import clustered_interval, ratio

#: The cluster of each item: its schema, or several schemas that are alike.
Clusters = Mapping[str, str]
#: The lower and the upper limit of an interval of 95 %.
Interval = tuple[float, float]
#: Where an interval lies that does not, or does, include the accuracy of guesses.
AgainstChance = Literal["above", "includes", "below"]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A share of right answers: how many are right, of how many, the share (None of none), its interval (None of one cluster)."""

    right: int
    n: int
    value: float | None
    interval: Interval | None


@dataclass(frozen=True, slots=True)
class PairEstimate(Estimate):
    """The share of schemas that are right in all their items, with the expected share of a system that guesses; None without any."""

    chance: float | None


def accuracy(marks: Iterable[tuple[str, bool]], cluster_of: Clusters) -> Estimate:
    """Return the share of right answers (micro accuracy, WSC-ZA 4.1.3), each an item and whether it is right; an item may have several."""
    clusters: dict[str, list[bool]] = defaultdict(list)
    for item, mark in marks:
        clusters[cluster_of[item]].append(mark)
    return accuracy_of_counts([(sum(answers), len(answers)) for answers in clusters.values()])


def accuracy_of_counts(clusters: Sequence[tuple[int, int]]) -> Estimate:
    """Return the share of right answers from the numbers of right answers and of all answers to each cluster."""
    right, size = sum(right for right, _ in clusters), sum(size for _, size in clusters)
    return Estimate(right, size, ratio(right, size), clustered_interval(clusters))


def against_chance(interval: Interval | None, chance: float | None) -> AgainstChance | None:
    """Return whether the interval of an accuracy lies above chance, includes it or lies below it; None without one of them.

    >>> against_chance((0.4, 0.6), 0.5), against_chance((0.6, 0.8), 0.5)
    ('includes', 'above')
    """
    if chance is None or interval is None:
        return None
    low, high = interval
    return "above" if low > chance else "below" if high < chance else "includes"


def pair_accuracy(
    marks: Mapping[str, bool], schemas: Mapping[str, str], cluster_of: Clusters, counts: Mapping[str, int]
) -> PairEstimate:
    """Return the share of schemas with two or more answered items that are right in all of them; `counts` are of candidates, by item."""
    members: dict[str, dict[str, bool]] = defaultdict(dict)
    for item, mark in marks.items():
        members[schemas[item]][item] = mark
    whole = [answers for answers in members.values() if len(answers) > 1]
    total = accuracy([(next(iter(answers)), all(answers.values())) for answers in whole], cluster_of)
    chances = [prod(1 / counts[item] for item in answers) for answers in whole]
    chance = sum(chances) / len(whole) if whole else None
    return PairEstimate(total.right, total.n, total.value, total.interval, chance)


def item_accuracy(answers: Iterable[Mapping[str, bool]]) -> dict[str, float]:
    """Return the share of right answers to each item over several runs (item-level accuracy, WSC-ZA 4.1.3)."""
    given: dict[str, list[bool]] = defaultdict(list)
    for run in answers:
        for item, mark in run.items():
            given[item].append(mark)
    return {item: sum(marks) / len(marks) for item, marks in given.items()}


@dataclass(frozen=True, slots=True)
class MacroScores:
    """Macro-averaged scores: means over labels.

    Section 4.1.3 defines F1 twice. Its words average the labels' F1 scores (`f1_of_labels`); its formula takes the harmonic mean of macro
    precision and macro recall (`f1_of_means`). Table 6 has the former: the 0.845 of LLaMA-3, zero-shot, lies below its precision
    (0.850) and recall (0.846), where no mean of the two can lie. scikit-learn has the former too.
    """

    precision: float
    recall: float
    f1_of_labels: float
    f1_of_means: float


def macro_scores(answers: Sequence[int], choices: Sequence[int | None]) -> MacroScores | None:
    """Return the macro-averaged scores of choices, by scikit-learn.

    Without a choice, an answer is a missed instance of its label (FN) and a wrong instance of none (FP). A label that is never
    chosen has precision 0: a system that always answers A would otherwise have the precision of A alone.

    Args:
        answers: index of the right candidate of each item.
        choices: index of the candidate that was chosen, or None, of the same items.

    Returns:
        None without items. A label that is never right and never chosen is ignored.
    """
    if not answers:
        return None
    from sklearn.metrics import precision_recall_fscore_support

    labels = sorted({*answers, *(choice for choice in choices if choice is not None)})
    chosen = [-1 if choice is None else choice for choice in choices]
    scores = precision_recall_fscore_support(answers, chosen, labels=labels, average="macro", zero_division=0.0)
    precision, recall, f1 = map(float, scores[:3])
    harmonic = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return MacroScores(precision, recall, f1, harmonic)


@dataclass(frozen=True, slots=True)
class Group:
    """The accuracy of all answers to the items with one value of a trait (`inside`), and of those to the other items (`outside`)."""

    trait: str
    value: str
    members: Sequence[str]  # the items inside that have an answer
    others: Sequence[str]  # those outside
    inside: Estimate
    outside: Estimate

    @property
    def verdict(self) -> str:
        """``easier`` or ``harder`` than the other items if the two intervals do not meet, else empty."""
        inside, outside = self.inside.interval, self.outside.interval
        if inside is None or outside is None:
            return ""
        return "easier" if inside[0] > outside[1] else "harder" if inside[1] < outside[0] else ""


def trait_groups(
    traits: Mapping[str, Mapping[str, str]], marks: Mapping[str, Sequence[bool]], clusters: Clusters
) -> list[Group]:
    """Return a group for each value of each trait.

    Args:
        traits: the value of each item, by trait.
        marks: whether each answer to an item is right.
    """
    groups = []
    for trait, values in traits.items():
        answered = [item_id for item_id in values if marks.get(item_id)]
        for value in dict.fromkeys(values.values()):
            members = [item_id for item_id in answered if values[item_id] == value]
            others = [item_id for item_id in answered if values[item_id] != value]
            inside, outside = (
                accuracy([(item_id, mark) for item_id in part for mark in marks[item_id]], clusters)
                for part in (members, others)
            )
            groups.append(Group(trait, value, members, others, inside, outside))
    return groups
