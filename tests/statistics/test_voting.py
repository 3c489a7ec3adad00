"""Majority votes: ties stay ties, the order of voters does not matter."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.statistics.voting import majority_vote, vote_accuracy

SAID = st.lists(st.sampled_from("ABC"), max_size=9)


def test_votes_by_hand() -> None:
    clear = majority_vote(["A", "B", "A", "A"])
    assert (clear.winner, clear.votes, clear.raters, clear.absolute, clear.unanimous) == ("A", 3, 4, True, False)
    plurality = majority_vote(["A", "A", "B", "C"])
    assert (plurality.winner, plurality.absolute, plurality.tied) == ("A", False, False)
    tie = majority_vote(["A", "B", "B", "A", "C"])
    assert (tie.winner, tie.leaders, tie.tied, tie.votes) == (None, {"A", "B"}, True, 2)
    nobody = majority_vote([])
    assert (nobody.winner, nobody.tied, nobody.absolute, nobody.unanimous) == (None, False, False, False)
    assert majority_vote(["B", "B"]).unanimous
    assert not majority_vote(["B"]).unanimous


@given(SAID, st.data())
def test_the_order_of_voters_does_not_matter(judgements: list[str], data: st.DataObject) -> None:
    assert majority_vote(data.draw(st.permutations(judgements))) == majority_vote(judgements)


@given(SAID)
def test_a_winner_has_more_votes_than_any_other(judgements: list[str]) -> None:
    vote, tally = majority_vote(judgements), Counter(judgements)
    if vote.winner is None:
        assert vote.tied == bool(judgements)
        assert not vote.absolute
    else:
        assert all(tally[vote.winner] > count for category, count in tally.items() if category != vote.winner)
    assert {category for category in tally if tally[category] == vote.votes} == vote.leaders


def test_a_tie_is_not_right() -> None:
    judgements = {
        "right": {"ana": "A", "ben": "A", "cyd": "B"},
        "wrong": {"ana": "A", "ben": "A"},
        "tied": {"ana": "A", "ben": "B"},
        "unseen": {},
    }
    accuracy = vote_accuracy(judgements, {"right": "A", "wrong": "B", "tied": "A", "unseen": "A"})
    assert (accuracy.items, accuracy.right, accuracy.tied) == (3, 1, 1)
    assert accuracy.accuracy == pytest.approx(1 / 3)
    assert accuracy.of_decided == 0.5


def test_without_votes_there_is_no_accuracy() -> None:
    nothing = vote_accuracy({"unseen": {}}, {"unseen": "A"})
    assert (nothing.items, nothing.accuracy, nothing.of_decided) == (0, None, None)
    only_ties = vote_accuracy({"tied": {"ana": "A", "ben": "B"}}, {"tied": "A"})
    assert (only_ties.accuracy, only_ties.of_decided) == (0.0, None)
    with pytest.raises(ValueError, match=r"^\[item\] no right answer; found 'new'"):
        vote_accuracy({"new": {"ana": "A"}}, {})
