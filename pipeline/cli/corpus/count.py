"""Count the windows of a corpus that hold each term and each pair of terms."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Literal

from ...core.errors import PipelineError, plural
from ...core.outputs import require_writable
from ...corpus.counting.counts import write_counts
from ...corpus.counting.local import CorpusCounts, Job, count_shards
from ...corpus.counting.segmenters import BACKENDS, BackendName
from ...corpus.counting.terms import TermQuery, read_terms, uncounted_phrases
from ...corpus.formats.reading import FormatName, Shard
from ...corpus.formats.registry import shards_of_corpus
from ..output import on_terminal
from ..parameters import arg, opt, output
from ..report import Quiet, Report

_MEBIBYTE = 2**20
#: Maximum number of terms that are named.
_NAMED = 10


def _add_up(
    results: Iterator[tuple[Shard, CorpusCounts, bool]], shards: Sequence[Shard], *, quiet: bool
) -> CorpusCounts:
    """Return the sum; on a terminal, show the progress, the rate of this run and the time that is left."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    total = CorpusCounts()
    characters = done = 0  # characters counted by this run; bytes counted by this run and those before
    columns = (
        TextColumn("{task.fields[rate]}"),
        BarColumn(),
        TextColumn("{task.percentage:.0f} %"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), disable=quiet or not on_terminal()) as progress:
        task = progress.add_task("", total=sum(shard.end - shard.start for shard in shards), rate="")
        for shard, counts, kept in results:
            total.add(counts)
            done += shard.end - shard.start
            if kept:
                progress.reset(task, completed=done)
                continue
            characters += counts.characters
            elapsed = progress.tasks[0].elapsed or 0.0
            rate = characters / elapsed / 1e6 if elapsed else 0.0
            progress.update(task, completed=done, rate=f"{rate:.2f} million characters a second")
    return total


def command(
    corpus: Annotated[list[Path], arg("CORPUS", "Files of the corpus.")],
    format_name: Annotated[FormatName, opt("Format of the files.", "--format")],
    terms: Annotated[Path, opt("Terms to count, one per line.")],
    window: Annotated[int, opt("Number of words in a window.", min=1)],
    out: Annotated[Path, output("the counts (JSON Lines).")],
    engine: Annotated[Literal["local", "spark"], opt("Count in processes on this machine, or on Spark.")] = "local",
    backend: Annotated[
        BackendName, opt("Script converter and word segmenter: OpenCC and Jieba as in the paper, or faster ones.")
    ] = "reference",
    characters: Annotated[
        bool, opt("Count windows of characters instead of words; terms are substrings.", "--characters")
    ] = False,
    passages: Annotated[
        bool,
        opt(
            "Segment only the text near terms. Counts stay exact; the total number of windows is estimated.",
            "--passages",
        ),
    ] = False,
    workers: Annotated[int, opt("Number of processes.", min=1)] = 2,
    shard_size: Annotated[
        int, opt("Approximate size in MiB of a shard, the part of the corpus that one process counts at a time.", min=1)
    ] = 8,
    resume: Annotated[
        Path | None, opt("Folder for finished shards; a run that was killed continues from it. Not with Spark.")
    ] = None,
    skip_damaged: Annotated[
        bool, opt("Skip and count damaged documents instead of stopping.", "--skip-damaged")
    ] = False,
    index: Annotated[Path | None, opt("Index of a multistream dump; default: the file beside the dump.")] = None,
    master: Annotated[str | None, opt("Spark master; default: that of spark-submit, else local[2].")] = None,
    quiet: Quiet = False,
) -> Report:
    """Count the windows of a corpus that contain each term and each pair of terms.

    A window is a run of consecutive words of a document. If the corpus is
    empty or has none of the terms, this is reported, exit 1.
    """
    report = Report()
    if engine == "spark" and resume:
        raise PipelineError(None, None, "[resume] Spark keeps no state; found --engine spark, expected --engine local")
    if master and engine != "spark":
        raise PipelineError(None, None, "[master] only for Spark; found --engine local, expected --engine spark")
    if resume:
        require_writable(resume, folder=True)
    query = TermQuery(read_terms(terms, BACKENDS[backend]().convert), window, characters)
    job = Job(query, backend, skip_damaged, passages)
    shards = shards_of_corpus(corpus, format_name, shard_size * _MEBIBYTE, index)
    if engine == "spark":
        from ...corpus.counting.spark import count_on_spark

        total = count_on_spark(shards, job, master=master)
    else:
        total = _add_up(count_shards(shards, job, workers=workers, state=resume), shards, quiet=quiet)
    report.notes += total.skipped.reports
    write_counts(out, total.counts)
    cut = [] if characters else uncounted_phrases(query.terms, total.counts, BACKENDS[backend]())
    if cut:
        named = ", ".join(cut[:_NAMED]) + ", …" * (len(cut) > _NAMED)
        reason = "never counted: the segmenter makes several words of them (--characters counts substrings)"
        report.notes.append(f"{terms}: [terms] {plural(len(cut), 'term')} {reason}: {named}")
    if not total.documents:
        report.findings.append(f"{corpus[0]}: [corpus] no document; found none in {plural(len(corpus), 'file')}")
    elif not +total.counts.terms:
        report.findings.append(f"{terms}: [terms] none of {plural(len(query.terms), 'term')} occurs in the corpus")
    report.add(
        f"{out}: {plural(total.documents, 'document')} in {plural(len(shards), 'shard')}, {plural(total.characters, 'character')}, "
        f"{'about ' * passages}{plural(total.counts.windows, 'window')}; {len(total.counts.terms)} of {len(query.terms)} terms occur, "
        f"{plural(len(total.counts.pairs), 'pair')}; {total.skipped.count} damaged and skipped",
        documents=total.documents,
        shards=len(shards),
        characters=total.characters,
        windows=total.counts.windows,
        windows_estimated=passages,
        terms=len(query.terms),
        terms_counted=len(total.counts.terms),
        pairs=len(total.counts.pairs),
        damaged=total.skipped.count,
    )
    return report
