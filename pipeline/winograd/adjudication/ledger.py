"""The ledger of adjudication: what people decided in a build, and what followed from it."""

from collections.abc import Iterable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from ...core.errors import shown
from ...core.files import write_jsonl
from ...core.records import field_of, read_by_id, text_field
from .apply import Change
from .table import OPTIONAL, STATES, Adjudication

_FIELDS = tuple(field.name for field in fields(Adjudication) if field.name not in ("item", "line"))

_COUNTS = ("votes", "raters")


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
    return read_by_id(path, "adjudication", change_from_json, "adjudications.jsonl, which annotate apply writes")


def change_from_json(row: Mapping[str, Any]) -> Change:
    """Return what `change_to_json` was given; raises `ValueError` with the field that is malformed."""
    name = text_field(row, "id")
    states = {field: text_field(row, field) for field in ("before", "after")}
    for field, state in states.items():
        if state not in STATES:
            raise ValueError(f"[{field}] unknown state; found {shown(state)}, expected one of {', '.join(STATES)}")
    entry = field_of(row, "decision", (dict, type(None)), "an object, or null")
    decision = None
    if entry is not None:
        counts = {field: field_of(entry, field, int, "a number of raters") for field in _COUNTS}
        given = [field for field in _FIELDS if field not in _COUNTS and (field in entry or field not in OPTIONAL)]
        texts: dict[str, Any] = {field: text_field(entry, field) for field in given}
        decision = Adjudication(item=name, **texts, **counts)
    return Change(name, states["before"], states["after"], decision)
