"""The suite of a whole build folder: its files are complete, and each is what its stage would write again."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from ..core.errors import PipelineError
from ..core.rules import languages_with_zeros
from ..core.validation.derivation import Derived, checks_of, compare, fault, fault_of
from ..core.validation.suite import Row, Suite
from ..corpus import derivation as association
from ..winograd import derivation as collection
from ..winograd.analysis import analysis_from_json
from ..winograd.forms import FORMS
from ..winopron import derivation as sentences
from ..zero_pronouns.report import files as report

#: Reports a file that is missing.
COMPLETE = "complete"


def derived_rows(paths: Sequence[Path]) -> list[Row]:
    """Return a row for each row of the files of build folders that can be derived again, and for each that is missing.

    Of a file, the rows are those of that file, derived again in the build that it is in.

    Raises:
        PipelineError: a path is neither the folder of a build nor a file in one that a stage writes.
    """
    return [row for path in paths for row in _rows_at(path)]


def _rows_at(path: Path) -> list[Row]:
    folder = path if path.is_dir() else next(filter(_is_build, path.absolute().parents), path)
    rows = list(_rows(folder))
    if folder != path:
        rows = [replace(row, path=path) for row in rows if row.path.absolute() == path.absolute()]
    if not rows:
        expected = "expected the folder of a build, such as build/zh, or a file that a stage writes in one"
        raise PipelineError(path, None, f"[build] nothing to derive again; {expected}")
    return rows


def _is_build(folder: Path) -> bool:
    return any((folder / name).is_file() for name in ("items.jsonl", *sentences.FILES))


def _rows(folder: Path) -> Iterator[Row]:
    for entry in derive(folder):
        if isinstance(entry, Row):
            yield entry
        elif entry.path.exists():
            try:
                yield from compare(entry)
            except PipelineError as error:
                yield fault_of(entry.expectation, entry.path, error)


def derive(folder: Path) -> Iterator[Derived | Row]:
    """Yield the files of a build folder as they would be written again, and what is missing or cannot be derived."""
    items = list(collection.items_of(folder / "items.jsonl").values())
    languages = {item.lang for item in items}
    yield from missing_files(folder, languages)
    derive_items = collection.derive_cloze if has_no_zeros(folder, languages) else collection.derive_collection
    steps = (
        partial(derive_items, folder, items),
        partial(association.derive_association, folder, items),
        partial(sentences.derive_sentences, folder),
        partial(report.derive_report, folder),
    )
    for step in steps:
        try:
            yield from step()
        except PipelineError as error:
            yield fault_of(COMPLETE, folder, error)


def missing_files(folder: Path, languages: set[str]) -> Iterator[Row]:
    """Yield a row for each file that a folder lacks, of a set of which it has others."""
    forms = [f"variants/{name}.jsonl" for name, form in FORMS.items() if form.is_of(*languages)]
    sets = [(*collection.FILES, *forms), *collection.TOGETHER, sentences.FILES]
    if has_no_zeros(folder, languages):
        of_gaps = () if _is_cloze(folder) else ("cloze.jsonl", "analysis.jsonl")
        sets = [(*(name for name in collection.FILES_OF_CLOZE if name not in of_gaps), *forms)]
    present = {name for names in sets for name in names if (folder / name).exists()}
    for name in [name for names in sets if present.intersection(names) for name in names if name not in present]:
        yield fault(COMPLETE, folder / name, None, name, "missing file; found none, expected one: run make build")


def has_no_zeros(folder: Path, languages: set[str] | None = None) -> bool:
    """Tell whether a folder has the build of cloze items, or of a language without rules of exclusion: it has fewer stages."""
    if languages is None:
        languages = {item.lang for item in collection.items_of(folder / "items.jsonl").values()}
    has_zeros = not languages or not languages.isdisjoint(languages_with_zeros()) or (folder / "kept.jsonl").exists()
    return _is_cloze(folder) or not has_zeros


def _is_cloze(folder: Path) -> bool:
    """Tell whether a folder has the build of cloze items, which goes through no stage after `ingest`: by its file, or by genders."""
    if (folder / "cloze.jsonl").exists():
        return True
    analyses = collection.values_of(folder / "analysis.jsonl", analysis_from_json)
    return not (folder / "kept.jsonl").exists() and any(analysis.genders for analysis in analyses.values())


DERIVATION = Suite(
    "derivation",
    "a folder that make build has filled",
    derived_rows,
    checks_of(
        {
            COMPLETE: "No file is missing of those that a build writes together.",
            **collection.EXPECTATIONS,
            **association.EXPECTATIONS,
            **sentences.EXPECTATIONS,
            **report.EXPECTATIONS,
        }
    ),
    unique=False,
    may_be_empty=True,
)
