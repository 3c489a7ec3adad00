"""Parquet files with a column of texts, as Hugging Face publishes Wikipedia."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ...core.hints import signature_hint
from .reading import TEXT_FIELD, DamageHandler, LeftOut, Shard, field_text, file_size, open_file, read_chunk, refuse

#: Number of rows held at once; articles are long.
_ROWS = 64
#: Size of pyarrow's read buffer in bytes.
_BUFFER = 1 << 20


def row_group_ranges(path: Path, size: int, _index: Path | None, field: str) -> list[tuple[int, int]]:
    """Cut a file at row groups, as soon as a shard has `size` bytes of texts.

    Raises:
        PipelineError: the file is damaged, or has no column of texts.
    """
    file = _open_parquet(path)
    _, numbers = _text_columns(file, path, field)
    ranges, start, held = [], 0, 0
    for group in range(file.metadata.num_row_groups):
        held += sum(file.metadata.row_group(group).column(number).total_uncompressed_size for number in numbers)
        if held >= size or group + 1 == file.metadata.num_row_groups:
            ranges.append((start, group + 1))
            start, held = group + 1, 0
    return ranges


def parquet_documents(shard: Shard, damage: DamageHandler, _left_out: LeftOut) -> Iterator[str]:
    """Yield the text of each row, unless it is blank; damage is a row without text.

    Raises:
        PipelineError: a row group cannot be read.
    """
    from pyarrow import ArrowException

    file = _open_parquet(shard.path)
    column, numbers = _text_columns(file, shard.path, shard.field)
    for group in range(shard.start, min(shard.end, file.metadata.num_row_groups)):
        chunk = file.metadata.row_group(group).column(numbers[0])
        offset = min(chunk.data_page_offset, chunk.dictionary_page_offset or chunk.data_page_offset)
        batches = file.iter_batches(batch_size=_ROWS, row_groups=[group], columns=[column])
        try:
            for row, value in enumerate(value for batch in batches for value in batch.column(0).to_pylist()):
                text = field_text({column: value}, shard.field)
                if text is None:
                    reason = f"no text; found a null in row {row} of row group {group}, expected a string"
                    damage(shard.path, offset, f"[{shard.field}] {reason}")
                elif text.strip():
                    yield text
        except (ArrowException, OSError, MemoryError, UnicodeDecodeError) as error:
            refuse(shard.path, offset, f"[parquet] row group {group} cannot be read; {_one_line(error)}")


def _open_parquet(path: Path) -> Any:
    """Return the file as pyarrow opens it."""
    from pyarrow import ArrowException
    from pyarrow.parquet import ParquetFile

    size = file_size(path)
    try:
        return ParquetFile(path, buffer_size=_BUFFER, pre_buffer=False)
    except (ArrowException, OSError, MemoryError) as error:
        with open_file(path) as file:
            hint = signature_hint(read_chunk(file, path, 8))
        refuse(path, max(size - 8, 0), f"[parquet] no readable footer; {_one_line(error)}{hint}")


def _text_columns(file: Any, path: Path, field: str) -> tuple[str, list[int]]:
    """Return the column that holds a field, and the numbers of the stored columns of the field; a nested column is stored as several.

    Raises:
        PipelineError: no column, or more than one, has the name, or it holds no texts.
    """
    schema, footer = file.schema_arrow, file_size(path) - 8 - file.metadata.serialized_size
    columns = [name for name in schema.names if field == name or field.startswith(f"{name}.")]
    column = max(columns, key=len, default="")
    if columns.count(column) != 1:
        names = ", ".join(map(repr, schema.names))[:200]
        way_out = "" if field != TEXT_FIELD or columns else " (--field names another)"
        refuse(path, footer, f"[{field}] not one column of texts; found {names}, expected {field!r} once{way_out}")
    column_type = schema.field(column).type
    if not _holds_text(column_type, field[len(column) + 1 :]):
        refuse(path, footer, f"[{field}] wrong column type; found {str(column_type)[:200]}, expected string")
    paths = [file.schema.column(number).path for number in range(len(file.schema))]
    return column, [number for number, stored in enumerate(paths) if f"{stored}.".startswith(f"{column}.")]


def _holds_text(column_type: Any, field: str) -> bool:
    """Return whether a type holds texts, or lists of them, under a field."""
    from pyarrow import types

    of_values = (types.is_dictionary, types.is_list, types.is_large_list, types.is_fixed_size_list)
    if any(is_kind(column_type) for is_kind in of_values):
        return _holds_text(column_type.value_type, field)
    if types.is_struct(column_type):
        heads = [part.name for part in column_type if field == part.name or field.startswith(f"{part.name}.")]
        head = max(heads, key=len, default="")
        return bool(heads) and _holds_text(column_type.field(head).type, field[len(head) + 1 :])
    texts = (types.is_string, types.is_large_string, types.is_string_view)
    data = (types.is_binary, types.is_large_binary, types.is_binary_view)
    return not field and any(is_kind(column_type) for is_kind in (*texts, *data))


def _one_line(error: BaseException) -> str:
    return " ".join(str(error).split())[:200]
