"""The ledger of adjudication: what people decided in a build, and what followed from it."""

from collections.abc import Iterable
from dataclasses import fields
from pathlib import Path
from typing import Any

from ...core.errors import PipelineError
from ...core.files import parse_jsonl, read_text, require_unique, write_jsonl
from .apply import Change
from .table import Adjudication

_FIELDS = tuple(field.name for field in fields(Adjudication) if field.name not in ("item", "line"))


def change_to_json(change: Change) -> dict[str, Any]:
    """Return the JSON object of one line."""
    row = change.decision
    decision = None if row is None else {name: getattr(row, name) for name in _FIELDS}
    return {"id": change.id, "before": change.before, "after": change.after, "decision": decision}


def write_changes(path: Path, ledger: Iterable[Change]) -> None:
    """Write the ledger as JSON Lines, atomically."""
    write_jsonl(path, map(change_to_json, ledger))


def read_changes(path: Path) -> dict[str, Change]:
    """Return the ledger by record id.

    Raises:
        PipelineError: a line is malformed, or an id occurs twice.
    """
    lines: dict[str, int | None] = {}
    ledger = {}
    for line, value in parse_jsonl(read_text(path), path):
        try:
            decision = value["decision"]
            if decision is not None:
                decision = Adjudication(item=value["id"], **{name: decision[name] for name in _FIELDS})
            require_unique(lines, value["id"], path, line)
            ledger[value["id"]] = Change(value["id"], value["before"], value["after"], decision)
        except (KeyError, TypeError, ValueError) as error:
            raise PipelineError(path, line, f"[adjudication] malformed line; {error!r}") from error
    return ledger
