"""Parquet files with a column of texts, as Hugging Face publishes Wikipedia."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .reading import DamageHandler, Shard, file_size, refuse

_COLUMN = "text"
#: Number of rows held at once; articles are long.
_ROWS = 64
#: Size of pyarrow's read buffer in bytes.
_BUFFER = 1 << 20


def row_group_ranges(path: Path, size: int, _index: Path | None) -> list[tuple[int, int]]:
    """Cut a file at row groups, as soon as a shard has `size` bytes of texts.

    Raises:
        PipelineError: the file is damaged, or has no column of texts.
    """
    file = _open_parquet(path)
    column = _column_number(file)
    ranges, start, held = [], 0, 0
    for group in range(file.metadata.num_row_groups):
        held += file.metadata.row_group(group).column(column).total_uncompressed_size
        if held >= size or group + 1 == file.metadata.num_row_groups:
            ranges.append((start, group + 1))
            start, held = group + 1, 0
    return ranges


def parquet_documents(shard: Shard, damage: DamageHandler) -> Iterator[str]:
    """Yield the text of each row, unless it is blank; damage is a row without text.

    Raises:
        PipelineError: a row group cannot be read.
    """
    from pyarrow import ArrowException

    file = _open_parquet(shard.path)
    column = _column_number(file)
    for group in range(shard.start, min(shard.end, file.metadata.num_row_groups)):
        chunk = file.metadata.row_group(group).column(column)
        offset = min(chunk.data_page_offset, chunk.dictionary_page_offset or chunk.data_page_offset)
        batches = file.iter_batches(batch_size=_ROWS, row_groups=[group], columns=[_COLUMN])
        try:
            for row, text in enumerate(text for batch in batches for text in batch.column(0).to_pylist()):
                if text is None:
                    reason = f"[text] no text; found a null in row {row} of row group {group}, expected a string"
                    damage(shard.path, offset, reason)
                elif text.strip():
                    yield text
        except (ArrowException, OSError, MemoryError, UnicodeDecodeError) as error:
            refuse(shard.path, offset, f"[parquet] row group {group} cannot be read; {_one_line(error)}")


def _open_parquet(path: Path) -> Any:
    """Return the file as pyarrow opens it."""
    from pyarrow import ArrowException, types
    from pyarrow.parquet import ParquetFile

    size = file_size(path)
    try:
        file = ParquetFile(path, buffer_size=_BUFFER, pre_buffer=False)
    except (ArrowException, OSError, MemoryError) as error:
        refuse(path, max(size - 8, 0), f"[parquet] no readable footer; {_one_line(error)}")
    names, footer = file.schema_arrow.names, size - 8 - file.metadata.serialized_size
    if names.count(_COLUMN) != 1:
        columns = ", ".join(map(repr, names))[:200]
        refuse(path, footer, f"[{_COLUMN}] not one column of texts; found {columns}, expected {_COLUMN!r} once")
    column_type = file.schema_arrow.field(_COLUMN).type
    if not (types.is_string(column_type) or types.is_large_string(column_type)):
        refuse(path, footer, f"[{_COLUMN}] wrong column type; found {column_type}, expected string")
    return file


def _column_number(file: Any) -> int:
    """Return the number of the column among the stored ones; a nested column is stored as several."""
    return [file.schema.column(number).path for number in range(len(file.schema))].index(_COLUMN)


def _one_line(error: BaseException) -> str:
    return " ".join(str(error).split())[:200]
