"""Decisions of people applied to a collection, after its modifications."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import merge
from pathlib import Path

from ...core.errors import PipelineError
from ...core.model import Item, Rejected
from ..pairs import require_minimal, whole
from .record import RecordState, decided, record_states
from .table import KEPT, Adjudication


@dataclass(frozen=True, slots=True)
class Change:
    """A line of the ledger: a record of which people decided, or whose state changed with that of its pair.

    `before` and `after` are states (see `RecordState`); `decision` is None for a record that follows its mates.
    """

    id: str
    before: str
    after: str
    decision: Adjudication | None = None


@dataclass(frozen=True, slots=True)
class Adjudicated:
    """The collection as people leave it: every record of before is kept or rejected.

    `rejected` still lists what modifications rescued, as what `exclude` writes does.
    """

    kept: tuple[Item, ...]
    rejected: tuple[Rejected, ...]
    ledger: tuple[Change, ...]


def adjudicate(
    kept: Sequence[Item],
    rejected: Sequence[Rejected],
    rows: Sequence[Adjudication],
    path: Path,
    *,
    by_sentence: bool = False,
) -> Adjudicated:
    """Return the collection with the decisions applied, in the order it had; without any it is as it was.

    What people decide of one member decides of its pair: its mates leave with it, and come back once no member is rejected on its
    own account (see `whole`).

    Args:
        kept: the items, modified.
        rejected: what the rules reject.
        rows: at most one for each item.
        path: the file of the decisions, for messages.
        by_sentence: whether an item stays whose pair-mate is rejected.

    Raises:
        PipelineError: at the line of a decision that does not apply, or no longer.
    """
    before = record_states(kept, rejected)
    by_item = {row.item: row for row in rows}
    after: dict[str, Item | Rejected] = {}
    for row in rows:
        if row.item not in before:
            reason = f"[item] the decision no longer applies; found no record {row.item!r}"
            raise PipelineError(path, row.line, reason)
        try:
            after[row.item] = decided(before[row.item], row)
        except ValueError as error:
            raise PipelineError(path, row.line, str(error)) from error
    if not by_sentence:
        for members in _schemas(before, after):
            pair = whole({name: after.get(name) or one.as_it_was() for name, one in members.items()}, members, by_item)
            require_minimal(pair, members, by_item, path)
            after |= pair
    fallen = (after[item.id] for item in kept if item.id in after)
    restored = (after[name] for name in sorted(after) if before[name].findings)
    return Adjudicated(
        tuple(merge(_items(after.get(item.id, item) for item in kept), _items(restored), key=lambda one: one.id)),
        tuple(merge(_still(rejected, before, after), _rejections(fallen), key=lambda one: one.record.id)),
        tuple(_changes(before, after, by_item)),
    )


def _schemas(before: Mapping[str, RecordState], decided: Iterable[str]) -> list[dict[str, RecordState]]:
    """Return the members of each schema of which something is decided."""
    schemas: dict[str, dict[str, RecordState]] = {before[name].record.schema: {} for name in sorted(decided)}
    for name in sorted(before):
        if before[name].record.schema in schemas:
            schemas[before[name].record.schema][name] = before[name]
    return list(schemas.values())


def _items(records: Iterable[Item | Rejected]) -> list[Item]:
    return [one for one in records if isinstance(one, Item)]


def _rejections(records: Iterable[Item | Rejected]) -> list[Rejected]:
    return sorted((one for one in records if isinstance(one, Rejected)), key=lambda one: one.record.id)


def _still(
    rejected: Iterable[Rejected], before: Mapping[str, RecordState], after: Mapping[str, Item | Rejected]
) -> Iterator[Rejected]:
    """Yield the entries of what still is rejected, as they are now; what was rescued keeps its entry while it is kept."""
    for entry in rejected:
        now = after.get(entry.record.id)
        if now is None or (isinstance(now, Item) and not before[entry.record.id].findings):
            yield entry
        elif isinstance(now, Rejected) and before[entry.record.id].findings:
            yield now


def _changes(
    before: Mapping[str, RecordState], after: Mapping[str, Item | Rejected], rows: Mapping[str, Adjudication]
) -> Iterator[Change]:
    for name, now in sorted(after.items()):
        state = now.exclusion if isinstance(now, Rejected) else KEPT
        if name in rows or state != before[name].state:
            yield Change(name, before[name].state, state, rows.get(name))
