"""What holds of nearly all items of a collection is asked of each."""

from pathlib import Path

from pipeline.core.validation.suite import Row
from pipeline.winograd.validation.collection import candidates_in_order, in_collection


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
