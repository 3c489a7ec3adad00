"""The ledgers of printed numbers in replication/: each row is well-formed, and its command prints what it says."""

import contextlib
import io
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from pipeline.core.yamlfile import load_yaml
from tests.conftest import ROOT

LEDGERS = [ROOT / "replication" / name for name in ("german-wsc.yaml",)]
VERDICTS = {"agrees", "differs", "contradicts-itself", "not-recomputable"}
FIELDS = ["id", "where", "what", "printed", "ours", "verdict", "why"]


def printed_by(code: str) -> str:
    """Return what Python code prints."""
    with contextlib.redirect_stdout(io.StringIO()) as stream:
        exec(compile(code, "replication", "exec"), {})  # the commands of our own ledgers
    return stream.getvalue().strip()


@pytest.mark.parametrize("path", LEDGERS, ids=lambda path: path.stem)
def test_rows_are_well_formed(path: Path) -> None:
    rows = load_yaml(path)
    assert len({row["id"] for row in rows}) == len(rows)
    for row in rows:
        assert list(row) == FIELDS, row["id"]
        assert row["verdict"] in VERDICTS, row["id"]
        assert all(isinstance(row[name], str) for name in FIELDS if name != "ours"), row["id"]
        assert row["ours"] is None or list(row["ours"]) == ["command", "value"], row["id"]
        assert row["why"] or row["verdict"] == "agrees", row["id"]
        assert row["ours"] is None or row["verdict"] != "not-recomputable", row["id"]


def arithmetic() -> list[Any]:
    """Return the rows whose command is Python code, with their ids."""
    rows = [(path, row) for path in LEDGERS for row in load_yaml(path) if row["ours"]]
    return [
        pytest.param(row["ours"], id=f"{path.stem}-{row['id']}")
        for path, row in rows
        if row["ours"]["command"].startswith("python -c ")
    ]


@pytest.mark.parametrize("ours", arithmetic())
def test_a_command_prints_its_value(ours: Mapping[str, str]) -> None:
    _, _, code = shlex.split(ours["command"])
    assert printed_by(code) == ours["value"]
