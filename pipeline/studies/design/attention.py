"""Attention items: sentences that say which candidate to choose, spread over the main tasks of a list."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

from .fields import StudyRecord
from .practice import read_practice

#: The part of an attention item in a list.
ATTENTION = "attention"


def read_attention(path: Path, lang: str) -> list[StudyRecord]:
    """Return the attention items of a file, in its order; the file has the form of practice, without explanations.

    Raises:
        PipelineError: see `read_practice`.
    """
    return [replace(record, part=ATTENTION) for record in read_practice(path, lang, explained=False)]


def with_attention(
    records: Sequence[StudyRecord],
    orders: Sequence[tuple[int, ...]],
    attention: Sequence[StudyRecord],
    rng: Random,
) -> tuple[list[StudyRecord], list[tuple[int, ...]]]:
    """Return the main records of a list and the orders of their candidates, with attention items among them.

    The list is cut into as many parts of equal length as there are attention items; each part gets one, at a random place.

    Args:
        records: the main records, in their order.
        orders: for each of them the numbers of its candidates in the order in which they are shown.
        attention: the attention items; each list has all of them, in random order.
        rng: the source of randomness; not used without attention items.
    """
    items = list(attention)
    rng.shuffle(items)
    mixed, mixed_orders = list(records), list(orders)
    for number in reversed(range(len(items))):
        start, end = (len(records) * part // len(items) for part in (number, number + 1))
        place = rng.randint(start, max(start, end - 1))
        options = list(range(len(items[number].item.candidates)))
        rng.shuffle(options)
        mixed.insert(place, items[number])
        mixed_orders.insert(place, tuple(options))
    return mixed, mixed_orders
