"""The two table formats of a release."""

import io
from collections.abc import Mapping, Sequence
from typing import Any

from ..core.files import to_json


def json_lines(rows: Sequence[Mapping[str, Any]]) -> bytes:
    """Return rows as JSON Lines."""
    return "".join(f"{to_json(row)}\n" for row in rows).encode()


def parquet(rows: Sequence[Mapping[str, Any]]) -> bytes:
    """Return rows as Parquet, with the columns in the order of their keys; the same rows give the same bytes."""
    import pyarrow
    from pyarrow import parquet as writer

    sink = io.BytesIO()
    writer.write_table(pyarrow.Table.from_pylist([dict(row) for row in rows]), sink, compression="zstd")
    return sink.getvalue()
