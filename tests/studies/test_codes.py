"""Answers with several codes: what Label Studio exports, and what is refused."""

from typing import Any

import pytest

from pipeline.core.errors import PipelineError
from pipeline.studies.design.config import check_config
from pipeline.studies.labelstudio.pull import MalformedError, read_result
from pipeline.studies.model.answers import are_codes, codes_of, joined_codes
from pipeline.studies.model.design import Control
from pipeline.studies.model.study import Study, Task
from tests.conftest import ROOT

CHOICES = ("nearness", "role", "none")
CONTROL = Control("types", "choices", choices=CHOICES)
XML = """<View><Text name="text" value="$text"/><Choices name="types" toName="text" choice="{choice}" required="true">
<Choice value="nearness"/><Choice value="role"/><Choice value="none"/></Choices></View>"""
STUDY = Study("coding", "Types", "zh", 1, (CONTROL,), ("1",), "", XML.format(choice="multiple"))
TASK = Task("coding/1/001", "1", 1, "main", ("a/1",), ((),), (0,), {"text": "甲说乙来了。"})


def sent(*values: Any) -> list[dict[str, Any]]:
    """As Label Studio exports it."""
    return [{"id": "1", "from_name": "types", "to_name": "text", "type": "choices", "value": {"choices": list(values)}}]


def test_several_codes_are_read_in_the_order_of_the_design() -> None:
    assert read_result(STUDY, TASK, {}, sent("role", "nearness")) == [{"types": "nearness role"}]
    assert read_result(STUDY, TASK, {}, sent("none")) == [{"types": "none"}]


@pytest.mark.parametrize("values", [(), ("none", "role"), ("role", "role"), ("place",), (1,)])
def test_impossible_codes_are_refused(values: tuple[Any, ...]) -> None:
    with pytest.raises(MalformedError, match=r"^\[types\] "):
        read_result(STUDY, TASK, {}, sent(*values))


def test_codes_survive_the_way_through_an_answer() -> None:
    answer = joined_codes(["role", "nearness"], CHOICES)
    assert are_codes(answer, CHOICES)
    assert codes_of(answer) == {"nearness", "role"}
    assert not any(are_codes(wrong, CHOICES) for wrong in ("role nearness", "", "none role", "role  nearness", 3, "x"))


@pytest.mark.parametrize(
    ("kind", "choice"), [("choices", "single"), ("choices", "single-radio"), ("choice", "multiple")]
)
def test_a_config_allows_as_many_choices_as_the_design(kind: Any, choice: str) -> None:
    path = ROOT / "annotation" / "configs" / "x.xml"
    check_config(XML.format(choice="multiple"), path, {"types": CONTROL}, ["text"])
    with pytest.raises(PipelineError, match="found choice"):
        check_config(XML.format(choice=choice), path, {"types": Control("types", kind, choices=CHOICES)}, ["text"])
