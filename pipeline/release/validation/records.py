"""What must be true of the rows of a release: they follow from its own main data, and have the fields that a release adds."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from ...core.errors import PipelineError, shown
from ...core.records import KEYS
from ...core.validation.derivation import Derived, compare, fault_of, id_of
from ...core.validation.rows import list_of, records, text_of
from ...core.validation.suite import Check, Row, Value
from ...winograd.analysis import analysis_table, exchanged_term
from ...winograd.derivation import forms_again
from ...winograd.forms import FORMS
from ...winograd.forms.options import OPTIONS
from ...winograd.validation.analyses import with_given
from ...winograd.zero_forms import to_zero
from ...winopron.derivation import derive_sentences
from .. import winograd
from ..reading import RATED_FORMS, reading_fault
from .card import source_of
from .cloze import CLOZE_DERIVED, cloze_items
from .folder import Release, well_formed_items
from .origins import ORIGINS, fields_fault, provenance_rows, rejected_rows
from .readings import OF_READINGS, reading_rows

#: What each file of a release must be, by expectation.
DERIVED: Mapping[str, str] = {
    "zero": "The zero form of a row follows from its text and target.",
    **{name: f"The rows are those that the items of the release have in the form {name}." for name in FORMS},
    "sentences": "A template has a sentence for each pronoun set, double and single, with the id, the target and the text that follow.",
    **CLOZE_DERIVED,
    **OF_READINGS,
    "canary-in-rows": "Each row has the canary that is declared, or that the card and the other rows have.",
    **ORIGINS,
}
_ZERO = ("text_zero", "zero", "text_dropped", "dropped", "mentions")
_OF_TEMPLATES = ("case", "pronouns", "canary")
#: The fields that a released row has after those of its zero form.
_ANNOTATIONS = ("gloss", "kind", "role", "register", "pmi_candidates", "pmi_reference", "modification", "original_text")


def record_rows(release: Release) -> Iterator[Row]:
    """Yield a row for each row of a release that follows from others, and one for each of its records."""
    readers = {"templates": _sentences, "cloze": cloze_items, "collection": _collection}
    for entry in readers[release.kind](release):
        if isinstance(entry, Row):
            yield entry
        elif entry.path.is_file():
            try:
                yield from compare(entry)
            except PipelineError as error:
                yield fault_of(entry.expectation, entry.path, error)


def _sentences(release: Release) -> Iterator[Derived | Row]:
    folder = release.path / "data"
    yield from derive_sentences(folder)
    canary = (release.source or source_of(release)).canary
    for name in release.data:
        path = folder / f"{name}.jsonl"
        yield Derived("canary-in-rows", path, [{**row, "canary": canary} for row in release.rows(name)])
        for line, row in release.lines(name):
            value = {"artifact": "record", "row": row, "fields": (*KEYS, *_OF_TEMPLATES)}
            yield Row(id_of(row) or f"line {line}", path, line, value)


def _collection(release: Release) -> Iterator[Derived | Row]:
    lines, folder = release.lines(release.main), release.path / "data"
    items = well_formed_items(release.rows(release.main))
    by_id = {id_of(row): row for row in release.rows(release.main)}
    zeros = ({**by_id[item.id], **to_zero(item)} for item in items)
    yield Derived("zero", folder / f"{release.main}.jsonl", zeros)
    glosses = {name: text_of(row, "gloss") for name, row in by_id.items()}
    try:
        for name, form in forms_again(items, release.path / OPTIONS, glosses).items():
            yield Derived(name, folder / f"{name}.jsonl", map(winograd.tabular, form.rows))
    except PipelineError as error:
        yield fault_of("tokens" if "tokens" in error.reason else "names", release.path / OPTIONS, error)
    dropped = {name: text_of(row, "text_dropped") for name, row in by_id.items()}
    yield from reading_rows(release, items, lambda row, item: reading_fault(row, item, dropped[item.id]), RATED_FORMS)
    yield from provenance_rows(release)
    yield from rejected_rows(release)
    table = analysis_table(next((item.lang for item in items), ""))
    owners: dict[str, list[str]] = {}
    for _, row in lines:
        for text in {text_of(row, "text"), text_of(row, "original_text")}:
            owners.setdefault(text, []).append(id_of(row))
    for line, row in lines:
        others = [name for name in owners[text_of(row, "original_text")] if name != id_of(row)]
        value = {
            "artifact": "record",
            "row": row,
            "same_text": next(iter(others), "") if text_of(row, "original_text") else "",
            "fields": (*KEYS, *_ZERO, *_ANNOTATIONS),
            "kinds": list(table.kinds),
            "roles": list(table.roles),
            "registers": list(table.registers),
        }
        yield Row(id_of(row) or f"line {line}", folder / f"{release.main}.jsonl", line, value)


def released_analyses(paths: Sequence[Path]) -> list[Row]:
    """Return a row for each released row, with its analysis as `ingest` writes it."""
    return [row for path in paths for row in with_given([_analysis(row) for row in records([path])])]


def _analysis(row: Row) -> Row:
    terms = {"candidates": row.value.get("pmi_candidates"), "reference": row.value.get("pmi_reference")}
    fields = {name: row.value[name] for name in ("id", "schema", "gloss", "kind", "role") if name in row.value}
    more = {name: row.value[name] for name in ("genders", "register") if row.value.get(name)}
    return replace(row, value={**fields, "pmi": terms if any(terms.values()) else None, **more})


# --- the checks -----------------------------------------------------------------------------------------------------------


def record_fields(value: Value) -> str:
    """A released row has the fields of an item and those that a release adds, in their order, of their kinds and with known values."""
    row, expected = value["row"], value["fields"]
    if tuple(row) != expected:
        return fields_fault(row, expected)
    if "kinds" not in value:
        return ""
    for name in _ANNOTATIONS:
        kind: type = list if name == "pmi_candidates" else str
        if not isinstance(row.get(name), kind):
            return f"{name}; found {shown(row.get(name))}, expected {'a list of texts' if kind is list else 'text'}"
    return _analysis_fault(row, value) or _modification_fault(row, value)


def _analysis_fault(row: Value, value: Value) -> str:
    for name in ("kind", "role", "register"):
        known = value[f"{name}s"]
        if known and row[name] and row[name] not in known:
            return f"{name}; found {shown(row[name])}, expected one of {', '.join(known)}"
    terms, reference = row["pmi_candidates"], row["pmi_reference"]
    if not all(isinstance(term, str) and term for term in terms) or len(terms) not in (0, 2):
        return f"pmi_candidates; found {shown(terms)}, expected two words or none"
    if bool(terms) != bool(reference):
        return f"pmi_reference; found {shown(reference)} with {shown(terms)}, expected all three words or none"
    texts = text_of(row) + text_of(row, "original_text")
    if lost := next((term for term in (*terms, reference) if term not in texts), ""):
        return f"pmi_candidates, pmi_reference; found {shown(lost)}, expected words of the text"
    names = list_of(row, "candidates", str)
    if text_of(row, "lang") == "zh" and (place := exchanged_term(terms, names)) is not None:
        return f"pmi_candidates; found {shown(terms[place])}, expected a word for {shown(names[place])}"
    return ""


def _modification_fault(row: Value, value: Value) -> str:
    kind, original = row["modification"], row["original_text"]
    if kind and kind not in winograd.MODIFIED:
        return f"modification; found {shown(kind)}, expected one of {', '.join(winograd.MODIFIED)}"
    if bool(kind) != bool(original):
        return f"original_text; found {shown(original)} with modification {shown(kind)}, expected both or none"
    if not kind:
        return ""
    if kind != winograd.ADJUDICATED and original == text_of(row):
        return f"original_text; found the text itself, {shown(original)}, expected another one"
    if value["same_text"]:
        return f"original_text; found {shown(original)} of {value['same_text']}, expected that of this item"
    lost = next((name for name in list_of(row, "candidates", str) if name in text_of(row) and name not in original), "")
    return f"original_text; found {shown(original)}, expected it to name {shown(lost)}" if lost else ""


RECORDS: dict[str, Check] = {"record-fields": record_fields}
