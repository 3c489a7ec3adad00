"""The history of each record, joined from the ledgers of the stages: the one place that the audit and the release use."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ..core.errors import PipelineError
from ..core.model import Finding, Item, Record, Rejected
from .adjudication.apply import Change
from .adjudication.table import KEPT
from .analysis import Analysis
from .exclusion.ledger import Decision
from .modifications import AppliedModification

#: The action of a record that leaves or comes back with its pair-mate, without a decision of its own.
FOLLOW = "follow"
_DECISIONS_ALONE = ("decisions.jsonl", "items.jsonl or skipped.jsonl")


@dataclass(frozen=True, slots=True)
class RecordHistory:
    """What the stages did with one record, and why.

    Attributes:
        record: the record as it was read.
        decision: the decision of the rules.
        findings: why the rules reject it; empty if they keep it.
        analysis: the author's analysis, if there is one.
        applied: the modification by hand, if there is one.
        change: what people decided about it or about its pair-mate, if they did.
    """

    record: Record
    decision: Decision
    findings: tuple[Finding, ...] = ()
    analysis: Analysis | None = None
    applied: AppliedModification | None = None
    change: Change | None = None

    @property
    def label(self) -> str:
        """``kept``, or the class under which the rules reject the record."""
        return self.decision.exclusion or KEPT

    @property
    def rescued(self) -> bool:
        """Whether the rules rejected the record and a modification brought it back."""
        return self.applied is not None and self.applied.exclusion is not None

    @property
    def outcome(self) -> str:
        """``kept``, or the class of the record, after the last stage."""
        return self.change.after if self.change else self._modified

    @property
    def _modified(self) -> str:
        """``kept``, or the class of the record, after `modify`, which keeps all that it modifies."""
        return KEPT if self.applied else self.label

    @property
    def gloss(self) -> str:
        """The translation of the text as it is after the last stage; empty if nobody gave one."""
        return _gloss(self.analysis, self.applied, self.change)

    @property
    def action(self) -> str:
        """What people decided about the record; `FOLLOW` if about its pair-mate only; empty if about neither."""
        if self.change is None:
            return ""
        return self.change.decision.action if self.change.decision else FOLLOW


def _gloss(analysis: Analysis | None, applied: AppliedModification | None, change: Change | None) -> str:
    decided = change.decision.gloss if change and change.decision else ""
    return decided or (applied.modification.gloss if applied else "") or (analysis.gloss if analysis else "")


def current_glosses(
    analyses: Mapping[str, Analysis],
    modifications: Mapping[str, AppliedModification],
    changes: Mapping[str, Change],
) -> dict[str, str]:
    """Return the gloss of each analysed item by id: of its modified text, if the modification or decision has one."""
    return {name: _gloss(analysis, modifications.get(name), changes.get(name)) for name, analysis in analyses.items()}


def join(
    items: Iterable[Item],
    skipped: Iterable[Rejected],
    rejected: Iterable[Rejected],
    decisions: Iterable[Decision],
    analyses: Mapping[str, Analysis] | None = None,
    modifications: Mapping[str, AppliedModification] | None = None,
    changes: Mapping[str, Change] | None = None,
) -> dict[str, RecordHistory]:
    """Join the files of a build into one history for each record, in the order of the ids.

    Args:
        items: the items that `ingest` read.
        skipped: the records that it skipped.
        rejected: the records that `exclude` rejected.
        decisions: its ledger.
        analyses: the authors' analyses by id.
        modifications: the ledger of `modify` by id.
        changes: the ledger of `annotate apply` by id.

    Raises:
        PipelineError: the files do not belong together. Each record needs one decision, each rejection its findings, each
            analysis, modification and change its record, and each change starts where the stage before it ended.
    """
    analyses, modifications, changes = analyses or {}, modifications or {}, changes or {}
    records: dict[str, Record] = {item.id: item for item in items}
    for entry in skipped:
        if entry.record.id in records:
            raise _unfit(entry.record.id, "both read and skipped", "ingest")
        records[entry.record.id] = entry.record
    ledger = {decision.id: decision for decision in decisions}
    rejections = {entry.record.id: entry for entry in rejected}
    for name in sorted(records.keys() ^ ledger.keys()):
        place, other = ("items.jsonl or skipped.jsonl", "decisions.jsonl") if name in records else _DECISIONS_ALONE
        reason = f"record in {place}, but not in {other}"
        raise _unfit(name, f"{reason}; expected these files of one build", "exclude")
    for name in sorted(ledger.keys() | rejections.keys()):
        decided = ledger[name].exclusion if name in ledger else None
        listed = rejections[name].exclusion if name in rejections else None
        if decided != listed:
            reason = f"decision and rejection differ; found {decided or KEPT} in the decisions (decisions.jsonl) and "
            reason += f"{listed or 'no such record'} in the rejected records (rejected.jsonl, which exclude writes)"
            raise _unfit(name, f"{reason}; expected these files of one build", "exclude")
    for name in sorted((analyses.keys() | modifications.keys()) - records.keys()):
        raise _unfit(name, "an analysis or modification without a record", "ingest and winoforge modify")
    for name in sorted(changes.keys() - records.keys()):
        raise _unfit(name, "a decision of people without a record", "annotate apply")
    histories = {
        name: RecordHistory(
            records[name],
            ledger[name],
            rejections[name].findings if name in rejections else (),
            analyses.get(name),
            modifications.get(name),
            changes.get(name),
        )
        for name in sorted(records)
    }
    for name, history in histories.items():
        if history.change is not None and history.change.before != history._modified:
            reason = f"found {history.change.before}, expected {history._modified}"
            raise _unfit(name, f"people decided about another state; {reason}", "annotate apply")
    return histories


def _unfit(name: str, reason: str, command: str) -> PipelineError:
    return PipelineError(None, None, f"[{name}] {reason}; run winoforge {command}")
