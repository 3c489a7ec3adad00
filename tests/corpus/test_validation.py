"""The suite of counts: what the seeded defects do not reach, by hand."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.corpus.counting.counts import Counts, counts_to_rows
from pipeline.release.gate import SUITES
from tests.conftest import Refused
from tests.support.validation import write_rows

Rows = list[dict[str, Any]]


def failures(suite: str, *paths: Path) -> list[tuple[int, str, str]]:
    """Return line, expectation and reason of each failure, without the engine."""
    return [
        (row.line, name, reason)
        for row in SUITES[suite].rows(list(paths))
        for name, check in SUITES[suite].checks.items()
        if (reason := check(row.value))
    ]


# --- counts -----------------------------------------------------------------------------------------------------------

SOUND: Rows = [
    {"windows": 100},
    {"terms": ["伞"], "count": 70},
    {"terms": ["雨"], "count": 60},
    {"terms": ["伞", "雨"], "count": 30},
]


def counted(at: int, **fields: object) -> Rows:
    return [{**row, **fields} if number == at else row for number, row in enumerate(SOUND)]


@pytest.mark.parametrize(
    ("joint", "reason"),
    [
        # 70 windows with 伞 and 60 with 雨 are 130 of 100: in 30 at least they are together
        (30, ""),
        (29, "found 70 + 60 - 29 = 101, expected at most 100"),
    ],
)
def test_two_frequent_terms_must_meet(joint: int, reason: str, tmp_path: Path) -> None:
    failed = failures("counts", write_rows(tmp_path / "counts.jsonl", counted(3, count=joint)))
    assert failed == ([(4, "either-within-windows", reason)] if reason else [])


def test_a_pair_may_be_in_all_windows_of_its_rarer_term_and_no_more(tmp_path: Path) -> None:
    assert failures("counts", write_rows(tmp_path / "counts.jsonl", counted(3, count=60))) == []
    ((line, name, reason),) = failures("counts", write_rows(tmp_path / "counts.jsonl", counted(3, count=61)))
    assert (line, name) == (4, "joint-within-singles")
    assert reason.startswith("found 61, expected at most 60")


def test_a_file_without_windows_is_reported_at_its_first_line_alone(tmp_path: Path) -> None:
    failed = failures("counts", write_rows(tmp_path / "counts.jsonl", SOUND[1:]))
    assert [(line, name) for line, name, _ in failed] == [(1, "windows-first")]


def test_an_empty_file_of_counts_has_no_rows(tmp_path: Path) -> None:
    assert SUITES["counts"].rows([write_rows(tmp_path / "counts.jsonl", [])]) == []


def test_counts_of_two_corpora_are_each_checked_alone(tmp_path: Path) -> None:
    small: Rows = [{"windows": 10}, {"terms": ["伞"], "count": 7}]
    paths = [write_rows(tmp_path / "one.jsonl", SOUND), write_rows(tmp_path / "other.jsonl", small)]
    assert failures("counts", *paths) == []


@pytest.mark.parametrize("row", [{"count": 3}, {"terms": "伞", "count": 3}, {"terms": ["伞", 3], "count": 3}])
def test_a_line_without_windows_and_without_terms_is_refused(
    row: dict[str, Any], tmp_path: Path, refused: Refused
) -> None:
    path = write_rows(tmp_path / "counts.jsonl", [SOUND[0], row])
    refused(lambda: SUITES["counts"].rows([path]), f"{path}:2", "terms")


#: Which of three terms a window holds.
WINDOWS = st.lists(st.sets(st.sampled_from("伞雨风")), min_size=1, max_size=20)


def count(windows: list[set[str]]) -> Counts:
    counts = Counts(len(windows))
    for window in windows:
        counts.terms.update(window)
        counts.pairs.update((first, second) for first in window for second in window if first < second)
    return counts


@given(WINDOWS)
def test_counts_of_real_windows_meet_every_expectation(
    tmp_path_factory: pytest.TempPathFactory, windows: list[set[str]]
) -> None:
    path = write_rows(tmp_path_factory.mktemp("counts") / "counts.jsonl", counts_to_rows(count(windows)))
    assert failures("counts", path) == []
