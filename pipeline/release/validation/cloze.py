"""What must be true of the rows of a release of cloze items: they follow from its items, and its readings are of them."""

from collections.abc import Iterator, Mapping
from typing import Any

from ...core.errors import PipelineError
from ...core.records import KEYS
from ...core.validation.derivation import Derived, fault, fault_of, id_of
from ...core.validation.rows import text_of
from ...core.validation.suite import Row
from ...winograd.cloze import CLOZE
from ...winograd.cloze import ITEMS as CLOZE_ITEMS
from ...winograd.derivation import forms_again
from ...winograd.forms.options import OPTIONS
from .. import cloze
from ..gap_readings import READINGS, reading_fault
from .folder import Release, well_formed_items
from .origins import provenance_rows

#: What each file must be, by expectation.
CLOZE_DERIVED: Mapping[str, str] = {
    "cloze-rows": "Each item has its cloze item, with a gap for the target and the genders of its row.",
    "readings": "Each item has readings of its text as it stands, with its pronoun, sure and natural enough, in the order of the items.",
}


def cloze_items(release: Release) -> Iterator[Derived | Row]:
    """Yield the files of a release of cloze items as they must be, and a row for each item and each reading."""
    folder, rows = release.path / "data", release.rows(CLOZE_ITEMS)
    items = well_formed_items(rows)
    path = folder / f"{CLOZE_ITEMS}.jsonl"
    yield Derived("cloze-rows", folder / f"{CLOZE}.jsonl", _cloze_rows(rows))
    glosses = {id_of(row): text_of(row, "gloss") for row in rows}
    try:
        made = forms_again(items, release.path / OPTIONS, glosses)
        for name in (
            name for name in cloze.DERIVED if name in made
        ):  # without items there is no language, so no form of it
            yield Derived(name, folder / f"{name}.jsonl", made[name].rows)
    except PipelineError as error:
        yield fault_of("cloze-rows", release.path / OPTIONS, error)
    yield from provenance_rows(release)
    yield from _readings(release)
    for line, row in release.lines(CLOZE_ITEMS):
        value = {"artifact": "record", "row": row, "fields": (*KEYS, *cloze.ANNOTATIONS)}
        yield Row(id_of(row) or f"line {line}", path, line, value)


def _cloze_rows(rows: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the cloze item of each well-formed row; the suites of the items report the others."""
    for row in rows:
        try:
            yield cloze.cloze_of(row)
        except (ValueError, PipelineError):
            continue


def _readings(release: Release) -> Iterator[Derived | Row]:
    path = release.path / "data" / f"{cloze.READINGS}.jsonl"
    items = {item.id: item for item in well_formed_items(release.rows(CLOZE_ITEMS))}
    given: dict[str, list[dict[str, Any]]] = {name: [] for name in items}
    for line, row in release.lines(cloze.READINGS):
        if id_of(row) not in items:
            yield fault(
                "readings", path, line, id_of(row) or f"line {line}", "found a reading of no item, expected none"
            )
            continue
        given[id_of(row)].append(row)
        if reason := reading_fault(row, items[id_of(row)]):
            yield fault("readings", path, line, id_of(row), reason)
    for name, rows in given.items() if path.is_file() else ():
        if len(rows) < READINGS:
            yield fault("readings", path, 1, name, f"found {len(rows)} readings, expected at least {READINGS}")
    ordered = [row for rows in given.values() for row in sorted(rows, key=lambda row: text_of(row, "reader"))]
    yield Derived("readings", path, ordered)
