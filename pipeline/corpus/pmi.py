"""Answers by pointwise mutual information (PMI) of words in windows (Mandarinograd, LREC 2020, section 4)."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256


def pmi(both: int, first: int, second: int, windows: int) -> float | None:
    """Return log2(both * windows / (first * second)), the PMI of two words in bits (equation 14).

    Args:
        both: number of windows that hold both words.
        first: number of windows that hold the first word.
        second: number of windows that hold the second word.
        windows: number of all windows.

    Returns:
        Minus infinity if the words never share a window; None, undefined, if one of them never occurs.

    >>> pmi(4, 8, 16, 64), pmi(0, 8, 16, 64), pmi(0, 0, 16, 64)
    (1.0, -inf, None)
    """
    if not first or not second:
        return None
    return math.log2(both * windows / (first * second)) if both else -math.inf


@dataclass(frozen=True, slots=True)
class Decision:
    """The answer to an item.

    Attributes:
        pmis: the PMI of each of the two candidates with the reference, in bits.
        choice: the candidate chosen, 0 or 1.
        decided: whether the PMIs decide; otherwise a coin does, seeded by the item's id.
    """

    pmis: tuple[float | None, ...]
    choice: int
    decided: bool

    @property
    def difference(self) -> float | None:
        """The first PMI less the second: infinite if one of them is, None if one is undefined or both are infinite."""
        first, second = self.pmis
        if first is None or second is None or (math.isinf(first) and math.isinf(second)):
            return None
        return first - second


def decide(pmis: Sequence[float | None], item_id: str, *, threshold: float = 0.0, seed: int = 0) -> Decision:
    """Choose the candidate with the greater PMI if the difference exceeds the threshold, otherwise by a coin.

    Args:
        pmis: the PMI of each of the two candidates with the reference.
        item_id: the item's id; with the seed it decides the coin, independently of other items.
        threshold: t of Amsili and Seminck (2017), see note 11.
        seed: seed of the coins.
    """
    tossed = Decision(tuple(pmis), coin(item_id, seed), decided=False)
    difference = tossed.difference
    if difference is None or abs(difference) <= threshold:
        return tossed
    return Decision(tossed.pmis, 0 if difference > 0 else 1, decided=True)


def coin(item_id: str, seed: int) -> int:
    """Return 0 or 1, by the id of an item and a seed."""
    return sha256(f"{seed}\0{item_id}".encode()).digest()[0] & 1


@dataclass(frozen=True, slots=True)
class Score:
    """How often association is right.

    Attributes:
        items: number of items.
        with_terms: items that have terms.
        decided: items that PMI decides.
        right_decided: items that PMI decides rightly.
    """

    items: int
    with_terms: int
    decided: int
    right_decided: int

    @property
    def coverage(self) -> float | None:
        """The share of decided items in all items."""
        return self.decided / self.items if self.items else None

    @property
    def precision(self) -> float | None:
        """The share of right answers among decided items."""
        return self.right_decided / self.decided if self.decided else None

    @property
    def accuracy(self) -> float | None:
        """The share of right answers among all items that is expected if coins answer those that PMI does not decide (LREC 2020, 4.3)."""
        return (self.right_decided + (self.items - self.decided) / 2) / self.items if self.items else None

    @property
    def term_coverage(self) -> float | None:
        """The share of items that have terms."""
        return self.with_terms / self.items if self.items else None


def score(decisions: Mapping[str, Decision], answers: Mapping[str, int]) -> Score:
    """Score the decisions over all items.

    Args:
        decisions: the decision on each item that has terms, by id.
        answers: the right answer of each item, by id.
    """
    decided = [item_id for item_id in answers if item_id in decisions and decisions[item_id].decided]
    return Score(
        items=len(answers),
        with_terms=sum(item_id in decisions for item_id in answers),
        decided=len(decided),
        right_decided=sum(decisions[item_id].choice == answers[item_id] for item_id in decided),
    )


def expected_right(item_id: str, answer: int, decisions: Mapping[str, Decision]) -> float:
    """Return how often an item is answered rightly: 1 or 0 if PMI decides it, 0.5 if a coin does."""
    decision = decisions.get(item_id)
    return float(decision.choice == answer) if decision and decision.decided else 0.5
