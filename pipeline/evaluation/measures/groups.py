"""Groups of items with a trait in common, and whether systems find one harder than the other items."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .accuracy import Clusters, Estimate, accuracy


@dataclass(frozen=True, slots=True)
class Group:
    """The accuracy of all answers to the items with one value of a trait (`inside`), and of those to the other items with the trait."""

    trait: str
    value: str
    items: int  # number of items inside that have an answer
    inside: Estimate
    outside: Estimate

    @property
    def verdict(self) -> str:
        """``easier`` or ``harder`` than the other items if the two intervals do not meet, else empty."""
        inside, outside = self.inside.interval, self.outside.interval
        if inside is None or outside is None:
            return ""
        return "easier" if inside[0] > outside[1] else "harder" if inside[1] < outside[0] else ""


def hardest_group(
    traits: Mapping[str, Mapping[str, str]], marks: Mapping[str, Sequence[bool]], clusters: Clusters
) -> Group | None:
    """Return the group that has the fewest right answers of those that are harder than the other items; None if none is.

    Args:
        traits: the value of each item, by trait.
        marks: whether each answer to an item is right.
    """
    groups = []
    for trait, values in traits.items():
        for value in dict.fromkeys(values.values()):
            parts: dict[bool, list[tuple[str, bool]]] = {True: [], False: []}
            for item_id, of_item in values.items():
                parts[of_item == value] += [(item_id, mark) for mark in marks.get(item_id, ())]
            inside, outside = (accuracy(parts[within], clusters) for within in (True, False))
            groups.append(Group(trait, value, len({item_id for item_id, _ in parts[True]}), inside, outside))
    harder = [group for group in groups if group.verdict == "harder"]
    return min(harder, key=lambda group: group.inside.value or 0.0, default=None)
