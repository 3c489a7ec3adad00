"""The ledger of adjudication: what people decided in a build, and what followed from it."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal

import msgspec

from ...core.convert import convert, keys_of, read_values_by_id
from ...core.files import write_jsonl
from ...core.model import ExclusionClass
from .apply import Change
from .table import Adjudication

_State = Literal["kept"] | ExclusionClass


class _Line(msgspec.Struct, frozen=True):
    id: str
    before: _State
    after: _State
    decision: Mapping[str, Any] | None

    def change(self) -> Change:
        decision = None if self.decision is None else convert({"item": self.id, **self.decision}, Adjudication)
        return Change(self.id, self.before, self.after, decision)


def change_to_json(change: Change) -> dict[str, Any]:
    """Return the JSON object of one line."""
    row = change.decision
    decision = (
        None
        if row is None
        else {key: getattr(row, key) for key in keys_of(Adjudication) if key not in ("item", "line")}
    )
    return {"id": change.id, "before": change.before, "after": change.after, "decision": decision}


def write_changes(path: Path, ledger: Iterable[Change]) -> None:
    """Write the ledger as JSON Lines, atomically."""
    write_jsonl(path, map(change_to_json, ledger))


def read_changes(path: Path) -> dict[str, Change]:
    """Return the ledger by record id.

    Raises:
        PipelineError: a line is malformed, or an id occurs twice.
    """
    return read_values_by_id(path, _Line, _Line.change, "adjudications.jsonl, which annotate apply writes")


def change_from_json(row: Mapping[str, Any]) -> Change:
    """Return what `change_to_json` was given; raises `ValueError` with the field that is malformed."""
    return convert(row, _Line).change()
