"""The ledger of adjudication: what people decided in a build, and what followed from it."""

from collections.abc import Iterable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from ...core.files import write_jsonl
from ...core.records import read_by_id
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
    return read_by_id(path, "adjudication", change_from_json)


def change_from_json(row: Mapping[str, Any]) -> Change:
    """Return what `change_to_json` was given; raises KeyError or TypeError if the object is malformed."""
    decision = row["decision"]
    if decision is not None:
        decision = Adjudication(item=row["id"], **{name: decision[name] for name in _FIELDS})
    return Change(row["id"], row["before"], row["after"], decision)
