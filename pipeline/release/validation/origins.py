"""What must be true of the provenance of a release and of its rejected records."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ...core.errors import shown
from ...core.model import Rejected
from ...core.records import KEYS, rejected_from_json, rejected_to_json
from ...core.rules import rules_digest
from ...core.validation.derivation import Derived, fault, id_of
from ...core.validation.rows import list_of, records, span_of, text_of
from ...core.validation.suite import Check, Row, Value
from ...winograd.adjudication.table import ACTIONS, STATES
from ...winograd.exclusion.exclude import evidence_fault, findings_again
from ...winograd.provenance import FOLLOW
from .card import source_of
from .folder import PROVENANCE, REJECTED, Release

#: What each file must be, by expectation.
ORIGINS: Mapping[str, str] = {
    "provenance": "Each released record has its provenance, in the same order: source, file, checksum, rules, parsers.",
    "rejected": "The rejected records are in the order of their ids, with the findings that the rules give them.",
}
_DIGESTS: Mapping[str, tuple[re.Pattern[str], str]] = {
    "sha256": (re.compile(r"[0-9a-f]{64}"), "64 hexadecimal digits"),
    "rules": (re.compile(r"sha256:[0-9a-f]{64}"), "sha256: and 64 hexadecimal digits"),
}
_PARSER = re.compile(r"[\w.-]+/[\w.-]+")
_PROVENANCE = ("id", "source", "file", "sha256", "rules", "parsers", "disputed")
_ADJUDICATION = ("before", "action", "study", "votes", "reason")
_VOTES = re.compile(r"[1-9][0-9]{0,5} of [1-9][0-9]{0,5}")


def provenance_rows(release: Release) -> Iterator[Derived | Row]:
    """Yield the provenance as it must be, and a row for each of its lines."""
    path = release.path / PROVENANCE
    if path.is_file():
        yield Derived("provenance", path, _provenance(release))
        for line, row in release.lines(PROVENANCE):
            yield Row(id_of(row) or f"line {line}", path, line, {"artifact": "origin", "row": row})


def _provenance(release: Release) -> Iterator[dict[str, Any]]:
    """Yield the line of each released record; what all lines share is as most of them have it."""
    given = {text_of(row, "id"): row for row in reversed(release.rows(PROVENANCE))}
    source = release.source or source_of(release)
    rules = _usual(list(given.values()), "rules")
    parsers = _usual([row for row in given.values() if row.get("parsers")], "parsers")
    for row in release.rows(release.main):
        name = text_of(row, "id")
        own = given.get(name, {})
        span = span_of(row)
        # No parser votes on cloze items, on what the source leaves out, or on what the reader skipped.
        unparsed = release.kind == "cloze" or (
            own.get("parsers") == [] and ("adjudication" in own or (span and not span.length))
        )
        yield {
            "id": name,
            "source": row.get("source"),
            "file": source.file,
            "sha256": source.sha256,
            "rules": rules,
            "parsers": [] if unparsed else parsers,
            "disputed": False,
            **{field: own[field] for field in ("disputed", "adjudication") if field in own},
        }


def _usual(rows: Sequence[Mapping[str, Any]], field: str) -> Any:
    values = {repr(row.get(field)): row.get(field) for row in rows}
    usual = Counter(repr(row.get(field)) for row in rows).most_common(1)
    return values[usual[0][0]] if usual else None


def rejected_rows(release: Release) -> Iterator[Derived | Row]:
    """Yield the rejected records as they must be, and a row for each."""
    path = release.path / REJECTED
    if not path.is_file():
        return
    released = {id_of(row) for row in release.rows(release.main)}
    # The rules of today say nothing of what earlier ones found.
    by_rules_of_today = _usual(release.rows(PROVENANCE), "rules") == rules_digest()
    entries = []
    for line, row in release.lines(REJECTED):
        name = id_of(row) or f"line {line}"
        try:
            entry = rejected_from_json(row)
        except ValueError as error:
            yield fault("rejected", path, line, name, str(error))
            continue
        if reason := evidence_fault(entry):
            yield fault("rejected", path, line, name, reason)
        yield Row(name, path, line, {"artifact": "rejected record", "row": row, "released": sorted(released & {name})})
        entries.append(Rejected(entry.record, findings_again(entry)) if by_rules_of_today else entry)
    entries.sort(key=lambda entry: entry.record.id)
    if len(entries) == len(release.lines(REJECTED)):
        yield Derived("rejected", path, list(map(rejected_to_json, entries)))


def rejected_items(paths: Sequence[Path]) -> list[Row]:
    """Return a row for each rejected record that is a whole item, as an item."""
    rows = []
    for row in records(paths):
        whole = row.value.get("target") is not None and row.value.get("answer") is not None
        broken = any(finding.get("class") == "defect" for finding in list_of(row.value, "findings", dict))
        if whole and not broken:
            item = {name: value for name, value in row.value.items() if name != "findings"}
            rows.append(replace(row, value=item))
    return rows


# --- the checks -----------------------------------------------------------------------------------------------------------


def fields_fault(row: Mapping[str, Any], expected: Sequence[str]) -> str:
    """Return which field of a row is the first that is missing, unknown or out of order."""
    for name in expected:
        if name not in row:
            return f"{name}; found no such field, expected one"
    for name in row:
        if name not in expected:
            return f"{name}; found an unknown field, expected {', '.join(expected)}"
    name, there = next(pair for pair in zip(row, expected, strict=True) if pair[0] != pair[1])
    return f"{name}; found it in place of {there}, expected the order {', '.join(expected)}"


def provenance_fields(value: Value) -> str:
    """A line of provenance has a file with its checksum, the digest of the rules, and parsers with their versions."""
    row = value["row"]
    expected = (*_PROVENANCE, *(["adjudication"] if "adjudication" in row else []))
    if tuple(row) != expected:
        return fields_fault(row, expected)
    for name, (pattern, what) in _DIGESTS.items():
        if not pattern.fullmatch(text_of(row, name)):
            return f"{name}; found {shown(row.get(name))}, expected {what}"
    for name in ("id", "source", "file"):
        if not text_of(row, name).strip():
            return f"{name}; found {shown(row.get(name))}, expected text"
    parsers = row.get("parsers")
    names = list_of(row, "parsers", str)
    if (parsers != [] and not names) or len(set(names)) < len(parsers or ()) or not all(map(_PARSER.fullmatch, names)):
        return f"parsers; found {shown(parsers)}, expected names with versions, such as udpipe/1.0"
    if not isinstance(row.get("disputed"), bool) or (row["disputed"] and len(names) == 1):
        return f"disputed; found {shown(row.get('disputed'))}, expected true or false, and false with one parser"
    return _adjudication_fault(row["adjudication"]) if "adjudication" in row else ""


def _adjudication_fault(entry: object) -> str:
    if not isinstance(entry, dict) or tuple(entry) != _ADJUDICATION:
        return f"adjudication; found {shown(entry)}, expected {', '.join(_ADJUDICATION)}"
    if text_of(entry, "before") not in STATES or text_of(entry, "action") not in (*ACTIONS, FOLLOW):
        return f"adjudication; found {shown(entry)}, expected a state and an action"
    own = text_of(entry, "action") != FOLLOW
    if own != bool(_VOTES.fullmatch(text_of(entry, "votes"))) or own != bool(text_of(entry, "study")):
        return f"adjudication; found {shown(entry)}, expected study and votes of an own decision"
    return "" if isinstance(entry["reason"], str) else f"adjudication; found {shown(entry['reason'])}, expected text"


def rejected_not_released(value: Value) -> str:
    """No rejected record is released, and each has the fields of an item and its findings."""
    if value["released"]:
        return f"found {shown(value['released'][0])} among the released items too, expected it once"
    row = value["row"]
    if tuple(row) != (*KEYS, "findings"):
        return fields_fault(row, (*KEYS, "findings"))
    return ""


ORIGIN: dict[str, Check] = {"provenance-fields": provenance_fields}
REJECTION: dict[str, Check] = {"rejected-not-released": rejected_not_released}
