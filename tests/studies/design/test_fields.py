"""What tasks show of a record."""

from dataclasses import replace

import pytest

from pipeline.core.model import Finding, Record
from pipeline.studies.design.fields import FIELDS, FORM_PARTS, Passage, StudyRecord, field_value, shown_value
from tests.support.items import marked

BORROWED = StudyRecord(
    item=marked("阿菊把伞借给小舟，因为【她】没带。", candidates=("阿菊", "小舟"), answer=1, question="谁没带？"),
    finding=Finding("zh/made-up", "other", None, "不能省略", {}),
    own=0,
    doubt="阿菊 1 · 小舟 1",
    explanation="没带的人才借。",
    trace="1. Cafe\u0301 \r\n2. B\n\n",
    original=("Aju lent Xiaozhou the umbrella.", "Who?", "Aju", "Xiaozhou"),
    passage=Passage(
        genre="fiction", context="下雨了。", oracle="【她】没带。", reference="She had none.", systems=("x", "y")
    ),
    mates=(marked("阿菊把伞借给小舟，因为【她】有两把。", candidates=("阿菊", "小舟"), answer=0),),
)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("text", "阿菊把伞借给小舟，因为她没带。"),
        ("text_zero", "阿菊把伞借给小舟，因为Ø没带。"),
        ("text_dropped", "阿菊把伞借给小舟，因为没带。"),
        ("seen", "阿菊把伞借给小舟，因为Ø没带。"),
        ("marked", "阿菊把伞借给小舟，因为【她】没带。"),
        ("blanked", "阿菊把伞借给小舟，因为____没带。"),
        ("gap", "阿菊把伞借给小舟，因为___没带。"),
        ("pronoun", "她"),
        ("pronouns", ""),
        ("candidates", ["小舟", "阿菊"]),
        ("question", "谁没带？"),
        ("entity", ""),
        ("translation", ""),
        ("hypothesis", ""),
        ("context", "下雨了。"),
        ("oracle", "【她】没带。"),
        ("reference", "She had none."),
        ("rule", "zh/made-up"),
        ("class", "other"),
        ("message", "不能省略"),
        ("own", "阿菊"),
        ("right", "小舟"),
        ("wrong", "阿菊"),
        ("doubt", "阿菊 1 · 小舟 1"),
        ("explanation", "没带的人才借。"),
        ("if_yes", ""),
        ("if_no", ""),
        ("lettered", "A. 阿菊　B. 小舟"),
        ("first", "阿菊"),
        ("second", "小舟"),
        ("original", "Aju lent Xiaozhou the umbrella."),
        ("original_question", "Who?"),
        ("original_candidates", "Aju / Xiaozhou"),
        ("trace", "1. Caf\u00e9\n2. B"),
        ("bracketed", "阿菊把伞借给小舟，因为[她]没带。"),
        ("mate", "阿菊把伞借给小舟，因为【她】有两把。"),
        ("mate_right", "阿菊"),
        *((name, "") for name in FORM_PARTS),
    ],
)
def test_a_field_shows_a_part_of_the_record(name: str, expected: object) -> None:
    assert field_value(name, BORROWED, (1, 0), show_answer=True) == expected


def test_a_hypothesis_is_about_one_candidate_and_empty_where_there_is_none() -> None:
    shown = [field_value("hypothesis", replace(BORROWED, entity=number), (), show_answer=False) for number in range(2)]
    assert shown == ["阿菊没带。", "小舟没带。"]
    unfit = replace(BORROWED, item=replace(BORROWED.item, question="谁打了谁？"), entity=0)
    assert field_value("hypothesis", unfit, (), show_answer=False) == ""


def test_a_form_shows_its_parts() -> None:
    parts = tuple(f"Part {number}" for number in range(7))
    form = replace(BORROWED, original=parts)
    assert [field_value(name, form, (), show_answer=False) for name in FORM_PARTS] == list(parts)


def test_practice_says_whether_yes_or_no_was_right() -> None:
    """The second candidate is right: about it yes is right, about the first no is."""
    asked = [replace(BORROWED, entity=number) for number in range(2)]
    shown = [[field_value(name, record, (), show_answer=True) for name in ("if_yes", "if_no")] for record in asked]
    assert shown == [["✗ 没带的人才借。", "✓ 没带的人才借。"], ["✓ 没带的人才借。", "✗ 没带的人才借。"]]
    assert field_value("if_yes", replace(asked[0], explanation=""), (), show_answer=False) == ""


def test_candidates_have_keys_and_in_practice_marks() -> None:
    assert shown_value("candidates", BORROWED, (1, 0), iter("cd"), marked=False, show_answer=False) == [
        {"value": "小舟", "hotkey": "c"},
        {"value": "阿菊", "hotkey": "d"},
    ]
    three = replace(BORROWED, passage=None, item=replace(BORROWED.item, candidates=("阿菊", "小舟", "伞")))
    assert shown_value("candidates", three, (2, 1, 0), iter("c"), marked=True, show_answer=False) == [
        {"value": "伞", "alias": "wrong-1", "hotkey": "c"},
        {"value": "小舟", "alias": "right"},
        {"value": "阿菊", "alias": "wrong-2"},
    ]
    unknown = replace(BORROWED, item=replace(BORROWED.item, answer=None))
    assert shown_value("candidates", unknown, (0,), iter(""), marked=True, show_answer=False) == [{"value": "阿菊"}]


def test_every_field_is_tried() -> None:
    (mark,) = test_a_field_shows_a_part_of_the_record.pytestmark  # type: ignore[attr-defined]
    assert {name for name, _ in mark.args[1]} == FIELDS


def test_answers_are_shown_only_to_raters_who_may_know_them() -> None:
    shown = [field_value(name, BORROWED, (0, 1), show_answer=False) for name in ("right", "wrong", "mate_right")]
    assert shown == ["", "", ""]


def test_a_zero_is_marked_with_its_sign_and_english_has_other_brackets() -> None:
    zero = StudyRecord(item=marked("小舟走了，【】没说再见。"))
    english = StudyRecord(item=marked("Ann thanked Sue because 【she】 had helped.", lang="en"), pronouns="she")
    assert field_value("marked", zero, (), show_answer=False) == "小舟走了，【Ø】没说再见。"
    assert field_value("marked", english, (), show_answer=False) == "Ann thanked Sue because [she] had helped."
    # The distinct forms of the set in rules/pronouns/en.yaml, by case: her is accusative and possessive.
    assert field_value("pronouns", english, (), show_answer=False) == "she / her / hers / herself"


def test_a_record_without_target_has_no_zero_form() -> None:
    bare = StudyRecord(
        item=Record(
            id="x-a", schema="x", version="a", lang="zh", text="小舟走了。", target=None, candidates=(), answer=None
        )
    )
    assert [field_value(name, bare, (), show_answer=False) for name in ("text_zero", "text_dropped", "pronoun")] == [
        "",
        "",
        "",
    ]
    assert field_value("marked", bare, (), show_answer=False) == "小舟走了。"
