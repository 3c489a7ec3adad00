"""Parquet files with a column of texts, as Hugging Face publishes Wikipedia."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .reading import DamageHandler, Shard, file_size

_COLUMN = "text"
#: Number of rows held at once; articles are long.
_ROWS = 64
#: Size of pyarrow's read buffer in bytes.
_BUFFER = 1 << 20


def row_group_ranges(path: Path, size: int, damage: DamageHandler, _index: Path | None) -> list[tuple[int, int]]:
    """Cut a file at row groups, as soon as a shard has `size` bytes of texts; a file that cannot be read has no shards."""
    file = _open_parquet(path, damage)
    if file is None:
        return []
    column = _column_number(file)
    ranges, start, held = [], 0, 0
    for group in range(file.metadata.num_row_groups):
        held += file.metadata.row_group(group).column(column).total_uncompressed_size
        if held >= size or group + 1 == file.metadata.num_row_groups:
            ranges.append((start, group + 1))
            start, held = group + 1, 0
    return ranges


def parquet_documents(shard: Shard, damage: DamageHandler) -> Iterator[str]:
    """Yield the text of each row, unless it is blank; damage is a row without text and a row group that cannot be read."""
    file = _open_parquet(shard.path, damage)
    if file is None:
        return
    column = _column_number(file)
    for group in range(shard.start, min(shard.end, file.metadata.num_row_groups)):
        chunk = file.metadata.row_group(group).column(column)
        offset = min(chunk.data_page_offset, chunk.dictionary_page_offset or chunk.data_page_offset)
        for row, value in enumerate(_values(file, group, offset, shard.path, damage)):
            place = f"row {row} of row group {group}"
            if value is None:
                damage(shard.path, offset, f"[text] no text; found a null in {place}, expected a string")
                continue
            try:
                text = value.decode("utf-8")
            except UnicodeDecodeError as error:
                reason = f"not UTF-8; found byte 0x{value[error.start]:02x} in {place}, expected UTF-8 text"
                damage(shard.path, offset, f"[encoding] {reason}")
                continue
            if text.strip():
                yield text


def _open_parquet(path: Path, damage: DamageHandler) -> Any:
    """Return the file as pyarrow opens it; None if it is damaged."""
    from pyarrow import ArrowException, types
    from pyarrow.parquet import ParquetFile

    size = file_size(path)
    try:
        file = ParquetFile(path, buffer_size=_BUFFER, pre_buffer=False)
    except (ArrowException, OSError, MemoryError) as error:
        damage(path, max(size - 8, 0), f"[parquet] no readable footer; {_one_line(error)}")
        return None
    names, footer = file.schema_arrow.names, size - 8 - file.metadata.serialized_size
    if _COLUMN not in names:
        columns = ", ".join(map(repr, names))[:200]
        damage(path, footer, f"[{_COLUMN}] missing column; found {columns}, expected {_COLUMN!r}")
        return None
    if (count := names.count(_COLUMN)) > 1:
        damage(path, footer, f"[{_COLUMN}] not unique; found {count} columns of that name, expected one")
        return None
    column_type = file.schema_arrow.field(_COLUMN).type
    if not (types.is_string(column_type) or types.is_large_string(column_type)):
        damage(path, footer, f"[{_COLUMN}] wrong column type; found {column_type}, expected string")
        return None
    return file


def _column_number(file: Any) -> int:
    """Return the number of the column among the stored ones; a nested column is stored as several."""
    return [file.schema.column(number).path for number in range(len(file.schema))].index(_COLUMN)


def _values(file: Any, group: int, offset: int, path: Path, damage: DamageHandler) -> Iterator[bytes | None]:
    """Yield the texts of a row group as bytes: pyarrow does not say which of them is not UTF-8."""
    from pyarrow import ArrowException, large_binary

    try:
        for batch in file.iter_batches(batch_size=_ROWS, row_groups=[group], columns=[_COLUMN]):
            yield from batch.column(0).cast(large_binary()).to_pylist()
    except (ArrowException, OSError, MemoryError) as error:
        damage(path, offset, f"[parquet] row group {group} cannot be read; {_one_line(error)}")


def _one_line(error: BaseException) -> str:
    return " ".join(str(error).split())[:200]
