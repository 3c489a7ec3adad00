"""A corpus file, divided into what single processes read."""

from pathlib import Path

from ...core.errors import PipelineError
from .damage import Damage
from .multistream import multistream_shards
from .parquet import parquet_shards
from .shard import FORMS, Shard
from .stream import size_of


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
