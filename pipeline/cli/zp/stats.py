"""Count the zero pronouns of labelled texts and their translations."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

from ...core.errors import PipelineError, plural
from ...core.pages import decimal, percent
from ...zero_pronouns.documents import ParallelText, fault_counts, read_parallel_text, read_texts
from ...zero_pronouns.frequencies import Frequencies, average, frequencies, total
from ..parameters import arg
from ..report import Report

#: Number of labels in the printed report; `--json` has all.
_LABELS = 5
#: The rows of the sums and means in which each genre weighs the same, as in Table 3, and of all texts as one.
AVERAGE, OVERALL = "Total / Average", "All as one text"


def command(
    source: Annotated[
        Path,
        arg(
            "SOURCE", "Chinese with labels such as <他>_S, a sentence a line; or a folder of texts NAME.zh and NAME.en."
        ),
    ],
    target: Annotated[Path | None, arg("TARGET", "English, aligned line by line; none for a folder.")] = None,
) -> Report:
    """Count documents, sentences, words and zero pronouns; exit 1 if a label is malformed.

    [doc] on a line of both files separates documents. Each text of a folder is a genre.
    """
    if target is not None:
        return _single(source, read_parallel_text(source, target))
    if not source.is_dir():
        raise PipelineError(source, None, "[source] not a folder; give the translation after the Chinese, or a folder")
    return _by_genre(read_texts(source))


def _single(source: Path, text: ParallelText) -> Report:
    """Return the report of one text."""
    figures = frequencies(text)
    report = Report(findings=list(map(str, text.findings)))
    report.add(
        f"{source}: {plural(figures.documents, 'document')}, {plural(figures.sentences, 'sentence')}; "
        f"{figures.words_zh} words in Chinese, {figures.words_en} in English",
        documents=figures.documents,
        sentences=figures.sentences,
        words_zh=figures.words_zh,
        words_en=figures.words_en,
    )
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
    _add_faults(report, text.findings)
    return report


def _by_genre(texts: Mapping[str, ParallelText]) -> Report:
    """Return the report of several genres."""
    by_genre = {genre: frequencies(text) for genre, text in texts.items()}
    genres = list(by_genre.values())
    rows = {genre: figures.columns() for genre, figures in by_genre.items()}
    rows |= {AVERAGE: average(genres), OVERALL: total(genres).columns()}
    faults = [finding for text in texts.values() for finding in text.findings]
    report = Report(findings=list(map(str, faults)))
    for row, columns in rows.items():
        report.add(f"{row}: {_line(columns)}")
    report.figures |= {"rows": rows, "genres": {genre: _counts(figures) for genre, figures in by_genre.items()}}
    _add_faults(report, faults)
    return report


def _line(columns: Mapping[str, float | None]) -> str:
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
