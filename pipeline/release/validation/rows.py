"""The rows of a release: they follow from its own main data and options, in both formats; readings are of its items as they stand."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from ...core.convert import to_object
from ...core.errors import PipelineError, plural, shown
from ...core.files import parse_jsonl, read_text
from ...core.model import Item, Span
from ...core.records import KEYS, STAMP
from ...core.validation.derivation import Derived, compare, difference, equal, fault, fault_of, id_of
from ...core.validation.rows import records, text_of
from ...core.validation.suite import Row
from ...evaluation.folder import CONTESTED, EARLIER, READINGS, SENTENCES, Lines
from ...winograd.analysis import with_given
from ...winograd.cloze import CLOZE
from ...winograd.cloze import ITEMS as CLOZE_ITEMS
from ...winograd.derivation import forms_again
from ...winograd.forms import FORMS
from ...winograd.forms.form import OPTIONS
from ...winograd.pairs import contrasts
from ...winograd.zero_forms import to_zero, zero_form
from ...winopron.derivation import derive_sentences
from ...zero_pronouns.validation import documents as labelled_texts
from .. import cloze, documents, winograd
from ..manifest import PROVENANCE
from ..readings import FEWEST, RATED_FORMS, contested_fault, form_fault, gap_reading_fault, reading_fault
from ..tables import parquet
from .folder import REJECTED, Release, table_of, well_formed_items
from .origins import ORIGINS, provenance_rows, rejected_rows
from .texts import written_otherwise

if TYPE_CHECKING:
    import pyarrow

_OF_DOCUMENTS = (SENTENCES, documents.ZEROS, documents.TRANSLATIONS)
_STAMP = "canary-in-rows"
_FORMATS, _NOT_EMPTY = "formats-agree", "configuration-not-empty"
#: What each file must be, by expectation.
ROWS: Mapping[str, str] = {
    _FORMATS: "JSON Lines and Parquet hold the same rows, with the same types, written as a release writes them.",
    _NOT_EMPTY: "A configuration has rows.",
    "zero": "A released row has its item, its zero form, the contrast of its pair and the fields of the analysis, in their order.",
    **{name: f"The rows are those that the items of the release have in the form {name}." for name in FORMS},
    "sentences": "A template has a sentence for each pronoun set, double and single, with the id, the target and the text that follow.",
    "record-fields": "A released row has its item, the contrast of its pair and the fields of the analysis, in their order.",
    "cloze-rows": "Each item has its cloze item, with a gap for the target and the genders of its row.",
    READINGS: "Each item has readings of its text as it stands, with the right answer and ratings good enough, in the order of the items.",
    EARLIER: "Earlier readings are of items of the release and of their words, in the order of the items.",
    CONTESTED: "A contested item is not released, and has two answers of its text, each with a reader, and the zero form that follows.",
    "fields": "A row has the fields of a sentence, in their order.",
    _STAMP: "Each row names the release with its version and has the declared canary, as its last fields.",
    **{name: f"The rows of {name} are those of the labelled documents." for name in _OF_DOCUMENTS},
    **ORIGINS,
}
_OF_TEMPLATES = (*KEYS, "case", "pronouns")


def data_rows(release: Release) -> Iterator[Row]:
    """Yield a row for each row of a release that follows from others, and one for each difference of its two formats."""
    yield from _formats(release)
    yield from _stamps(release)
    for entry in derive_release(release):
        if isinstance(entry, Row):
            yield entry
        elif entry.path.is_file():
            try:
                yield from compare(replace(entry, reader=_unstamped))
            except PipelineError as error:
                yield fault_of(entry.expectation, entry.path, error)


def _unstamped(text: str, path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    yield from ((line, _without_stamp(row)) for line, row in parse_jsonl(text, path))


def _without_stamp(row: Mapping[str, Any]) -> dict[str, Any]:
    return {field: value for field, value in row.items() if field not in STAMP}


def _stamps(release: Release) -> Iterator[Row]:
    """Yield a row for each row of a release whose last fields are not its stamp."""
    for name in (*release.data, PROVENANCE, REJECTED):
        file = name if "." in name else f"data/{name}.jsonl"
        for line, row in release.stamped_lines(name):
            actual = {field: row[field] for field in row if field in STAMP}
            if actual != release.stamp or list(row)[-len(actual) :] != list(actual):
                value = {"found": actual, "expected": release.stamp}
                reason = difference(value) or "not the last fields; found others after them, expected them at the end"
                yield fault(_STAMP, release.path / file, line, id_of(row) or f"line {line}", reason)


def derive_release(release: Release) -> Iterator[Derived | Row]:
    """Yield the files of a release as its main data and options give them again, and what cannot be derived."""
    readers = {"templates": _sentences, "cloze": _cloze, "documents": _documents, "collection": _collection}
    yield from readers[release.kind](release)


def _sentences(release: Release) -> Iterator[Derived | Row]:
    folder = release.path / "data"
    for entry in derive_sentences(folder):
        yield replace(entry, rows=map(_without_stamp, entry.rows)) if isinstance(entry, Derived) else entry
    for name in release.data:
        rows = [{field: row.get(field, "") for field in _OF_TEMPLATES} for row in release.rows(name)]
        if name == release.main:
            places = contrasts(well_formed_items(rows))
            rows = [row | {"contrast": places.get(text_of(row, "schema"), "")} for row in rows]
        yield Derived("fields", folder / f"{name}.jsonl", rows)
    yield from provenance_rows(release)


def _collection(release: Release) -> Iterator[Derived | Row]:
    folder, rows = release.path / "data", release.rows(release.main)
    items, by_id = well_formed_items(rows), {id_of(row): row for row in rows}
    places = contrasts(items)
    zeros = (
        {**to_zero(item), "contrast": places.get(item.schema, "")} | _annotations(by_id[item.id], winograd.ANNOTATIONS)
        for item in items
    )
    yield Derived("zero", folder / f"{release.main}.jsonl", zeros)
    yield from _forms(release, items, FORMS)
    dropped = {row_id: text_of(row, "text_dropped") for row_id, row in by_id.items()}
    yield from _readings(release, items, lambda row, item: reading_fault(row, item, dropped[item.id]), RATED_FORMS)
    if EARLIER in release.data:
        yield from _earlier(release, {item.id: item for item in items}, dropped)
    yield from _contested(release, items)
    yield from provenance_rows(release)
    yield from rejected_rows(release)


def _cloze(release: Release) -> Iterator[Derived | Row]:
    folder, rows = release.path / "data", release.rows(CLOZE_ITEMS)
    items, by_id = well_formed_items(rows), {id_of(row): row for row in rows}
    is_cloze = CLOZE in release.data
    fields = {name: kind for name, kind in cloze.ANNOTATIONS.items() if is_cloze or name != "genders"}
    places = contrasts(items)
    annotated = (
        {**to_object(item), "contrast": places.get(item.schema, "")} | _annotations(by_id[item.id], fields)
        for item in items
    )
    yield Derived("record-fields", folder / f"{CLOZE_ITEMS}.jsonl", annotated)
    if is_cloze:
        yield Derived("cloze-rows", folder / f"{CLOZE}.jsonl", _cloze_rows(rows))
    yield from _forms(release, items, [name for name in cloze.DERIVED if name in release.data])
    yield from provenance_rows(release)
    yield from _readings(release, items, gap_reading_fault, ("natural",))


def _documents(release: Release) -> Iterator[Derived | Row]:
    """Yield the rows that the sample has which the rows of the release give."""
    path, data = release.path / "data", {name: release.rows(name) for name in release.data}
    with TemporaryDirectory() as folder:
        try:
            documents.write_sample(Path(folder), data)
            tables = documents.tables_of(Path(folder))
        except PipelineError as error:
            place = Path(error.path or folder).relative_to(folder)
            yield fault(
                SENTENCES, path / f"{SENTENCES}.jsonl", None, SENTENCES, f"{place}:{error.line}: {error.reason}"
            )
            return
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            yield fault(SENTENCES, path / f"{SENTENCES}.jsonl", None, SENTENCES, f"malformed row; {error!r}")
            return
    for name, rows in tables.items():
        yield Derived(name, path / f"{name}.jsonl", rows)
    yield from provenance_rows(release)


def released_documents(paths: Sequence[Path]) -> list[Row]:
    """Return the rows of the suite of documents for the sentences of a release, as its main file has them."""
    rows = []
    for path in paths:
        data = {
            file.stem: [row for _, row in parse_jsonl(read_text(file), file)] for file in path.parent.glob("*.jsonl")
        }
        with (
            TemporaryDirectory() as folder,
            suppress(ValueError, LookupError, TypeError, AttributeError, PipelineError),
        ):
            documents.write_sample(Path(folder), data)
            places = {(row["genre"], row["line"]): (row["id"], line) for line, row in enumerate(data[SENTENCES], 1)}
            for row in labelled_texts([Path(folder)]):
                item_id, line = places.get((row.path.stem, row.line), (row.id, 1))
                rows.append(replace(row, id=item_id, path=path, line=line))
    return rows


def _annotations(row: Mapping[str, Any], fields: Mapping[str, type]) -> dict[str, Any]:
    """Return the fields that a release adds to an item: as the row has them, empty where it lacks one or has another kind."""
    return {name: row[name] if isinstance(row.get(name), kind) else kind() for name, kind in fields.items()}


def _cloze_rows(rows: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the cloze item of each well-formed row; the suites of the items report the others."""
    for row in rows:
        try:
            yield cloze.cloze_of(row)
        except (ValueError, PipelineError):
            continue


def _forms(release: Release, items: Sequence[Item], names: Collection[str]) -> Iterator[Derived | Row]:
    if release.is_made:
        return
    glosses = {id_of(row): text_of(row, "gloss") for row in release.rows(release.main)}
    try:
        made = forms_again(items, release.path / OPTIONS, glosses)
    except PipelineError as error:
        options_of = "tokens" if "tokens" in error.reason else "names"
        yield fault_of(options_of, release.path / OPTIONS, error)
        return
    for name in (name for name in names if name in made):  # without items there is no language, so no form of it
        yield Derived(name, release.path / "data" / f"{name}.jsonl", map(winograd.tabular, made[name].rows))


# --- what people read -----------------------------------------------------------------------------------------------------


def _readings(
    release: Release,
    items: Iterable[Item],
    fault_of_reading: Callable[[Mapping[str, Any], Item], str],
    ratings: Collection[str],
) -> Iterator[Derived | Row]:
    """Yield the readings in their order, and a row for each that has a fault, and for each item with too few."""
    path = release.path / "data" / f"{READINGS}.jsonl"
    by_id = {item.id: item for item in items}
    by_item: dict[str, dict[str, dict[str, Any]]] = {item_id: {} for item_id in by_id}
    for line, row in release.lines(READINGS):
        item_id, reader = text_of(row, "item"), text_of(row, "reader")
        if item_id not in by_id:
            yield fault(READINGS, path, line, item_id or f"line {line}", "found a reading of no item, expected none")
            continue
        if reader in by_item[item_id]:
            yield fault(
                READINGS, path, line, item_id, f"found {shown(reader)} twice, expected one reading of each reader"
            )
        by_item[item_id][reader] = row
        if reason := fault_of_reading(row, by_id[item_id]):
            yield fault(READINGS, path, line, item_id, reason)
    decided = {text_of(row, "id") for _, row in release.lines(PROVENANCE) if "adjudication" in row}
    for item_id, readings in by_item.items() if path.is_file() else ():
        if item_id in decided:  # what people reword or bring back, they have read themselves
            continue
        for rating in ratings:
            if (count := sum(row.get(rating) is not None for row in readings.values())) < FEWEST:
                reason = f"found {count} readings with {rating}, expected at least {FEWEST}"
                yield fault(READINGS, path, 1, item_id, reason)
    yield Derived(READINGS, path, [readings[reader] for readings in by_item.values() for reader in sorted(readings)])


def _earlier(release: Release, items: Mapping[str, Item], dropped: Mapping[str, str]) -> Iterator[Derived | Row]:
    """Yield the earlier readings in their order, and a row for each that is of no item, or of other words."""
    path, places = release.path / "data" / f"{EARLIER}.jsonl", {item_id: place for place, item_id in enumerate(items)}
    sound = []
    for line, row in release.lines(EARLIER):
        item = items.get(item_id := text_of(row, "item"))
        reason = form_fault(row, item, dropped[item_id]) if item else "found a reading of no item, expected none"
        if reason:
            yield fault(EARLIER, path, line, item_id or f"line {line}", reason)
        else:
            sound.append(row)
    if len(sound) == len(release.lines(EARLIER)):
        sound.sort(key=lambda row: (places[row["item"]], text_of(row, "reader")))
        yield Derived(EARLIER, path, sound)


def _contested(release: Release, items: Sequence[Item]) -> Iterator[Derived | Row]:
    """Yield the contested items with the zero forms of their texts, and a row for each that is none, or is there twice."""
    path, sound = release.path / "data" / f"{CONTESTED}.jsonl", dict[str, dict[str, Any]]()
    for line, row in release.lines(CONTESTED):
        twice = f"found {shown(id_of(row))} twice, expected each once" if id_of(row) in sound else ""
        if reason := contested_fault(row, items) or twice:
            yield fault(CONTESTED, path, line, id_of(row) or f"line {line}", reason)
        else:
            form = zero_form(row["text"], Span(**row["target"]), text_of(row, "lang"))
            sound[id_of(row)] = {**row, "text_dropped": form.text_dropped}
    if len(sound) == len(release.lines(CONTESTED)):
        yield Derived(CONTESTED, path, list(sound.values()))


def released_analyses(paths: Sequence[Path]) -> list[Row]:
    """Return a row for each released row, with its analysis as `ingest` writes it."""
    return [row for path in paths for row in with_given([_analysis(row) for row in records([path])])]


def _analysis(row: Row) -> Row:
    terms = {"candidates": row.value.get("pmi_candidates"), "reference": row.value.get("pmi_reference")}
    fields = {name: row.value[name] for name in ("id", "schema", "gloss", "kind", "role") if name in row.value}
    more = {name: row.value[name] for name in ("genders", "register") if row.value.get(name)}
    return replace(row, value={**fields, "pmi": terms if any(terms.values()) else None, **more})


# --- two formats ----------------------------------------------------------------------------------------------------------


def _formats(release: Release) -> Iterator[Row]:
    """Yield a row for each data file, and one for each difference between its two formats."""
    for name in release.data:
        path, row_id = release.path / f"data/{name}.jsonl", f"{release.name}/{name}"
        if path.is_file():
            lines = release.stamped_lines(name)
            yield Row(row_id, path, 1, {"artifact": _FORMATS})
            yield from written_otherwise(_FORMATS, path, row_id, lines)
            if not lines:
                yield fault(_NOT_EMPTY, path, 1, row_id, "found an empty file, expected at least one row")
            table = release.table(name)
            if table is not None:
                yield from _differences(path, row_id, lines, table)


def _differences(path: Path, row_id: str, lines: Lines, table: "pyarrow.Table") -> Iterator[Row]:
    file = f"data/{path.stem}.parquet"
    with suppress(PipelineError):  # rows that fit no table: those of the release differ from them
        same = table_of(parquet([row for _, row in lines], path), path)
        pairs = list(zip_longest(*(str(schema).split("\n") for schema in (table.schema, same.schema)), fillvalue=""))
        if at := next((at for at, pair in enumerate(pairs, 1) if pair[0] != pair[1]), 0):
            parts = [", ".join(filter(None, part)) or "nothing" for part in zip(*pairs[at - 1 : at + 1], strict=True)]
            yield fault(_FORMATS, path, 1, row_id, f"columns of {file}; found {parts[0]}, expected {parts[1]}")
    last = 1
    for line, row, stored in zip_longest(*zip(*lines, strict=True), table.to_pylist()) if lines else ():
        last = line or last
        if not equal(stored, row):
            problem = difference({"found": stored, "expected": row})
            yield fault(_FORMATS, path, last, id_of(row or stored) or f"line {last}", f"in {file}, {problem}")
    if not lines and table.num_rows:
        yield fault(_FORMATS, path, 1, row_id, f"found {plural(table.num_rows, 'row')} in {file} only")
