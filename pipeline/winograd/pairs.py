"""The members of a schema: where and how far they differ, and how they leave the collection together."""

from collections.abc import Iterable, Sequence
from itertools import takewhile
from typing import Literal

from ..core.errors import plural
from ..core.model import Finding, Item, Rejected
from ..core.notation import marked

#: How many characters may differ between the texts of two Chinese members; a schema turns on a word or two (LREC 2020, section 2.1).
DIFFERENCE = 12
#: Where the members of a pair differ: after their targets, or before them, and perhaps after them too.
Contrast = Literal["before", "after"]


def letters_of(text: str) -> str:
    """Return the letters and digits of a text in one case.

    >>> letters_of("The ball, 2 m.")
    'theball2m'
    """
    return "".join(filter(str.isalnum, text)).casefold()


def shared_length(*texts: Sequence[str]) -> int:
    """Return with how many characters all texts begin, or with how many words all lists of words.

    >>> shared_length("the ball is red.", "the ball is round.")
    13
    """
    return sum(1 for _ in takewhile(lambda column: len(set(column)) == 1, zip(*texts, strict=False)))


def difference(first: str, second: str) -> tuple[str, str]:
    """Return the parts of two texts between their common beginning and their common end.

    >>> difference("the ball is red.", "the ball is round.")
    ('e', 'oun')
    """
    head = shared_length(first, second)
    tail = shared_length(first[head:][::-1], second[head:][::-1])
    return first[head : len(first) - tail], second[head : len(second) - tail]


def distance(first: Item, second: Item) -> int:
    """Return in how many characters two members differ, their targets marked: the longer of the differing parts."""
    return max(map(len, difference(*(marked(item.text, item.target) for item in (first, second)))))


def contrasts(items: Iterable[Item]) -> dict[str, Contrast]:
    """Return where the members of each pair differ besides their targets, by schema; a schema without two members has no place.

    What a pair asks that differs before its target does not turn on a word after it.
    """
    members: dict[str, list[Item]] = {}
    for item in items:
        members.setdefault(item.schema, []).append(item)
    places: dict[str, Contrast] = {}
    for schema, pair in members.items():
        heads = {item.text[: item.target.start] for item in pair}
        tails = {item.text[item.target.end :] for item in pair}
        if len(pair) == 2 and len(heads) + len(tails) > 2:
            places[schema] = "before" if len(heads) > 1 else "after"
    return places


def minimal_pair_fault(first: Item, second: Item, first_before: Item, second_before: Item) -> str:
    """Return why two members are no longer a minimal pair; empty if they are.

    They may differ in no more characters than before a text was changed, and must not be the same.
    """
    now, before = distance(first, second), distance(first_before, second_before)
    if 0 < now <= before:
        return ""
    reason = f"no longer a minimal pair with {second.id}; found a difference of {plural(now, 'character')}"
    return f"{reason}, expected 1 to {before}, as before"


def pair_mates(items: Iterable[Item], rejected: Iterable[Rejected]) -> list[Rejected]:
    """Reject the items that lose their pair because another member of their schema is rejected.

    Returns:
        The items that leave, in their order; each names the rejected member whose id comes first.
    """
    first: dict[str, Rejected] = {}
    for entry in sorted(rejected, key=lambda entry: entry.record.id):
        first.setdefault(entry.record.schema, entry)
    return [_rejected_with(item, first[item.schema]) for item in items if item.schema in first]


def _rejected_with(item: Item, mate: Rejected) -> Rejected:
    message = f"{mate.record.id} of the same schema was rejected as {mate.exclusion}"
    evidence = {"mate": mate.record.id, "class": mate.exclusion, "rule": mate.findings[0].rule}
    return Rejected(item, (Finding("exclude/pair-mate", "pair-mate", None, message, evidence),))
