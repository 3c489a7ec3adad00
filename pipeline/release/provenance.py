"""Where each record of a release comes from."""

from collections.abc import Mapping, Sequence
from typing import Any

from ..winograd.adjudication.apply import Change
from ..winograd.exclusion.ledger import Decision
from .sources import Source


def provenance(
    rows: Sequence[Mapping[str, Any]],
    decisions: Sequence[Decision],
    source: Source,
    rules: str,
    changes: Mapping[str, Change],
) -> list[dict[str, Any]]:
    """Return for each record where it comes from, by which parsers and rules it was kept, and what people decided of it.

    ``adjudication`` is there only where people decided of the item or of its pair-mate: `before` is the class under which the
    rules had rejected it, or ``kept``.
    """
    by_id = {decision.id: decision for decision in decisions}
    return [
        {
            "id": row["id"],
            "source": row["source"],
            "file": source.file,
            "sha256": source.sha256,
            "rules": rules,
            "parsers": list(by_id[row["id"]].votes),
            "disputed": by_id[row["id"]].disputed,
            **({"adjudication": _adjudication(changes[row["id"]])} if row["id"] in changes else {}),
        }
        for row in rows
    ]


def _adjudication(change: Change) -> dict[str, Any]:
    row = change.decision
    if row is None:
        return {"before": change.before, "action": "follow", "study": "", "votes": "", "reason": ""}
    return {
        "before": change.before,
        "action": row.action,
        "study": row.study,
        "votes": row.share,
        "reason": row.reason,
    }
