"""Items outside a collection on whose answers readers disagree."""

from pathlib import Path

import pytest

from pipeline.core.checksums import digest_of
from pipeline.core.errors import PipelineError
from pipeline.core.tables import write_tsv
from pipeline.release.readings import COLUMNS, CONTESTED_COLUMNS, contested_fault, contested_items
from tests.support.items import marked

TEXT, ZERO = "甲帮了乙的忙，他得了奖。", "甲帮了乙的忙，得了奖。"
RELEASED = marked("甲问乙，【他】答了。")
ROW = ("x-1-b", "甲帮了乙的忙，[他]得了奖。", "谁得了奖？", "乙")


def reading(reader: str, answer: str, *, zero: bool = False, mark: str = "5", text: str = "") -> list[str]:
    """Return the cells of a reading of the text, or of its zero form."""
    form = digest_of(text or (ZERO if zero else TEXT))
    digests, marks = (("", form), ("", mark)) if zero else ((form, ""), (mark, ""))
    return ["x-1-b", *digests, reader, answer, "5", *marks, "ok", ""]


def tables(folder: Path, readings: list[list[str]], row: tuple[str, ...] = ROW) -> Path:
    write_tsv(folder / "reading-before.tsv", COLUMNS, readings)
    write_tsv(folder / "contested.tsv", CONTESTED_COLUMNS, [row])
    return folder / "contested.tsv"


def test_readers_are_counted_by_answer_and_form(tmp_path: Path) -> None:
    """Three read the text, one of whom says 甲; two the zero form, one each. Who read other words does not count."""
    path = tables(
        tmp_path,
        [
            *(reading(f"reader-{number}", answer) for number, answer in enumerate(["乙", "甲", "乙"])),
            *(
                reading(f"reader-{number}", answer, zero=True, mark="4")
                for number, answer in enumerate(["甲", "乙"], 3)
            ),
            reading("reader-9", "甲", mark="1", text="甲帮了乙，他得了奖。"),
        ],
    )
    assert contested_items(path, [RELEASED]) == [
        {
            "id": "x-1-b", "lang": "zh", "text": TEXT, "target": {"start": 7, "end": 8}, "text_dropped": ZERO,
            "question": "谁得了奖？", "answers": ["甲", "乙"], "readers": [1, 2], "readers_zero": [1, 1], "author": 1,
        }
    ]  # fmt: skip


BOTH = [reading("reader-1", "甲"), reading("reader-2", "乙")]


@pytest.mark.parametrize(
    ("readings", "row", "reason"),
    [
        (
            [*BOTH, reading("reader-3", "乙", mark="3")],
            ROW,
            "[x-1-b] text that readers doubt; found a mark of 3, expected at least 4",
        ),
        ([reading("reader-1", "甲")], ROW, "[x-1-b] not two answers of the text; found ['甲']"),
        ([*BOTH, reading("reader-3", "忙")], ROW, "[x-1-b] not two answers of the text"),
        ([], ROW, "[x-1-b] not two answers of the text; found []"),
        (BOTH, (*ROW[:3], "丙"), "[x-1-b] author meant neither answer; found '丙'"),
        (BOTH, ("x-1-b", "甲问乙，[他]答了。", "谁？", "乙"), "[x-1-b] item of the release"),
        (BOTH, ("x-1-b", TEXT, "谁？", "乙"), "[text] not one target in brackets; found 0"),
        (BOTH, ("x-1-b", "[甲]帮了乙的忙，[他]得了奖。", "谁？", "乙"), "[text] not one target in brackets; found 2"),
    ],
)
def test_what_is_not_contested_is_refused(
    readings: list[list[str]], row: tuple[str, ...], reason: str, tmp_path: Path
) -> None:
    path = tables(tmp_path, readings, row)
    with pytest.raises(PipelineError) as caught:
        contested_items(path, [RELEASED])
    assert str(caught.value).startswith(f"{path}:2: {reason}")


@pytest.mark.parametrize(
    ("second", "reason"),
    [
        (reading("reader-1", "乙"), "[reader] not unique; found ('x-1-b', 'reader-1') in line 2 too"),
        (reading("reader-2", "乙", mark="9"), "[x-1-b] natural is not on its scale; found '9', expected 1 to 5"),
    ],
)
def test_a_reading_is_no_readers_second_and_its_marks_are_on_the_scale(
    second: list[str], reason: str, tmp_path: Path
) -> None:
    path = tables(tmp_path, [reading("reader-1", "甲"), second])
    with pytest.raises(PipelineError) as caught:
        contested_items(path, [RELEASED])
    assert str(caught.value).startswith(f"{tmp_path / 'reading-before.tsv'}:3: {reason}")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("answers", ["", "甲"]), ("answers", ["甲", "甲"]), ("answers", "甲乙"), ("target", {"start": 7, "end": 99}),
        ("readers", [True, 1]), ("readers", [1]), ("author", True),
    ],
)  # fmt: skip
def test_a_row_of_another_kind_is_not_contested(field: str, value: object, tmp_path: Path) -> None:
    (row,) = contested_items(tables(tmp_path, BOTH), [RELEASED])
    assert contested_fault(row, [RELEASED]) == ""
    assert "; found" in contested_fault({**row, field: value}, [RELEASED])
