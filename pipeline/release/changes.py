"""The errata in a release: a row for each item concerned, and the same for people to read, the changelog of the data."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..core.files import to_json
from ..core.model import Record
from ..winograd.errata import released_errata, values_of
from .sources import Source

#: The files of a release that has errata.
ERRATA, CHANGES = "errata.jsonl", "CHANGES.md"
_DONE = {"dropped": "The item was taken out.", "kept": "It was kept: {reason}.", "corrected": "It is now: {after}"}


def errata_of(source: Source, records: Iterable[Record], glosses: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the errata of a collection that its source declares, a row for each of its items; see `released_errata`."""
    return released_errata(Path(source.errata), values_of(records, glosses)) if source.errata else []


def errata_files(rows: Sequence[Mapping[str, Any]]) -> dict[str, bytes]:
    """Return the files of errata by name; none without errata."""
    if not rows:
        return {}
    return {ERRATA: "".join(f"{to_json(row)}\n" for row in rows).encode(), CHANGES: changes_text(rows).encode()}


def changes_text(rows: Iterable[Mapping[str, Any]]) -> str:
    """Return the changelog of the data (Markdown), an entry for each item that somebody found a fault in."""
    lines = [
        "# Changes\n",
        "\nWhat somebody found wrong with an item, and what was done. `errata.jsonl` has the same.\n",
    ]
    for row in rows:
        done = _DONE[row["action"]].format(**row)
        head = f"`{row['item']}`, {row['field']} ({row['erratum']}, found by: {row['by']})"
        lines.append(f"\n- {head}: {row['found']}.\n  It was: {row['before']}\n  {done}\n")
    return "".join(lines)


def errata_ids(rows: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, list[str]]]:
    """Return the part of the provenance of each item that names its errata, by the id of the item."""
    parts: dict[str, dict[str, list[str]]] = {}
    for row in rows:
        parts.setdefault(str(row.get("item")), {"errata": []})["errata"].append(str(row.get("erratum")))
    return parts
