"""The released outputs against the printed Tables 5, 7, 8, 9 and 11: what comes out, what does not, and that each difference is known."""

from pathlib import Path

import pytest

from pipeline.zero_pronouns.printed import read_reasons
from tools.guofeng import REPLICATION, TABLES, Figures, comparison, equal, recomputed

#: Number of cells that come out, of those that do not, and of those without released files.
COUNTS = {5: (17, 7, 16), 7: (12, 10, 58), 8: (16, 5, 19), 9: (4, 2, 6), 11: (0, 8, 28)}


@pytest.fixture(scope="module")
def figures(shared_data: Path) -> dict[int, Figures]:
    return recomputed(shared_data / "mzprt")


@pytest.mark.parametrize("table", TABLES)
def test_each_difference_has_a_reason_and_each_reason_a_difference(table: int, figures: dict[int, Figures]) -> None:
    rows = list(comparison(table, figures[table]))
    different = {
        cell for cell, printed, ours, _, _ in rows if ours is not None and not equal(table, cell[1], printed, ours)
    }
    assert different == set(read_reasons(REPLICATION / f"reasons_{table}.tsv"))
    missing = sum(ours is None for _, _, ours, _, _ in rows)
    assert (len(rows) - len(different) - missing, len(different), missing) == COUNTS[table]


def test_the_closer_file_counts() -> None:
    ours: Figures = {("BIG", "M.S. BLEU"): {"first": 29.9, "second": 29.46}}
    (cell,) = [row for row in comparison(8, ours) if row[0] == ("BIG", "M.S. BLEU")]
    assert cell[1:] == (29.5, 29.46, "second", "")


@pytest.mark.parametrize(
    ("printed", "ours", "expected"),
    [
        (47.4, 47.44, True),
        (52.4, 52.46, True),
        (28.6, 28.549, True),
        (49.5, 49.44, False),
        (14.1, 13.97, False),
        (14.0, 14.098, False),
    ],
)
def test_a_figure_is_equal_if_it_rounds_or_is_cut_to_the_printed_one(
    printed: float, ours: float, expected: bool
) -> None:
    assert equal(7, "M.S. AZPT", printed, ours) is expected
