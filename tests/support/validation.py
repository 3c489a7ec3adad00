"""Artifacts for the tests of validation, and the command."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from pipeline.core.convert import to_object
from pipeline.core.files import write_jsonl
from tests.support.commands import app
from tests.support.items import marked

Rows = list[dict[str, Any]]


def sound_pair(schema: str = "t-0001") -> Rows:
    """Return two items that meet every expectation."""
    return [
        to_object(
            marked(
                f"小猫追小狗，【它】跑得{word}。",
                f"{schema}-{version}",
                candidates=("小猫", "小狗"),
                answer=answer,
                question=f"谁跑得{word}？",
            )
        )
        for version, answer, word in (("a", 0, "快"), ("b", 1, "慢"))
    ]


def write_rows(path: Path, rows: Sequence[Any]) -> Path:
    """Write rows as JSON Lines."""
    write_jsonl(path, rows)
    return path


def validate_command(*arguments: str | Path) -> tuple[int, str, list[str]]:
    """Return the exit code, what the command printed, and the lines of its errors."""
    result = CliRunner().invoke(app, ["validate", *map(str, arguments)])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.stdout, result.stderr.splitlines()
