"""Suites of counts and of answers by word association: what the seeded defects do not reach, by hand."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.corpus.counting.counts import Counts, counts_to_rows
from pipeline.corpus.pmi import decide, pmi
from pipeline.corpus.validation.associations import bits_of, pmis_of
from pipeline.release.gate import SUITES
from tests.conftest import Refused

Rows = list[dict[str, Any]]


def written(path: Path, rows: Rows) -> Path:
    path.write_text("".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows), encoding="utf-8")
    return path


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
    failed = failures("counts", written(tmp_path / "counts.jsonl", counted(3, count=joint)))
    assert failed == ([(4, "either-within-windows", reason)] if reason else [])


def test_a_pair_may_be_in_all_windows_of_its_rarer_term_and_no_more(tmp_path: Path) -> None:
    assert failures("counts", written(tmp_path / "counts.jsonl", counted(3, count=60))) == []
    ((line, name, reason),) = failures("counts", written(tmp_path / "counts.jsonl", counted(3, count=61)))
    assert (line, name) == (4, "joint-within-singles")
    assert reason.startswith("found 61, expected at most 60")


def test_windows_that_are_too_few_are_reported_at_every_count_above(tmp_path: Path) -> None:
    failed = failures("counts", written(tmp_path / "counts.jsonl", counted(0, windows=60)))
    assert [(line, name) for line, name, _ in failed] == [(2, "within-windows"), (4, "either-within-windows")]


def test_a_file_without_windows_is_reported_at_its_first_line_alone(tmp_path: Path) -> None:
    failed = failures("counts", written(tmp_path / "counts.jsonl", SOUND[1:]))
    assert [(line, name) for line, name, _ in failed] == [(1, "windows-first")]


def test_an_empty_file_of_counts_has_no_rows(tmp_path: Path) -> None:
    assert SUITES["counts"].rows([written(tmp_path / "counts.jsonl", [])]) == []


def test_a_term_without_a_line_of_its_own_is_named_at_its_pair(tmp_path: Path) -> None:
    failed = failures("counts", written(tmp_path / "counts.jsonl", [*SOUND[:2], SOUND[3]]))
    assert failed == [(3, "terms-counted", "found no count of '雨' alone")]


def test_a_pair_given_in_both_orders_is_given_twice(tmp_path: Path) -> None:
    turned = {"terms": ["雨", "伞"], "count": 30}
    failed = failures("counts", written(tmp_path / "counts.jsonl", [*SOUND, turned]))
    assert [(line, name) for line, name, _ in failed] == [(4, "given-once"), (5, "pair-in-order"), (5, "given-once")]


def test_counts_of_two_corpora_are_each_checked_alone(tmp_path: Path) -> None:
    small: Rows = [{"windows": 10}, {"terms": ["伞"], "count": 7}]
    paths = [written(tmp_path / "one.jsonl", SOUND), written(tmp_path / "other.jsonl", small)]
    assert failures("counts", *paths) == []


def test_windows_may_be_an_estimate(tmp_path: Path) -> None:
    assert failures("counts", written(tmp_path / "counts.jsonl", counted(0, estimated=True))) == []


@pytest.mark.parametrize("row", [{"count": 3}, {"terms": "伞", "count": 3}, {"terms": ["伞", 3], "count": 3}])
def test_a_line_without_windows_and_without_terms_is_refused(
    row: dict[str, Any], tmp_path: Path, refused: Refused
) -> None:
    path = written(tmp_path / "counts.jsonl", [SOUND[0], row])
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
    path = written(tmp_path_factory.mktemp("counts") / "counts.jsonl", counts_to_rows(count(windows)))
    assert failures("counts", path) == []


# --- answers ----------------------------------------------------------------------------------------------------------


def answered(name: str, **fields: object) -> dict[str, Any]:
    """Return a row: of 1,000 windows 伞 is in 50, 鞋 in 100 and 雨 in 100; 20 have 伞 and 雨, 10 鞋 and 雨."""
    return {
        "id": name,
        "answer": 0,
        "candidates": ["伞", "鞋"],
        "reference": "雨",
        "counts": [50, 100],
        "reference_count": 100,
        "joint_counts": [20, 10],
        "pmi": [2.0, 0.0],  # log2(20 · 1000 / (50 · 100)) = log2(4); log2(10 · 1000 / (100 · 100)) = log2(1)
        "difference": 2.0,
        "decided": True,
        "choice": 0,
        "right": True,
    } | fields


def failed_checks(tmp_path: Path, *rows: dict[str, Any]) -> list[tuple[int, str]]:
    failed = failures("pmi", written(tmp_path / "pmi.jsonl", list(rows)))
    return [(line, name) for line, name, _ in failed]


def test_a_row_worked_by_hand_meets_every_expectation(tmp_path: Path) -> None:
    assert failed_checks(tmp_path, answered("t-1-a"), {"id": "t-1-b", "answer": 1}) == []


@pytest.mark.parametrize(
    ("fields", "names"),
    [
        # the two PMIs of one row are enough to tell that they are of different corpora
        ({"pmi": [3.0, 0.0], "difference": 3.0}, ["pmi-of-counts"]),
        ({"pmi": [1.0, -1.0]}, []),  # both of 500 windows
        ({"pmi": [2.0000000001, 0.0]}, []),  # rounded elsewhere
        # 雨 occurs nowhere: nothing is defined, and 0 is no value of it
        ({"reference_count": 0, "joint_counts": [0, 0], "pmi": [None, None], "difference": None, "decided": False}, []),
        (
            {"reference_count": 0, "joint_counts": [0, 0], "pmi": [0.0, 0.0], "difference": None, "decided": False},
            ["undefined-pmi", "difference-of-pmis"],
        ),
        ({"joint_counts": [20, 0], "pmi": [2.0, "-inf"], "difference": "inf"}, []),
        ({"joint_counts": [0, 10], "pmi": ["-inf", 0.0], "difference": "-inf", "choice": 1, "right": False}, []),
        ({"joint_counts": [0, 10], "pmi": ["-inf", 0.0], "difference": "inf"}, ["difference-of-pmis"]),
        ({"joint_counts": [0, 0], "pmi": ["-inf", "-inf"], "difference": None, "decided": False}, []),
        (
            {"joint_counts": [0, 0], "pmi": ["-inf", "-inf"], "difference": 0.0, "decided": False},
            ["difference-of-pmis"],
        ),
        ({"decided": False, "choice": 1, "right": False}, []),  # a threshold above 2, and the coin says 1
        ({"id": "t 1"}, ["id-of-a-member"]),
    ],
)
def test_a_row_by_itself(fields: dict[str, Any], names: list[str], tmp_path: Path) -> None:
    assert failed_checks(tmp_path, answered("t-1-a", **fields)) == [(1, name) for name in names]


def test_what_decides_in_one_row_decides_in_all(tmp_path: Path) -> None:
    # 8 and 16 windows with both: PMIs of log2(8 · 1000 / (50 · 100)) and log2(16 · 1000 / (100 · 100)), both log2(1.6)
    even = {"reference": "云", "joint_counts": [8, 16], "pmi": [0.6780719051126377] * 2, "difference": 0.0}
    coin = answered("t-1-b", **even, decided=False)
    clear = answered("t-2-a", decided=False)
    assert failed_checks(tmp_path, answered("t-1-a"), coin) == []
    assert failed_checks(tmp_path, answered("t-1-a"), coin, clear) == [(3, "one-threshold")]
    assert failed_checks(tmp_path, coin, clear) == []


def test_an_infinite_difference_decides_where_another_one_does(tmp_path: Path) -> None:
    infinite = {"reference": "云", "joint_counts": [20, 0], "pmi": [2.0, "-inf"], "difference": "inf"}
    rows = [answered("t-1-a", **infinite), answered("t-1-b", **infinite, decided=False)]
    assert failed_checks(tmp_path, *rows) == [(2, "one-threshold")]


def test_one_word_has_one_count(tmp_path: Path) -> None:
    second = answered("t-2-a", counts=[50, 200], joint_counts=[20, 20])  # the same PMI
    assert failed_checks(tmp_path, answered("t-1-a"), answered("t-1-b"), second) == [(3, "same-counts")]
    paths = [written(tmp_path / name, [row]) for name, row in (("one", answered("t-1-a")), ("other", second))]
    assert failures("pmi", *paths) == []


@pytest.mark.parametrize(
    ("value", "number"),
    [(1, 1.0), (-0.5, -0.5), ("-inf", float("-inf")), ("1.0", None), (True, None), (None, None), ([1], None)],
)
def test_what_is_no_number_of_bits_is_none(value: object, number: float | None) -> None:
    assert bits_of(value) == number


def test_a_pmi_cannot_be_infinite_upwards() -> None:
    assert pmis_of({"pmi": ["-inf", None]}) == (float("-inf"), None)
    assert pmis_of({"pmi": ["inf", None]}) is None


@given(WINDOWS, st.floats(0, 2))
def test_answers_from_real_windows_meet_every_expectation(
    tmp_path_factory: pytest.TempPathFactory, windows: list[set[str]], threshold: float
) -> None:
    counts = count(windows)
    rows = []
    for number, (first, second, reference) in enumerate((("伞", "雨", "风"), ("雨", "风", "伞"), ("风", "伞", "雨"))):
        joints = [counts.pairs[min(word, reference), max(word, reference)] for word in (first, second)]
        singles = [counts.terms[word] for word in (first, second)]
        pmis = [
            pmi(both, single, counts.terms[reference], counts.windows)
            for both, single in zip(joints, singles, strict=True)
        ]
        name = f"t-{number}-a"
        made = decide(pmis, name, threshold=threshold)
        texts = [str(value) if value == float("-inf") else value for value in pmis]
        difference = made.difference
        rows.append(
            {
                "id": name,
                "answer": number % 2,
                "candidates": [first, second],
                "reference": reference,
                "counts": singles,
                "reference_count": counts.terms[reference],
                "joint_counts": joints,
                "pmi": texts,
                "difference": str(difference) if difference in (float("inf"), float("-inf")) else difference,
                "decided": made.decided,
                "choice": made.choice,
                "right": made.choice == number % 2,
            }
        )
    assert failures("pmi", written(tmp_path_factory.mktemp("pmi") / "pmi.jsonl", rows)) == []
