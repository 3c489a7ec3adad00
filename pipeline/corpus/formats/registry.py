"""A corpus file, divided into what single processes read."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from ...core.errors import PipelineError
from .damage import Damage
from .lines import json_documents, text_documents
from .parquet import parquet_documents, parquet_shards
from .shard import FORMS, Shard
from .stream import size_of
from .wikimedia import multistream_shards, wikimedia_documents


def shards(path: Path, form: str, size: int, damage: Damage, index: Path | None = None) -> list[Shard]:
    """Return the shards of a file, in its order; together they hold each document once, and do so whenever they are made.

    Text and JSON Lines are cut every `size` bytes (at least 1). Parquet is at row groups and a dump in many bzip2 streams where
    its index says that one begins, as soon as a shard has `size` bytes. Other dumps are one shard.

    Args:
        path: the file.
        form: one of `FORMS`.
        size: how large a shard is, about.
        damage: is told of a Parquet file that cannot be read and of an index that does not fit; see `documents`.
        index: the index of a dump, if it does not lie beside it under the name that Wikimedia gives it.

    Raises:
        PipelineError: there is no such file or form, or `damage` refuses.
    """
    if form not in FORMS:
        raise PipelineError(path, None, f"[format] unknown; found {form!r}, expected one of {', '.join(FORMS)}")
    if form == "parquet":
        return parquet_shards(path, size, damage)
    end = size_of(path)
    if form == "wikimedia-xml":
        return multistream_shards(path, end, size, damage, index)
    return [Shard(path, form, start, min(start + size, end)) for start in range(0, end, size)]


READERS: Mapping[str, Callable[[Shard, Damage], Iterator[str]]] = {
    "text": text_documents,
    "jsonl": json_documents,
    "parquet": parquet_documents,
    "wikimedia-xml": wikimedia_documents,
}


def documents(shard: Shard, damage: Damage) -> Iterator[str]:
    """Yield the text of each document of a shard, in its order; one that is blank is none.

    Memory does not grow with the file. `damage` is told of what cannot be read, at its byte, and if it returns, reading goes on
    with the next line, page, stream or row group. `refuse` does not return, `Skipped` counts.

    Raises:
        PipelineError: the file cannot be opened, or `damage` refuses.
    """
    yield from READERS[shard.form](shard, damage)
