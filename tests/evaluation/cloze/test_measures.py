"""The measures, on probabilities written by hand."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.evaluation.cloze.results import OTHER, GapScores, Token, measured, shares
from pipeline.language.pronoun_classes import GENDERS, pronoun_classes

TABLE = pronoun_classes("de")
#: The ten most probable tokens; ihn is in no class, and Sie inside a sentence is polite address.
TOP = (
    ("er", 0.30, "masc"), ("sie", 0.20, "fem"), ("diese", 0.11, "fem"), ("die", 0.08, "fem"), ("es", 0.07, "neut"),
    ("ihn", 0.06, OTHER), ("das", 0.05, "neut"), ("und", 0.04, OTHER), ("Sie", 0.03, OTHER), ("der", 0.02, "masc"),
)  # fmt: skip
WORDS = {word: chance for word, chance, gender in TOP if gender != OTHER} | {"dieser": 0.015, "dies": 0.005}


def scored(absolute: bool = True, top: tuple[tuple[str, float, str], ...] = TOP) -> GapScores:
    return GapScores(
        words={word: math.log(chance) for word, chance in WORDS.items()},
        pieces=dict.fromkeys(WORDS, 1),
        top=tuple(Token(word, math.log(chance), gender) for word, chance, gender in top),
        absolute=absolute,
        prompt="",
        prompt_tokens=0,
    )


def test_the_measures_of_the_paper() -> None:
    answers = measured(scored(), TABLE, "fem")
    # pron: er 0.30, sie 0.20, es 0.07; the softmax scores as they are.
    pron = answers["pron"]
    assert (pron.prediction, pron.confidence, pron.target) == ("masc", pytest.approx(0.30), pytest.approx(0.20))
    assert shares(pron.classes) == pytest.approx({"masc": 30 / 57, "fem": 20 / 57, "neut": 7 / 57})
    # top10: masc er + der = 0.32, fem sie + diese + die = 0.39, neut es + das = 0.12, other ihn + und + Sie = 0.13.
    top = answers["top10"]
    assert top.classes == pytest.approx({"masc": 0.32, "fem": 0.39, "neut": 0.12, OTHER: 0.13})
    assert (top.prediction, top.confidence, top.target) == ("fem", pytest.approx(0.39), pytest.approx(0.39))
    # top1: er alone, of another class than the gold answer.
    assert (answers["top1"].prediction, answers["top1"].confidence, answers["top1"].target) == (
        "masc",
        pytest.approx(0.3),
        0,
    )
    # mass: dieser, which is not among the ten, makes 0.335 of masc; fem stays 0.39.
    assert answers["mass"].classes == pytest.approx({"masc": 0.335, "fem": 0.39, "neut": 0.125})


def test_class_other_may_be_the_answer() -> None:
    answers = measured(scored(top=(("und", 0.4, OTHER), *TOP[:9])), TABLE, "masc")
    # other: und 0.4, ihn 0.06, und 0.04, Sie 0.03 = 0.53
    assert (answers["top10"].prediction, answers["top10"].confidence) == (OTHER, pytest.approx(0.53))
    assert (answers["top1"].prediction, answers["top1"].target) == (OTHER, 0)
    assert answers["pron"].prediction == "masc"


def test_whole_texts_are_compared_with_each_other_only() -> None:
    answers = measured(scored(absolute=False, top=()), TABLE, "neut")
    assert set(answers) == {"pron", "mass"}
    assert answers["pron"].target == pytest.approx(7 / 57)
    # all variants: 0.335 + 0.39 + 0.125 = 0.85
    assert answers["mass"].classes == pytest.approx({"masc": 0.335 / 0.85, "fem": 0.39 / 0.85, "neut": 0.125 / 0.85})


def test_classes_of_equal_score_leave_it_undecided() -> None:
    even = (("er", 0.25, "masc"), ("sie", 0.25, "fem"), ("ihn", 0.1, OTHER))
    answer = measured(scored(top=even), TABLE, "masc")["top10"]
    assert (answer.prediction, answer.confidence) == ("", pytest.approx(0.25))


@given(st.lists(st.floats(-3000, 0), min_size=3, max_size=3))
def test_improbable_texts_keep_their_order(logs: list[float]) -> None:
    words = dict(zip(TABLE.pronouns.values(), logs, strict=True))
    scores = GapScores(words, dict.fromkeys(words, 1), (), absolute=False, prompt="", prompt_tokens=0)
    answer = measured(scores, TABLE, "masc")["pron"]
    winners = [gender for gender, log in zip(GENDERS, logs, strict=True) if log == max(logs)]
    assert answer.prediction == (winners[0] if len(winners) == 1 else "")
    assert math.fsum(answer.classes.values()) == pytest.approx(1)
