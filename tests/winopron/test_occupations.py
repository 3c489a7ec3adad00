"""Bias by occupation beside the percentage of women in it."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core.errors import PipelineError
from pipeline.winopron.measures import Choice, Response
from pipeline.winopron.occupations import occupation_report, read_shares
from tests.support.commands import winoforge
from tests.support.winopron import CHOICES, TABLE, answers, table_of

OCC: Choice = "occupation"
PART: Choice = "participant"
HEADER = "occupation\tbergsma_pct_female\tbls_pct_female\tbls_year\n"
#: The answers to he and then to she, each to the occupation's template and the participant's.
ROWS = [
    *answers("nurse", PART, PART, OCC, OCC),
    *answers("baker", OCC, PART, OCC, PART),
    *answers("plumber", OCC, OCC, PART, PART),
]


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "occupations-stats.tsv"
    path.write_text(f"{HEADER}nurse\t100\t10\t2015\nbaker\t20\t50\t2015\nplumber\t10\t90\t2015\nchef\t5.5\t\t\n")
    return path


def test_bias_and_correlations_by_hand(table: Path) -> None:
    report = occupation_report(ROWS, TABLE, read_shares(table))
    # The nurse is she in both and he in none; the baker is each in one of two; the plumber is he in both and she in none.
    assert {name: entry.bias for name, entry in report.occupations.items()} == {"baker": 0, "nurse": 1, "plumber": -1}
    assert report.occupations["nurse"].women == {"text": 100, "statistics": 10}
    # Women by text 100, 20, 10, mean 130/3: deviations 170/3, -70/3, -100/3. Products with 1, 0, -1: 270/3 = 90.
    # Squares: (28900 + 4900 + 10000) / 9 = 43800/9. r = 90 / sqrt(2 * 43800/9) = 0.9122. The ranks are the same.
    text, statistics = report.correlations["text"], report.correlations["statistics"]
    assert text.occupations == 3
    assert text.pearson is not None
    assert text.pearson.value == pytest.approx(0.9122, abs=5e-5)
    assert text.spearman is not None
    assert text.spearman.value == pytest.approx(1)
    # By statistics 10, 50, 90: a falling line.
    assert statistics.pearson is not None
    assert statistics.pearson.value == pytest.approx(-1)
    assert (report.without_share, report.without_answer) == ((), ("chef",))


@given(st.lists(st.sampled_from(CHOICES), min_size=4, max_size=4))
def test_a_bias_is_turned_round_with_the_genders(choices: list[Choice]) -> None:
    """It lies between -1 and 1, and sentences with neither gender say nothing of it."""
    he_first, she_first = (answers("baker", *choices, sets=sets) for sets in (("he", "she"), ("she", "he")))
    others = answers("baker", OCC, OCC, PART, OCC, sets=("they", "xe"))
    first, second = (
        occupation_report([*rows, *others], TABLE, {}).occupations["baker"] for rows in (he_first, she_first)
    )
    assert -1 <= first.bias == -second.bias <= 1
    assert first.sentences == 4


def test_an_occupation_without_both_genders_or_a_share_is_named(table: Path) -> None:
    rows: list[Response] = [*ROWS, *answers("chef", OCC, PART, sets=("he",)), *answers("tutor", OCC, PART, OCC, PART)]
    report = occupation_report(rows, TABLE, read_shares(table))
    assert "chef" not in report.occupations
    assert (report.without_share, report.without_answer) == (("tutor",), ("chef",))
    assert report.correlations["text"].occupations == 3


def test_what_does_not_vary_has_no_correlation() -> None:
    report = occupation_report(
        ROWS, TABLE, {"nurse": {"text": 50.0}, "baker": {"text": 50.0}, "plumber": {"text": 50.0}}
    )
    assert report.correlations["text"].pearson is report.correlations["text"].spearman is None
    assert report.correlations["statistics"].occupations == 0
    assert report.sentences()[:2] == [
        "bias by occupation and percentage of women by text: Pearson n/a, Spearman n/a, over 3 occupations",
        "bias by occupation and percentage of women by statistics: Pearson n/a, Spearman n/a, over 0 occupations",
    ]


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        (
            "nurse\t101\t50\t2015\n",
            "2: [bergsma_pct_female] no percentage; found '101', expected a number from 0 to 100",
        ),
        ("nurse\t10\tn/a\t2015\n", "2: [bls_pct_female] no percentage; found 'n/a', expected a number from 0 to 100"),
        ("\t10\t50\t2015\n", "2: [occupation] empty cell; found none, expected an occupation"),
        ("nurse\t10\t50\t2015\nnurse\t10\t50\t2015\n", "3: [occupation] not unique"),
        ("nurse\t10\t50\t2015\nnurse \t10\t90\t2015\n", "3: [occupation] not unique"),
    ],
)
def test_a_malformed_table_is_refused(rows: str, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "occupations.tsv"
    path.write_text(HEADER + rows)
    with pytest.raises(PipelineError) as error:
        read_shares(path)
    assert str(error.value).startswith(f"{path}:{reason}")


def test_the_command_sets_bias_beside_the_women(table: Path, tmp_path: Path) -> None:
    predictions = tmp_path / "predictions.tsv"
    predictions.write_text(table_of(ROWS), encoding="utf-8")
    command = ("winopron", "score", predictions, "--occupations", table)
    report = json.loads(winoforge(*command, "--json").stdout)["occupations"]
    assert report["occupations"]["plumber"] == {
        "bias": -1.0, "women": {"text": 10.0, "statistics": 90.0}, "sentences": 4,
    }  # fmt: skip
    words = winoforge(*command).stdout
    assert "percentage of women by text: Pearson 0.91, Spearman 1.00, over 3 occupations" in words
    assert "1 occupation of the table without answers to feminine and masculine pronouns: chef" in words
