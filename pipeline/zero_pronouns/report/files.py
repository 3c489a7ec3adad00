"""All files that a report on a sample has, as their stage writes them, and their derivation from the options of the report."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...core.convert import convert, to_object
from ...core.errors import errors_at
from ...core.files import from_json, read_text, to_json
from ...core.pages import page_environment, without_front_page
from ...core.validation.derivation import Derived, fault, words_of
from ...core.validation.suite import Row
from ...language.parsing.lock import read_lock
from ..documents import Genre, read_sample
from ..exports.conllu import conllu, linked_text, name_of
from ..exports.texts import TEXT_FORMS, english_tokens, export_lines
from ..frequencies import UNTYPED
from ..labels import FORMS, Sentence, Zero
from ..sample import ABOUT, PARSES
from ..translation.details import OUTCOMES, details_lines, score_lines, tagged_lines
from .figures import Figures, Judged, judge_systems, report_figures
from .summary import overall, sentences

#: The folders of a report, with what they hold.
FOLDERS: Mapping[str, str] = {
    "texts": "the texts as systems read them: original, oracle, labelled",
    "conllu": "documents with zeros as empty nodes and their entities",
    "azpt": "the verdict on each zero of each system, as published and corrected",
}
#: The page, the figures that it shows, and what the report was made from.
PAGE, FIGURES, OPTIONS = "index.html", "figures.json", "options.json"
EXPECTATIONS: Mapping[str, str] = {
    "report": "A report has the files that its sample gives, line by line, and no others."
}


def report_files(folder: Path, baseline: str) -> tuple[dict[str, str], list[str], list[str]]:
    """Return the text of each file of a report, by name (the exports, the verdicts on each zero, the figures, the page), findings, notes.

    The folder is a sample, see `read_sample`; with its alignments if it has systems, its trees if it shall be in CoNLL-U, and `ABOUT`
    if the page shall say something of it. The baseline is not used without systems.
    """
    genres = read_sample(folder)
    findings = [
        str(finding) for genre in genres for text in (genre.text, *genre.readings.values()) for finding in text.findings
    ]
    rows = judge_systems(folder, genres)
    notes = [finding for row in rows for finding in row.translation.findings]
    files = {**_exports(folder, genres), **_treebank(folder, genres), **_verdicts(rows)}
    figures = report_figures(folder, genres, rows, baseline)
    files[FIGURES] = to_json(to_object(figures)) + "\n"
    about = read_text(folder / ABOUT).strip() if (folder / ABOUT).exists() else ""
    files[PAGE] = _page(figures, genres, sorted(files), about)
    return dict(sorted(files.items())), list(dict.fromkeys(findings)), notes


def _exports(folder: Path, genres: Sequence[Genre]) -> dict[str, str]:
    files = {}
    for genre in genres:
        source = folder / f"{genre.name}.zh"
        for form in TEXT_FORMS:
            lines = export_lines(genre.text.documents, form, source)
            files[f"texts/{genre.name}.{form}.zh"] = _text(lines)
            with_context = export_lines(genre.text.documents, form, source, context=True)
            files[f"texts/{genre.name}.{form}.context.zh"] = _text(with_context)
        files[f"texts/{genre.name}.labelled.words.zh"] = _text(
            export_lines(genre.text.documents, "labelled", source, words=True)
        )
        files[f"texts/{genre.name}.en"] = _text([pair.target for pair in genre.text.pairs])
        files[f"texts/{genre.name}.words.en"] = _text(
            [" ".join(english_tokens(pair.target)) for pair in genre.text.pairs]
        )
    return files


def _treebank(folder: Path, genres: Sequence[Genre]) -> dict[str, str]:
    """Return the genres in CoNLL-U; none without trees."""
    if not (folder / PARSES).exists():
        return {}
    lock = read_lock(folder / PARSES)
    files = {}
    for genre in genres:
        name = name_of(Path(f"{genre.name}.zh"))
        files[f"conllu/{genre.name}.conllu"] = conllu(linked_text(genre.text, name, genre.references), lock, name)
    return files


def _verdicts(rows: Sequence[Judged]) -> dict[str, str]:
    files = {}
    for row in rows:
        for mode, verdicts in (("published", row.published), ("corrected", row.corrected)):
            if not verdicts:
                continue
            name = f"azpt/{row.system}/{row.genre.name}.{mode}"
            files[f"{name}.details"] = _text(details_lines(verdicts))
            files[f"{name}.score"] = _text(score_lines(verdicts))
            files[f"{name}.tagged"] = _text(tagged_lines(row.translation.targets, verdicts))
    return files


def _text(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def pieces(sentence: Sentence) -> list[tuple[str, Zero | None]]:
    """Return the pieces of a sentence, each with the zero after it."""
    return list(zip(sentence.pieces, [*sentence.zeros, None], strict=True))


def _page(figures: Figures, genres: Sequence[Genre], files: Sequence[str], about: str) -> str:
    forms = [form for form in (*FORMS, UNTYPED) if figures.all.forms[form]]
    folders = {folder: [file for file in files if file.startswith(f"{folder}/")] for folder in FOLDERS}
    return (
        page_environment()
        .get_template("zero_pronouns/report/page.html.j2")
        .render(
            figures=figures,
            forms={form: FORMS.get(form, "no form") for form in forms},
            form_columns=[f">{FORMS.get(form, 'no form')}" for form in forms],
            outcome_columns=[f">{name}" for name in OUTCOMES],
            metric_columns=[f">{name}" for name in figures.signatures],
            came_out=sentences(figures),
            overall=overall(figures),
            outcomes=OUTCOMES,
            texts=genres,
            pieces=pieces,
            folders=[(folder, FOLDERS[folder], held) for folder, held in folders.items() if held],
            about=about,
        )
    )


@dataclass(frozen=True, slots=True)
class Options:
    """What a report was made from: the folder of the sample, relative to that of the report, and the baseline."""

    sample: str
    baseline: str


def options_text(sample: Path, out: Path, baseline: str) -> str:
    """Return the text of `OPTIONS` for a report that is written to a folder."""
    path = Path(os.path.relpath(sample.resolve(), out.resolve())).as_posix()
    return to_json(to_object(Options(path, baseline))) + "\n"


def read_options(path: Path) -> Options:
    """Return the options in a file; raises `PipelineError` if it is malformed."""
    with errors_at(path, 1):
        return convert(from_json(read_text(path)), Options)


def _page_lines(text: str, path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    yield from words_of(without_front_page(text), path)


def derive_report(folder: Path) -> Iterator[Derived | Row]:
    """Yield the files of a report as they would be written again; nothing for a folder without `OPTIONS`."""
    if not (folder / OPTIONS).exists():
        return
    options = read_options(folder / OPTIONS)
    files, _, _ = report_files(folder / options.sample, options.baseline)
    for name, text in files.items():
        if not (folder / name).exists():
            yield fault("report", folder / name, None, name, "missing file; found none, expected one: run make build")
            continue
        reader = _page_lines if name == PAGE else words_of
        yield Derived("report", folder / name, [row for _, row in words_of(text, folder)], reader=reader)
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        name = path.relative_to(folder).as_posix()
        if name not in {*files, OPTIONS}:
            yield fault("report", path, None, name, "no such file of a report; found one, expected none")
