"""The released outputs and human scores against the printed Tables 5, 7, 8, 9 and 11: what comes out, and why the rest does not."""

from pathlib import Path

import pytest
from scipy.stats import kendalltau, pearsonr, spearmanr

from pipeline.zero_pronouns.printed import read_reasons
from pipeline.zero_pronouns.translation.metrics.correlation import correlations
from pipeline.zero_pronouns.translation.metrics.human import agreement, match, system_means
from pipeline.zero_pronouns.translation.metrics.workbook import Sheet, read_workbook
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


#: The sums of scores that the workbook itself forms, over a hundred sentences: base, deep, doc, large, rec, zpr.
SUMS = {
    "M.S": (383, 378, 402, 382, 401, 403),
    "M.S_HD": (451, 436, 428, 424, 434, 436),
    "BK": (263, 269, 285, 262, 298, 322),
    "PP": (342, 392, 388, 388, 400, 384),
    "GR": (365, 376, 376, 393, 370, 385),
}


@pytest.fixture(scope="module")
def sheets(shared_data: Path) -> dict[str, Sheet]:
    return {sheet.name: sheet for sheet in read_workbook(shared_data / "mzprt" / "human_score" / "M.S.human.xlsx")}


def test_the_sheets_have_the_sums_of_the_workbook(sheets: dict[str, Sheet]) -> None:
    assert len(sheets) == 12
    for name, sums in SUMS.items():
        assert tuple(system_means(sheets[name]).values()) == pytest.approx([total / 100 for total in sums])
    assert [name for name, sheet in sheets.items() if sheet.blind] == [
        "ms_f",
        "BK_need",
        "PP_need",
        "WF_need",
        "GR_need",
    ]


def test_the_two_judges_of_the_subtitles_agree_less_than_the_paper_says(sheets: dict[str, Sheet]) -> None:
    result = agreement(sheets["M.S"], sheets["M.S_HD"])
    assert result is not None
    assert (result.translations, result.equal, result.same_side) == (600, 390, 470)  # 78 %, not 91 %


def test_the_subtitles_judged_as_rec_are_those_of_another_file(sheets: dict[str, Sheet], shared_data: Path) -> None:
    matching = match(sheets["M.S"], shared_data / "mzprt" / "azpt_output" / "M.S")
    # 99 sentences: the zero of the other has no form and no verdict.
    assert matching.files["rec"] == ("unified_oc_tgt", 99)
    assert (len(matching.observations), matching.left_out) == (594, 6)
    human, values = zip(*((entry.human, entry.value) for entry in matching.observations), strict=True)
    for result, reference in zip(
        correlations(matching.observations, "sentence", seed=1, resamples=0),
        (pearsonr, spearmanr, kendalltau),
        strict=True,
    ):
        assert result.value == pytest.approx(reference(human, values).statistic)
