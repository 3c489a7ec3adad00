"""Count how many windows of a corpus hold each term and each two terms."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer

from ...core.errors import PipelineError
from ...corpus.counting.counts_file import write_counts
from ...corpus.counting.local import CorpusCounts, Job, count_shards
from ...corpus.counting.segmenters import BACKENDS
from ...corpus.counting.terms import TermQuery, _refuse_twice, read_terms
from ...corpus.formats.damage import Skipped, refuse
from ...corpus.formats.registry import shards
from ...corpus.formats.shard import FORMS, Shard

ENGINES = ("local", "spark")
_MEBIBYTE = 2**20


def _with_progress(counted: Iterator[tuple[Shard, CorpusCounts, bool]], of: Sequence[Shard]) -> CorpusCounts:
    """Return the sum, and show on a terminal how far it is, how fast this run counts and how long it will take."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    summed = CorpusCounts()
    characters = done = 0  # counted by this run; bytes by this and those before
    columns = (
        TextColumn("{task.fields[rate]}"),
        BarColumn(),
        TextColumn("{task.percentage:.0f} %"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), disable=not sys.stderr.isatty()) as progress:
        task = progress.add_task("", total=sum(shard.end - shard.start for shard in of), rate="")
        for shard, one, kept in counted:
            summed.add(one)
            done += shard.end - shard.start
            if kept:
                progress.reset(task, completed=done)
                continue
            characters += one.characters
            elapsed = progress.tasks[0].elapsed or 0.0
            rate = characters / elapsed / 1e6 if elapsed else 0.0
            progress.update(task, completed=done, rate=f"{rate:.2f} million characters a second")
    return summed


def command(
    corpus: Annotated[list[Path], typer.Argument(help="The files of the corpus.", show_default=False)],
    form: Annotated[str, typer.Option("--format", help=f"One of {', '.join(FORMS)}.", show_default=False)],
    terms: Annotated[Path, typer.Option(help="The terms, one a line.", show_default=False)],
    window: Annotated[int, typer.Option(help="How many words a window has.", show_default=False, min=1)],
    out: Annotated[Path, typer.Option(help="Where the counts go (JSON Lines).", show_default=False)],
    engine: Annotated[str, typer.Option(help=f"One of {', '.join(ENGINES)}.")] = "local",
    backend: Annotated[str, typer.Option(help=f"The converter and cutter: {', '.join(BACKENDS)}.")] = "reference",
    characters: Annotated[
        bool, typer.Option("--characters", help="Windows of characters, in which terms are substrings.")
    ] = False,
    passages: Annotated[
        bool, typer.Option("--passages", help="Cut only what is near terms; the number of all windows is estimated.")
    ] = False,
    workers: Annotated[int, typer.Option(help="How many processes count.", min=1)] = 2,
    shard_size: Annotated[int, typer.Option(help="About how many MiB one process takes at once.", min=1)] = 8,
    resume: Annotated[
        Path | None,
        typer.Option(help="A folder that keeps what is done, so that a killed run goes on.", show_default=False),
    ] = None,
    skip_damaged: Annotated[
        bool, typer.Option("--skip-damaged", help="Count damaged input and pass it over, instead of stopping at it.")
    ] = False,
    index: Annotated[
        Path | None,
        typer.Option(help="The index of a multistream dump, if it is not beside it.", show_default=False),
    ] = None,
    master: Annotated[
        str | None,
        typer.Option(
            help="Where --engine spark runs; by default as spark-submit says, else local[2].", show_default=False
        ),
    ] = None,
) -> None:
    """Count how many windows of a corpus hold each term, and each two terms."""
    for name, found, known in (("format", form, FORMS), ("engine", engine, ENGINES), ("backend", backend, BACKENDS)):
        if found not in known:
            raise PipelineError(None, None, f"[{name}] unknown; found {found!r}, expected one of {', '.join(known)}")
    if engine == "spark" and resume:
        raise PipelineError(None, None, "[resume] Spark keeps nothing; found --engine spark, expected --engine local")
    job = Job(
        TermQuery(read_terms(terms, BACKENDS[backend]().convert), window, characters), backend, skip_damaged, passages
    )
    unfit = Skipped()
    damage = unfit if skip_damaged else refuse
    parts = [shard for path in corpus for shard in shards(path, form, shard_size * _MEBIBYTE, damage, index)]
    _refuse_twice(corpus)
    if engine == "spark":
        from ...corpus.counting.spark import count_on_spark

        summed = count_on_spark(parts, job, master=master)
    else:
        summed = _with_progress(count_shards(parts, job, workers=workers, state=resume), parts)
    summed.skipped.add(unfit)
    for report in summed.skipped.reports:
        typer.echo(report, err=True)
    write_counts(out, summed.counts)
    typer.echo(
        f"{out}: {summed.documents} documents in {len(parts)} shards, {summed.characters} characters, "
        f"{'about ' * passages}{summed.counts.windows} windows; {len(summed.counts.terms)} of {len(job.question.terms)} terms occur, "
        f"{len(summed.counts.pairs)} pairs; {summed.skipped.count} damaged and passed over"
    )
