"""A build folder, read once: the history of each record, joined from the ledgers of the stages, and what a release packs."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ..core.errors import PipelineError
from ..core.files import parse_jsonl, read_text
from ..core.model import Finding, Item, Record, Rejected
from ..core.records import read_collection, read_items, read_rejected
from .adjudication.apply import Change, read_changes
from .adjudication.table import KEPT
from .analysis import Analysis, read_analyses
from .exclusion.ledger import Decision, read_decisions
from .forms import FORMS
from .modifications import AppliedModification, read_applied

#: The action of a record that leaves or comes back with its pair-mate, without a decision of its own.
FOLLOW = "follow"


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
        return self.change.after if self.change else self.modified_state

    @property
    def modified_state(self) -> str:
        """``kept``, or the class of the record, after `modify`, which keeps all that it modifies."""
        return KEPT if self.applied else self.label

    @property
    def modified(self) -> Record:
        """The record after `modify`, before people decide."""
        if self.applied is None:
            return self.record
        question = self.applied.modification.question or self.record.question
        return replace(self.record, text=self.applied.modified, target=self.applied.modified_target, question=question)

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
    findings = {entry.record.id: entry.findings for entry in rejected}
    for name in sorted(records.keys() ^ ledger.keys()):
        files = ["items.jsonl or skipped.jsonl", "decisions.jsonl"]
        place, other = files if name in records else reversed(files)
        raise _unfit(name, f"record in {place}, but not in {other}; expected these files of one build", "exclude")
    for name in sorted(ledger.keys() | findings.keys()):
        decided = ledger[name].exclusion if name in ledger else None
        listed = findings[name][0].exclusion if name in findings else None
        if decided != listed:
            reason = f"decision and rejection differ; found {decided or KEPT} in the decisions (decisions.jsonl) and "
            reason += f"{listed or 'no such record'} in the rejected records (rejected.jsonl, which exclude writes)"
            raise _unfit(name, f"{reason}; expected these files of one build", "exclude")
    for name in sorted((analyses.keys() | modifications.keys()) - records.keys()):
        raise _unfit(name, "an analysis or modification without a record", "ingest and winoforge modify")
    for name in sorted(changes.keys() - records.keys()):
        raise _unfit(name, "a decision of people without a record", "annotate apply")
    histories = {}
    for name, record in sorted(records.items()):
        found = findings.get(name, ())
        history = RecordHistory(
            record, ledger[name], found, analyses.get(name), modifications.get(name), changes.get(name)
        )
        if history.change is not None and history.change.before != history.modified_state:
            reason = f"found {history.change.before}, expected {history.modified_state}"
            raise _unfit(name, f"people decided about another state; {reason}", "annotate apply")
        histories[name] = history
    return histories


def _unfit(name: str, reason: str, command: str) -> PipelineError:
    return PipelineError(None, None, f"[{name}] {reason}; run winoforge {command}")


def read_histories(
    items: Path,
    skipped: Path,
    rejected: Path,
    decisions: Path,
    analyses: Path | None = None,
    modifications: Path | None = None,
    changes: Path | None = None,
) -> dict[str, RecordHistory]:
    """Return the history of each record by its id, from the files of the stages; see `join` for its errors."""
    return join(
        *read_collection(items, skipped),
        read_rejected(rejected),
        read_decisions(decisions),
        read_analyses(analyses) if analyses else {},
        read_applied(modifications) if modifications else {},
        read_changes(changes) if changes else {},
    )


@dataclass(frozen=True, slots=True)
class Build:
    """A collection of zero forms as its last stage left it.

    Attributes:
        histories: what the stages did with each record, by id.
        items: the items that are kept in the end.
        zeros: the rows of their zero forms.
        rejected: the other records.
        forms: the rows of each derived form by its name; a form that no item is made of is left out.
    """

    histories: Mapping[str, RecordHistory]
    items: Sequence[Item]
    zeros: Sequence[Mapping[str, Any]]
    rejected: Sequence[Rejected]
    forms: Mapping[str, Sequence[Mapping[str, Any]]]


def read_build(folder: Path) -> Build:
    """Read the files of a build folder; whether each is what its stage writes is the derivation's to prove.

    Raises:
        PipelineError: a file is missing or malformed, or the ledgers do not belong together.
    """
    analyses = folder / "analysis.jsonl"  # only collections in our own format have them
    histories = read_histories(
        folder / "items.jsonl",
        folder / "skipped.jsonl",
        folder / "rejected.jsonl",
        folder / "decisions.jsonl",
        analyses if analyses.exists() else None,
        folder / "modifications.jsonl",
        folder / "adjudications.jsonl",
    )
    items = read_items(folder / "zero.jsonl", zero_forms=True)
    languages = {item.lang for item in items}
    forms = {
        name: read_rows(folder / "variants" / f"{name}.jsonl") for name, form in FORMS.items() if form.is_of(*languages)
    }
    return Build(
        histories,
        items,
        read_rows(folder / "zero.jsonl"),
        read_rejected(folder / "adjudicated-rejected.jsonl"),
        {name: rows for name, rows in forms.items() if rows},
    )


def read_rows(path: Path) -> list[dict[str, Any]]:
    """Return the rows of a JSON Lines file."""
    return [row for _, row in parse_jsonl(read_text(path), path)]
