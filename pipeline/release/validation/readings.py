"""What must be true of the readings in a release: they are of its items as they stand."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any

from ...core.model import Item
from ...core.validation.derivation import Derived, fault
from ...core.validation.rows import text_of
from ...core.validation.suite import Row
from ...evaluation.folder import READINGS
from ..reading import FEWEST
from .folder import Release

#: What the file must be, by expectation.
OF_READINGS: Mapping[str, str] = {
    READINGS: "Each item has readings of its text as it stands, with the right answer and ratings good enough, in the order of the items.",
}


def reading_rows(
    release: Release,
    items: Iterable[Item],
    fault_of_reading: Callable[[Mapping[str, Any], Item], str],
    ratings: Collection[str],
) -> Iterator[Derived | Row]:
    """Yield the readings in their order, and a row for each that has a fault, and for each item with too few.

    Args:
        release: the release.
        items: its items.
        fault_of_reading: returns what is wrong with a reading of an item, empty for nothing.
        ratings: the ratings of which each item has enough.
    """
    path = release.path / "data" / f"{READINGS}.jsonl"
    by_id = {item.id: item for item in items}
    given: dict[str, list[dict[str, Any]]] = {name: [] for name in by_id}
    for line, row in release.lines(READINGS):
        name = text_of(row, "item")
        if name not in by_id:
            yield fault(READINGS, path, line, name or f"line {line}", "found a reading of no item, expected none")
            continue
        given[name].append(row)
        if reason := fault_of_reading(row, by_id[name]):
            yield fault(READINGS, path, line, name, reason)
    decided = {text_of(row, "id") for _, row in release.lines("provenance") if "adjudication" in row}
    for name, rows in given.items() if path.is_file() else ():
        if name in decided:  # what people reword or bring back, they have read themselves
            continue
        for rating in ratings:
            if (count := sum(row.get(rating) is not None for row in rows)) < FEWEST:
                yield fault(
                    READINGS, path, 1, name, f"found {count} readings with {rating}, expected at least {FEWEST}"
                )
    ordered = [row for rows in given.values() for row in sorted(rows, key=lambda row: text_of(row, "reader"))]
    yield Derived(READINGS, path, ordered)
