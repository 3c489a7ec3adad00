"""What follows from WSC-ZA's own figures, by hand."""

import pytest

from replication.wsc_za import (
    accuracies,
    errors,
    fitting_counts,
    fleiss,
    half_interval,
    highest,
    level_sizes,
    macro_scores,
    people_by_level,
    two_values,
)


def test_macro_scores() -> None:
    # A: 95 of 120 right, and the 12 other B answered A: 95 of 107. B: 108 right, 25 A answered B: 108 of 133.
    scores = macro_scores((95, 108))
    assert scores["precision"] == pytest.approx((95 / 107 + 108 / 133) / 2)
    assert scores["recall"] == pytest.approx(203 / 240)
    assert scores["F1"] == pytest.approx((2 * 95 / (120 + 107) + 2 * 108 / (120 + 133)) / 2)


def test_table_6_leaves_one_accuracy_a_row() -> None:
    assert [counts for counts, _ in fitting_counts("LLaMA-3", "zero-shot")] == [(95, 108), (108, 95)]
    right = {cell: round(240 * accuracy) for cell, accuracy in accuracies().items()}
    assert [right[model, "one-shot"] for model in ("GPT-4", "ChatGLM-4", "LLaMA-3")] == [214, 224, 187]


def test_figure_1_leaves_one_choice_of_sizes() -> None:
    assert level_sizes() == [(181, 47, 12)]
    # 519 of 543, 114 of 141 and 5 of 36 answers are 0.956, 0.809 and 0.139, and 638 of 720, as 212 + 214 + 212 in Table 5.
    assert [round(right / answers, 3) for right, answers in ((519, 543), (114, 141), (5, 36))] == [0.956, 0.809, 0.139]
    assert 519 + 114 + 5 == 212 + 214 + 212


def test_people() -> None:
    # One of 240 items with one right answer of six less: x (1 - x) is 5/36 there, and 12/5 of it are pairs that differ.
    assert half_interval(1, 24) == pytest.approx(2.0687 / 24**0.5, abs=1e-4)
    kappa = fleiss()
    assert kappa.low < 0.803 < kappa.high
    assert two_values(1, 2, 1.5).high == pytest.approx(0.5, abs=1e-4)
    # 181 items with six right answers leave 248 of 1,334 for the others: moderate ones have four or five of six, hard ones at most three.
    people = people_by_level()
    assert 188 + 24 <= people["moderate"].low * 47 * 6 <= people["moderate"].high * 47 * 6 <= 235
    assert people["hard"].high * 72 == pytest.approx(248 - people["moderate"].low * 282)


def test_errors_and_levels() -> None:
    # GPT-4 has 28, 26 and 28 errors.
    assert [errors("GPT-4", rule) for rule in ("any", "most", "all")] == [82, 41, 26]
    assert highest("hard") == "LLaMA-3"
