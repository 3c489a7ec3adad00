"""The provenance of a release, and its rejected records."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ...core.errors import shown
from ...core.model import Rejected
from ...core.records import item_from_json, rejected_from_json, rejected_to_json
from ...core.rules import languages_with_zeros, rules_digest
from ...core.validation.derivation import Derived, fault, id_of
from ...core.validation.rows import list_of, records, span_of, text_of
from ...core.validation.suite import Row
from ...winograd.adjudication.table import ACTIONS, STATES
from ...winograd.build import FOLLOW
from ...winograd.errata import values_of
from ...winograd.exclusion.exclude import evidence_fault, findings_again
from ...winograd.exclusion.rule_files import rules_by_id
from ..changes import ERRATA, errata_ids
from ..manifest import PROVENANCE
from .folder import REJECTED, Release

#: What each file must be, by expectation.
ORIGINS: Mapping[str, str] = {
    "provenance": "Each released record has its provenance, in the same order: source, file, checksum, rules, parsers, errata. "
    "The fields that errata name are as they say.",
    "rejected": "The rejected records are in the order of their ids, with the findings that the rules give them.",
}
_ADJUDICATION = ("before", "action", "study", "votes", "reason")
_VOTES = re.compile(r"[1-9][0-9]{0,5} of [1-9][0-9]{0,5}")


def provenance_rows(release: Release) -> Iterator[Derived | Row]:
    """Yield the provenance as it must be, and a row for each decision of people that is malformed."""
    path = release.path / PROVENANCE
    if not path.is_file():
        return
    yield Derived("provenance", path, _provenance(release))
    if release.rows(ERRATA):
        yield Derived("provenance", release.path / ERRATA, _errata(release))
    named = {name for row in release.rows(PROVENANCE) for name in list_of(row, "parsers", str)}
    for line, row in release.lines(REJECTED):
        for finding in list_of(row, "findings", dict):
            parser = text_of(finding["evidence"], "parser") if isinstance(finding.get("evidence"), dict) else ""
            if parser and named and parser not in named:
                reason = (
                    f"parser; found {shown(parser)}, expected one of {', '.join(sorted(named))}, as in {PROVENANCE}"
                )
                yield fault("provenance", release.path / REJECTED, line, id_of(row) or f"line {line}", reason)
    for line, row in release.lines(PROVENANCE):
        if "adjudication" in row and (reason := _adjudication_fault(row["adjudication"])):
            yield fault("provenance", path, line, id_of(row) or f"line {line}", f"adjudication; {reason}")


def _provenance(release: Release) -> Iterator[dict[str, Any]]:
    """Yield the line of each released record; what all lines share is as most of them have it."""
    by_id = {text_of(row, "id"): row for row in reversed(release.rows(PROVENANCE))}
    rules = _usual(list(by_id.values()), "rules")
    parsers = _usual([row for row in by_id.values() if row.get("parsers")], "parsers")
    named = errata_ids(release.rows(ERRATA))
    mains = release.data if release.of_templates else (release.main,)
    for row in (row for name in mains for row in release.rows(name)):
        record_id = text_of(row, "id")
        line = by_id.get(record_id, {})
        span = span_of(row)
        # No parser votes on cloze items, on what the source leaves out, or on what the reader skipped.
        unparsed = release.kind != "collection" or (
            line.get("parsers") == [] and ("adjudication" in line or (span and not span.length))
        )
        votes = [] if unparsed else parsers
        yield {
            "id": record_id,
            "source": row.get("source"),
            "file": release.origin.file,
            "sha256": release.origin.sha256,
            "rules": rules,
            "parsers": votes,
            "disputed": line.get("disputed") is True and len(votes or ()) > 1,
            **{field: line[field] for field in ("adjudication",) if field in line},
            **named.get(record_id, {}),
        }


def _errata(release: Release) -> Iterator[dict[str, Any]]:
    """Yield the errata as they must be: what a field is now, the released item says, unless it was modified."""
    released = {text_of(row, "id"): row for row in release.rows(release.main) if not row.get("modification")}
    for row in release.rows(ERRATA):
        item = released.get(text_of(row, "item"))
        try:
            values = values_of([item_from_json(item)], {text_of(item, "id"): text_of(item, "gloss")}) if item else {}
        except ValueError:  # its own checks report it
            values = {}
        fields = values.get(text_of(row, "item"))
        yield row | {"after": fields.get(text_of(row, "field"))} if fields else row


def _usual(rows: Sequence[Mapping[str, Any]], field: str) -> Any:
    values = {repr(row.get(field)): row.get(field) for row in rows}
    usual = Counter(repr(row.get(field)) for row in rows).most_common(1)
    return values[usual[0][0]] if usual else None


def rejected_rows(release: Release) -> Iterator[Derived | Row]:
    """Yield the rejected records as they must be, and a row for each that is malformed, or released too."""
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
        if reason := evidence_fault(entry) or (_rule_fault(entry) if by_rules_of_today else ""):
            yield fault("rejected", path, line, name, reason)
        if name in released:
            yield fault("rejected", path, line, name, "found it among the released items too, expected it once")
        entries.append(Rejected(entry.record, findings_again(entry)) if by_rules_of_today else entry)
    entries.sort(key=lambda entry: entry.record.id)
    if len(entries) == len(release.lines(REJECTED)):
        yield Derived("rejected", path, list(map(rejected_to_json, entries)))


def _rule_fault(entry: Rejected) -> str:
    """Return which rule of a finding there is none of today."""
    lang = entry.record.lang
    known = rules_by_id(lang) if lang in languages_with_zeros() else {}
    rules = [finding.rule for finding in entry.findings if finding.rule.startswith(f"{lang}/")]
    unknown = next((rule for rule in rules if known and rule not in known), "")
    return f"findings.rule; found {shown(unknown)}, expected one of rules/{lang}" if unknown else ""


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


def _adjudication_fault(entry: object) -> str:
    """Return what is wrong with what a line says of a decision of people, or of the decision about a pair-mate."""
    if not isinstance(entry, dict) or tuple(entry) != _ADJUDICATION:
        return f"found {shown(entry)}, expected {', '.join(_ADJUDICATION)}"
    if text_of(entry, "before") not in STATES or text_of(entry, "action") not in (*ACTIONS, FOLLOW):
        return f"found {shown(entry)}, expected a state and an action"
    own = text_of(entry, "action") != FOLLOW
    if own != bool(_VOTES.fullmatch(text_of(entry, "votes"))) or own != bool(text_of(entry, "study")):
        return f"found {shown(entry)}, expected study and votes of an own decision"
    return "" if isinstance(entry["reason"], str) else f"found {shown(entry['reason'])}, expected text"
