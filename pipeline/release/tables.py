"""The data files of a release: tables in two formats."""

import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..core.checksums import CHECKSUMS, checksums_of
from ..core.errors import PipelineError
from ..core.files import to_json


def json_lines(rows: Sequence[Mapping[str, Any]]) -> bytes:
    """Return rows as JSON Lines."""
    return "".join(f"{to_json(row)}\n" for row in rows).encode()


def parquet(rows: Sequence[Mapping[str, Any]], path: Path) -> bytes:
    """Return rows as Parquet, with the columns in the order of their keys; the same rows give the same bytes.

    Args:
        rows: the rows.
        path: the file that they are from, for messages.

    Raises:
        PipelineError: a field is of different kinds in two rows, so that it fits no column.
    """
    import pyarrow
    from pyarrow import parquet as writer

    sink = io.BytesIO()
    try:
        writer.write_table(pyarrow.Table.from_pylist([dict(row) for row in rows]), sink, compression="zstd")
    except (pyarrow.ArrowException, OverflowError) as error:
        reason = f"[parquet] rows do not fit one table; {error}, expected each field of one kind in all rows"
        raise PipelineError(path, None, reason) from error
    return sink.getvalue()


def with_tables(
    files: Mapping[str, bytes], tables: Mapping[str, Sequence[Mapping[str, Any]]], directory: Path
) -> dict[str, bytes]:
    """Return the files of a release with each table in both formats, and with the checksums of all.

    Args:
        files: the other files, by name.
        tables: the rows of each data file, by name.
        directory: the build that they are from, for messages.
    """
    data = {}
    for name, rows in tables.items():
        data[f"data/{name}.jsonl"] = json_lines(rows)
        data[f"data/{name}.parquet"] = parquet(rows, directory / f"{name}.jsonl")
    whole = {**files, **data}
    return whole | {CHECKSUMS: checksums_of(whole).encode()}


def size_category(rows: int) -> str:
    """Return how large a dataset is, in the categories of dataset cards.

    >>> size_category(256), size_category(2880), size_category(2_000_000)
    ('n<1K', '1K<n<10K', '1M<n<10M')
    """
    limits = ("1K", "10K", "100K", "1M", "10M", "100M", "1B")
    for number, limit in enumerate(limits):
        if rows < 1000 * 10**number:
            return f"{limits[number - 1]}<n<{limit}" if number else f"n<{limit}"
    return f"n>{limits[-1]}"
