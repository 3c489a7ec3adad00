"""What holds of nearly all items of a collection is asked of each."""

from pathlib import Path

import pytest

from pipeline.core.validation.suite import Row
from pipeline.winograd.validation.collection import candidates_in_order, in_collection
from pipeline.winograd.validation.questions import question_asks


def _row(number: int, gloss: str) -> Row:
    text = f"苏琴把第{number}杯热茶递给叶梅，谁知她没接稳。"
    value = {
        "id": f"t-{number}-a",
        "schema": f"t-{number}",
        "lang": "zh",
        "text": text,
        "candidates": ["苏琴", "叶梅"],
        "gloss": gloss,
    }
    return Row(f"t-{number}-a", Path("items.jsonl"), number, value)


def test_names_of_glosses_stand_in_the_order_of_the_text_if_nearly_all_do() -> None:
    right, wrong = "Su Qin handed Ye Mei the tea.", "Ye Mei handed Su Qin the tea."
    rows = in_collection([_row(number, wrong if number == 3 else right) for number in range(12)])
    assert [row.id for row in rows if candidates_in_order(row.value)] == ["t-3-a"]
    # Three of twelve may be passives: then the order tells nothing.
    rows = in_collection([_row(number, wrong if number in (3, 5, 7) else right) for number in range(12)])
    assert not any(candidates_in_order(row.value) for row in rows)


@pytest.mark.parametrize(
    ("question", "sound"),
    [
        ("哪个人病了？", True),
        ("什么人病了？", True),
        ("哪位病了？", True),
        ("什么病了？", False),
        ("哪里病了？", False),
    ],
)
def test_a_person_is_asked_for_with_a_word_for_people(question: str, *, sound: bool) -> None:
    text = "老汤拦住小柳，因为他病了。"
    row = {
        "lang": "zh",
        "text": text,
        "question": question,
        "target": {"start": 9, "end": 10},
        "candidates": ["老汤", "小柳"],
    }
    assert (question_asks(row) == "") is sound
