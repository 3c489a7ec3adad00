"""Items in traditional script: every place stays, and conversions that cannot be reversed are listed."""

from pathlib import Path

import opencc
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core.model import Item
from pipeline.core.records import item_from_json
from pipeline.language.script import REGIONS, is_animal, script_table, to_simplified, to_traditional
from pipeline.language.script_names import name_form, name_table, named_candidates, names_of_text
from pipeline.winograd.forms.form import Row
from pipeline.winograd.forms.traditional import in_traditional, traditional
from pipeline.winograd.mentions import own_mentions
from tests.support.collections import items_of
from tests.support.items import marked

TAIWAN, HONG_KONG = REGIONS
DICTIONARIES = (
    "STPhrases.txt", "STCharacters.txt", "TSPhrases.txt", "TSCharacters.txt", "TWVariants.txt", "TWVariantsRev.txt",
    "TWVariantsRevPhrases.txt", "HKVariants.txt", "HKVariantsRev.txt", "HKVariantsRevPhrases.txt",
)  # fmt: skip

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
    result = traditional([item], TAIWAN)
    assert result.unmade == ()
    assert result.rows == (
        {
            "id": "t-0001-a",
            "schema": "t-0001",
            "version": "a",
            "lang": "zh-Hant-TW",
            "text": "裁縫把麵條端給理髮師，因為他餓了。",
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


def test_a_conversion_that_cannot_be_reversed_is_in_the_row() -> None:
    (made,) = traditional([marked("木匠问「箱子还是钟」，【它】旧了。", candidates=("箱子", "钟"))], TAIWAN).rows
    assert made["text"] == "木匠問「箱子還是鍾」，它舊了。"
    assert made["back"] == "木匠问“箱子还是钟”，它旧了。"


@pytest.mark.parametrize("lang", REGIONS)
def test_the_cases_of_the_table(lang: str) -> None:
    cases = script_table().cases
    assert len(cases) >= 10
    assert {text: to_traditional(text, lang) for text in cases} == {text: forms[lang] for text, forms in cases.items()}
    assert [text for text, forms in cases.items() if to_simplified(forms[lang], lang) != text] == []


@pytest.mark.parametrize("lang", REGIONS)
def test_no_archaic_variant_is_written(lang: str) -> None:
    text = "才吃完，山峰上的人群为一张床在里面争，启动了面粉厂。"
    assert not set(to_traditional(text, lang)) & set("纔喫羣峯爲牀啓麪")


@pytest.mark.parametrize("lang", REGIONS)
def test_common_characters_come_back(lang: str) -> None:
    # The first level of GB 2312: the 3755 common characters, in rows 16 to 55.
    common = "".join(
        bytes((row, cell)).decode("gb2312", "ignore") for row in range(0xB0, 0xD8) for cell in range(0xA1, 0xFF)
    )
    assert len(common) == 3755
    lost = [character for character in common if to_simplified(to_traditional(character, lang), lang) != character]
    # By themselves, without a phrase, 乾 is taken for dry (乾坤) and 著 of Taiwan for the aspect marker (著作).
    assert lost == (["乾", "著"] if lang == TAIWAN else ["乾"])


def test_an_apostrophe_is_no_quotation_mark() -> None:
    assert to_traditional("读‘好’和“O’Neil说‘是’”", TAIWAN) == "讀『好』和「O’Neil說『是』」"
    assert to_traditional("O’Neil说“好”", TAIWAN) == "O’Neil說「好」"


@pytest.mark.parametrize(
    ("text", "candidates", "forms"),
    [
        ("黑牛拽出了黄牛，【它】没事。", ("黑牛", "黄牛"), ("牠", "它")),
        ("狐狸们吃了小鸡，我得杀了【它们】。", ("狐狸", "小鸡"), ("牠們", "它們")),
        ("猫撞倒了花瓶，【它】没事。", ("猫", "花瓶"), ("它", "它")),  # 牠 would tell the answer
        ("木马压了热狗，【它】没事。", ("木马", "热狗"), ("它", "它")),
    ],
)
def test_the_pronoun_for_animals(text: str, candidates: tuple[str, str], forms: tuple[str, str]) -> None:
    item = marked(text, candidates=candidates)
    for lang, form in zip(REGIONS, forms, strict=True):
        (made,) = traditional([item], lang).rows
        assert made["text"][item.target.start : item.target.end] == form
        assert made["back"] == ""


def test_an_end_tells_an_animal() -> None:
    assert all(map(is_animal, ("花公鸡", "大猫", "孔雀", "金鱼", "熊猫")))
    assert not any(map(is_animal, ("对象", "罗马", "牛皮", "马车", "丝瓜")))


def test_candidates_are_as_the_text_has_them() -> None:
    # 干 by itself is 幹, in 干了 after 面 it depends on OpenCC's phrases.
    assert to_traditional("干", TAIWAN) == "幹"
    converted = in_traditional(marked("厨子先收干面条，后收【它】。", candidates=("干", "厨子")), TAIWAN)
    assert converted.candidates[0] == converted.text[4]
    assert converted.candidates[0] == "乾"


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
            marked("余红在画旁边，【】没了。", candidates=("余红", "画")),
            "[candidates] 余红: a name or another word; found a zero as the target, expected one that tells people",
        ),
    ],
)
def test_an_item_that_needs_a_guess_is_unmade(item: Item, reason: str) -> None:
    (unmade,) = traditional([item], TAIWAN).unmade
    assert (unmade.form, unmade.item) == ("traditional-tw", item.id)
    assert unmade.reason.startswith(reason)


# --- what OpenCC takes for another word -------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", REGIONS)
def test_the_cases_of_the_names(lang: str) -> None:
    cases = name_table().cases
    for text, case in cases.items():
        assert to_traditional(text, lang, {case["name"]: name_form(case["name"], lang)}) == case[lang]
        assert lang == HONG_KONG or to_traditional(text, lang) != case[lang]


@pytest.mark.parametrize("lang", REGIONS)
def test_every_form_of_a_name_comes_back_and_is_needed(lang: str) -> None:
    for character, forms in name_table().characters.items():
        for form in filter(None, (forms.surname, forms.given)):
            assert to_simplified(form, lang) == character
            assert (
                name_form(f"{character}建" if form == forms.surname else f"王{character}", lang).count(form)
                or form == "臺"
            )


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("余师傅", "余師傅"), ("老范", "老范"), ("于志刚", "于志剛"), ("叶楠", "葉楠"), ("金余", "金餘"),
        ("钟余庆", "鍾餘慶"), ("胡子昂", "胡子昂"), ("沈阳", "沈陽"), ("苏醒", "蘇醒"), ("万俟卨", "万俟卨"),
        ("王后", "王后"), ("干国干", "干國幹"), ("小占", "小占"),
    ],
)  # fmt: skip
def test_a_name_has_the_characters_of_names(name: str, form: str) -> None:
    assert name_form(name, TAIWAN) == form


def test_common_nouns_are_no_names() -> None:
    nouns = "干部 党员 后卫 里长 占卜师 干女儿 后妈 干妈 向导 采购员 游客 台商 丑角 余党 征婚者 钟点工 妈妈"
    assert named_candidates(nouns.split()) == []
    names = "岳红 占军 姚咸 冬冬 干先生 党爱国 丑小丫 卜师傅 阿占 沈阳 立春 谷雨 台铭"
    assert [name for name in names.split() if not named_candidates([name])] == ["立春"]  # no character of a name


def test_a_name_is_kept_wherever_it_stands_and_a_word_is_not() -> None:
    item = marked("冬天，干先生对干净的屋子，老占对占座的人，都没对岳红说，【他】走了。", candidates=("干先生", "老占"))
    assert in_traditional(item, TAIWAN).text == "冬天，干先生對乾淨的屋子，老占對佔座的人，都沒對岳紅說，他走了。"
    assert to_traditional("于海对于海上的事", TAIWAN, {"于海": "于海"}) == "于海對於海上的事"
    things = marked("余钱在画旁边，【它】没了。", candidates=("余钱", "画"))
    assert in_traditional(things, TAIWAN).candidates[0] == "餘錢"
    assert (
        in_traditional(marked("余师傅见金师傅，【】走了。", candidates=("余师傅", "金师傅")), TAIWAN).candidates[0]
        == "余師傅"
    )
    for text in [
        "他想干主任的活。",
        "最后主任说了。",
        "他毕业于王老师的班。",
        "关于先生的事。",
        "谷雨那天下雨。",
        "郁金香开了。",
    ]:
        assert names_of_text(text) in ((), ("王老师",))


def test_a_surname_stays_with_people_only() -> None:
    people = marked("余老板多收了余下的钱，蒋老板说【他】错了。", candidates=("余老板", "蒋老板"))
    assert in_traditional(people, TAIWAN).text == "余老闆多收了餘下的錢，蔣老闆說他錯了。"
    things = marked("余钱买了画，【它】没了。", candidates=("余钱", "画"))
    assert in_traditional(things, TAIWAN).candidates == ("餘錢", "畫")


@pytest.mark.parametrize("lang", REGIONS)
def test_the_table_corrects_errors_of_opencc(lang: str) -> None:
    for word, form in script_table().words.items():
        assert to_traditional(f"看{word}。", lang) == f"看{form}。"
        assert all(to_simplified(there) == here for here, there in zip(word, form, strict=True))


# --- the places -----------------------------------------------------------------------------------------------------


def test_opencc_keeps_the_length_of_every_phrase() -> None:
    folder = Path(opencc.__file__).parent / "dictionary"
    for name in DICTIONARIES:
        for line in (folder / name).read_text(encoding="utf-8").splitlines():
            key, forms = line.split("\t")
            assert len(key) == len(forms.split(" ")[0]), (name, line)


@given(st.text("他发头干面余里后钟表老板背包偷块游戏，a", max_size=14))
def test_every_character_stays_in_its_place(text: str) -> None:
    for lang in REGIONS:
        converted = to_traditional(text, lang)
        assert len(converted) == len(to_simplified(converted, lang)) == len(to_simplified(text)) == len(text)


# --- the real data ----------------------------------------------------------------------------------------------------


def check(items: tuple[Item, ...], lang: str) -> tuple[set[str], tuple[Row, ...]]:
    """Return the ids of the items that do not come back, and the rows of all."""
    result = traditional(items, lang)
    assert (result.items, result.unmade) == (len(items), ())
    forms: dict[tuple[str, str], set[str]] = {}
    for item, made in zip(items, result.rows, strict=True):
        converted = item_from_json({key: value for key, value in made.items() if key not in ("item", "back")})
        assert to_simplified(converted.target.of(converted.text), lang) == item.target.of(item.text)
        assert (converted.id, converted.answer, converted.lang) == (item.id, item.answer, lang)
        assert own_mentions(converted) == own_mentions(item)
        assert (to_simplified(converted.text, lang) == item.text) == (made["back"] == "")
        for here, there in zip(item.candidates, converted.candidates, strict=True):
            assert (here in item.text) == (there in converted.text)
            forms.setdefault((item.schema, here), set()).add(there)
    assert [names for names in forms.values() if len(names) > 1] == []  # the same in both members
    return {made["item"] for made in result.rows if made["back"]}, result.rows


@pytest.mark.parametrize("lang", REGIONS)
def test_all_of_ours_is_converted(lang: str) -> None:
    lost, rows = check(items_of("zh"), lang)
    # 伙伕 is right; it is on the way back that OpenCC leaves 伕.
    assert lost == {"zh-0593-a", "zh-0593-b"}
    assert not {name for made in rows for name in made["candidates"] if name[0] in "餘範"}


@pytest.mark.parametrize("lang", REGIONS)
def test_all_of_mandarinograd_is_converted(shared_data: Path, lang: str) -> None:
    lost, made_rows = check(items_of("pws", shared_data), lang)
    assert lost == set()
    rows = {made["item"]: made["text"] for made in made_rows}
    for schema, right in (("039", "背包"), ("066", "背包"), ("104", "扎了一個洞"), ("119", "「將軍」")):
        assert any(right in rows[f"pws-man-{schema}-{version}"] for version in "ab"), schema
