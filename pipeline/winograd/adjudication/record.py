"""Apply one decision of people to one record."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from ...core.model import ExclusionClass, Finding, Item, Record, Rejected, is_exclusion_class, item_of
from ..modifications import AppliedModification, Modification, modify_item
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


def decided(before: RecordState, row: Adjudication) -> Item | Rejected:
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
