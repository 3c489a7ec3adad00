"""The table of corpus formats: how a file is divided into shards, how a shard is read, which package that needs."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...core.errors import PipelineError
from ...core.packages import require_packages
from .lines import json_documents, line_ranges, text_documents, text_ranges
from .parquet import parquet_documents, row_group_ranges
from .reading import DamageHandler, FormatName, Shard
from .wikimedia import stream_ranges, wikimedia_documents


@dataclass(frozen=True, slots=True)
class Format:
    """How the files of a format are read."""

    #: Takes a file, the size of a shard in bytes (1 or more), and the index of a dump or None. Returns the start and the end of each
    #: shard, in order; together they hold each document once.
    ranges: Callable[[Path, int, Path | None], list[tuple[int, int]]]
    documents: Callable[
        [Shard, DamageHandler], Iterator[str]
    ]  # yields the text of each document of a shard that is not blank
    package: str = ""  # a package outside the base installation that `documents` imports, or an empty text


#: The formats by name.
FORMATS: Mapping[FormatName, Format] = {
    "text": Format(text_ranges, text_documents),
    "jsonl": Format(line_ranges, json_documents),
    "parquet": Format(row_group_ranges, parquet_documents),
    "wikimedia-xml": Format(stream_ranges, wikimedia_documents, "mwparserfromhell"),
}


def shards_of_corpus(
    paths: Sequence[Path], format_name: FormatName, size: int, index: Path | None = None
) -> list[Shard]:
    """Divide the files of a corpus into shards; see `shards`.

    Raises:
        PipelineError: a file is given twice, under any name: it would be counted twice.
    """
    seen: dict[Path, Path] = {}
    for path in paths:
        file = path.resolve()
        if file in seen:
            raise PipelineError(path, None, f"[corpus] given twice; found it as {seen[file]} too, expected it once")
        seen[file] = path
    return [shard for path in paths for shard in shards(path, format_name, size, index)]


def shards(path: Path, format_name: FormatName, size: int, index: Path | None = None) -> list[Shard]:
    """Divide a file into shards, in its order; the same file is always divided alike.

    Text and JSON Lines are cut every `size` bytes. Parquet is cut at row groups, and a multistream dump at the streams in its
    index, as soon as a shard has `size` bytes. Other dumps are one shard.

    Args:
        size: the size of a shard in bytes, about; 1 or more.
        index: the index of a dump, unless it lies beside it under Wikimedia's name.

    Raises:
        PipelineError: the file is missing or damaged, its index does not fit, or the package of the format is missing.
    """
    return [
        Shard(path, format_name, start, end) for start, end in _usable_format(format_name).ranges(path, size, index)
    ]


def documents(shard: Shard, damage: DamageHandler) -> Iterator[str]:
    """Yield the text of each document of a shard, in its order; blank documents are left out.

    Memory does not grow with the file. A damaged document is reported at its byte; if `damage` returns, reading continues with the
    next one.

    Raises:
        PipelineError: the file cannot be read, the package of the format is missing, or `damage` refuses.
    """
    yield from _usable_format(shard.format).documents(shard, damage)


def _usable_format(format_name: FormatName) -> Format:
    """Return a format, once its package is known to be installed."""
    chosen = FORMATS[format_name]
    if chosen.package:
        require_packages("corpus", chosen.package)
    return chosen
