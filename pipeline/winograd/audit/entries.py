"""What was decided of each record and why, joined from the files of a build."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import quote

from ...core.errors import PipelineError
from ...core.model import CLASSES, Finding, Item, Record, Rejected, Span
from ...core.notation import unbracket
from ..adjudication.apply import Change
from ..adjudication.table import KEPT
from ..analysis import Analysis
from ..exclusion.ledger import Decision
from ..modifications import AppliedModification

#: What is said of a record of which people decided nothing: it went or came back with its pair-mate.
FOLLOW = "follow"


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """One record with what was decided of it and why.

    `decision` and `findings` are those of the rules; `analysis`, `applied` and `changed` are what its author says, its modification
    and what people decided, if there are any.
    """

    record: Record
    decision: Decision
    findings: tuple[Finding, ...]
    analysis: Analysis | None = None
    applied: AppliedModification | None = None
    changed: Change | None = None

    @property
    def label(self) -> str:
        """The class under which the rules reject the record, or ``kept``."""
        return self.decision.exclusion or KEPT

    @property
    def listed(self) -> bool:
        """Whether a maintainer should read it: it was rejected, modified or judged by people, or the parsers disagree."""
        by_rule = self.decision.exclusion is not None or self.decision.disputed
        return by_rule or self.applied is not None or self.changed is not None

    @property
    def rescued(self) -> bool:
        """Whether the rules rejected it and a modification brought it back."""
        return self.applied is not None and self.applied.exclusion is not None

    @property
    def standing(self) -> str:
        """The class of the record, or ``kept``, as the rules and the modifications leave it."""
        return KEPT if self.rescued else self.label

    @property
    def outcome(self) -> str:
        """The class of the record, or ``kept``, as the build leaves it."""
        return self.changed.after if self.changed else self.standing

    @property
    def action(self) -> str:
        """What people decided of the record, `FOLLOW` if of its pair-mate only; empty if of neither."""
        if self.changed is None:
            return ""
        return self.changed.decision.action if self.changed.decision else FOLLOW

    @property
    def judged_text(self) -> tuple[str, Span | None]:
        """The text that people gave the record, and the place of its target; empty if they gave none."""
        if self.changed is None or self.changed.decision is None or self.action != "modify":
            return "", None
        text, (target,) = unbracket(self.changed.decision.value)
        return text, target

    @property
    def anchor(self) -> str:
        """The name of its place in the page."""
        return f"item-{quote(self.record.id, safe='')}"


def join(
    items: Iterable[Item],
    skipped: Iterable[Rejected],
    rejected: Iterable[Rejected],
    decisions: Iterable[Decision],
    analyses: Mapping[str, Analysis] | None = None,
    applied: Mapping[str, AppliedModification] | None = None,
    changes: Mapping[str, Change] | None = None,
) -> list[AuditEntry]:
    """Return every record with its decision and findings, in the order of the ids.

    Raises:
        PipelineError: they do not belong together: each record needs one decision, each rejection its findings, each
            analysis, modification and change its record, and each change the state from which it starts.
    """
    analyses, applied, changes = analyses or {}, applied or {}, changes or {}
    records: dict[str, Record] = {entry.record.id: entry.record for entry in skipped}
    for item in items:
        if item.id in records:
            raise PipelineError(None, None, f"[id] both read and skipped; found {item.id!r}")
        records[item.id] = item
    ledger = {decision.id: decision for decision in decisions}
    reasons = {entry.record.id: entry for entry in rejected}
    classes = {name: decision.exclusion for name, decision in ledger.items() if decision.exclusion is not None}
    found = {name: entry.exclusion for name, entry in reasons.items()}
    for name in sorted(records.keys() ^ ledger.keys()):
        raise PipelineError(None, None, f"[{name}] a record without decision, or the reverse; run winoforge exclude")
    for name, _ in sorted(classes.items() ^ found.items()):
        both = f"{classes.get(name)} and {found.get(name)}"
        raise PipelineError(None, None, f"[{name}] decision and rejection differ; found {both}; run winoforge exclude")
    for name in sorted((analyses.keys() | applied.keys()) - records.keys()):
        raise PipelineError(None, None, f"[{name}] an analysis or modification without record; run make build")
    for name in sorted(changes.keys() - records.keys()):
        raise PipelineError(None, None, f"[{name}] a decision of people without record; run winoforge annotate apply")
    findings = {name: entry.findings for name, entry in reasons.items()}
    entries = [
        AuditEntry(
            records[name],
            ledger[name],
            findings.get(name, ()),
            analyses.get(name),
            applied.get(name),
            changes.get(name),
        )
        for name in sorted(records)
    ]
    for entry in entries:
        if entry.changed is not None and entry.changed.before != entry.standing:
            reason = f"found {entry.changed.before}, expected {entry.standing}; run winoforge annotate apply"
            raise PipelineError(None, None, f"[{entry.record.id}] people decided of another state; {reason}")
    return entries


def by_urgency(entries: Iterable[AuditEntry]) -> list[AuditEntry]:
    """Return what a maintainer should read: the disputed records, then the others; both by class, then by id."""
    order: dict[str, int] = {name: place for place, name in enumerate((*CLASSES, KEPT))}
    return sorted(
        (entry for entry in entries if entry.listed),
        key=lambda entry: (not entry.decision.disputed, order[entry.label], entry.record.id),
    )


TABLE_HEADER = (
    "id", "schema", "version", "decision", "class", "rules", "disputed",
    "target", "start", "end", "sentence", "candidates", "answer", "votes", "kind", "role", "modification", "modified",
    "outcome", "people", "value", "raters", "study", "reason",
)  # fmt: skip


def table(entries: Iterable[AuditEntry]) -> list[list[str]]:
    """Return one row for every record, kept or not, with the columns of `TABLE_HEADER`."""
    return [_row(entry) for entry in entries]


def _row(entry: AuditEntry) -> list[str]:
    record, target = entry.record, entry.record.target
    told = entry.changed.decision if entry.changed else None
    covered, start, end = (target.of(record.text), target.start, target.end) if target is not None else ("", "", "")
    return [
        record.id,
        record.schema,
        record.version,
        KEPT if entry.decision.exclusion is None else "rejected",
        entry.decision.exclusion or "",
        " ".join(finding.rule for finding in entry.findings),
        "yes" if entry.decision.disputed else "no",
        covered,
        str(start),
        str(end),
        record.text,
        " | ".join(record.candidates),
        "" if record.answer is None else record.candidates[record.answer],
        "; ".join(f"{parser}: {' '.join(rules) or 'none'}" for parser, rules in entry.decision.votes.items()),
        entry.analysis.kind if entry.analysis else "",
        entry.analysis.role if entry.analysis else "",
        entry.applied.modification.type if entry.applied else "",
        entry.applied.modified if entry.applied else "",
        entry.outcome,
        entry.action,
        *((told.value, told.share, told.study, told.reason) if told else ("",) * 4),
    ]
