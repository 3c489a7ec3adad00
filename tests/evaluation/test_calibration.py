"""Calibration: hand-worked numbers, and simulated systems whose calibration is known."""

import math
from random import Random

import pytest

from pipeline.evaluation.measures.calibration import Calibration, best, calibration, disagreements
from pipeline.evaluation.predictions import Response, Run
from pipeline.language.answers.choice import ParsedAnswer

RUN = Run("m", "full-score", "zero", "written")


def scored(*shares: float, choice: int | None = 0) -> Response:
    scores = tuple(math.log(share) - 40 for share in shares)
    return Response("", ParsedAnswer("letter", choice), choice == 0, scores=scores)


def test_confidence_is_the_softmax() -> None:
    # of a long text the exponent of its log-probability is 0
    given = Response("", ParsedAnswer("letter", 1), True, scores=(math.log(0.2) - 2000, math.log(0.6) - 2000))
    (row,) = calibration({RUN: {"a": given}}, {"a": (2, 1)}, {"a": "a"}, seed=0)
    assert row.confidence == pytest.approx(0.75)


def test_the_error_weighs_bins_by_their_items() -> None:
    # confidences 0.62, 0.68 (one right: mean 0.65, accuracy 0.5), 0.9 (right), 0.55 (wrong): (2 * 0.15 + 0.1 + 0.55) / 4
    responses = {
        "a": scored(0.62, 0.38), "b": scored(0.32, 0.68, choice=1), "c": scored(0.9, 0.1), "d": scored(0.45, 0.55, choice=1),
    }  # fmt: skip
    (row,) = calibration({RUN: responses}, dict.fromkeys("abcd", (2, 0)), {name: name for name in "abcd"}, seed=0)
    assert row.error == pytest.approx((0.30 + 0.1 + 0.55) / 4)
    assert [(bin_.low, bin_.accuracy.right, bin_.accuracy.n) for bin_ in row.bins] == [
        (0.5, 0, 1), (0.6, 1, 2), (0.9, 1, 1),
    ]  # fmt: skip
    assert (row.confidence, row.excess) == (pytest.approx(2.75 / 4), pytest.approx(2.75 / 4 - 0.5))
    assert row.n == 4
    assert (
        calibration({RUN: {"a": Response("", ParsedAnswer("empty"), False)}}, {"a": (2, 0)}, {"a": "a"}, seed=0) == []
    )


def simulated(overconfidence: float, seed: int) -> Calibration:
    """Return the calibration of a system right with the probability of its confidence less `overconfidence`."""
    random = Random(seed)
    responses = {}
    for number in range(160):
        confidence = random.uniform(0.55, 0.99)
        right = random.random() < confidence - overconfidence
        pair = (confidence, 1 - confidence) if right else (1 - confidence, confidence)
        responses[f"{number}"] = scored(*pair, choice=1 - right)
    clusters = {name: str(int(name) // 2) for name in responses}
    (row,) = calibration({RUN: responses}, dict.fromkeys(responses, (2, 0)), clusters, seed=seed)
    return row


def test_a_calibrated_system_passes_and_one_that_is_too_sure_does_not() -> None:
    passed = held = 0
    for seed in range(5):
        row = simulated(0, seed)
        passed += row.p > 0.05
        assert row.excess_interval
        low, high = row.excess_interval
        held += low <= 0 <= high
        assert row.expected == pytest.approx(row.error, abs=0.06)
    assert passed >= 4
    assert held >= 4
    row = simulated(0.25, 0)
    assert row.p < 0.01
    assert row.interval and row.excess_interval
    # every bin is 0.25 too sure, so that the error is about 0.25 too
    assert row.interval[0] < 0.25 < row.interval[1]
    assert row.excess_interval[0] < 0.25 < row.excess_interval[1]


def test_ties_are_decided_by_the_answer() -> None:
    assert [best(scored(0.5, 0.5, choice=choice)) for choice in (0, 1, None)] == [0, 1, 0]
    assert disagreements({"a": scored(0.5, 0.5, choice=1)}) == []


def test_an_answer_that_is_not_the_best_score_disagrees() -> None:
    unknown = Response("A", ParsedAnswer("letter", 0), True)
    responses = {"a": scored(0.4, 0.6), "b": scored(0.6, 0.4), "c": scored(0.4, 0.6, choice=None), "d": unknown}
    assert disagreements(responses) == ["a"]
