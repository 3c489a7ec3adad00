"""Both back ends see the same words, in simplified script from any region."""

import re
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from opencc import OpenCC

from pipeline.corpus.counting.script import keeps_characters, simplify
from pipeline.corpus.counting.segmenters import fast, reference

#: What texts are made of: words of every region and script, marks at which segmenters disagree, characters that they do not know.
PIECES = (
    "箱子", "獎盃", "乾安縣", "頭髮乾了", "看著", "顯著", "显著", "甚麼", "牠", "臺灣", "裡面", "T恤", "4S店", "AT&T", "C++", "c#",
    "1.0", "10.5%", "1.2.3", "B.C.", "Wi-Fi", "a_b", "v2.0b", "-", "_", ".", "...", "·", "々", "〇", "㐀", "𠮷", "龥", "ア", "é", "²", "１",
    "\u3000", " ", "，", "。", "《", "％",
)  # fmt: skip
mixtures = st.lists(st.sampled_from(PIECES) | st.text("的了是小大看人中国生0aB-_.%+#&", max_size=4), max_size=9).map(
    "".join
)


def words(tokens: list[str]) -> list[str]:
    return [token for token in tokens if any(map(str.isalnum, token))]


def real_texts(folder: Path) -> list[str]:
    return [
        text
        for path in sorted((folder / "ud").glob("*.conllu"))
        for text in re.findall(r"^# text = (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    ]


@example("0.04S店0.4s店.4S店1.21号店")
@example("AT&Tv2.0b")
@given(mixtures)
def test_both_back_ends_cut_the_same_words(text: str) -> None:
    text = simplify(text)
    ours, theirs = fast().cut(text), reference().cut(text)
    if not re.search(r"AT[-_.]T", text):  # a divider in a word of the dictionary
        assert words(ours) == words(theirs)
    assert sum(map(len, ours)) == len(text)


def test_both_back_ends_cut_the_same_words_of_real_texts(shared_data: Path) -> None:
    texts = [simplify(text) for text in real_texts(shared_data)]
    assert sum(map(len, texts)) == 99_291
    assert [words(fast().cut(text)) for text in texts] == [words(reference().cut(text)) for text in texts]


def test_the_conversion_differs_from_opencc_in_its_own_words_only(shared_data: Path) -> None:
    converter = OpenCC("t2s")
    differing = {
        (before, after)
        for text in real_texts(shared_data)
        for before, after in zip(converter.convert(text), simplify(text), strict=True)
        if before != after
    }
    assert differing == {("著", "着"), ("牠", "它"), ("甚", "什"), ("哩", "里"), ("沈", "沉")}


@given(st.text(st.characters(codec="utf-8") | st.sampled_from("著乾麼沈甚里的看名作"), max_size=20))
def test_every_character_stays_in_its_place(text: str) -> None:
    assert len(simplify(text)) == len(text)
    assert simplify(simplify(text)) == simplify(text)


@pytest.mark.parametrize(
    ("text", "simplified"),
    [
        ("他沿著河走，看著我，睡著了", "他沿着河走，看着我，睡着了"),
        ("顯著的名著和著名的原著，曹雪芹著《紅樓夢》", "显著的名著和著名的原著，曹雪芹著《红楼梦》"),
        ("他看著名單寫著作業", "他看着名单写着作业"),
        ("乾隆在乾安縣說頭髮乾了，要乾杯", "乾隆在乾安县说头发干了，要干杯"),
        ("显著，著名，看着，干净", "显著，著名，看着，干净"),
        ("那你甚麼時候說甚么", "那你什么时候说什么"),
        ("他問甚么麼", "他问什么麽"),
        ("他用放大鏡瞭望，杯盤狼藉，找藉口，鍾先生", "他用放大镜瞭望，杯盘狼藉，找借口，钟先生"),
    ],
)
def test_script_of_every_region_becomes_simplified(text: str, simplified: str) -> None:
    assert simplify(text) == simplified


def test_names_keep_their_characters() -> None:
    assert [term for term in ("王乾", "乾", "蘋果", "頭乾") if keeps_characters(term)] == ["王乾", "乾"]
    assert simplify("王乾的頭乾了", {"王乾"}) == "王乾的头干了"
