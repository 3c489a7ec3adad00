"""The data files of a release: tables in two formats."""

import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..core.checksums import CHECKSUMS, checksums_of
from ..core.errors import PipelineError
from ..core.files import json_lines
from .metadata import CITATION, CROISSANT, citation, croissant, stamp
from .sources import Source


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
    directory: Path,
    source: Source,
    files: Mapping[str, bytes],
    tables: Mapping[str, Sequence[Mapping[str, Any]]],
    records: Mapping[str, Sequence[Mapping[str, Any]]],
) -> dict[str, bytes]:
    """Return the files of a release: the other files and each table in both formats, with metadata and the checksums of all.

    Args:
        directory: the build that they are from, whose name is that of the release.
        source: what the collection was made from.
        files: the other files, by name.
        tables: the rows of each data file, by name.
        records: the rows of each other file of JSON Lines, by its name. All rows get the fields of `stamp`.
    """
    name, stamped, whole = directory.name, stamp(directory.name, source), dict(files)
    whole |= {file: json_lines([{**row, **stamped} for row in rows]) for file, rows in records.items()}
    data = {table: [{**row, **stamped} for row in rows] for table, rows in tables.items()}
    for table in data:
        whole[f"data/{table}.jsonl"] = json_lines(data[table])
        whole[f"data/{table}.parquet"] = parquet(data[table], directory / f"{table}.jsonl")
    whole |= metadata_files(name, source, data, whole)
    return whole | {CHECKSUMS: checksums_of(whole).encode()}


def metadata_files(
    name: str, source: Source, tables: Mapping[str, Sequence[Mapping[str, Any]]], files: Mapping[str, bytes]
) -> dict[str, bytes]:
    """Return the citation and the Croissant metadata of a release, from the rows of its data files and its other files."""
    import pyarrow

    schemas = {table: pyarrow.Table.from_pylist([dict(row) for row in rows]).schema for table, rows in tables.items()}
    languages = sorted({str(row["lang"]) for row in next(iter(tables.values())) if "lang" in row})
    cited = {CITATION: citation(name, source).encode()}
    return cited | {CROISSANT: croissant(name, languages, source, schemas, {**files, **cited}).encode()}


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
