"""Items in traditional script: every place stays, and conversions that cannot be reversed are listed."""

from pathlib import Path

import opencc
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core.model import Item, Span
from pipeline.core.records import item_from_json
from pipeline.language.script import name_form, script_table, to_simplified, to_traditional
from pipeline.winograd.forms.traditional import in_traditional, traditional
from pipeline.winograd.mentions import own_mentions
from pipeline.winograd.readers import ingest
from tests.conftest import ROOT
from tests.support.items import marked

# --- an item ----------------------------------------------------------------------------------------------------------


def test_an_item_in_traditional_script() -> None:
    item = marked(
        "裁缝把面条端给理发师，因为【他】饿了。",
        candidates=("裁缝", "理发师"),
        answer=1,
        question="谁饿了？",
        note="裁缝 = tailor",
        source="我们",
    )
    result = traditional([item])
    assert result.unmade == ()
    assert result.rows == (
        {
            "id": "t-0001-a",
            "schema": "t-0001",
            "version": "a",
            "lang": "zh-Hant",
            "text": "裁縫把麪條端給理髮師，因爲他餓了。",
            "target": {"start": 13, "end": 14},
            "candidates": ["裁縫", "理髮師"],
            "answer": 1,
            "question": "誰餓了？",
            "source": "我们",
            "note": "裁缝 = tailor",
            "item": "t-0001-a",
            "back": "",
        },
    )


def test_a_zero_stays_where_it_is() -> None:
    converted = in_traditional(marked("裁缝给发廊送了窗帘，因为【】开张了。", candidates=("裁缝", "发廊")))
    assert converted.text == "裁縫給髮廊送了窗簾，因爲開張了。"
    assert converted.target == Span(12, 12)


def test_a_conversion_that_cannot_be_reversed_is_in_the_row() -> None:
    (made,) = traditional([marked("木匠看看背包和钟，【它】旧了。", candidates=("背包", "钟"))]).rows
    assert made["text"] == "木匠看看揹包和鍾，它舊了。"
    assert made["back"] == "木匠看看揹包和钟，它旧了。"
    assert made["candidates"] == ["揹包", "鍾"]


def test_candidates_are_as_the_text_has_them() -> None:
    # 干 by itself is 幹, in 干了 after 面 it depends on OpenCC's phrases.
    assert to_traditional("干") == "幹"
    converted = in_traditional(marked("厨子先收干面条，后收【它】。", candidates=("干", "厨子")))
    assert converted.candidates[0] == converted.text[4]
    assert converted.candidates[0] == "乾"


def test_a_described_candidate_is_converted_by_itself() -> None:
    converted = in_traditional(marked("一个人在吹口哨，【他】烦了。", candidates=("吹哨的人们", "人")))
    assert converted.candidates == ("吹哨的人們", "人")


@pytest.mark.parametrize(
    ("item", "reason"),
    [
        (
            marked("甲见乙，【他】走了。", lang="en"),
            "[lang] no simplified Chinese; found 'en', expected 'zh'",
        ),
        (
            marked("发展了头发，【它】好。", candidates=("发", "甲")),
            "[candidates] mentions converted differently; found 發, 髮 for 发, expected one form",
        ),
        (
            marked("后来後院里，【它】好。", candidates=("后", "甲")),
            "[candidates] named at other places; found 0,2 and none, expected 0 and none",
        ),
        (
            marked("余师傅见金师傅，【】走了。", candidates=("余师傅", "金师傅")),
            "[candidates] 余师傅: a surname or another word; found a zero as the target, expected a pronoun that distinguishes people",
        ),
    ],
)
def test_an_item_that_needs_a_guess_is_unmade(item: Item, reason: str) -> None:
    (unmade,) = traditional([item]).unmade
    assert (unmade.form, unmade.item) == ("traditional", item.id)
    assert unmade.reason.startswith(reason)


# --- what OpenCC takes for another word -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "form"),
    [("余师傅", "余師傅"), ("老范", "老范"), ("于志刚", "于志剛"), ("叶楠", None), ("金余", None), ("钟余庆", None)],
)
def test_surnames_of_their_own(name: str, form: str | None) -> None:
    assert name_form(name) == form


def test_a_surname_stays_with_people_only() -> None:
    people = marked("余老板多收了余下的钱，蒋老板说【他】错了。", candidates=("余老板", "蒋老板"))
    assert in_traditional(people).text == "余老闆多收了餘下的錢，蔣老闆說他錯了。"
    things = marked("余钱买了画，【它】没了。", candidates=("余钱", "画"))
    assert in_traditional(things).candidates == ("餘錢", "畫")


def test_the_table_corrects_errors_of_opencc() -> None:
    raw = opencc.OpenCC("s2t").convert
    for word, form in script_table().words.items():
        assert to_traditional(f"看{word}。") == f"看{form}。"
        assert all(to_simplified(there) == here for here, there in zip(word, form, strict=True))
    for surname in "余范于涂郁朴":
        assert raw(surname) != surname == name_form(surname)


# --- the places -----------------------------------------------------------------------------------------------------


def test_opencc_keeps_the_length_of_every_phrase() -> None:
    folder = Path(opencc.__file__).parent / "dictionary"
    for name in ("STPhrases.txt", "STCharacters.txt", "TSPhrases.txt", "TSCharacters.txt"):
        for line in (folder / name).read_text(encoding="utf-8").splitlines():
            key, forms = line.split("\t")
            assert len(key) == len(forms.split(" ")[0]), (name, line)


@given(st.text("他发头干面余里后钟表老板背包偷块游戏，a", max_size=14))
def test_every_character_stays_in_its_place(text: str) -> None:
    assert len(to_traditional(text)) == len(to_simplified(text)) == len(text)


# --- the real data ----------------------------------------------------------------------------------------------------


def ours() -> tuple[Item, ...]:
    path = ROOT / "raw" / "zh" / "schemas.yaml"
    return ingest(path.read_bytes(), path, "schema-yaml").items


def mandarinograd(folder: Path) -> tuple[Item, ...]:
    path = folder / "pws" / "pws.tsv"
    return ingest(path.read_bytes(), path, "pws-tsv").items


def check(items: tuple[Item, ...]) -> set[str]:
    """Return the items that do not come back."""
    result = traditional(items)
    assert (result.items, result.unmade) == (len(items), ())
    forms: dict[tuple[str, str], set[str]] = {}
    for item, made in zip(items, result.rows, strict=True):
        converted = item_from_json({key: value for key, value in made.items() if key not in ("item", "back")})
        assert to_simplified(converted.target.of(converted.text)) == item.target.of(item.text)
        assert (converted.id, converted.answer, converted.lang) == (item.id, item.answer, "zh-Hant")
        assert own_mentions(converted) == own_mentions(item)
        assert (to_simplified(converted.text) == item.text) == (made["back"] == "")
        for here, there in zip(item.candidates, converted.candidates, strict=True):
            assert (here in item.text) == (there in converted.text)
            forms.setdefault((item.schema, here), set()).add(there)
    assert [names for names in forms.values() if len(names) > 1] == []  # the same in both members
    return {made["item"] for made in result.rows if made["back"]}


def test_all_of_ours_is_converted() -> None:
    assert check(ours()) == set()
    names = {name for made in traditional(ours()).rows for name in made["candidates"]}
    assert {"余老闆", "范芳", "鍾國棟", "葉師傅"} <= names
    assert not {name for name in names if name[0] in "餘範"}


def test_all_of_mandarinograd_is_converted(shared_data: Path) -> None:
    # 背包 becomes 揹包, which OpenCC does not bring back.
    lost = {"pws-man-039-a", "pws-man-039-b", "pws-man-066-a", "pws-man-066-b"}
    assert check(mandarinograd(shared_data)) == lost
