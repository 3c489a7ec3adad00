"""The order of trials in a list: pseudo-random, with rules."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from random import Random

from .materials import Sentence

#: Number of fillers with which a list begins, after practice.
LEAD = 2
#: Maximum number of test items in a row.
ITEMS_IN_ROW = 2
#: Maximum number of trials in a row with the same right pronoun.
PRONOUNS_IN_ROW = 3
#: Maximum restarts when the draw reaches a dead end.
_MAX_ATTEMPTS = 500


def order_trials(
    items: Sequence[Sentence], fillers: Sequence[Sentence], attention: Sequence[Sentence], rng: Random
) -> list[Sentence]:
    """Return the sentences of a list in a random order.

    The first `LEAD` are fillers, at most `ITEMS_IN_ROW` test items and `PRONOUNS_IN_ROW` equal right pronouns follow each other. The
    attention trials are spread: the list has as many parts of about the same length, and one in each, neither the first nor the last.

    The attention trials come in the order of `attention`.

    Raises:
        ValueError: no such order was found.
    """
    kinds = {sentence.id: kind for kind, part in enumerate((items, fillers, attention)) for sentence in part}
    for _ in range(_MAX_ATTEMPTS):
        places = _attention_places(len(kinds), len(attention), rng)
        order = _attempt([*items, *fillers], dict(zip(places, attention, strict=True)), kinds, rng)
        if order is not None:
            return order
    raise ValueError(
        f"[order] no order of a list in {_MAX_ATTEMPTS} attempts; found {len(items)} items and {len(fillers)} fillers, expected {LEAD} "
        f"fillers first, at most {ITEMS_IN_ROW} items and {PRONOUNS_IN_ROW} equal pronouns in a row"
    )


def _attention_places(length: int, count: int, rng: Random) -> list[int]:
    """Return a place, from 0, in each of `count` parts of a list; none among the first or last in its part."""
    edges = [LEAD + (length - LEAD) * part // count for part in range(count + 1)] if count else []
    return [rng.randrange(low + 1, max(high - 1, low + 2)) for low, high in pairwise(edges)]


def _attempt(
    sentences: Sequence[Sentence], fixed: dict[int, Sentence], kinds: dict[str, int], rng: Random
) -> list[Sentence] | None:
    """Return an order, or None where the draw reached a dead end."""
    left = rng.sample(sentences, len(sentences))
    order: list[Sentence] = []
    for place in range(len(kinds)):
        candidates = [fixed[place]] if place in fixed else left
        chosen = next((sentence for sentence in candidates if _allowed(order, sentence, kinds)), None)
        if chosen is None:
            return None
        order.append(chosen)
        if place not in fixed:
            left.remove(chosen)
            rng.shuffle(left)
    return order


def _allowed(order: Sequence[Sentence], sentence: Sentence, kinds: dict[str, int]) -> bool:
    kind = kinds[sentence.id]
    if len(order) < LEAD and kind != 1:
        return False
    if kind == 0 and _run(order, lambda other: kinds[other.id] == 0) >= ITEMS_IN_ROW:
        return False
    return _run(order, lambda other: other.pronoun == sentence.pronoun) < PRONOUNS_IN_ROW


def _run(order: Sequence[Sentence], alike: Callable[[Sentence], bool]) -> int:
    """Return how many sentences at the end of an order are alike."""
    return next((number for number, other in enumerate(reversed(order)) if not alike(other)), len(order))
