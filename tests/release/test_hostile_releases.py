"""Rows that fit no table, and tables that unpack to more than a release has."""

from pathlib import Path
from typing import Any

import pytest

from pipeline.release.tables import json_lines, parquet
from pipeline.release.validation import folder
from pipeline.release.validation.suite import release_rows
from tests.conftest import Refused

HERE = Path("nli.jsonl")


@pytest.mark.parametrize("value", ["b", {"b": 1}, [1], 2**70])
def test_rows_of_different_kinds_are_refused(value: Any, refused: Refused) -> None:
    message = refused(lambda: parquet([{"a": 1}, {"a": value}], HERE), "nli.jsonl", "parquet")
    assert "expected each field of one kind" in message


@pytest.mark.parametrize(("limit", "what"), [("MAX_ROWS", "2 rows"), ("MAX_SIZE", "bytes")])
def test_a_table_that_unpacks_to_too_much_is_refused(
    limit: str, what: str, tmp_path: Path, refused: Refused, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [{"id": "a"}, {"id": "b"}]
    (tmp_path / "data").mkdir()
    (tmp_path / "README.md").write_text("# Card\n")
    (tmp_path / "data" / "zh.jsonl").write_bytes(json_lines(rows))
    (tmp_path / "data" / "zh.parquet").write_bytes(parquet(rows, HERE))
    assert release_rows([tmp_path])
    monkeypatch.setattr(folder, limit, 1)
    message = refused(lambda: release_rows([tmp_path]), str(tmp_path / "data" / "zh.parquet"), "parquet")
    assert what in message
    assert "expected at most 1" in message
