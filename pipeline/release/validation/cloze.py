"""What must be true of the rows of a release of cloze items: they follow from its items."""

from collections.abc import Iterator, Mapping
from typing import Any

from ...core.errors import PipelineError
from ...core.records import KEYS
from ...core.validation.derivation import Derived, fault_of, id_of
from ...core.validation.rows import text_of
from ...core.validation.suite import Row
from ...winograd.cloze import CLOZE
from ...winograd.cloze import ITEMS as CLOZE_ITEMS
from ...winograd.derivation import forms_again
from ...winograd.forms.options import OPTIONS
from .. import cloze
from ..gap_readings import reading_fault
from .folder import Release, well_formed_items
from .origins import provenance_rows
from .readings import reading_rows

#: What each file must be, by expectation.
CLOZE_DERIVED: Mapping[str, str] = {
    "cloze-rows": "Each item has its cloze item, with a gap for the target and the genders of its row.",
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
    yield from reading_rows(release, items, reading_fault, ("natural",))
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
