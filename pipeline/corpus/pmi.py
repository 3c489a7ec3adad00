"""Pointwise mutual information of words by the windows that hold them (Mandarinograd, LREC 2020, section 4)."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256


def pmi(both: int, one: int, other: int, windows: int) -> float | None:
    """Return log2(both * windows / (one * other)), the PMI of two words (equation 14).

    Args:
        both: the windows that hold both words.
        one: the windows that hold the first.
        other: the windows that hold the second.
        windows: all windows.

    Returns:
        Minus infinity where they never meet; None where one of them never occurs, which leaves it undefined.

    >>> pmi(4, 8, 16, 64), pmi(0, 8, 16, 64), pmi(0, 0, 16, 64)
    (1.0, -inf, None)
    """
    if not one or not other:
        return None
    return math.log2(both * windows / (one * other)) if both else -math.inf


@dataclass(frozen=True, slots=True)
class Decision:
    """What association answers: the PMI of each candidate with the reference, and the candidate chosen.

    `decided` is whether the PMIs decide; else the choice is a coin's, seeded by the item's id.
    """

    pmis: tuple[float | None, ...]
    choice: int
    decided: bool

    @property
    def difference(self) -> float | None:
        """The first PMI less the second; infinite where one of them is, undefined where a PMI is or both are infinite."""
        one, other = self.pmis
        if one is None or other is None or (math.isinf(one) and math.isinf(other)):
            return None
        return one - other


def decide(pmis: Sequence[float | None], name: str, *, threshold: float = 0.0, seed: int = 0) -> Decision:
    """Return the answer: the candidate with the greater PMI if the difference exceeds the threshold, else a coin's.

    Args:
        pmis: of the two candidates with the reference.
        name: the item's id, which with the seed settles its coin whatever other items there are.
        threshold: t of Amsili and Seminck (2017), see note 11.
        seed: of the coins.
    """
    found = Decision(tuple(pmis), 0, decided=False)
    difference = found.difference
    if difference is not None and abs(difference) > threshold:
        return Decision(found.pmis, 0 if difference > 0 else 1, decided=True)
    return Decision(found.pmis, coin(name, seed), decided=False)


def coin(name: str, seed: int) -> int:
    """Return 0 or 1 by the id of an item and a seed."""
    return sha256(f"{seed}\0{name}".encode()).digest()[0] & 1


@dataclass(frozen=True, slots=True)
class Baseline:
    """How well association answers: of all items, those with terms, those decided, the right ones among both."""

    items: int
    with_terms: int
    decided: int
    right_decided: int
    right: int

    @property
    def coverage(self) -> float | None:
        """Decided of all items."""
        return self.decided / self.items if self.items else None

    @property
    def precision(self) -> float | None:
        """Right of the decided ones."""
        return self.right_decided / self.decided if self.decided else None

    @property
    def accuracy(self) -> float | None:
        """Right of all items, coins included."""
        return self.right / self.items if self.items else None


def baseline(decisions: Mapping[str, Decision], answers: Mapping[str, int], seed: int) -> Baseline:
    """Return the figures over all items of `answers`; one without a decision has no terms and is answered by its coin."""
    chosen = {name: decisions[name].choice if name in decisions else coin(name, seed) for name in answers}
    decided = [name for name in answers if name in decisions and decisions[name].decided]
    return Baseline(
        items=len(answers),
        with_terms=sum(name in decisions for name in answers),
        decided=len(decided),
        right_decided=sum(chosen[name] == answers[name] for name in decided),
        right=sum(chosen[name] == answers[name] for name in answers),
    )
