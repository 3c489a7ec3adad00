"""Apply the decisions of people to a collection, after its modifications, with a ledger; find those that a build would refuse."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import merge
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

import msgspec

from ...core.convert import convert, keys_of, read_values_by_id, to_object
from ...core.errors import PipelineError
from ...core.files import write_jsonl
from ...core.model import ExclusionClass, Finding, Item, Record, Rejected, is_exclusion_class, item_of
from ..modifications import AppliedModification, Modification, modify_item
from ..pairs import minimal_pair_fault, pair_mates
from ..validation.items import ITEMS
from ..validation.pairs import PAIRS
from .table import KEPT, Adjudication, judged_answer, judged_text


@dataclass(frozen=True, slots=True)
class RecordState:
    """A record before people decide: kept, or rejected with findings."""

    record: Record
    findings: tuple[Finding, ...] = ()

    @property
    def state(self) -> str:
        """``kept``, or the class of the rejection."""
        return self.findings[0].exclusion if self.findings else KEPT

    @property
    def entry(self) -> Item | Rejected:
        """The record as the files of a collection hold it."""
        if self.findings:
            return Rejected(self.record, self.findings)
        assert isinstance(self.record, Item)  # noqa: S101 - kept
        return self.record


def record_states(kept: Iterable[Item], rejected: Iterable[Rejected]) -> dict[str, RecordState]:
    """Return the state of each record by id; no record is in both."""
    states = {entry.record.id: RecordState(entry.record, entry.findings) for entry in rejected}
    return states | {item.id: RecordState(item) for item in kept}


def originals(states: Mapping[str, RecordState], modifications: Mapping[str, AppliedModification]) -> dict[str, Record]:
    """Return the rejected records that a modification has rescued, by id, as they were before it."""
    return {
        name: replace(states[name].record, text=applied.original, target=applied.original_target)
        for name, applied in modifications.items()
        if applied.exclusion is not None and name in states
    }


def apply_decision(before: RecordState, row: Adjudication) -> Item | Rejected:
    """Return the record as its own row leaves it; its pair-mates are not considered.

    People overrule the rules: the rules do not judge again what people keep or modify.

    Raises:
        ValueError: with the field at fault: the row does not apply, or no longer.
    """
    record = before.record
    judged = {
        "state": (before.state, row.state),
        "text": (judged_text(record), row.text),
        "answer": (judged_answer(record), row.answer),
    }
    for name, (current, expected) in judged.items():
        if current != expected:
            raise ValueError(
                f"[{name}] the decision no longer applies to {row.item}; found {current!r}, expected {expected!r}"
            )
    if row.action == "drop":
        return _dropped(before, row)
    item = item_of(record)
    if item is None or before.state == "defect":
        raise ValueError(f"[action] {row.item} is no item; found it rejected as {before.state}, expected a drop")
    if row.action == "relabel":
        if row.value not in item.candidates:
            raise ValueError(
                f"[value] unknown candidate; found {row.value!r}, expected one of {', '.join(item.candidates)}"
            )
        if row.value == item.candidates[item.answer]:
            raise ValueError(f"[value] nothing changes; found {row.value!r}, which is the answer")
        return replace(item, answer=item.candidates.index(row.value))
    if row.action == "modify":
        try:
            modification = Modification(
                item.id, "annotation", row.text, row.value, row.reason, question=row.question, gloss=row.gloss
            )
            return modify_item(item, modification)
        except ValueError as error:
            raise ValueError(str(error).replace("[to]", "[value]", 1)) from error
    return item


def _dropped(before: RecordState, row: Adjudication) -> Rejected:
    assert is_exclusion_class(row.value)  # noqa: S101 - a drop has one
    finding = finding_of(before.record, row, row.value, "people decided that it does not belong to the collection")
    own = [entry for entry in before.findings if entry.exclusion != "pair-mate"]
    findings = (*own, finding) if row.value == before.state else (finding, *own)
    return Rejected(before.record, findings)


def finding_of(record: Record, row: Adjudication, exclusion: ExclusionClass, message: str) -> Finding:
    """Return the finding that rejects a record by a decision, with its votes as evidence."""
    reason = f": {row.reason}" if row.reason else ""
    evidence = {"study": row.study, "action": row.action, "votes": row.votes, "raters": row.raters}
    return Finding(f"annotation/{row.study}", exclusion, record.target, f"{message} ({row.share}){reason}", evidence)


# --- a collection ---------------------------------------------------------------------------------------------------------


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
    """Return why `adjudicate` refuses decisions: the reason by item, for those that it refuses."""
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
            after[name] = apply_decision(before[name], row)
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


# --- the ledger -----------------------------------------------------------------------------------------------------------


_State = Literal["kept"] | ExclusionClass


class _Line(msgspec.Struct, frozen=True):
    id: str
    before: _State
    after: _State
    decision: Mapping[str, Any] | None

    def change(self) -> Change:
        decision = None if self.decision is None else convert({"item": self.id, **self.decision}, Adjudication)
        return Change(self.id, self.before, self.after, decision)


def change_to_json(change: Change) -> dict[str, Any]:
    """Return the JSON object of one line."""
    row = change.decision
    decision = (
        None
        if row is None
        else {key: getattr(row, key) for key in keys_of(Adjudication) if key not in ("item", "line")}
    )
    return {"id": change.id, "before": change.before, "after": change.after, "decision": decision}


def write_changes(path: Path, ledger: Iterable[Change]) -> None:
    """Write the ledger as JSON Lines, atomically."""
    write_jsonl(path, map(change_to_json, ledger))


def read_changes(path: Path) -> dict[str, Change]:
    """Return the ledger by record id."""
    return read_values_by_id(path, _Line, _Line.change, "adjudications.jsonl, which annotate apply writes")


def change_from_json(row: Mapping[str, Any]) -> Change:
    """Return what `change_to_json` was given; raises `ValueError` with the field that is malformed."""
    return convert(row, _Line).change()


# --- refusals, before decisions are written ------------------------------------------------------------------------------


def refused_decisions(
    kept: Sequence[Item], rejected: Sequence[Rejected], rows: Iterable[Adjudication], own: Collection[str]
) -> dict[str, str]:
    """Return why a build would refuse decisions, by item.

    A build refuses a decision that does not apply, that leaves a pair which is no longer minimal, or after which a kept item or its
    pair fails an expectation that it met before. Where only both members of a pair can change, and the decision about
    one of them is missing, the other one's is refused.

    Args:
        kept: the kept items before people decide.
        rows: at most one decision for each item.
        own: the items whose decisions may be refused; rows of other items are applied with them.
    """
    before = record_states(kept, rejected)
    schemas = {name: state.record.schema for name, state in before.items()}
    by_item = {row.item: row for row in rows}
    known = {(name, check) for name, check, _ in _failures(kept)} if by_item else set()
    refused: dict[str, str] = {}
    while True:
        faults = refusals(before, by_item.values())
        if not faults:
            changed = adjudicate(kept, rejected, list(by_item.values()), None).kept
            new = [(name, check, reason) for name, check, reason in _failures(changed) if (name, check) not in known]
            faults = {name: f"[{check}] {reason}" for name, check, reason in reversed(new)}
        blamed = {row: reason for name, reason in faults.items() for row in _blamed(name, by_item, schemas, own)}
        if not blamed:
            return refused
        refused |= {name: reason for name, reason in blamed.items() if name in own}
        by_item = {name: row for name, row in by_item.items() if name not in blamed}


def unpaired(
    kept: Sequence[Item], rejected: Sequence[Rejected], rows: Iterable[Adjudication], own: Collection[str]
) -> list[str]:
    """Return the relabelled items that leave with their pairs, because the other member keeps the same answer; see `refused_decisions`."""
    by_item = {row.item: row for row in rows}
    faults = refusals(record_states(kept, rejected), by_item.values())
    ledger = adjudicate(kept, rejected, [row for name, row in by_item.items() if name not in faults], None).ledger
    return [change.id for change in ledger if change.id in own and is_unpaired(change)]


def _blamed(name: str, rows: Mapping[str, Adjudication], schemas: Mapping[str, str], own: Collection[str]) -> list[str]:
    """Return the items whose decisions are at fault: the named one, or those of its schema, or of the named schema."""
    if name in rows and name in own:
        return [name]
    schema = schemas.get(name, name)
    return [item for item in rows if schemas.get(item) == schema and item in own] or [
        item for item in rows if item == name
    ]


def _failures(items: Sequence[Item]) -> Iterator[tuple[str, str, str]]:
    """Yield the item or schema, the expectation and the reason, where kept items do not meet one."""
    if not items:
        return
    with TemporaryDirectory() as folder:
        path = Path(folder) / "adjudicated.jsonl"
        write_jsonl(path, map(to_object, items))
        for suite in (ITEMS, PAIRS):
            for failure in suite.check([path]).failures:
                yield failure.row.id, f"{suite.name}/{failure.check}", failure.reason
