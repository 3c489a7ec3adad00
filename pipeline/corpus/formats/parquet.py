"""Parquet with a column of texts, such as Hugging Face publishes Wikipedia in."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .damage import Damage
from .shard import Shard
from .stream import size_of

_COLUMN = "text"
#: Rows held at once: articles are long.
_ROWS = 64
_BUFFER = 1 << 20


def parquet_shards(path: Path, size: int, damage: Damage) -> list[Shard]:
    """Return the row groups of a file in shards of at least `size` bytes of texts; none of a file that cannot be read."""
    file = _file(path, damage)
    if file is None:
        return []
    column = _leaf(file)
    shards, start, held = [], 0, 0
    for group in range(file.metadata.num_row_groups):
        held += file.metadata.row_group(group).column(column).total_uncompressed_size
        if held >= size or group + 1 == file.metadata.num_row_groups:
            shards.append(Shard(path, "parquet", start, group + 1))
            start, held = group + 1, 0
    return shards


def parquet_documents(shard: Shard, damage: Damage) -> Iterator[str]:
    """Yield the text of each row where it is not blank; damage is a row without, and a row group that cannot be read."""
    file = _file(shard.path, damage)
    if file is None:
        return
    column = _leaf(file)
    for group in range(shard.start, min(shard.end, file.metadata.num_row_groups)):
        chunk = file.metadata.row_group(group).column(column)
        offset = min(chunk.data_page_offset, chunk.dictionary_page_offset or chunk.data_page_offset)
        for row, value in enumerate(_values(file, group, offset, shard.path, damage)):
            where = f"row {row} of row group {group}"
            if value is None:
                damage(shard.path, offset, f"[text] no text; found a null in {where}, expected a string")
                continue
            try:
                text = value.decode("utf-8")
            except UnicodeDecodeError as error:
                found = f"found byte 0x{value[error.start]:02x} in {where}"
                damage(shard.path, offset, f"[encoding] not UTF-8; {found}, expected UTF-8 text")
                continue
            if text.strip():
                yield text


def _file(path: Path, damage: Damage) -> Any:
    """Return the file, opened by pyarrow; None if it is damaged."""
    from pyarrow import ArrowException, types
    from pyarrow.parquet import ParquetFile

    size = size_of(path)
    try:
        file = ParquetFile(path, buffer_size=_BUFFER, pre_buffer=False)
    except (ArrowException, OSError, MemoryError) as error:
        damage(path, max(size - 8, 0), f"[parquet] no readable footer; {_one_line(error)}")
        return None
    schema, footer = file.schema_arrow, size - 8 - file.metadata.serialized_size
    if _COLUMN not in schema.names:
        found = ", ".join(map(repr, schema.names))[:200]
        damage(path, footer, f"[{_COLUMN}] missing column; found {found}, expected {_COLUMN!r}")
        return None
    if (columns := schema.names.count(_COLUMN)) > 1:
        damage(path, footer, f"[{_COLUMN}] not unique; found {columns} columns of that name, expected one")
        return None
    kind = schema.field(_COLUMN).type
    if not (types.is_string(kind) or types.is_large_string(kind)):
        damage(path, footer, f"[{_COLUMN}] wrong kind of column; found {kind}, expected string")
        return None
    return file


def _leaf(file: Any) -> int:
    """Return the number of the column among those that are stored, of which a nested column is several."""
    return [file.schema.column(number).path for number in range(len(file.schema))].index(_COLUMN)


def _values(file: Any, group: int, offset: int, path: Path, damage: Damage) -> Iterator[bytes | None]:
    """Yield the texts of a row group as they are stored: pyarrow does not say which of them is not UTF-8."""
    from pyarrow import ArrowException, large_binary

    try:
        for batch in file.iter_batches(batch_size=_ROWS, row_groups=[group], columns=[_COLUMN]):
            yield from batch.column(0).cast(large_binary()).to_pylist()
    except (ArrowException, OSError, MemoryError) as error:
        damage(path, offset, f"[parquet] row group {group} cannot be read; {_one_line(error)}")


def _one_line(error: BaseException) -> str:
    return " ".join(str(error).split())[:200]
