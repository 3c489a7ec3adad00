"""Count the zero pronouns of a labelled text and its translation."""

from pathlib import Path
from typing import Annotated

import typer

from ...core.errors import plural
from ...zero_pronouns.documents import read_parallel_text
from ...zero_pronouns.frequencies import frequencies
from ..output import decimal, percent
from ..report import Report

#: Number of labels in the printed report; `--json` has all.
_LABELS = 5


def command(
    source: Annotated[
        Path,
        typer.Argument(
            metavar="SOURCE", help="Chinese with labels such as <他>_S, a sentence a line.", show_default=False
        ),
    ],
    target: Annotated[
        Path, typer.Argument(metavar="TARGET", help="English, aligned line by line.", show_default=False)
    ],
) -> Report:
    """Count documents, sentences, words and zero pronouns; exit 1 if a label is malformed.

    [doc] on a line of both files separates documents.
    """
    text = read_parallel_text(source, target)
    figures = frequencies(text)
    report = Report(findings=list(text.findings))
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
    return report
