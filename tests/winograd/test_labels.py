"""The suite of labels: whether answers are balanced, in all and by group."""

from pathlib import Path

import pytest

from pipeline.core.validation.suite import Value
from pipeline.winograd.validation.labels import balanced, both_occur, groups
from tests.support.validation import Rows, sound_pair, write_rows


@pytest.mark.parametrize(
    ("answers", "chance"),
    [
        # exact, two-sided: twice the tail of the binomial with one half
        ([20, 0], "1.9e-06"),  # 2 · 0.5²⁰
        ([0, 20], "1.9e-06"),
        ([11, 0], "0.00098"),  # 2 · 0.5¹¹
        ([10, 0], ""),  # 2 · 0.5¹⁰ = 0.00195
        ([16, 1], "0.00027"),  # 2 · (1 + 17) / 2¹⁷ = 0.000275
        ([15, 2], ""),  # 2 · (1 + 17 + 136) / 2¹⁷ = 0.00235
        ([128, 128], ""),
        ([0, 1], ""),
    ],
)
def test_labels_are_weighed_by_the_exact_binomial(answers: list[int], chance: str) -> None:
    expected = f"found {answers[0]} and {answers[1]}, which fair coins give with p = {chance}" if chance else ""
    assert balanced({"answers": answers}) == expected


def test_without_answers_there_is_no_balance() -> None:
    assert balanced({"answers": [0, 0]}) == "found no item with an answer"
    assert both_occur({"answers": [0, 1]}) == ""
    assert both_occur({"answers": [0, 2]}).startswith("found 0 and 2, expected each to be right somewhere")


def test_answers_are_counted_over_all_items_and_by_group(tmp_path: Path) -> None:
    def counted(rows: Rows) -> dict[str, tuple[int, Value]]:
        return {row.id: (row.line, row.value) for row in groups([write_rows(tmp_path / "x.jsonl", rows)])}

    ours = [row | {"kind": kind} for kind in ("social", "spatial") for row in sound_pair(f"t-{kind}")]
    assert counted(ours) == {
        "all": (1, {"answers": [2, 2]}),
        "version a": (1, {"answers": [2, 0]}),
        "version b": (2, {"answers": [0, 2]}),
        "kind social": (1, {"answers": [1, 1]}),
        "kind spatial": (3, {"answers": [1, 1]}),
    }
    # A member of a pair of occupation templates always means the same entity: its version is no group.
    english = [
        row | {"case": "nominative", "pronouns": name} for name in ("he", "xe") for row in sound_pair(f"t-{name}")
    ]
    assert list(counted(english)) == ["all", "case nominative", "pronouns he", "pronouns xe"]
    assert counted([]) == {}
