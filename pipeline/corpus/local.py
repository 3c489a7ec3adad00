"""Counting shards in processes of one machine, each shard once even if a run before was killed."""

import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from ..errors import PipelineError
from ..files import read_text, write_text
from .counting import occurrences
from .damage import Skipped, refuse
from .documents import documents
from .question import Question
from .results import counts_from_rows, counts_to_rows
from .shard import Shard
from .text import BACKENDS
from .windows import Counts, Tally, tally, windows_of

#: So many characters are counted at once: enough to make each step worth it, few enough to stay in the cache.
_BATCH = 1 << 18
#: One in so many documents is cut whole to estimate how many windows there are.
_SAMPLE = 50


@dataclass(slots=True)
class Counted:
    """What became of shards: their counts, documents and characters, and what was damaged and passed over."""

    counts: Counts = field(default_factory=Counts)
    documents: int = 0
    characters: int = 0
    skipped: Skipped = field(default_factory=Skipped)

    def add(self, other: "Counted") -> None:
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
            estimated from one document in 50, by its characters.
    """

    question: Question
    backend: str
    skip_damaged: bool = False
    passages: bool = False

    def __post_init__(self) -> None:
        if self.passages and self.question.characters:
            raise PipelineError(None, None, "[passages] nothing is cut into words where windows are of characters")


def count_shard(shard: Shard, job: Job) -> Counted:
    """Return the counts of the documents of a shard, whatever engine runs it.

    Raises:
        PipelineError: damaged input, unless the job passes it over.
    """
    tools = BACKENDS[job.backend]()
    question, found = job.question, Counted()
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
        found.counts.windows = round(windows * found.characters / sampled) if sampled else 0
        found.counts.estimated = True
    return found


def count_shards(
    shards: Sequence[Shard], job: Job, *, workers: int, state: Path | None = None
) -> Iterator[tuple[Shard, Counted]]:
    """Yield each shard with its counts, in the order in which they are done; the sum does not depend on it.

    Args:
        shards: what is to be counted.
        job: how.
        workers: processes; with one, this process counts.
        state: a folder in which each shard's counts are kept, so that another run counts only what is missing.
    """
    missing = []
    for shard in shards:
        kept = _kept(shard, job, state)
        if kept is None:
            missing.append(shard)
        else:
            yield shard, kept
    for shard, counted in _fresh(missing, job, workers):
        if state is not None:
            write_text(state / _name(shard, job), json.dumps(_to_json(counted), ensure_ascii=False))
        yield shard, counted


def _fresh(shards: Sequence[Shard], job: Job, workers: int) -> Iterator[tuple[Shard, Counted]]:
    if workers == 1 or len(shards) < 2:
        for shard in shards:
            yield shard, count_shard(shard, job)
        return
    with ProcessPoolExecutor(min(workers, len(shards)), mp_context=get_context("spawn")) as pool:
        running = {pool.submit(count_shard, shard, job): shard for shard in shards}
        try:
            for done in as_completed(running):
                yield running[done], done.result()
        finally:
            pool.shutdown(cancel_futures=True)


def _name(shard: Shard, job: Job) -> str:
    """Return the name under which a shard's counts are kept: another file, part, question or tool has another one."""
    size = shard.path.stat().st_size
    told = [shard.path.as_posix(), size, shard.form, shard.start, shard.end, asdict(job)]
    return f"{sha256(json.dumps(told).encode()).hexdigest()[:24]}.json"


def _kept(shard: Shard, job: Job, state: Path | None) -> Counted | None:
    path = state / _name(shard, job) if state else None
    return _from_json(json.loads(read_text(path)), path) if path and path.exists() else None


def _to_json(counted: Counted) -> dict[str, Any]:
    return {
        "counts": counts_to_rows(counted.counts),
        "documents": counted.documents,
        "characters": counted.characters,
        "skipped": asdict(counted.skipped),
    }


def _from_json(value: dict[str, Any], path: Path) -> Counted:
    counts = counts_from_rows(enumerate(value["counts"], 1), path)
    return Counted(counts, value["documents"], value["characters"], Skipped(**value["skipped"]))
