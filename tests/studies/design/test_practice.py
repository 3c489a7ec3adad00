"""Practice records: where their target is, and which files are refused."""

from pathlib import Path

import pytest

from pipeline.core.files import write_text
from pipeline.core.model import Span
from pipeline.studies.design.fields import field_value
from pipeline.studies.design.sources import read_practice
from tests.conftest import Refused
from tests.support.studies import PRACTICE


def test_practice_records_have_a_target_in_brackets_or_a_zero(tmp_path: Path) -> None:
    path = tmp_path / "kites.yaml"
    write_text(path, PRACTICE)
    pronoun, zero = read_practice(path, "zh")
    assert pronoun.item.target == Span(10, 11)
    assert field_value("text_zero", pronoun, (), show_answer=False) == "阿菊把风筝递给小舟，Ø正空着手。"
    assert zero.item.target == Span(10, 10)
    assert field_value("text_zero", zero, (), show_answer=False) == "小舟追着阿菊跑，因为Ø想要回风筝。"


@pytest.mark.parametrize(
    ("old", "new", "field", "line"),
    [
        ("[她]", "她", "text", 1),
        ("Ø想要", "Ø想Ø要", "text", 2),
        ("[她]", "[她", "text", 1),
        ("answer: 1", "answer: 2", "answer", 1),
        ("answer: 1", "answer: true", "answer", 1),
        ("[小舟, 阿菊]", "[小舟, 小舟]", "candidates", 2),
        ("[小舟, 阿菊]", "小舟", "candidates", 2),
        ("id: p-2", "id: p-1", "id", 2),
        ("explanation: 空手才接得住。", "explanation: ''", "explanation", 1),
    ],
)
def test_malformed_practice_is_refused(
    old: str, new: str, field: str, line: int, tmp_path: Path, refused: Refused
) -> None:
    path = tmp_path / "kites.yaml"
    assert old in PRACTICE
    write_text(path, PRACTICE.replace(old, new))
    refused(lambda: read_practice(path, "zh"), f"{path}:{line}", field)


def test_practice_that_is_no_list_is_refused(tmp_path: Path, refused: Refused) -> None:
    write_text(tmp_path / "x.yaml", "id: p-1\n")
    refused(lambda: read_practice(tmp_path / "x.yaml", "zh"), f"{tmp_path / 'x.yaml'}:1", "practice")
