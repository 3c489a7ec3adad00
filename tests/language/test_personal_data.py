"""Personal data in remarks: what is found, what is not, and that long remarks are read."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.language.personal_data import find_personal_data, without_parts
from pipeline.language.text_checks import check_personal_data
from tests.support.hanging import stopped_when_hanging


@pytest.mark.parametrize(
    ("text", "cleared"),
    [
        ("救不回来wang.li@uni.edu", "救不回来‹e-mail address›"),
        ("wang＠uni.edu.cn，谢谢", "‹e-mail address›，谢谢"),
        ("wang（at）uni.edu", "‹e-mail address›"),
        ("电话 138 1234 5678。", "电话 ‹number›。"),
        ("打010-12345678", "打‹number›"),
        ("(+49) 30 1234567", "‹number›"),
        ("１３８１２３４５６７８", "‹number›"),  # full-width digits, as a Chinese keyboard gives them
        ("身份证 11010119900307123X", "身份证 ‹number›"),
        ("见 https://x.org/a?b=1。", "见 ‹link›。"),
        ("foo.com/me 有我的文章", "‹link› 有我的文章"),
        ("微信号 abc12345", "‹account›"),
        ("QQ: 1234567", "‹account›"),
        ("我住北京市海淀区中关村大街27号", "‹postal address›"),
        ("I live at 12 Baker Street.", "I live at ‹postal address›."),
        ("Hauptstraße 12a", "‹postal address›"),
    ],
)
def test_personal_data_is_replaced_by_its_kind(text: str, cleared: str) -> None:
    assert without_parts(text, find_personal_data(text)) == cleared


@pytest.mark.parametrize(
    "text",
    [
        "",
        "第3句和第12句，见 zh-0034-a 与 naturalness/1/003。",
        "2026-11-22 10:30 改过；2026年11月22日；1998-2003年",
        "3.14159265358 与 12,345,678 与 0.123456789",
        "1, 2, 3, 4, 5, 6, 7, 8",
        "r-0a1b2c",
        "他说e.g.这样也行，A或B。",
        "Er ging den Weg 3 mal.",
        "救不回来@了",
    ],
)
def test_what_identifies_nobody_stays(text: str) -> None:
    assert find_personal_data(text) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("打010-12345678。", "010-12345678"),
        ("Tel. 1234567", "1234567"),
        ("身份证号：11010119900307123X", "11010119900307123X"),
        ("微信 abc12345", "微信 abc12345"),
        ("by a.li@example.org", "a.li@example.org"),
        ("幸福路12号", "幸福路12号"),
        ("https://example.org/p/13812345678?by=a@example.org", ""),
        ("ISBN 978-3-16-148410-0, item 1234567, dump 20240101", ""),  # long numbers of a source
        ("a WeChat article on example.org", ""),
    ],
)
def test_a_source_may_have_links_and_long_numbers_but_nothing_that_tells_who_a_person_is(text: str, found: str) -> None:
    assert [text[part.start : part.end] for part in find_personal_data(text, certain=True)] == (
        [found] if found else []
    )
    assert bool(check_personal_data([text], "")) == bool(found)


@given(st.text(alphabet="a1 @.-(+0路号街QQ微信电话www", max_size=60))
def test_what_a_source_may_not_have_a_remark_loses(text: str) -> None:
    spans = [(part.start, part.end) for part in find_personal_data(text)]
    for part in find_personal_data(text, certain=True):
        assert any(start <= part.start and part.end <= end for start, end in spans)


@given(st.text(alphabet="a1 @.-(+路号街QQ微信www", max_size=60))
def test_parts_are_in_order_and_the_cleared_text_has_none_of_them(text: str) -> None:
    parts = find_personal_data(text)
    assert all(left.end <= right.start for left, right in pairwise(parts))
    cleared = without_parts(text, parts)
    assert len(cleared) == len(text) + sum(len(part.kind) + 2 - (part.end - part.start) for part in parts)
    if not parts:
        assert cleared == text


@pytest.mark.parametrize(
    "piece", ["a", "1", "a.", "路1", "汉", "A a ", "1 A ", "www.", "微信", "1-", "@", "Aa-", "(", "电话"]
)
def test_a_long_remark_is_read_to_its_end(piece: str) -> None:
    """Label Studio takes any length; without bounds, the patterns would take the square of it."""
    remark = piece * (100_000 // len(piece))
    with stopped_when_hanging():
        find_personal_data(remark)
        check_personal_data([remark], "")
