"""Commands on labelled texts: counts, agreement, anonymisation, the report on a sample."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Annotated, Any

from ..core.errors import PipelineError, plural, shown
from ..core.files import lines_of, read_text, write_text
from ..core.pages import decimal, percent, write_page
from ..core.tables import write_tsv
from ..zero_pronouns.agreement import Agreement, agreements, read_ratings
from ..zero_pronouns.anonymisation.documents import NUMBER, Anonymiser, Replacement
from ..zero_pronouns.anonymisation.names import read_names
from ..zero_pronouns.coreference_files import COREFUD, CoreferenceText, layout_of, read_coreference
from ..zero_pronouns.documents import (
    ALL,
    SYSTEMS,
    TEXTS,
    ParallelText,
    fault_counts,
    misalignment,
    read_parallel_text,
    read_texts,
    refuse_reserved,
)
from ..zero_pronouns.frequencies import Frequencies, average, frequencies, total
from ..zero_pronouns.labels import NOTATIONS
from ..zero_pronouns.report.files import FIGURES, FOLDERS, OPTIONS, PAGE, options_text, report_files
from .parameters import arg, opt, output
from .report import Report, Writes

#: Number of labels in the printed report; `--json` has all.
_LABELS = 5
#: The rows of the sums and means in which each genre weighs the same, as in Table 3, and of all texts as one.
AVERAGE, OVERALL = "Total / Average", "All as one text"


def stats_command(
    source: Annotated[
        Path,
        arg(
            "SOURCE",
            "Chinese with labels such as <他>_S, a sentence a line; a folder of NAME.zh and NAME.en; or coreference.",
        ),
    ],
    target: Annotated[
        Path | None, arg("TARGET", "English, aligned line by line; none for a folder or coreference.")
    ] = None,
) -> Report:
    """Count documents, sentences, words and zero pronouns; exit 1 if a label is malformed or there is none.

    [doc] on a line of both files separates documents. Each text of a folder is a genre. Zeros without a pronoun may be written
    *pro*, *PRO*, ∅, Ø or [zero]. A file of coreference with zeros, CoNLL-2012 or CorefUD (CoNLL-U), stands alone.
    """
    layout = layout_of(read_text(source)) if source.is_file() else ""
    if layout and target is not None:
        reason = f"[source] {layout} has no translation; found {shown(target.name)}, expected the file alone"
        raise PipelineError(source, None, reason)
    if layout:
        return _coreference(source, read_coreference(source))
    if target is not None:
        return _single(source, read_parallel_text(source, target))
    if not source.is_dir():
        if not source.exists():
            raise PipelineError(source, None, "[source] no such file or folder")
        expected = "expected CoNLL-2012, CoNLL-U, labelled Chinese with its translation behind it, or a folder"
        reason = f"in no layout of coreference; found {shown(read_text(source).partition(chr(10))[0])}, {expected}"
        raise PipelineError(source, None, f"[source] a file alone, {reason}")
    return _by_genre(source, read_texts(source))


def _coreference(source: Path, read: CoreferenceText) -> Report:
    """Return the report of a file of coreference."""
    figures = replace(frequencies(read.text), words_zh=read.words, words_en=0, documents=len(read.text.documents))
    expected = "words *pro* or *PRO*, which the release of the shared task leaves out"
    if read.layout == COREFUD:
        expected = "empty nodes such as 3.1 with Entity= in their last column"
    report = Report(findings=_no_zero(source, figures, expected))
    report.add(
        f"{source}: {read.layout}: {plural(figures.documents, 'document')}, {plural(figures.sentences, 'sentence')}; {read.words} words",
        layout=read.layout,
        documents=figures.documents,
        sentences=figures.sentences,
        words=read.words,
    )
    _add_zeros(report, figures)
    return report.add(
        f"{plural(read.mentions, 'zero')} in a chain, {read.anaphoric} of an entity that is named before",
        mentions=read.mentions,
        anaphoric=read.anaphoric,
    )


def _no_zero(source: Path, figures: Frequencies, expected: str) -> list[str]:
    """Return the finding that a text has no zero, if it has none."""
    if figures.zeros:
        return []
    return [f"{source}: [label] no zero; found none in {plural(figures.sentences, 'sentence')}, expected {expected}"]


def _single(source: Path, text: ParallelText) -> Report:
    """Return the report of one text."""
    figures = frequencies(text)
    report = Report(findings=[*map(str, text.findings), *_no_zero(source, figures, NOTATIONS)])
    report.add(
        f"{source}: {plural(figures.documents, 'document')}, {plural(figures.sentences, 'sentence')}; "
        f"{figures.words_zh} words in Chinese, {figures.words_en} in English",
        documents=figures.documents,
        sentences=figures.sentences,
        words_zh=figures.words_zh,
        words_en=figures.words_en,
    )
    _add_zeros(report, figures)
    _add_faults(report, text.findings)
    return report


def _add_zeros(report: Report, figures: Frequencies) -> None:
    """Add the number of zeros, their forms and labels."""
    report.add(
        f"{plural(figures.zeros, 'zero')}; sentences with a zero {percent(figures.sentences_with_zero / figures.sentences)}, "
        f"with two or more {percent(figures.sentences_with_two / figures.sentences)}",
        zeros=figures.zeros,
        sentences_with_zero=figures.sentences_with_zero,
        sentences_with_two=figures.sentences_with_two,
    )
    shares = (f"{name} {count} ({percent(figures.share(name))})" for name, count in figures.forms.items() if count)
    report.add(f"forms: {', '.join(shares) or 'none'}", forms=dict(figures.forms))
    frequent = [f"{label} {count}" for label, count in list(figures.labels.items())[:_LABELS]]
    report.add(
        f"labels: {len(figures.labels)}, {', '.join(frequent) or 'none'}; entropy {decimal(figures.entropy)} bits",
        entropy=figures.entropy,
        labels=dict(figures.labels),
    )


def _by_genre(folder: Path, texts: Mapping[str, ParallelText]) -> Report:
    """Return the report of several genres."""
    by_genre = {genre: frequencies(text) for genre, text in texts.items()}
    genres = list(by_genre.values())
    rows = {genre: figures.columns() for genre, figures in by_genre.items()}
    rows |= {AVERAGE: average(genres), OVERALL: total(genres).columns()}
    faults = [finding for text in texts.values() for finding in text.findings]
    report = Report(findings=list(map(str, faults)))
    for genre, figures in by_genre.items():
        report.findings += _no_zero(folder / f"{genre}.zh", figures, NOTATIONS)
    for row, columns in rows.items():
        report.add(f"{row}: {_genre_line(columns)}")
    report.figures |= {"rows": rows, "genres": {genre: _counts(figures) for genre, figures in by_genre.items()}}
    _add_faults(report, faults)
    return report


def _genre_line(columns: Mapping[str, float | None]) -> str:
    """Return the figures of a row in the order of Table 3."""
    documents, sentences, *words = (columns[name] or 0 for name in ("D", "S", "W zh", "W en"))
    shares = ", ".join(f"{name} {decimal(columns[name], 1)}" for name in ("Sub.", "Obj.", "Pos.", ">=1", ">=2"))
    return (
        f"{plural(round(documents), 'document')}, {plural(round(sentences), 'sentence')}, words {words[0]:.1f}K/{words[1]:.1f}K; "
        f"{shares} %; entropy {decimal(columns['entropy'], 2)} bits"
    )


def _counts(figures: Frequencies) -> dict[str, object]:
    return {"zeros": figures.zeros, "forms": dict(figures.forms), "labels": dict(figures.labels)}


def _add_faults(report: Report, faults: Sequence[PipelineError]) -> None:
    """Add the number of faults of each kind."""
    counts = fault_counts(faults)
    if counts:
        kinds = ", ".join(f"{kind} {count}" for kind, count in counts.items())
        report.add(f"{plural(sum(counts.values()), 'fault')}: {kinds}", faults=dict(counts))


def agree_command(
    labelled: Annotated[
        list[Path],
        arg(
            "LABELLED", "For each rater a file of the same labelled sentences, or a folder of such files, one a genre."
        ),
    ],
    seed: Annotated[int, opt("Seed for the bootstrap resamples.", min=0)] = 0,
    resamples: Annotated[int, opt("Number of bootstrap resamples per interval.", min=1)] = 2000,
) -> Report:
    """Report Cohen's kappa of labelled zeros by character, word and sentence; exit 1 if a label is malformed.

    With more than two raters it is the mean of the pairs. The 95 % intervals resample documents.
    """
    if len(labelled) < 2:
        raise PipelineError(None, None, f"[labelled] too few raters; found {len(labelled)}, expected at least 2")
    report = Report()
    by_genre = {}
    for genre, paths in _files(labelled).items():
        by_genre[genre], findings = read_ratings(paths)
        report.findings += findings
    everything = [document for documents in by_genre.values() for document in documents]
    parts = by_genre if len(by_genre) == 1 else by_genre | {ALL: everything}
    rows: dict[str, list[Agreement]] = {}
    for name, documents in parts.items():
        sentences = plural(sum(map(len, documents)), "sentence")
        report.lines.append(f"{name}: {plural(len(documents), 'document')}, {sentences}, {len(labelled)} raters")
        rows[name] = agreements(documents, seed=seed, resamples=resamples)
        report.lines += map(_agreement_line, rows[name])
    report.figures["agreement"] = {name: list(map(_figures, row)) for name, row in rows.items()}
    if len(by_genre) > 1:
        _add_means(report, [rows[genre] for genre in by_genre])
    return report


def _files(labelled: list[Path]) -> dict[str, list[Path]]:
    """Return the file of each rater by genre."""
    first = labelled[0]
    if not first.is_dir():
        return {first.stem: labelled}
    names = sorted(path.name for path in first.glob(TEXTS))
    if not names:
        raise PipelineError(first, None, "[labelled] no text; expected files GENRE.zh")
    refuse_reserved(first / name for name in names)
    for folder in labelled[1:]:
        if (others := sorted(path.name for path in folder.glob(TEXTS))) != names:
            reason = f"[labelled] other texts than in {first}; found {', '.join(others) or 'none'}, expected {', '.join(names)}"
            raise PipelineError(folder, None, reason)
    return {name.removesuffix(".zh"): [folder / name for folder in labelled] for name in names}


def _agreement_line(entry: Agreement) -> str:
    interval = f" ({entry.interval.low:.3f} to {entry.interval.high:.3f})" if entry.interval else ""
    return (
        f"  {entry.unit}, {entry.question}: kappa {decimal(entry.kappa)}{interval}, "
        f"agreed on {entry.agreed} of {entry.units} {'sentences' if entry.unit == 'sentences' else 'positions'}"
    )


def _figures(entry: Agreement) -> dict[str, Any]:
    return {
        "unit": entry.unit,
        "question": entry.question,
        "units": entry.units,
        "agreed": entry.agreed,
        "kappa": entry.kappa,
        "interval": [entry.interval.low, entry.interval.high] if entry.interval else None,
        "pairs": {f"{first + 1}-{second + 1}": kappa for (first, second), kappa in entry.pairs.items()},
    }


def _add_means(report: Report, genres: list[list[Agreement]]) -> None:
    """Add the mean of the genres, each of the same weight, as the last row of Table 3."""
    means: list[dict[str, Any]] = []
    for entries in zip(*genres, strict=True):
        kappas = [entry.kappa for entry in entries if entry.kappa is not None]
        mean = fmean(kappas) if len(kappas) == len(genres) else None
        means.append({"unit": entries[0].unit, "question": entries[0].question, "kappa": mean})
    line = "; ".join(f"{entry['unit']}, {entry['question']} {decimal(entry['kappa'])}" for entry in means)
    report.add(f"mean of the genres: {line}", means=means)


#: The columns of the report.
COLUMNS = ("document", "kind", "name", "code", "zh", "en", "forms")


def anonymise_command(
    source: Annotated[Path, arg("SOURCE", "Chinese with labels, a sentence a line.")],
    target: Annotated[Path, arg("TARGET", "English, aligned line by line.")],
    names: Annotated[Path, opt("List of names: genre, kind, zh, en (TSV).")],
    out: Annotated[Path, output("folder of both files, under their names."), Writes(("*.zh", "*.en"))],
    seed: Annotated[int, opt("Seed for the letters of the codes and the order of numbers.")],
    genre: Annotated[str | None, opt("Take the names of this genre only.")] = None,
    report_out: Annotated[
        Path | None, output("what was replaced (TSV). It undoes the anonymisation: keep it apart.", "--report")
    ] = None,
) -> Report:
    """Replace names by codes such as Person-A and shuffle numbers; exit 1 if a name is in one language only.

    Each document has its own letters and numbers, the same in both languages. Both files must have the same boundaries and lines.
    """
    if source.name == target.name:
        raise PipelineError(
            target, None, f"[target] same name as the source; found {shown(target.name)}, expected another"
        )
    text = read_parallel_text(source, target)
    if fault := misalignment(text):
        raise fault
    anonymiser = Anonymiser(read_names(names, genre), seed)
    report = Report(findings=list(map(str, text.findings)))
    lines = [lines_of(read_text(path)) for path in (source, target)]
    rows: list[Replacement] = []
    for number, document in enumerate(text.documents, 1):
        anonymous, replaced = anonymiser.document(number, document)
        rows += replaced
        for pair in anonymous:
            for file, line in zip(lines, (pair.source.labelled, pair.target), strict=True):
                file[pair.line - 1] = line
        for line_number, name in anonymiser.survivors(anonymous):
            report.findings.append(f"{out}:{line_number}: [name] a name is left; found {shown(name)}, expected a code")
    for path, file in zip((source, target), lines, strict=True):
        write_text(out / path.name, "".join(f"{line}\n" for line in file))
    if report_out:
        write_tsv(report_out, COLUMNS, map(_cells, rows))
    _add(report, source, target, rows)
    report.add(f"{out}: {plural(len(text.documents), 'document')}, {plural(len(text.pairs), 'sentence')}")
    return report


def _add(report: Report, source: Path, target: Path, rows: list[Replacement]) -> None:
    """Add the counts, and the names whose counts show a fault."""
    named = [row for row in rows if row.kind != NUMBER]
    numbers = [row for row in rows if row.kind == NUMBER]
    for row in named:
        if not row.zh or not row.en:
            path, other = (source, target) if row.zh else (target, source)
            reason = f"found {shown(row.name)} {plural(row.zh + row.en, 'time')} here, expected it in {other} too"
            report.findings.append(f"{path}:{row.line}: [name] in one language only in its document; {reason}")
        for form in row.shared:
            reason = f"found {shown(form)}, taken for {row.name}; expected a full name"
            report.findings.append(f"{source}:{row.line}: [name] could be another person of the document; {reason}")
    report.add(
        f"{plural(len(named), 'name')} replaced {plural(sum(row.zh for row in named), 'time')} in Chinese, "
        f"{plural(sum(row.en for row in named), 'time')} in English",
        names=len(named),
        zh=sum(row.zh for row in named),
        en=sum(row.en for row in named),
    )
    kept = sum(row.code == row.name for row in numbers)
    report.add(
        f"{plural(len(numbers), 'number')}: {len(numbers) - kept} exchanged, {kept} kept",
        exchanged=len(numbers) - kept,
        kept=kept,
    )


def _cells(row: Replacement) -> list[str]:
    forms = " | ".join(f"{form} {count}" for form, count in sorted(row.forms.items()))
    return [str(row.document), row.kind, row.name, row.code, str(row.zh), str(row.en), forms]


def report_command(
    sample: Annotated[
        Path, arg("SAMPLE", "Folder of labelled texts: GENRE.zh and GENRE.en, labels, systems, alignment.")
    ],
    out: Annotated[
        Path,
        output("folder of the page, figures, texts and verdicts."),
        Writes((PAGE, FIGURES, OPTIONS, *(f"{folder}/**/*.*" for folder in FOLDERS))),
    ],
    baseline: Annotated[str, opt("System that the others are tested against.")] = "literal",
) -> Report:
    """Write a page on labelled texts, and the texts as systems read them; exit 1 if a label is malformed.

    The page has counts, the agreement of readers, AZPT and other metrics of the systems.
    """
    systems = sorted(path.name for path in (sample / SYSTEMS).glob("*") if any(path.glob("*.en")))
    if systems and baseline not in systems:
        raise PipelineError(
            None, None, f"[--baseline] no such system; found {baseline!r}, expected one of {', '.join(systems)}"
        )
    files, findings, notes = report_files(sample, baseline)
    files[OPTIONS] = options_text(sample, out, baseline)
    for name, text in files.items():
        (write_page if name == PAGE else write_text)(out / name, text)
    report = Report(findings=findings, notes=notes)
    report.add(f"{out / PAGE}: {plural(len(files), 'file')}, figures in {FIGURES}", files=len(files), systems=systems)
    return report
