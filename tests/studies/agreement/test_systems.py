"""The scores of systems and the agreement on them, by hand."""

import pytest
from msgspec import to_builtins

from pipeline.studies.agreement.single_studies import system_figures

#: Two systems, three sentences of two genres, two raters; one translation has one rater.
TABLE = {
    "news-1-002/careful": {"r-1": 5, "r-2": 4},
    "news-1-002/literal": {"r-1": 3, "r-2": 3},
    "news-1-003/careful": {"r-1": 4, "r-2": 3},
    "news-1-003/literal": {"r-1": 2, "r-2": 4},
    "fiction-2-011/careful": {"r-1": 5},
    "fiction-2-011/literal": {"r-1": 1, "r-2": 2},
}


def test_a_score_is_the_mean_over_sentences() -> None:
    figures = to_builtins(system_figures(TABLE, 1, 5))
    systems = figures["systems"]
    assert list(systems) == ["careful", "literal"]
    # careful: (4.5 + 3.5 + 5) / 3; literal: (3 + 3 + 1.5) / 3. The mean over ratings of careful would be 21/5 = 4.2.
    assert systems["careful"]["score"]["value"] == pytest.approx(13 / 3)
    assert systems["literal"]["score"]["value"] == pytest.approx(2.5)
    assert systems["careful"]["score"]["n"] == 3
    assert systems["careful"]["types"] == {"1": 0, "2": 0, "3": 1, "4": 2, "5": 2}
    assert systems["literal"]["types"] == {"1": 1, "2": 2, "3": 2, "4": 1, "5": 0}
    assert systems["careful"]["ratings"] == 5
    assert figures["genres"] == {
        "fiction": {"careful": 5, "literal": 1.5},
        "news": {"careful": pytest.approx(4), "literal": pytest.approx(3)},
    }


def test_raters_agree_where_all_are_on_one_side_of_three() -> None:
    """A.2: over 3 is good, under 3 bad. The side of 3 is neither, and is told apart."""
    # Five translations have two raters. 5 4 good; 3 3 neither; 4 3 differ; 2 4 differ; 1 2 bad: 3 of 5 agree.
    # Without a rating of 3: 5 4, 2 4 and 1 2, of which two agree.
    assert to_builtins(system_figures(TABLE, 1, 5))["sides"] == {
        "translations": 5,
        "agreed": 3,
        "share": 0.6,
        "without_middle": {"translations": 3, "agreed": 2, "share": pytest.approx(2 / 3)},
    }


def test_without_a_second_rater_agreement_is_undefined() -> None:
    sides = to_builtins(system_figures({"news-1-002/careful": {"r-1": 3}}, 1, 5))["sides"]
    assert (sides["share"], sides["without_middle"]["share"]) == (None, None)
    assert to_builtins(system_figures({}, 1, 5)) == {
        "systems": {},
        "genres": {},
        "sides": {
            "translations": 0,
            "agreed": 0,
            "share": None,
            "without_middle": {"translations": 0, "agreed": 0, "share": None},
        },
    }
