"""A balanced sample of whole pairs of a release, for models that are slow or cost money."""

import random
from collections import defaultdict
from collections.abc import Sequence
from itertools import chain, zip_longest

from .items import ReleasedItem
from .prompts.rendering import variants


def sample_pairs(
    entries: Sequence[ReleasedItem], count: int, seed: int = 0, *, release: Sequence[ReleasedItem] = ()
) -> list[ReleasedItem]:
    """Return at most `count` items in whole pairs, in the order of the release.

    A pair is a schema of two items whose answers differ, so that a sample has as many first as second candidates that are right. As many
    pairs are drawn from either half of the release that differs in the examples of its prompts (`variants`), give or take one, as long as
    both halves have some. A larger sample with the same seed holds the smaller one, so that its replies are used again. All schemas of
    the release are shuffled before those that cannot be drawn are left out: two draws with the same seed differ only where an item
    can be in one and not in the other.

    Args:
        count: number of items; of an odd one, one less is drawn.
        release: all items of the release if not all may be drawn: they decide halves and order.
    """
    members: dict[str, list[ReleasedItem]] = defaultdict(list)
    for entry in entries:
        members[entry.item.schema].append(entry)
    pairs = {
        schema for schema, pair in members.items() if len(pair) == 2 and pair[0].item.answer != pair[1].item.answer
    }
    of = variants(release or entries)
    clusters = {entry.item.schema: entry.cluster for entry in release or entries}
    halves: tuple[list[str], list[str]] = ([], [])
    for schema, cluster in clusters.items():
        halves[of[cluster]].append(schema)
    for half in halves:
        random.Random(seed).shuffle(half)  # noqa: S311 - a sample, no secret
    in_turn = chain.from_iterable(zip_longest(*([schema for schema in half if schema in pairs] for half in halves)))
    drawn = set([schema for schema in in_turn if schema is not None][: count // 2])
    return [entry for entry in entries if entry.item.schema in drawn]
