"""Count shards in processes of one machine; a run that was killed continues with the shards that are missing."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeVar

from ... import __version__
from ...core.convert import Count, convert, to_object
from ...core.errors import PipelineError
from ...core.files import from_json, read_text, to_json, write_text
from ...core.rules import RULES
from ..formats.reading import Document, LeftOut, Shard, SkippedDamage, refuse
from ..formats.registry import FORMATS, documents, marked_documents
from .counts import Counts, counts_from_rows, counts_to_rows
from .relevance import TermFilter
from .segmenters import BACKENDS, BackendName
from .terms import TermQuery
from .windows import count_windows, occurrences, windows_of

_Value = TypeVar("_Value")
#: Number of characters counted at once: enough to make each step worth its cost, few enough to stay in the cache.
_BATCH = 1 << 18
#: Maximum number of documents of a batch, which bounds the memory that many small ones take.
_DOCUMENTS = 1 << 9
#: With passages, one document in this many is segmented whole, to estimate the number of windows.
_SAMPLE = 50


@dataclass(frozen=True, slots=True)
class Job:
    """How to count shards."""

    query: TermQuery  # the terms and the window
    backend: BackendName
    skip_damaged: bool = False  # whether damage is skipped
    #: Whether only passages near terms are segmented, and markup is removed only from pages that may have a term. The counts of terms and
    #: pairs are the same; the number of all windows is estimated from one document in 50, and is at least that of the words segmented.
    passages: bool = False

    def __post_init__(self) -> None:
        if self.passages and self.query.characters:
            reason = "[passages] no segmentation; found windows of characters, expected windows of words"
            raise PipelineError(None, None, reason)


@dataclass(slots=True)
class CorpusCounts:
    """The counts of shards, with the number of their documents and characters, the damage skipped in them, and what was left out."""

    counts: Counts = field(default_factory=Counts)
    documents: int = 0
    characters: int = 0  # with passages, those of the documents not read are estimated
    unread: int = 0  # the documents not read, as they have no term; with passages only
    skipped: SkippedDamage = field(default_factory=SkippedDamage)
    left_out: LeftOut = field(default_factory=Counter)  # the documents that are no running text, by what they are

    def add(self, other: "CorpusCounts") -> None:
        """Add the counts of other shards."""
        self.counts.add(other.counts)
        self.documents += other.documents
        self.characters += other.characters
        self.unread += other.unread
        self.skipped.add(other.skipped)
        self.left_out.update(other.left_out)


@dataclass(slots=True)
class _Sample:
    """The sizes of documents with their markup, and the sample from which the number of windows is estimated, all in characters."""

    all: int = 0
    unread: int = 0  # of the documents that are not read, as none has a term
    sampled: int = 0  # of the sample, one document in `_SAMPLE`
    characters: int = 0  # of the sample without its markup
    windows: int = 0  # of the sample


def count_shard(shard: Shard, job: Job) -> CorpusCounts:
    """Count the documents of a shard; every engine runs this function.

    Raises:
        PipelineError: damaged input, unless the job skips it.
    """
    backend, query, result, sample = BACKENDS[job.backend](), job.query, CorpusCounts(), _Sample()
    damage = result.skipped if job.skip_damaged else refuse
    texts: Iterator[tuple[str, bool]] = ((text, False) for text in documents(shard, damage, result.left_out))
    if job.passages:
        texts = _texts_to_count(marked_documents(shard, damage, result.left_out), shard, job, result, sample)
    for pairs in _batches((pair, len(pair[0])) for pair in texts):
        batch = [text for text, _ in pairs]
        if sampled := [text for text, in_sample in pairs if in_sample]:
            sample.characters += sum(map(len, sampled))
            sample.windows += int(windows_of(occurrences(sampled, query, backend).lengths, query.size).sum())
        places = occurrences(batch, query, backend, passages=job.passages)
        result.counts.add(count_windows(places, query.terms, query.size))
        result.documents += len(batch)
        result.characters += sum(map(len, batch))
    if job.passages:
        sampled_size = max(sample.sampled, 1)
        result.documents += result.unread
        result.characters += round(sample.characters * sample.unread / sampled_size)
        estimate = round(sample.windows * sample.all / sampled_size)
        result.counts.windows = max(estimate, result.counts.windows)  # those of the segmented words hold the terms
        result.counts.estimated = True
    return result


def _texts_to_count(
    marked: Iterable[Document], shard: Shard, job: Job, result: CorpusCounts, sample: _Sample
) -> Iterator[tuple[str, bool]]:
    """Yield the text of each document that may have a term or is in the sample, and whether it is; measure them and the others."""
    may_have_term = TermFilter(job.query.numbers) if FORMATS[shard.format].marked else None
    sizes = ((document, len(document.source)) for document in marked)
    number = 0
    for batch in _batches(sizes):
        wanted = may_have_term([document.source for document in batch]) if may_have_term else [True] * len(batch)
        for document, is_wanted in zip(batch, wanted, strict=True):
            size, in_sample = len(document.source), number % _SAMPLE == 0
            number += 1
            sample.all += size
            sample.sampled += size * in_sample
            if not is_wanted and not in_sample:
                result.unread += 1
                sample.unread += size
            elif text := document.text():
                yield text, in_sample


def _batches(sizes: Iterable[tuple[_Value, int]]) -> Iterator[list[_Value]]:
    """Yield values in batches, each with its number of characters."""
    batch: list[_Value] = []
    total = 0
    for value, size in sizes:
        batch.append(value)
        total += size
        if total > _BATCH or len(batch) == _DOCUMENTS:
            yield batch
            batch, total = [], 0
    if batch:
        yield batch


def count_shards(
    shards: Sequence[Shard], job: Job, *, workers: int, state: Path | None = None
) -> Iterator[tuple[Shard, CorpusCounts, bool]]:
    """Count shards in several processes; the sum does not depend on their order.

    Args:
        workers: number of processes; with one, this process counts.
        state: a folder that keeps the counts of each shard, so that another run counts only what is missing.

    Yields:
        Each shard with its counts, and whether an earlier run counted them. Those come first, the others as they finish.

    Raises:
        PipelineError: damaged input, unless the job skips it; a process was killed.
    """
    files = _state_files(shards, job, state) if state else {}
    missing = []
    for shard in shards:
        kept = _read_state(files[shard], job) if state else None
        if kept is None:
            missing.append(shard)
        else:
            yield shard, kept, True
    for shard, counts in _count_missing(missing, job, workers):
        if state:
            _write_state(files[shard], counts)
        yield shard, counts, False


def _count_missing(shards: Sequence[Shard], job: Job, workers: int) -> Iterator[tuple[Shard, CorpusCounts]]:
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
            reason = "a process was killed, perhaps for lack of memory; run with fewer --workers, --resume continues"
            raise PipelineError(None, None, f"[workers] {reason}") from None
        finally:
            pool.shutdown(cancel_futures=True)


# --- the state of a run -----------------------------------------------------------------------------------------------


def _state_files(shards: Sequence[Shard], job: Job, folder: Path) -> dict[Shard, Path]:
    """Return the file that keeps the counts of each shard.

    The name changes with the corpus file, the part of it, the query, the back end, its packages, the rules and the code. It does not
    change with `skip_damaged`: the counts say whether there was damage.
    """
    options = {name: value for name, value in asdict(job).items() if name != "skip_damaged"}
    common = [options, __version__, _digest(), BACKENDS[job.backend]().packages]
    stats = {path: path.stat() for path in {shard.path for shard in shards}}

    def name(shard: Shard) -> str:
        stat = stats[shard.path]
        part = [shard.path.resolve().as_posix(), stat.st_size, stat.st_mtime_ns, shard.format, shard.start, shard.end]
        part.append(shard.field)
        key = json.dumps([part, common])
        return f"{sha256(key.encode()).hexdigest()[:24]}.json"

    return {shard: folder / name(shard) for shard in shards}


def _digest() -> str:
    """Return a digest of the code that reads and counts corpora, and of its rules."""
    digest = sha256()
    for path in [*sorted(Path(__file__).parents[1].rglob("*.py")), *sorted((RULES / "corpus").glob("*.yaml"))]:
        digest.update(path.read_bytes())
    return digest.hexdigest()


@dataclass(frozen=True, slots=True)
class _State:
    """The counts of a shard as a state file has them."""

    counts: list[dict[str, Any]]
    documents: Count
    characters: Count
    unread: Count
    skipped: SkippedDamage
    left_out: dict[str, int]


def _read_state(path: Path, job: Job) -> CorpusCounts | None:
    """Return the counts of a state file; None if it is missing or broken, or if it has damage that the job does not skip."""
    try:
        state = convert(from_json(read_text(path)), _State)
        counts = counts_from_rows(enumerate(state.counts, 1), path)
    except (PipelineError, ValueError):
        return None
    if state.skipped.count and not job.skip_damaged:
        return None
    return CorpusCounts(counts, state.documents, state.characters, state.unread, state.skipped, Counter(state.left_out))


def _write_state(path: Path, result: CorpusCounts) -> None:
    state = _State(
        counts_to_rows(result.counts),
        result.documents,
        result.characters,
        result.unread,
        result.skipped,
        dict(result.left_out),
    )
    write_text(path, to_json(to_object(state)))
