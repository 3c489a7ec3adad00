"""Words by the Penn Chinese Treebank's standard: what Jieba joins or parts by chance is cut one way."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.language.segmentation import by_standard, cut, parts_of, standard_words, word_standard


def test_the_cases_of_the_table() -> None:
    cases = word_standard().table.cases
    assert len(cases) >= 15
    assert [" ".join(standard_words(case.replace(" ", ""))) for case in cases] == list(cases)


def test_most_cases_are_errors_of_jieba() -> None:
    cases = word_standard().table.cases
    assert sum(cut(case.replace(" ", "")) != case.split(" ") for case in cases) >= 0.8 * len(cases)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["打", "得", "太响"], ["打", "得", "太", "响"]),
        (["没", "坐", "稳"], ["没", "坐稳"]),
        (["站", "稳"], ["站稳"]),
        (["每个", "月"], ["每", "个", "月"]),
        (["那份", "礼"], ["那", "份", "礼"]),
        (["十二个", "月"], ["十二", "个", "月"]),
        (["很", "长时间"], ["很", "长", "时间"]),
        (["这", "本书"], ["这", "本", "书"]),
        (["那块表"], ["那", "块", "表"]),
        (["我", "要", "走"], ["我", "要", "走"]),  # a modal verb reaches no result
        (["最近", "太阳", "很多"], ["最近", "太阳", "很多"]),
        (["一会儿", "一直", "这样"], ["一会儿", "一直", "这样"]),
        (["三叔", "二胡"], ["三叔", "二胡"]),
        (["晚上", "马上"], ["晚上", "马上"]),
    ],
)
def test_another_segmentation_is_divided_and_joined(words: list[str], expected: list[str]) -> None:
    assert by_standard(words) == expected


def test_a_name_is_one_word() -> None:
    text = "苏明远推醒了马建中。"
    assert standard_words(text, ["苏明远", "马建中"]) == ["苏明远", "推醒", "了", "马建中", "。"]
    assert by_standard(["太大", "来", "了"], ["太大"]) == ["太大", "来", "了"]


texts = st.text("太很响每个一两本书表站坐稳了着上里头桌子 他们，。a", max_size=14)


@given(texts)
def test_the_words_are_the_text(text: str) -> None:
    words = standard_words(text)
    assert "".join(words) == "".join(text.split())
    assert all(word.split() == [word] for word in words)
    assert "".join(by_standard(words)) == "".join(words)


@given(texts)
def test_the_standard_holds_after_it_was_applied(text: str) -> None:
    words = by_standard(cut(text))
    assert by_standard(words) == words
    assert all(parts_of(part) == [part] for word in words for part in parts_of(word))
