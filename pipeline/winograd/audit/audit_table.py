"""The table of an audit: one row for each record, kept or not."""

from collections.abc import Iterable

from ..adjudication.table import KEPT
from .entries import Entry

TABLE_HEADER = (
    "id", "schema", "version", "decision", "class", "rules", "disputed",
    "target", "start", "end", "sentence", "candidates", "answer", "votes", "kind", "role", "modification", "modified",
    "outcome", "people", "value", "raters", "study", "reason",
)  # fmt: skip


def table(entries: Iterable[Entry]) -> list[list[str]]:
    """Return one row for every record, kept or not, with the columns of `TABLE_HEADER`."""
    return [_row(entry) for entry in entries]


def _row(entry: Entry) -> list[str]:
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
