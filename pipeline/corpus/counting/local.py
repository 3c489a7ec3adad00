"""Counting shards in processes of one machine, each shard once even if a run before was killed."""

import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from ... import __version__
from ...core.errors import PipelineError
from ...core.files import read_text, write_text
from ...core.rules import RULES
from ..formats.damage import Skipped, refuse
from ..formats.registry import documents
from ..formats.shard import Shard
from .counts_file import counts_from_rows, counts_to_rows
from .occurrences import occurrences
from .segmenters import BACKENDS
from .terms import TermQuery
from .windows import Counts, Tally, tally, windows_of

#: So many characters are counted at once: enough to make each step worth it, few enough to stay in the cache.
_BATCH = 1 << 18
#: One in so many documents is cut whole to estimate how many windows there are.
_SAMPLE = 50


@dataclass(slots=True)
class CorpusCounts:
    """What became of shards: their counts, documents and characters, and what was damaged and passed over."""

    counts: Counts = field(default_factory=Counts)
    documents: int = 0
    characters: int = 0
    skipped: Skipped = field(default_factory=Skipped)

    def add(self, other: "CorpusCounts") -> None:
        """Add what became of other shards."""
        self.counts.add(other.counts)
        self.documents += other.documents
        self.characters += other.characters
        self.skipped.add(other.skipped)


@dataclass(frozen=True, slots=True)
class Job:
    """How shards are counted.

    Attributes:
        question: what is counted.
        backend: the name of the tools.
        skip_damaged: whether damage is passed over.
        passages: whether only passages near terms are cut. The counts of terms and pairs are the same; that of all windows is
            estimated from one document in 50, by its characters. It is never less than the words known to be there allow.
    """

    question: TermQuery
    backend: str
    skip_damaged: bool = False
    passages: bool = False

    def __post_init__(self) -> None:
        if self.passages and self.question.characters:
            raise PipelineError(None, None, "[passages] nothing is cut into words where windows are of characters")


def count_shard(shard: Shard, job: Job) -> CorpusCounts:
    """Return the counts of the documents of a shard, whatever engine runs it.

    Raises:
        PipelineError: damaged input, unless the job passes it over.
    """
    tools = BACKENDS[job.backend]()
    question, found = job.question, CorpusCounts()
    batch: list[str] = []
    sample: list[str] = []
    size = sampled = windows = 0
    counted: Tally | None = None

    def count() -> Tally:
        nonlocal windows
        if sample:
            windows += int(windows_of(occurrences(sample, question, tools).lengths, question.size).sum())
            sample.clear()
        fresh = tally(occurrences(batch, question, tools, passages=job.passages), len(question.terms), question.size)
        batch.clear()
        if counted is not None:
            fresh.add(counted)
        return fresh

    for text in documents(shard, found.skipped if job.skip_damaged else refuse):
        if job.passages and found.documents % _SAMPLE == 0:
            sampled += len(text)
            sample.append(text)
        batch.append(text)
        size += len(text)
        found.documents += 1
        found.characters += len(text)
        if size > _BATCH:
            counted = count()
            size = 0
    found.counts = count().named(question.terms)
    if job.passages:
        estimate = round(windows * found.characters / sampled) if sampled else 0
        found.counts.windows = max(
            estimate, found.counts.windows
        )  # those of the words that were cut, which hold the terms
        found.counts.estimated = True
    return found


def count_shards(
    shards: Sequence[Shard], job: Job, *, workers: int, state: Path | None = None
) -> Iterator[tuple[Shard, CorpusCounts, bool]]:
    """Yield each shard with its counts, and whether they are from a run before; those come first, the others as they are done.

    The sum does not depend on the order.

    Args:
        shards: what is to be counted.
        job: how.
        workers: processes; with one, this process counts.
        state: a folder in which each shard's counts are kept, so that another run counts only what is missing.

    Raises:
        PipelineError: damaged input, unless the job passes it over; a process was killed.
    """
    files = _files(shards, job, state) if state else {}
    missing = []
    for shard in shards:
        kept = _kept(files[shard], job) if state else None
        if kept is None:
            missing.append(shard)
        else:
            yield shard, kept, True
    for shard, counted in _fresh(missing, job, workers):
        if state:
            write_text(files[shard], json.dumps(_to_json(counted), ensure_ascii=False))
        yield shard, counted, False


def _fresh(shards: Sequence[Shard], job: Job, workers: int) -> Iterator[tuple[Shard, CorpusCounts]]:
    if workers == 1 or len(shards) < 2:
        for shard in shards:
            yield shard, count_shard(shard, job)
        return
    with ProcessPoolExecutor(min(workers, len(shards)), mp_context=get_context("spawn")) as pool:
        try:
            running = {pool.submit(count_shard, shard, job): shard for shard in shards}
            for done in as_completed(running):
                yield running[done], done.result()
        except BrokenProcessPool:
            reason = (
                "a process was killed, perhaps for lack of memory; run with fewer --workers; with --resume it goes on"
            )
            raise PipelineError(None, None, f"[workers] {reason}") from None
        finally:
            pool.shutdown(cancel_futures=True)


# --- what is kept from run to run -------------------------------------------------------------------------------------


def _files(shards: Sequence[Shard], job: Job, folder: Path) -> dict[Shard, Path]:
    """Return where each shard's counts are kept.

    Another or newer file, another part of it, question, tool, rule or code has another place. Whether damage is passed over
    makes no difference: the counts say whether there was any.
    """
    how = {name: value for name, value in asdict(job).items() if name != "skip_damaged"}
    told = [how, __version__, _digest(), BACKENDS[job.backend]().packages, _markup()]
    stats = {path: path.stat() for path in {shard.path for shard in shards}}

    def name(shard: Shard) -> str:
        stat = stats[shard.path]
        part = [shard.path.resolve().as_posix(), stat.st_size, stat.st_mtime_ns, shard.form, shard.start, shard.end]
        return f"{sha256(json.dumps([part, told]).encode()).hexdigest()[:24]}.json"

    return {shard: folder / name(shard) for shard in shards}


def _markup() -> str:
    """Return the version of the package that reads the markup of dumps, or nothing where it is not installed."""
    try:
        return version("mwparserfromhell")
    except PackageNotFoundError:
        return ""


def _digest() -> str:
    """Return a digest of the code that reads and counts corpora, and of its rules."""
    digest = sha256()
    for path in [*sorted(Path(__file__).parents[1].rglob("*.py")), *sorted((RULES / "corpus").glob("*.yaml"))]:
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _kept(path: Path, job: Job) -> CorpusCounts | None:
    """Return the counts that a file keeps, None where there is none, it is broken, or has damage that is not to be passed over."""
    try:
        kept = _from_json(json.loads(read_text(path)), path)
    except (PipelineError, ValueError, KeyError, TypeError, AttributeError):
        return None
    return kept if job.skip_damaged or not kept.skipped.count else None


def _to_json(counted: CorpusCounts) -> dict[str, Any]:
    return {
        "counts": counts_to_rows(counted.counts),
        "documents": counted.documents,
        "characters": counted.characters,
        "skipped": asdict(counted.skipped),
    }


def _from_json(value: dict[str, Any], path: Path) -> CorpusCounts:
    counts = counts_from_rows(enumerate(value["counts"], 1), path)
    return CorpusCounts(counts, value["documents"], value["characters"], Skipped(**value["skipped"]))
