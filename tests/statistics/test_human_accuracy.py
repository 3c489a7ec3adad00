"""Majority votes, human accuracy, its intervals, difficulty levels: the published figures of WSC-ZA, and small cases by hand."""

import math
from statistics import fmean

import pytest

from pipeline.statistics.human_accuracy import (
    BY_ACCURACY,
    BY_RATING,
    CutOffs,
    by_difficulty,
    difficulty,
    item_accuracies,
    majority_vote,
    mark,
    mean_ratings,
    subject_accuracies,
)
from pipeline.statistics.intervals import summarise, summarise_shares
from tests.support.judgements import like_wsc_za


def test_the_accuracies_of_wsc_za() -> None:
    """Table 4 and section 5.3: of answers with the published totals, all the other published figures follow."""
    judgements, answers = like_wsc_za()
    marks = mark(judgements, answers)
    right = [of for row in marks.values() for of in row.values()]
    assert (sum(right), len(right)) == (1334, 1440)
    assert fmean(right) == pytest.approx(0.926, abs=5e-4)
    published = [
        (subject_accuracies(marks), 24, 0.037, 0.9106, 0.9422),
        (item_accuracies(marks), 240, 0.165, 0.9054, 0.9474),
    ]
    for shares, n, sd, low, high in published:
        summary = summarise_shares(shares.values())
        assert summary is not None
        assert summary.n == n
        assert summary.mean == pytest.approx(0.926, abs=5e-4)
        assert summary.sd == pytest.approx(sd, abs=5e-4)
        assert summary.interval == (pytest.approx(low, abs=5e-5), pytest.approx(high, abs=5e-5))
    levels = by_difficulty(item_accuracies(marks), BY_ACCURACY)
    assert {level: len(items) for level, items in levels.items()} == {"easy": 181, "moderate": 47, "hard": 12}


def test_a_t_interval_by_hand() -> None:
    # 23 degrees of freedom: t = 2.0687. Twelve at 0.926 - d and twelve at 0.926 + d have the sd d * sqrt(24 / 23) = 0.037, so
    # d = 0.036221; 2.0687 * 0.037 / sqrt(24) = 0.015624: 0.9104 to 0.9416
    values = [0.926 - 0.036221] * 12 + [0.926 + 0.036221] * 12
    summary = summarise(values)
    assert summary is not None
    assert (summary.n, summary.mean, summary.sd) == (24, pytest.approx(0.926), pytest.approx(0.037, abs=1e-6))
    assert summary.interval == (pytest.approx(0.910376, abs=2e-6), pytest.approx(0.941624, abs=2e-6))


def test_few_values_have_no_interval_or_a_wide_one() -> None:
    assert summarise([]) is None
    alone = summarise([0.5])
    assert alone is not None
    assert (alone.n, alone.mean, alone.sd, alone.interval) == (1, 0.5, None, None)
    # one degree of freedom: t = tan(0.95 * 90 degrees) = 12.7062, sd of 0 and 1 is 0.7071: 0.5 -+ 12.7062 / 2, beyond any share
    two = summarise([0, 1])
    assert two is not None
    assert two.interval == (pytest.approx(0.5 - math.tan(0.475 * math.pi) / 2), pytest.approx(0.5 + 6.3531, abs=1e-4))


def test_limits_that_no_share_can_pass_are_cut() -> None:
    # half and all: mean 0.75, half the width 12.7062 * 0.3536 / 1.4142 = 3.1766
    two = summarise_shares([0.5, 1])
    assert two is not None
    assert (two.mean, two.interval) == (0.75, (0, 1))
    assert summarise_shares([]) is None
    alone = summarise_shares([0.5])
    assert alone is not None
    assert alone.interval is None
    narrow = [0.7, 0.71, 0.72]
    assert summarise_shares(narrow) == summarise(narrow)


def test_shares_by_subject_and_by_item() -> None:
    judgements = {
        "one": {"ana": "A", "ben": "A", "cyd": "B"},
        "two": {"ana": "B"},
        "three": {},
    }
    marks = mark(judgements, {"one": "A", "two": "A", "four": "B"})
    # ana right of 1 in 2, ben 1 of 1, cyd 0 of 1: mean 1/2; items 2/3 and 0: mean 1/3; two of four answers
    assert subject_accuracies(marks) == {"ana": 0.5, "ben": 1.0, "cyd": 0.0}
    assert item_accuracies(marks) == {"one": 2 / 3, "two": 0.0}


def test_an_item_without_a_right_answer_is_refused() -> None:
    with pytest.raises(
        ValueError, match=r"^\[item\] no right answer; found 'two', expected one of the 1 that have one$"
    ):
        mark({"one": {"ana": "A"}, "two": {"ana": "A"}}, {"one": "A"})


@pytest.mark.parametrize(
    ("value", "cut_offs", "level"),
    [
        (5.0, BY_RATING, "easy"),
        (4.0, BY_RATING, "easy"),
        (19 / 5, BY_RATING, "moderate"),
        (3.0, BY_RATING, "moderate"),
        (14 / 5, BY_RATING, "hard"),
        (17 / 20, BY_ACCURACY, "easy"),
        (34 / 40, BY_ACCURACY, "easy"),
        (5 / 6, BY_ACCURACY, "moderate"),
        (3 / 5, BY_ACCURACY, "moderate"),
        (6 / 10, BY_ACCURACY, "moderate"),
        (4 / 7, BY_ACCURACY, "hard"),
        (0.0, BY_ACCURACY, "hard"),
    ],
)
def test_cut_offs_belong_to_the_easier_level(value: float, cut_offs: CutOffs, level: str) -> None:
    assert difficulty(value, cut_offs) == level


def test_mean_ratings() -> None:
    ratings = {"one": {"ana": 5, "ben": 4}, "two": {"ana": 2}, "three": {}}
    assert mean_ratings(ratings) == {"one": 4.5, "two": 2.0}
    with pytest.raises(ValueError, match=r"^\[category\] .*; found 'good', expected a whole number$"):
        mean_ratings({"one": {"ana": "good"}})


# --- votes --------------------------------------------------------------------------------------------------------------


def test_votes_by_hand() -> None:
    clear = majority_vote(["A", "B", "A", "A"])
    assert (clear.winner, clear.votes, clear.raters, clear.unanimous) == ("A", 3, 4, False)
    plurality = majority_vote(["A", "A", "B", "C"])
    assert (plurality.winner, plurality.tied) == ("A", False)
    tie = majority_vote(["A", "B", "B", "A", "C"])
    assert (tie.winner, tie.leaders, tie.tied, tie.votes) == (None, {"A", "B"}, True, 2)
    nobody = majority_vote([])
    assert (nobody.winner, nobody.tied, nobody.unanimous) == (None, False, False)
    assert majority_vote(["B", "B"]).unanimous
    assert not majority_vote(["B"]).unanimous
