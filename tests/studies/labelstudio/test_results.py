"""Answers of a submitted result: read from what controls send, refused otherwise."""

import dataclasses
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core.errors import PipelineError
from pipeline.studies.design.config import check_config
from pipeline.studies.labelstudio.pull import MalformedError, option_fields, read_result
from pipeline.studies.model.answers import are_codes, codes_of, joined_codes
from pipeline.studies.model.design import Control
from pipeline.studies.model.study import Study, Task
from tests.conftest import ROOT, Refused
from tests.support.small_study import CONFIG, choices, comment, rating, sent, study, tasks_of

STUDY = study()
#: The second task shows its candidates in reverse order.
FIRST, SECOND, *_ = tasks_of(STUDY)
FIELDS = {"reference": "options"}


def test_a_candidate_is_identified_by_its_text_in_any_order() -> None:
    shown = [option["value"] for option in SECOND.data["options"]]
    assert (SECOND.options, shown) == (((1, 0),), ["邮差", "站长"])
    assert read_result(STUDY, SECOND, FIELDS, [choices("reference", shown[0]), rating(4)]) == [
        {"reference": 1, "naturalness": 4}
    ]
    assert read_result(STUDY, SECOND, FIELDS, [choices("reference", shown[1]), rating(4)]) == [
        {"reference": 0, "naturalness": 4}
    ]


def test_optional_controls_may_be_answered() -> None:
    result = [*sent(FIRST, 0, 1), choices("verdict", "drop"), comment(" 读两遍才懂。", "", "像诗。 ")]
    assert read_result(STUDY, FIRST, FIELDS, result) == [
        {"reference": 0, "naturalness": 1, "verdict": "drop", "comment": "读两遍才懂。\n像诗。"}
    ]
    assert "comment" not in read_result(STUDY, FIRST, FIELDS, [*sent(FIRST, 0, 1), comment("  ")])[0]


GOOD = sent(FIRST, 0, 3)


@pytest.mark.parametrize(
    ("result", "field"),
    [
        (None, "result"),
        ({}, "result"),
        ("[]", "result"),
        (["x"], "result"),
        ([{"x": 1}], "result"),
        ([], "reference"),
        (GOOD[:1], "naturalness"),
        (GOOD[1:], "reference"),
        ([*GOOD, GOOD[1]], "naturalness"),
        ([*GOOD, choices("colour", "red")], "from_name"),
        ([choices("reference", "站长"), GOOD[1]], "reference"),
        ([choices("reference", ""), GOOD[1]], "reference"),
        ([{**GOOD[0], "value": {"choices": []}}, GOOD[1]], "reference"),
        ([{**GOOD[0], "value": {"choices": ["奶奶", "孙女"]}}, GOOD[1]], "reference"),
        ([{**GOOD[0], "value": {"choices": "孙女"}}, GOOD[1]], "reference"),
        ([{**GOOD[0], "value": {"choices": [1]}}, GOOD[1]], "reference"),
        ([{**GOOD[0], "value": None}, GOOD[1]], "reference"),
        ([{**GOOD[0], "type": "labels"}, GOOD[1]], "reference"),
        ([{"from_name": "reference"}, GOOD[1]], "reference"),
        ([GOOD[0], rating(0)], "naturalness"),
        ([GOOD[0], rating(6)], "naturalness"),
        ([GOOD[0], rating(2.5)], "naturalness"),
        ([GOOD[0], rating("03")], "naturalness"),
        ([GOOD[0], rating("３")], "naturalness"),
        ([GOOD[0], rating(None)], "naturalness"),
        ([GOOD[0], {**rating(3), "value": {"choices": [3]}}], "naturalness"),
        ([GOOD[0], {**rating(3), "value": {"choices": ["3", "4"]}}], "naturalness"),
        ([GOOD[0], {**rating(3), "type": "rating", "value": {"rating": 9}}], "naturalness"),
        ([*GOOD, choices("verdict", "删去")], "verdict"),
        ([*GOOD, {**comment(), "value": {"text": "a"}}], "comment"),
        ([*GOOD, comment(3)], "comment"),  # type: ignore[arg-type]
    ],
)
def test_a_result_that_no_control_sends_is_refused(result: Any, field: str) -> None:
    with pytest.raises(MalformedError) as caught:
        read_result(STUDY, FIRST, FIELDS, result)
    assert str(caught.value).startswith(f"[{field}] ")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["from_name", "type", "value", "choices", "rating", "text"]), inner, max_size=4
        )
    ),
    max_leaves=12,
)


@given(json_values, st.sampled_from(range(3)))
def test_no_result_breaks_the_reader(value: Any, place: int) -> None:
    for result in (value, [*GOOD[:place], value, *GOOD[place:]], [{**GOOD[0], "value": value}, GOOD[1]]):
        try:
            (answers,) = read_result(STUDY, FIRST, FIELDS, result)
        except MalformedError as error:
            assert len(str(error).splitlines()) == 1
        else:
            assert answers["reference"] in (0, 1)


def test_a_screen_has_the_answers_of_each_item() -> None:
    two = dataclasses.replace(
        STUDY,
        screen=2,
        controls=STUDY.controls[:1],
        config='<View><Choices name="reference-1" value="$options_1"/><Choices name="reference-2" value="$options_2"/></View>',
    )
    people = [{"value": "站长"}, {"value": "邮差"}]
    task = Task("k", "1", 1, "main", ("a", "b"), ((0, 1), (1, 0)), (0, 0), {"options_1": people, "options_2": people})
    fields = option_fields(two)
    assert fields == {"reference-1": "options_1", "reference-2": "options_2"}
    result = [choices("reference-2", "站长"), choices("reference-1", "站长")]
    assert read_result(two, task, fields, result) == [{"reference": 0}, {"reference": 1}]
    with pytest.raises(MalformedError, match=r"\[reference-2\] missing answer"):
        read_result(two, task, fields, result[1:])


@pytest.mark.parametrize(
    "config", ["<View>", CONFIG.replace('value="$options"', ""), "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>"]
)
def test_a_config_without_options_is_refused(config: str, refused: Refused) -> None:
    refused(lambda: option_fields(dataclasses.replace(STUDY, config=config)), "", "config")


# --- several codes ----------------------------------------------------------------------------------------------------

CHOICES = ("nearness", "role", "none")
CONTROL = Control("types", "choices", choices=CHOICES)
XML = """<View><Text name="text" value="$text"/><Choices name="types" toName="text" choice="{choice}" required="true">
<Choice value="nearness"/><Choice value="role"/><Choice value="none"/></Choices></View>"""
CODING = Study("coding", "Types", "zh", 1, (CONTROL,), ("1",), "", XML.format(choice="multiple"))
CODED = Task("coding/1/001", "1", 1, "main", ("a/1",), ((),), (0,), {"text": "甲说乙来了。"})


def codes_sent(*values: Any) -> list[dict[str, Any]]:
    """As Label Studio exports it."""
    return [{"id": "1", "from_name": "types", "to_name": "text", "type": "choices", "value": {"choices": list(values)}}]


def test_several_codes_are_read_in_the_order_of_the_design() -> None:
    assert read_result(CODING, CODED, {}, codes_sent("role", "nearness")) == [{"types": "nearness role"}]
    assert read_result(CODING, CODED, {}, codes_sent("none")) == [{"types": "none"}]


@pytest.mark.parametrize("values", [(), ("none", "role"), ("role", "role"), ("place",), (1,)])
def test_impossible_codes_are_refused(values: tuple[Any, ...]) -> None:
    with pytest.raises(MalformedError, match=r"^\[types\] "):
        read_result(CODING, CODED, {}, codes_sent(*values))


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
