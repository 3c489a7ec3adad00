"""Apply the decisions of people to a collection, after its modifications."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import merge
from pathlib import Path

from ...core.errors import PipelineError
from ...core.model import Item, Rejected, item_of
from ..pairs import minimal_pair_fault, pair_mates
from .record import RecordState, decided, finding_of, record_states
from .table import KEPT, Adjudication


@dataclass(frozen=True, slots=True)
class Change:
    """A line of the ledger: a record that people decided on, or whose state changed with that of its pair-mate.

    `before` and `after` are states (see `RecordState`); `decision` is None for a record that follows its pair-mate.
    """

    id: str
    before: str
    after: str
    decision: Adjudication | None = None


@dataclass(frozen=True, slots=True)
class Adjudicated:
    """A collection after adjudication: every record is kept or rejected, `ledger` has what was decided and what followed."""

    kept: tuple[Item, ...]
    rejected: tuple[Rejected, ...]
    ledger: tuple[Change, ...]


def adjudicate(
    kept: Sequence[Item],
    rejected: Sequence[Rejected],
    rows: Sequence[Adjudication],
    path: Path | None,
    *,
    by_sentence: bool = False,
) -> Adjudicated:
    """Apply decisions to a collection; without decisions it stays as it is.

    A decision about one member decides about its pair: its mates leave with it, and come back once no member is rejected on its
    own account.

    Args:
        kept: the kept items, modified.
        rejected: the rejected records.
        rows: at most one decision for each item.
        path: the file of the decisions, for messages; None if there is none.
        by_sentence: keep an item whose pair-mate is rejected.

    Returns:
        Kept and rejected in their order, what changes sides inserted by id; the ledger by id.

    Raises:
        PipelineError: at the line of a decision that does not apply, or no longer.
    """
    before = record_states(kept, rejected)
    by_item = {row.item: row for row in rows}
    after, faults = _after(before, by_item, by_sentence=by_sentence)
    for row in rows:
        if row.item in faults:
            raise PipelineError(path, row.line, faults[row.item])
    stayed = [after.get(item.id, item) for item in kept]
    still = [after.get(entry.record.id, entry) for entry in rejected]
    return Adjudicated(
        tuple(merge(_kept(stayed), sorted(_kept(still), key=lambda item: item.id), key=lambda item: item.id)),
        tuple(merge(_rejected(still), sorted(_rejected(stayed), key=_id_of), key=_id_of)),
        tuple(_changes(before, after, by_item)),
    )


def is_unpaired(change: Change) -> bool:
    """Return whether a relabelled item is rejected, because all members of its schema have one answer now."""
    return change.decision is not None and change.decision.action == "relabel" and change.after != KEPT


def refusals(before: Mapping[str, RecordState], rows: Iterable[Adjudication]) -> dict[str, str]:
    """Return why `adjudicate` refuses decisions: the reason by item, for those that it refuses.

    Args:
        before: the states of all records before people decide.
        rows: at most one decision for each item.
    """
    return _after(before, {row.item: row for row in rows}, by_sentence=False)[1]


def _after(
    before: Mapping[str, RecordState], rows: Mapping[str, Adjudication], *, by_sentence: bool
) -> tuple[dict[str, Item | Rejected], dict[str, str]]:
    """Return the records of the decided schemas as decisions leave them, and why decisions do not apply, by item."""
    after: dict[str, Item | Rejected] = {}
    faults: dict[str, str] = {}
    for name, row in rows.items():
        if name not in before:
            faults[name] = f"[item] the decision no longer applies; found no record {name!r}"
            continue
        try:
            after[name] = decided(before[name], row)
        except ValueError as error:
            faults[name] = str(error)
    applied = {name: rows[name] for name in after}
    if not by_sentence:
        for members in _schemas(before, after):
            pair = _whole({name: after.get(name, state.entry) for name, state in members.items()}, members, applied)
            faults |= _pair_faults(pair, members, applied)
            after |= pair
    return after, faults


def _schemas(before: Mapping[str, RecordState], decided: Iterable[str]) -> list[dict[str, RecordState]]:
    """Return the members of each schema that something was decided about."""
    schemas: dict[str, dict[str, RecordState]] = {before[name].record.schema: {} for name in sorted(decided)}
    for name in sorted(before):
        if before[name].record.schema in schemas:
            schemas[before[name].record.schema][name] = before[name]
    return list(schemas.values())


def _whole(
    pair: Mapping[str, Item | Rejected], before: Mapping[str, RecordState], rows: Mapping[str, Adjudication]
) -> dict[str, Item | Rejected]:
    """Return the members of one schema, all kept or all rejected.

    If one member is rejected on its own account, the others leave as its pair-mates. If a relabelling gives all members the same
    answer, the relabelled member is a defect: the pair turns on nothing.

    Args:
        pair: each member as its own row leaves it.
        before: the members before.
        rows: the decisions by item.
    """
    free: dict[str, Item] = {}
    rejected: dict[str, Rejected] = {}
    for name, entry in pair.items():
        item = entry if isinstance(entry, Item) else item_of(entry.record) if entry.exclusion == "pair-mate" else None
        if item is not None:
            free[name] = item
        elif isinstance(entry, Rejected):
            rejected[name] = entry
    if len({before[name].record.answer for name in free}) > 1 and len({item.answer for item in free.values()}) == 1:
        for name in [name for name in free if name in rows and rows[name].action == "relabel"]:
            message = f"people decided that the answer is {rows[name].value}, as it is of its pair-mate"
            rejected[name] = Rejected(free[name], (finding_of(free[name], rows[name], "defect", message),))
            del free[name]
    mates = {mate.record.id: mate for mate in pair_mates(free.values(), rejected.values())}
    return {**free, **rejected, **mates}


def _pair_faults(
    pair: Mapping[str, Item | Rejected], before: Mapping[str, RecordState], rows: Mapping[str, Adjudication]
) -> dict[str, str]:
    """Return, by modified member of a kept pair, why the members differ in more than before, or in nothing."""
    faults = {}
    kept = {name: entry for name, entry in pair.items() if isinstance(entry, Item)}
    originals = {name: item for name in kept if (item := item_of(before[name].record))}
    for name in [name for name in kept if name in rows and rows[name].action == "modify"]:
        for mate in [mate for mate in kept if mate != name]:
            fault = minimal_pair_fault(kept[name], kept[mate], originals[name], originals[mate])
            if fault:
                faults[name] = f"[value] {fault}"
    return faults


def _kept(entries: Iterable[Item | Rejected]) -> list[Item]:
    return [entry for entry in entries if isinstance(entry, Item)]


def _rejected(entries: Iterable[Item | Rejected]) -> list[Rejected]:
    return [entry for entry in entries if isinstance(entry, Rejected)]


def _id_of(entry: Rejected) -> str:
    return entry.record.id


def _changes(
    before: Mapping[str, RecordState], after: Mapping[str, Item | Rejected], rows: Mapping[str, Adjudication]
) -> Iterator[Change]:
    for name, entry in sorted(after.items()):
        state = entry.exclusion if isinstance(entry, Rejected) else KEPT
        if name in rows or state != before[name].state:
            yield Change(name, before[name].state, state, rows.get(name))
