"""How varied a collection is: frames, connectives, reports, kinship terms, surnames, twins, registers."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core.convert import to_object
from pipeline.core.model import Item
from pipeline.winograd.variety import NONE, RELATIVES, TWINS, VARIETY, frame, report, twins, varieties, variety_table
from tests.support.items import marked

TABLE = variety_table("zh")
assert TABLE is not None


def item(text: str, *candidates: str, name: str = "t-1-a") -> Item:
    return marked(text, name, candidates=candidates)


@pytest.mark.parametrize(
    ("text", "candidates", "expected"),
    [
        ("店主劝伙计别再等，【他】嗓子都哑了。", ("店主", "伙计"), "advises"),
        ("店主叮嘱伙计锁好门，【他】还是不放心。", ("店主", "伙计"), "tells"),
        ("店主把伙计锁在了门外，【他】还不知道。", ("店主", "伙计"), "把"),
        # No mark may stand between: these are two clauses.
        ("店主劝了半天，伙计就是不听，【他】气坏了。", ("店主", "伙计"), "none"),
        # The longest word counts: 碰见, not 见 or 碰.
        ("店主碰见伙计，【他】扭头就走。", ("店主", "伙计"), "meets"),
        ("店主和伙计都走了，【他】忘了锁门。", ("店主", "伙计"), "none"),
    ],
)
def test_frames(text: str, candidates: Sequence[str], expected: str) -> None:
    assert frame(item(text, *candidates), TABLE) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("裁缝租给鞋匠半间铺面，契上写明，【他】每月交租。", "document"),
        ("裁缝租给鞋匠半间铺面，两人说好【他】每月交租。", "agreement"),  # 说好, not 说
        ("裁缝租给鞋匠半间铺面，邻居都说【他】糊涂。", "saying"),
        # What stands before the last mention tells of something else.
        ("听说裁缝要租给鞋匠半间铺面，眼看【他】就要搬来。", "none"),
    ],
)
def test_reports(text: str, expected: str) -> None:
    assert report(item(text, "裁缝", "鞋匠"), TABLE) == expected


def test_a_schema_counts_once_for_each_level() -> None:
    members = [
        item("王师傅劝李师傅别急，因为【他】见得多。", "王师傅", "李师傅"),
        item("王师傅劝李师傅别急，因为【他】急哭了。", "王师傅", "李师傅", name="t-1-b"),
        item("表姐催表妹快走，【她】都等急了。", "表姐", "表妹", name="t-2-a"),
    ]
    assert varieties(members, TABLE) == {
        "connective": {"因为": 1, "none": 1},
        "frame": {"advises": 1, "orders": 1},
        "report": {"none": 2},
        "kin": {"none": 1, "kinship": 1},
        "surname": {"王": 1, "李": 1, "none": 1},
        "twins": {"none": 2},
        "deeds": {"none": 2},
        "before": {"none": 2},
    }


def test_deeds_twins_and_early_contrasts_count_by_schema() -> None:
    members = [
        item("裁缝租给鞋匠半间铺面，契上写明，【他】每月交租。", "裁缝", "鞋匠"),
        item("裁缝租了鞋匠半间铺面，契上写明，【他】每月交租。", "裁缝", "鞋匠", name="t-1-b"),
        item("灰猫看见黄猫跑了，【它】很饿。", "灰猫", "黄猫", name="t-2-a"),
        item("灰猫看见黄猫跑了，【它】很快。", "灰猫", "黄猫", name="t-2-b"),
    ]
    counts = varieties(members, TABLE)
    assert counts["deeds"] == {"deed": 1, "none": 1}
    assert counts["twins"] == {"twins": 1, "none": 1}
    assert counts["before"] == {"before": 1, "none": 1}


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("红狐", "灰狐", TWINS), ("枣红马", "青骢马", TWINS),  # colour
        ("左先锋", "右先锋", TWINS), ("山南王国", "山北王国", TWINS), ("主队教练", "客队教练", TWINS),  # side
        ("大船", "小船", TWINS), ("瘦猎户", "胖猎户", TWINS),  # size
        ("一号服务器", "二号服务器", TWINS), ("土卫四", "土卫三", TWINS),  # number
        ("大副", "二副", TWINS), ("正使", "副使", TWINS), ("班长", "副班长", TWINS),  # rank
        ("蓝色扫地机", "白色扫地机", TWINS), ("楼上的房客", "楼下的房客", TWINS),
        # Families call their members so.
        ("大哥", "二哥", RELATIVES), ("大舅", "二舅", RELATIVES),
        # Surnames, and beginnings of names.
        ("黄师傅", "白师傅", NONE), ("老黄", "老白", NONE), ("阿黄", "阿灰", NONE), ("小红", "小蓝", NONE),
        # Two nouns, or words of two kinds.
        ("石匠", "木匠", NONE), ("母象", "小象", NONE), ("主人", "客人", NONE), ("学生", "大学生", NONE), ("店主", "伙计", NONE),
    ],
)  # fmt: skip
def test_twins_are_told_apart_by_one_word_for_a_colour_side_size_number_or_rank(
    first: str, second: str, expected: str
) -> None:
    text = f"{first}碰见{second}，【他】走了。"
    assert twins(item(text, first, second), TABLE) == twins(item(text, second, first), TABLE) == expected


_WORDS = st.sampled_from([words for words in TABLE.twins.words.values() if "" not in words])


@given(_WORDS.flatmap(lambda words: st.lists(st.sampled_from(words), min_size=2, max_size=2, unique=True)))
def test_each_two_words_of_a_kind_make_twins_of_a_noun(words: list[str]) -> None:
    first, second = (f"{word}蝈蝈" for word in words)
    assert twins(item(f"{first}碰见{second}，【它】走了。", first, second), TABLE) == TWINS
    assert twins(item(f"{first}碰见蝈蝈的主人，【它】走了。", first, "蝈蝈的主人"), TABLE) == NONE


def collection(
    folder: Path, schemas: int, register: str, text: str = "店主劝伙计别再等，【他】嗓子都哑了。", *candidates: str
) -> Path:
    """Write zero forms of so many schemas with the same frame, and their analyses with a register; return the file."""
    rows = [item(text, *(candidates or ("店主", "伙计")), name=f"t-{number}-a") for number in range(schemas)]
    path = folder / "zero.jsonl"
    path.write_text("".join(json.dumps(to_object(row)) + "\n" for row in rows))
    analyses = [
        {"id": row.id, "schema": row.schema, "gloss": "", "kind": "", "role": "", "pmi": None}
        | ({"register": register} if register else {})
        for row in rows
    ]
    (folder / "analysis.jsonl").write_text("".join(json.dumps(row) + "\n" for row in analyses))
    return path


def test_too_many_twins(tmp_path: Path) -> None:
    """The limit is a share of the schemas, rounded down."""
    path = collection(tmp_path, 60, "work", "红狐和灰狐都跑了，【它】没回头。", "红狐", "灰狐")
    allowed = int(TABLE.shares.twins * 60)
    _, line = VARIETY.check([path]).lines()
    assert line.endswith(f"1 of 9: twins; twins: found twins in 60 of 60 schemas, expected at most {allowed}")


def test_too_much_of_a_kind(tmp_path: Path) -> None:
    """60 schemas of one register and one frame: 8 % of 60 are 4.8, so that 4 may have it."""
    path = collection(tmp_path, 60, "work")
    even, frequent = VARIETY.check([path]).lines()
    assert even.startswith(f"{path}:1: [variety/registers-even] 1 of 9: register; ")
    assert even.endswith("register: found work 60 and everyday 0, expected a difference of at most 20")
    assert frequent.startswith(f"{path}:1: [variety/none-too-frequent] 1 of 9: frame; ")
    assert frequent.endswith("frame: found advises in 60 of 60 schemas, expected at most 4")


@pytest.mark.parametrize(("schemas", "register"), [(60, ""), (49, "work")])
def test_what_names_no_register_or_is_small_is_not_judged(schemas: int, register: str, tmp_path: Path) -> None:
    assert VARIETY.rows([collection(tmp_path, schemas, register)]) == []
