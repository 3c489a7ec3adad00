"""Commands on large corpora: download a dump, count words, answer items by association."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Literal

from ..core.errors import PipelineError, first_names, plural, shown
from ..core.files import to_json, write_jsonl, write_text
from ..core.model import Item
from ..core.outputs import require_writable
from ..core.pages import percent, write_page
from ..core.records import read_items
from ..core.servers import server_address
from ..corpus.baseline import (
    AnswerOptions,
    Decision,
    Score,
    answer_rows,
    decide_items,
    read_item_terms,
    require_terms,
    right_by_schema,
    score,
    score_by_threshold,
    solved_schemas,
    uncounted_terms,
)
from ..corpus.counting.counts import read_counts, write_counts
from ..corpus.counting.local import CorpusCounts, Job, count_shards
from ..corpus.counting.segmenters import BACKENDS, BackendName
from ..corpus.counting.terms import TermQuery, read_terms, uncounted_phrases
from ..corpus.dumps import ORIGIN, Dump, sha1_of
from ..corpus.formats.reading import TEXT_FIELD, FormatName, Shard
from ..corpus.formats.registry import shards_of_corpus
from ..corpus.page import page
from ..statistics.intervals import clustered_mean_interval
from .parameters import arg, on_terminal, opt, output, server_progress
from .report import Quiet, Report, Updates, Writes

_MEBIBYTE = 2**20


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


def count_command(
    corpus: Annotated[list[Path], arg("CORPUS", "Files of the corpus.")],
    format_name: Annotated[FormatName, opt("Format of the files.", "--format")],
    terms: Annotated[Path, opt("Terms to count, one per line.")],
    window: Annotated[int, opt("Number of words in a window.", min=1)],
    out: Annotated[Path, output("the counts (JSON Lines).")],
    field: Annotated[
        str, opt("Field or column that holds the text of a document (jsonl, parquet); a dot leads into objects.")
    ] = TEXT_FIELD,
    engine: Annotated[Literal["local", "spark"], opt("Count in processes on this machine, or on Spark.")] = "local",
    backend: Annotated[
        BackendName, opt("Word segmenter: Jieba as in the paper, or rjieba, which is faster and cuts the same words.")
    ] = "reference",
    characters: Annotated[
        bool, opt("Count windows of characters instead of words; terms are substrings.", "--characters")
    ] = False,
    passages: Annotated[
        bool,
        opt(
            "Segment only the text near terms, and of a dump read only pages that may have one. "
            "Counts stay exact; the total number of windows is estimated.",
            "--passages",
        ),
    ] = False,
    workers: Annotated[int, opt("Number of processes.", min=1)] = 2,
    shard_size: Annotated[
        int, opt("Approximate size in MiB of a shard, the part of the corpus that one process counts at a time.", min=1)
    ] = 8,
    resume: Annotated[
        Path | None,
        opt("Folder for finished shards; a run that was killed continues from it. Not with Spark."),
        Updates,
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
    query = TermQuery(read_terms(terms), window, characters)
    job = Job(query, backend, skip_damaged, passages)
    shards = shards_of_corpus(corpus, format_name, shard_size * _MEBIBYTE, index, field)
    if engine == "spark":
        from ..corpus.counting.spark import count_on_spark

        total = count_on_spark(shards, job, master=master)
    else:
        total = _add_up(count_shards(shards, job, workers=workers, state=resume), shards, quiet=quiet)
    report.notes += total.skipped.reports
    write_counts(out, total.counts)
    if total.left_out:
        kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(total.left_out.items()))
        report.add(f"left out, as no running text of articles: {kinds}", left_out=dict(total.left_out))
    cut = [] if characters else uncounted_phrases(query.terms, total.counts, BACKENDS[backend]())
    if cut:
        reason = "never counted: the segmenter makes several words of them (--characters counts substrings)"
        report.notes.append(f"{terms}: [terms] {plural(len(cut), 'term')} {reason}: {first_names(cut)}")
    if not total.documents:
        report.findings.append(f"{corpus[0]}: [corpus] no document; found none in {plural(len(corpus), 'file')}")
    elif not +total.counts.terms:
        report.findings.append(f"{terms}: [terms] none of {plural(len(query.terms), 'term')} occurs in the corpus")
    unread = f" ({total.unread} not read, as they have no term)" if total.unread else ""
    report.add(
        f"{out}: {plural(total.documents, 'document')}{unread} in {plural(len(shards), 'shard')}, "
        f"{'about ' * bool(unread)}{plural(total.characters, 'character')}, "
        f"{'about ' * passages}{plural(total.counts.windows, 'window')}; {len(total.counts.terms)} of {len(query.terms)} terms occur, "
        f"{plural(len(total.counts.pairs), 'pair')}; {total.skipped.count} damaged and skipped",
        documents=total.documents,
        documents_unread=total.unread,
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


def fetch_command(
    wiki: Annotated[str, arg("WIKI", "Wikimedia's name of the wiki, such as zhwiki.")],
    date: Annotated[str, arg("DATE", "Date of the dump, such as 20261101.")],
    out: Annotated[Path, output("folder of the files."), Writes()],
    mirror: Annotated[str, opt("Server to download the files from.")] = ORIGIN,
    sums: Annotated[
        str, opt("Server of the SHA-1 digests. Digests from the mirror itself reveal damage, not manipulation.")
    ] = ORIGIN,
    sha1: Annotated[str | None, opt("SHA-1 of the dump, if known from another source.")] = None,
    index_sha1: Annotated[str | None, opt("SHA-1 of the index, if known from another source.")] = None,
    quiet: Quiet = False,
) -> Report:
    """Download a Wikimedia dump and its index, and verify both.

    An interrupted download continues with the next run.
    """
    report = Report()
    dump = Dump(wiki, date)
    mirror, sums = server_address(mirror, "mirror"), server_address(sums, "sums")
    given = ((dump.articles, sha1, "sha1"), (dump.index, index_sha1, "index-sha1"))
    pins = {name: sha1_of(text, option) for name, text, option in given if text is not None}
    from ..corpus.fetch import fetch

    with server_progress(quiet=quiet, in_bytes=True) as progress:
        rows = fetch(dump, out, mirror, sums, pins, progress)
    for row in rows:
        report.add(f"{out / row.name}: {row.size} bytes, sha1 {row.sha1}, sha256 {row.sha256}")
    report.figures["files"] = [asdict(row) for row in rows]
    return report


def pmi_command(
    items_path: Annotated[Path, arg("ITEMS", "The items (JSON Lines).")],
    terms_path: Annotated[Path, opt("Terms of each item, or the authors' analyses (JSON Lines).", "--terms")],
    counts_path: Annotated[Path, opt("Counts that `corpus count` wrote (JSON Lines).", "--counts")],
    out: Annotated[Path, output("the answers (JSON Lines).")],
    threshold: Annotated[
        float, opt("An item is undecided unless its two PMIs differ by more bits than this.", min=0.0)
    ] = 0.0,
    seed: Annotated[int, opt("Seed for random guesses on undecided items.")] = 0,
    page_path: Annotated[Path | None, output("page with the results (HTML).", "--report")] = None,
    options_path: Annotated[
        Path | None,
        output("the threshold and the seed (options.json), with which `validate build` answers again.", "--options"),
    ] = None,
    corpus: Annotated[str, opt("Description of the corpus, shown on the page.")] = "",
    released_path: Annotated[
        Path | None, opt("The released items (JSON Lines), which get a column of their own.", "--released")
    ] = None,
    records: Annotated[
        str,
        opt("Address of the page of the records, from the page of --report; each item is then linked to its record."),
    ] = "",
) -> Report:
    """Answer items by word association (PMI) and print the accuracy.

    The answer is the candidate whose term has the greater pointwise mutual
    information with the reference word of the item. The accuracy counts an
    item that PMI does not decide as half right, as a coin would be.
    """
    report = Report()
    items, terms, counts = (
        read_items(items_path, zero_forms=True),
        read_item_terms(terms_path),
        read_counts(counts_path),
    )
    require_terms(items, terms, terms_path)
    ids = {item.id for item in items}
    if others := [name for name in terms if name not in ids]:
        report.notes.append(
            f"{terms_path}: [terms] {plural(len(others), 'line')} of ids that no item has: "
            f"{first_names(list(map(shown, others)))}"
        )
    missing, total = uncounted_terms((terms[item.id] for item in items if item.id in terms), counts, counts_path)
    if missing:
        report.notes.append(
            f"{counts_path}: [terms] {len(missing)} of {total} terms are missing, absent from the corpus or not counted: "
            f"{first_names(missing)}"
        )
    decisions = decide_items(items, terms, counts, threshold=threshold, seed=seed)
    result = score(decisions, {item.id: item.answer for item in items})
    rows = answer_rows(items, terms, counts, decisions)
    write_jsonl(out, rows)
    if options_path is not None:
        write_text(options_path, f"{to_json(asdict(AnswerOptions(threshold, seed)))}\n")
    interval = _accuracy_interval(items, decisions)
    _add_score(report, f"{out}: {plural(result.items, 'item')}", result, interval, missing_terms=missing)
    released = released_interval = None
    if released_path is not None:
        names = {item.id for item in read_items(released_path, zero_forms=True)}
        kept = [item for item in items if item.id in names]
        released = score(decisions, {item.id: item.answer for item in kept})
        released_interval = _accuracy_interval(kept, decisions)
        _add_score(report, f"released: {plural(released.items, 'item')}", released, None)
    report.add("Mandarinograd (LREC 2020): 308 items, 153 decided (49.7 %); right: 61 % of the decided, 55 % of all")
    if page_path is not None:
        solved = solved_schemas(items, decisions)
        text = page(
            corpus,
            items_path.as_posix(),
            counts,
            items,
            rows,
            result,
            interval if released is None else released_interval,
            released,
            score_by_threshold(items, terms, counts, seed),
            solved,
            threshold=threshold,
            seed=seed,
            records=records,
        )
        write_page(page_path, text)
        report.add(
            f"{page_path}: {plural(len(solved), 'schema')} that association solves in both members",
            solved_schemas=len(solved),
        )
    return report


def _accuracy_interval(items: Sequence[Item], decisions: Mapping[str, Decision]) -> tuple[float, float] | None:
    limits = clustered_mean_interval(right_by_schema(items, decisions).values())
    return (max(limits[0], 0.0), min(limits[1], 1.0)) if limits else None


def _add_score(
    report: Report, what: str, result: Score, interval: tuple[float, float] | None, **figures: object
) -> None:
    """Add a line on how often association is right, and its figures unless the line is on a part of the items."""
    between = f" (between {percent(interval[0])} and {percent(interval[1])})" if interval else ""
    line = (
        f"{what}, {result.with_terms} with terms ({percent(result.term_coverage)}), {result.decided} decided ({percent(result.coverage)}); "
        f"right: {percent(result.precision)} of the decided, {percent(result.accuracy)} of all with coins for the rest{between}"
    )
    values = {
        "items": result.items,
        "with_terms": result.with_terms,
        "decided": result.decided,
        "coverage": result.coverage,
        "precision": result.precision,
        "accuracy": result.accuracy,
    }
    if what.startswith("released"):
        report.add(line, released=values)
    else:
        report.add(line, **values, accuracy_interval=interval, **figures)
