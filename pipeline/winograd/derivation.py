"""Derive a built collection again: from the items that were read and the ledgers, each file as its stage would write it.

What a stage reads besides is not in a build: trees (whose votes the ledger has), and what people wrote, which the ledgers have too.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

from ..core.convert import to_object
from ..core.errors import PipelineError, shown
from ..core.files import parse_jsonl, read_text
from ..core.model import Item, Rejected
from ..core.records import item_from_json, rejected_from_json, rejected_to_json
from ..core.validation.derivation import Derived, fault, fault_of, id_of, reader_of, table_of, words_of
from ..core.validation.rows import text_of
from ..core.validation.suite import Row, Value
from .adjudication.apply import Adjudicated, adjudicate, change_from_json, change_to_json
from .analysis import Analysis, analysis_from_json, terms_of
from .build import current_glosses
from .cloze import cloze_items
from .exclusion.exclude import evidence_fault, partition_again
from .exclusion.ledger import decision_from_json, decision_to_json
from .forms import FORMS, FormOptions, variants
from .forms.form import OPTIONS, DerivedForm, read_options
from .forms.substitution import DIFFERENCES, differences
from .forms.tokens import two_cuts
from .modifications import Modified, applied_from_json, applied_to_json, modify
from .zero_forms import to_zero

#: The files that a build of a collection always has; those of its forms depend on its languages.
FILES = (
    "items.jsonl",
    "skipped.jsonl",
    "kept.jsonl",
    "rejected.jsonl",
    "decisions.jsonl",
    "modified.jsonl",
    "modified-rejected.jsonl",
    "modifications.jsonl",
    "adjudicated.jsonl",
    "adjudicated-rejected.jsonl",
    "adjudications.jsonl",
    "zero.jsonl",
    "variants/unmade.jsonl",
    "variants/differences.tsv",
    f"variants/{OPTIONS}",
)
#: The files that a build of cloze items always has.
FILES_OF_CLOZE = (
    "items.jsonl",
    "skipped.jsonl",
    "analysis.jsonl",
    "cloze.jsonl",
    "variants/unmade.jsonl",
    "variants/differences.tsv",
    f"variants/{OPTIONS}",
)
#: Files that a build has together, if it has one of them.
TOGETHER = (("analysis.jsonl", "terms.txt"), ("association/counts.jsonl", "association/pmi.jsonl"))
#: What each file of a collection must be, by expectation.
EXPECTATIONS: Mapping[str, str] = {
    "skipped": "No skipped record is an item too, or stands twice.",
    "analysis": "Each item has one analysis, under its schema.",
    "terms": "The words to count are those of the analyses.",
    "cloze": "Each item has its cloze item, with a gap for the target and the genders of its analysis.",
    "decisions": "Each record has a decision that follows from its votes, or from its pair-mate's.",
    "kept": "The kept items are the items that the decisions keep, unchanged.",
    "rejected": "The rejected records are the others, with the findings of the rules that matched.",
    "modified": "The items are the kept ones with their modifications applied.",
    "modified-rejected": "The records are the rejected ones that no modification rescued.",
    "modifications": "Each modification has the text and the target before and after it.",
    "adjudicated": "The items are the modified ones with the decisions of people applied.",
    "adjudicated-rejected": "The records are those that people or the stages before rejected.",
    "adjudications": "Each decision of people starts where the stage before ended, and has what followed.",
    "zero-before": "Each modified item has its zero form.",
    "zero": "Each adjudicated item has its zero form.",
    **{name: f"The rows are those that the items have in the form {name}." for name in FORMS},
    "unmade": "Each item is made or unmade in each form, with the reason.",
    "one-cut": "A string is cut into words in one way throughout the form tokens, unless it is listed as ambiguous.",
    "differences": "The table has the disambiguated texts that mere substitution does not give.",
}
T = TypeVar("T")


def _lines(path: Path) -> list[tuple[int, dict[str, Any]]]:
    return list(parse_jsonl(read_text(path), path)) if path.exists() else []


def values_of(path: Path, from_json: Callable[[dict[str, Any]], T]) -> dict[str, T]:
    """Return the well-formed values of a JSON Lines file by id, the first of each; none if there is no such file.

    What is malformed is reported where the rows of the file are compared, or by the suite of the file.
    """
    values: dict[str, T] = {}
    for _, row in _lines(path):
        try:
            values.setdefault(id_of(row), from_json(row))
        except ValueError:
            continue
    return values


def items_of(path: Path) -> dict[str, Item]:
    """Return the well-formed items of a file by id; see `values_of`."""
    return values_of(path, item_from_json)


def derive_collection(folder: Path, items: Sequence[Item]) -> Iterator[Derived | Row]:
    """Yield the files of a built collection as they would be written again, and what cannot be derived."""
    if not items:
        return
    skipped = values_of(folder / "skipped.jsonl", rejected_from_json)
    analyses = values_of(folder / "analysis.jsonl", analysis_from_json)
    yield from _read(folder, items, skipped, analyses)
    ledger = values_of(folder / "decisions.jsonl", decision_from_json)
    rejected: dict[str, Rejected] = {}
    for name in (
        "adjudicated-rejected",
        "modified-rejected",
        "rejected",
    ):  # a record that the first has lost is in the others
        rejected |= values_of(folder / f"{name}.jsonl", rejected_from_json)
    partition = partition_again(items, skipped.values(), ledger, rejected)
    yield from _other_votes(folder / "decisions.jsonl")
    yield Derived("decisions", folder / "decisions.jsonl", map(decision_to_json, partition.decisions))
    yield from _other_words(folder / "rejected.jsonl")
    yield from _sides(folder, "kept", partition.kept, "rejected", partition.rejected)
    path = folder / "modifications.jsonl"
    applied = values_of(path, applied_from_json)
    modified = Modified(*_on_disk(folder, "modified", "modified-rejected"), ())
    malformed = list(_malformed("modifications", path, applied_from_json))
    yield from malformed
    try:
        if not malformed:
            modified = modify(
                partition.kept, partition.rejected, [entry.modification for entry in applied.values()], None
            )
            yield Derived("modifications", path, map(applied_to_json, modified.ledger))
    except PipelineError as error:
        yield fault_of("modifications", path, error)
    yield from _sides(folder, "modified", modified.kept, "modified-rejected", modified.rejected)
    yield Derived("zero-before", folder / "zero-before.jsonl", map(to_zero, modified.kept))
    path = folder / "adjudications.jsonl"
    changes = values_of(path, change_from_json)
    states = [decision.exclusion for decision in ledger.values()] + [change.after for change in changes.values()]
    adjudicated = Adjudicated(*_on_disk(folder, "adjudicated", "adjudicated-rejected"), ())
    malformed = list(_malformed("adjudications", path, change_from_json))
    yield from malformed
    try:
        if not malformed:
            decisions = [change.decision for change in changes.values() if change.decision]
            adjudicated = adjudicate(
                modified.kept, modified.rejected, decisions, None, by_sentence="pair-mate" not in states
            )
            yield Derived("adjudications", path, map(change_to_json, adjudicated.ledger))
    except PipelineError as error:
        yield fault_of("adjudications", path, error)
    yield from _sides(folder, "adjudicated", adjudicated.kept, "adjudicated-rejected", adjudicated.rejected)
    yield Derived("zero", folder / "zero.jsonl", map(to_zero, adjudicated.kept))
    yield from _forms(folder, list(adjudicated.kept), current_glosses(analyses, applied, changes))


def derive_cloze(folder: Path, items: Sequence[Item]) -> Iterator[Derived | Row]:
    """Yield the files of a build without zeros as they would be written again; only items with genders have cloze items."""
    analyses = values_of(folder / "analysis.jsonl", analysis_from_json)
    yield from _read(folder, items, values_of(folder / "skipped.jsonl", rejected_from_json), analyses)
    yield from _forms(folder, list(items), {name: entry.gloss for name, entry in analyses.items()})
    with_genders = [item for item in items if item.id in analyses and analyses[item.id].genders]
    yield Derived("cloze", folder / "cloze.jsonl", cloze_items(with_genders, analyses))


def _read(
    folder: Path, items: Sequence[Item], skipped: Mapping[str, Rejected], analyses: Mapping[str, Analysis]
) -> Iterator[Derived]:
    """Yield what `ingest` writes besides the items."""
    names = {item.id for item in items}
    unread = [row for name, row in values_of(folder / "skipped.jsonl", dict).items() if name not in names]
    yield Derived("skipped", folder / "skipped.jsonl", unread)
    yield from _analyses(folder, items, skipped, analyses)


def _other_votes(path: Path) -> Iterator[Row]:
    """Yield a row for each decision by other parsers than most: `exclude` asks the same ones about all items."""
    rows = _lines(path)
    # The parsers and what each says; a row with another type is malformed, which is told elsewhere.
    rows = [(line, row) for line, row in rows if row.get("votes") and isinstance(row["votes"], dict)]
    parsers = [", ".join(row["votes"]) for _, row in rows]
    usual = Counter(parsers).most_common(1)
    for (line, row), names in zip(rows, parsers, strict=True):
        if names != usual[0][0]:
            reason = f"votes; found those of {shown(names)}, expected those of {shown(usual[0][0])}"
            yield fault("decisions", path, line, id_of(row), reason)


def _other_words(path: Path) -> Iterator[Row]:
    """Yield a row for each rejected record whose evidence has words that its sentence does not have."""
    for line, row in _lines(path):
        try:
            reason = evidence_fault(rejected_from_json(row))
        except ValueError:  # the rows of the file are compared too
            continue
        if reason:
            yield fault("rejected", path, line, id_of(row), reason)


def _malformed(expectation: str, path: Path, from_json: Callable[[dict[str, Any]], object]) -> Iterator[Row]:
    """Yield a row for each line of a ledger that is malformed: without it, the stage would do something else."""
    for line, row in _lines(path):
        try:
            from_json(row)
        except ValueError as error:
            yield fault(expectation, path, line, id_of(row) or f"line {line}", str(error))


def _on_disk(folder: Path, kept: str, left: str) -> tuple[tuple[Item, ...], tuple[Rejected, ...]]:
    """Return what a stage wrote, where its ledger does not tell what it should have written."""
    rejected = values_of(folder / f"{left}.jsonl", rejected_from_json)
    return tuple(items_of(folder / f"{kept}.jsonl").values()), tuple(rejected.values())


def _sides(
    folder: Path, kept: str, items: tuple[Item, ...], left: str, rejected: tuple[Rejected, ...]
) -> Iterator[Derived]:
    """Yield the two files of a stage: the items that stay, and the records that do not."""
    yield Derived(kept, folder / f"{kept}.jsonl", map(to_object, items))
    yield Derived(left, folder / f"{left}.jsonl", map(rejected_to_json, rejected))


def _analyses(
    folder: Path, items: Sequence[Item], skipped: Mapping[str, Rejected], analyses: Mapping[str, Analysis]
) -> Iterator[Derived]:
    path = folder / "analysis.jsonl"
    if not path.exists():
        return
    by_id = values_of(path, dict)
    schemas = {name: entry.record.schema for name, entry in skipped.items() if name in by_id}
    schemas |= {item.id: item.schema for item in items}
    rows = ({**by_id.get(name, {}), "id": name, "schema": schema} for name, schema in schemas.items())
    yield Derived("analysis", path, rows)
    words = [{"id": word} for word in terms_of(analyses.values())]
    yield Derived("terms", folder / "terms.txt", words, reader=words_of)


def forms_again(items: Sequence[Item], options: Path, glosses: Mapping[str, str]) -> dict[str, DerivedForm]:
    """Return the forms of items as they were made: with the options in a file.

    Without the file, the forms `names` and `tokens`, which depend on it, are left out.

    Raises:
        PipelineError: the file is malformed, or a correction does not fit its text.
    """
    made = variants(items, read_options(options, glosses) if options.exists() else FormOptions())
    return {name: form for name, form in made.items() if options.exists() or name not in ("names", "tokens")}


def _forms(folder: Path, items: list[Item], glosses: Mapping[str, str]) -> Iterator[Derived | Row]:
    folder = folder / "variants"
    try:
        made = forms_again(items, folder / OPTIONS, glosses)
    except PipelineError as error:
        yield fault_of("unmade", folder / OPTIONS, error)
        return
    for name, form in made.items():
        yield Derived(name, folder / f"{name}.jsonl", form.rows)
    for item_id, reason in two_cuts(made["tokens"].rows) if "tokens" in made else ():
        yield fault("one-cut", folder / "tokens.jsonl", None, item_id, reason)
    unmade = [asdict(entry) for form in made.values() for entry in form.unmade]
    if (folder / OPTIONS).exists():
        yield Derived("unmade", folder / "unmade.jsonl", unmade, key=_unmade_id)
    table = table_of(DIFFERENCES, differences(items, made["disambiguated"]))
    yield Derived("differences", folder / "differences.tsv", table, reader=reader_of(DIFFERENCES))


def _unmade_id(row: Value) -> str:
    return f"{text_of(row, 'form')} {text_of(row, 'item')}"
