"""The documents of a shard, whatever its format."""

from collections.abc import Callable, Iterator, Mapping

from .damage import Damage
from .lines import json_documents, text_documents
from .parquet import parquet_documents
from .shard import Shard
from .wikimedia import wikimedia_documents

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
