"""The suite of counts: what the seeded defects do not reach, by hand."""

from pathlib import Path
from typing import Any

import pytest

from pipeline.release.gate import SUITES
from tests.conftest import Refused
from tests.support.validation import write_rows

SUITE = SUITES["counts"]
SOUND: list[dict[str, Any]] = [
    {"windows": 100},
    {"terms": ["伞"], "count": 70},
    {"terms": ["雨"], "count": 60},
    {"terms": ["伞", "雨"], "count": 30},
]


def failures(path: Path) -> list[tuple[int, str, str]]:
    """Return line, expectation and reason of each failure, without the engine."""
    return [
        (row.line, name, reason)
        for row in SUITE.rows([path])
        for name, check in SUITE.checks.items()
        if (reason := check(row.value))
    ]


@pytest.mark.parametrize(
    ("joint", "check", "reason"),
    [
        # 70 windows with 伞 and 60 with 雨 are 130 of 100: in 30 at least they are together, and in 60 at most
        (29, "either-within-windows", "found 70 + 60 - 29 = 101, expected at most 100"),
        (30, "", ""),
        (60, "", ""),
        (61, "joint-within-singles", "found 61, expected at most 60"),
    ],
)
def test_two_frequent_terms_must_meet_and_no_oftener_than_the_rarer_one_occurs(
    joint: int, check: str, reason: str, tmp_path: Path
) -> None:
    failed = failures(write_rows(tmp_path / "counts.jsonl", [*SOUND[:3], SOUND[3] | {"count": joint}]))
    assert [(line, name) for line, name, _ in failed] == ([(4, check)] if check else [])
    assert all(found.startswith(reason) for _, _, found in failed)


def test_a_file_without_windows_is_reported_at_its_first_line_alone(tmp_path: Path) -> None:
    failed = failures(write_rows(tmp_path / "counts.jsonl", SOUND[1:]))
    assert [(line, name) for line, name, _ in failed] == [(1, "windows-first")]


@pytest.mark.parametrize("row", [{"count": 3}, {"terms": "伞", "count": 3}, {"terms": ["伞", 3], "count": 3}])
def test_a_line_without_windows_and_without_terms_is_refused(
    row: dict[str, Any], tmp_path: Path, refused: Refused
) -> None:
    path = write_rows(tmp_path / "counts.jsonl", [SOUND[0], row])
    refused(lambda: SUITE.rows([path]), f"{path}:2", "terms")
