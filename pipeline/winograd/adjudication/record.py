"""One record as a decision of people leaves it."""

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace

from ...core.model import ExclusionClass, Finding, Item, Record, Rejected, is_exclusion_class
from ..modifications import Modification, modify_item
from .table import KEPT, Adjudication, judged_answer, judged_text


@dataclass(frozen=True, slots=True)
class RecordState:
    """A record as the rules and the modifications leave it: rejected with findings, or kept.

    `mended` is the record as the rules had rejected it, where a modification rescued it.
    """

    record: Record
    findings: tuple[Finding, ...] = ()
    mended: Record | None = None

    @property
    def state(self) -> str:
        """``kept``, or the class of the rejection."""
        return self.findings[0].exclusion if self.findings else KEPT

    def as_it_was(self) -> Item | Rejected:
        """Return the record as files have it."""
        if self.findings:
            return Rejected(self.record, self.findings)
        assert isinstance(self.record, Item)  # noqa: S101 - kept
        return self.record


def record_states(kept: Iterable[Item], rejected: Iterable[Rejected]) -> dict[str, RecordState]:
    """Return the standing of each record by id; one that was rescued by a modification is kept."""
    fallen = {entry.record.id: RecordState(entry.record, entry.findings) for entry in rejected}
    return fallen | {
        item.id: RecordState(item, mended=fallen[item.id].record if item.id in fallen else None) for item in kept
    }


def item_of(record: Record) -> Item | None:
    """Return the item that a record is; None if it lacks a target or an answer."""
    if record.target is None or record.answer is None:
        return None
    return Item(**{one.name: getattr(record, one.name) for one in fields(record)})


def decided(standing: RecordState, row: Adjudication) -> Item | Rejected:
    """Return the record as a row leaves it, whatever becomes of its mates.

    People overrule the rules: what they keep or modify is not judged by the rules again.

    Raises:
        ValueError: with the field at fault: the row does not apply, or no longer.
    """
    record = standing.record
    judged = {
        "state": (standing.state, row.state),
        "text": (judged_text(record), row.text),
        "answer": (judged_answer(record), row.answer),
    }
    for name, (found, expected) in judged.items():
        if found != expected:
            raise ValueError(
                f"[{name}] the decision no longer applies to {row.item}; found {found!r}, expected {expected!r}"
            )
    if row.action == "drop":
        return _dropped(standing, row)
    item = item_of(record)
    if item is None or standing.state == "defect":
        raise ValueError(f"[action] {row.item} is no item; found it rejected as {standing.state}, expected a drop")
    if row.action == "relabel":
        if row.value not in item.candidates:
            raise ValueError(f"[value] no candidate; found {row.value!r}, expected one of {', '.join(item.candidates)}")
        if row.value == item.candidates[item.answer]:
            raise ValueError(f"[value] nothing changes; found {row.value!r}, which is the answer")
        return replace(item, answer=item.candidates.index(row.value))
    if row.action == "modify":
        try:
            return modify_item(item, Modification(item.id, "annotation", row.text, row.value, row.reason))
        except ValueError as error:
            raise ValueError(str(error).replace("[to]", "[value]", 1)) from error
    return item


def _dropped(standing: RecordState, row: Adjudication) -> Rejected:
    assert is_exclusion_class(row.value)  # noqa: S101 - a drop has one
    finding = finding_of(standing.record, row, row.value, "people decided that it does not belong to the collection")
    before = [one for one in standing.findings if one.exclusion != "pair-mate"]
    findings = (*before, finding) if row.value == standing.state else (finding, *before)
    return Rejected(standing.record, findings)


def finding_of(record: Record, row: Adjudication, exclusion: ExclusionClass, message: str) -> Finding:
    """Return why a record leaves by a decision, with its votes as evidence."""
    told = f"{message} ({row.share})" + (f": {row.reason}" if row.reason else "")
    evidence = {"study": row.study, "action": row.action, "votes": row.votes, "raters": row.raters}
    return Finding(f"annotation/{row.study}", exclusion, record.target, told, evidence)
