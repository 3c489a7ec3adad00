"""Lay out an experiment: which list shows which sentence at which position."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from random import Random

from .lists import filler_lists, item_lists, taking_turns
from .materials import Design, Filler, Item, Sentence, require_unique_ids
from .order import order_trials


@dataclass(frozen=True, slots=True)
class Placed:
    """A sentence at a position of a list; `part` is practice, item, filler or attention."""

    list: int
    position: int
    part: str
    sentence: Sentence


@dataclass(frozen=True, slots=True)
class Layout:
    """An experiment laid out."""

    lang: str
    options: tuple[str, ...]
    placed: tuple[Placed, ...]
    design: Design

    @property
    def lists(self) -> dict[int, list[Placed]]:
        """The sentences of each list, by its number."""
        lists: dict[int, list[Placed]] = {}
        for placed in self.placed:
            lists.setdefault(placed.list, []).append(placed)
        return lists

    def counts(self) -> dict[str, int]:
        """Return how many lists there are, and how many sentences of each part, each counted once."""
        parts = {placed.sentence.id: placed.part for placed in self.placed}
        return {"lists": len(self.lists), "trials": len(self.placed), **dict(sorted(Counter(parts.values()).items()))}


def lay_out(
    lang: str, options: Sequence[str], items: Sequence[Item], fillers: Sequence[Filler], design: Design, seed: int
) -> Layout:
    """Return the layout of an experiment; the same arguments give the same one.

    Each list begins with the practice trials. Then come its items, fillers and attention trials, whose right answers differ, in the
    order of `order_trials`.

    Raises:
        PipelineError: two sentences share an id.
        ValueError: no lists or no orders were found.
    """
    require_unique_ids([*items, *fillers, *design.practice, *design.attention])
    rng = Random(seed)  # noqa: S311 - draws lists, no keys
    lists = item_lists(items, design.items, rng)
    others = filler_lists(fillers, len(lists), design.fillers, rng)
    attention = cycle(taking_turns(design.attention, lambda sentence: sentence.pronoun, rng))
    placed = []
    for number, (own, filling) in enumerate(zip(lists, others, strict=True), 1):
        checks = list(islice(attention, design.attention_trials))
        order = order_trials(own, filling, checks, rng)
        parts: dict[str, Sequence[Sentence]] = {
            "item": own,
            "filler": filling,
            "attention": checks,
            "practice": design.practice,
        }
        part_of = {sentence.id: part for part, sentences in parts.items() for sentence in sentences}
        placed += [
            Placed(number, position, part_of[sentence.id], sentence)
            for position, sentence in enumerate((*design.practice, *order), 1)
        ]
    return Layout(lang, tuple(options), tuple(placed), design)
