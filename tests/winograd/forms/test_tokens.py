"""Items in words: target and candidates on token boundaries, corrections that apply or stop the run."""

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core.model import Item, Span
from pipeline.language.segmentation import cut
from pipeline.statistics.agreement import BoundaryAgreement, boundary_agreement
from pipeline.winograd.forms.form import Correction, Row, read_corrections, require_items
from pipeline.winograd.forms.tokens import agreement_with, tokenised, two_cuts
from pipeline.winograd.mentions import own_mentions
from tests.conftest import Refused
from tests.support.collections import drafts_of, items_of
from tests.support.items import marked

HERE = Path("tokens.tsv")


def row(item: Item, *tokens: str) -> Row:
    corrections = {item.id: Correction(item.id, tokens, HERE, 3)} if tokens else {}
    result = tokenised([item], corrections)
    assert result.unmade == ()
    (made,) = result.rows
    return made


def words(made: Row, indices: list[int]) -> list[str]:
    start, end = indices
    return list(made["tokens"][start:end])


def target_of(made: Row) -> list[int]:
    return [made["target"]["start"], made["target"]["end"]]


# --- by hand ----------------------------------------------------------------------------------------------------------


def test_a_chinese_item_in_words() -> None:
    item = marked("旧书店把铜灯卖给了房客，因为【他】喜欢铜灯。", candidates=("房客", "铜灯"))
    made = row(item)
    assert made == {
        "item": "t-0001-a",
        "text": "旧书店把铜灯卖给了房客，因为他喜欢铜灯。",
        "tokens": ["旧书店", "把", "铜灯", "卖给", "了", "房客", "，", "因为", "他", "喜欢", "铜灯", "。"],
        "offsets": [
            [0, 3], [3, 4], [4, 6], [6, 8], [8, 9], [9, 11], [11, 12], [12, 14], [14, 15], [15, 17], [17, 19], [19, 20],
        ],
        "target": {"start": 8, "end": 9},
        "candidates": [[[5, 6]], [[2, 3], [10, 11]]],
        "corrected": False,
    }  # fmt: skip


def test_a_word_that_crosses_a_border_is_split_there() -> None:
    item = marked("邻居们请裁缝到【他们】家吃面。", candidates=("邻居", "裁缝"))
    made = row(item, "邻居们", "请", "裁缝", "到", "他们家吃面", "。")
    assert made["tokens"] == ["邻居", "们", "请", "裁缝", "到", "他们", "家吃面", "。"]
    assert words(made, target_of(made)) == ["他们"]
    assert made["candidates"] == [[[0, 1]], [[3, 4]]]
    assert made["corrected"] is True


def test_a_string_that_is_cut_in_two_ways_is_reported() -> None:
    first = row(marked("甲站稳了，【他】笑了。"))
    second = {**row(marked("乙站稳了，【他】笑了。")), "item": "t-0002-a"}
    assert list(two_cuts([first, second])) == []
    at = second["tokens"].index("站稳")
    second["tokens"][at : at + 1] = ["站", "稳"]
    assert list(two_cuts([first, second])) == [
        ("t-0002-a", "cut in two ways; found 站/稳, expected 站稳 as in t-0001-a")
    ]


def test_a_zero_stands_before_its_token() -> None:
    item = marked("奶奶喂了猫，因为【】饿了。", candidates=("奶奶", "猫"))
    made = row(item, "奶奶", "喂", "了", "猫", "，", "因为饿", "了", "。")
    assert made["tokens"][5:7] == ["因为", "饿"]
    assert target_of(made) == [6, 6]


def test_an_english_item_in_words() -> None:
    item = marked(
        "The cup can't go on Ann's shelf,  because 【it】 is wet.", lang="en", candidates=("cup", "Ann's shelf")
    )
    made = row(item)
    words_of_it = "The cup ca n't go on Ann 's shelf , because it is wet ."
    assert made["tokens"] == words_of_it.split()
    assert words(made, target_of(made)) == ["it"]
    assert made["candidates"] == [[[1, 2]], [[6, 9]]]


@pytest.mark.parametrize("lang", ["ja", "zh-Hant", "xx", "../en"])
def test_a_language_without_a_tokenizer_is_unmade_unless_corrected(lang: str) -> None:
    item = marked("甲见乙【他】", lang=lang)
    (unmade,) = tokenised([item], {}).unmade
    assert (unmade.form, unmade.item) == ("tokens", item.id)
    assert unmade.reason.startswith(f"[lang] no tokenizer; found {lang!r}, expected ")
    assert row(item, "甲", "见", "乙他")["tokens"] == ["甲", "见", "乙", "他"]


# --- mentions ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "candidates", "places"),
    [
        ("画家卖画，【他】", ("画家", "画"), [[(0, 2)], [(3, 4)]]),  # 画 in 画家 is no mention
        ("画家走了，【他】", ("画家", "画"), [[(0, 2)], [(0, 1)]]),  # but where it is named nowhere else
        ("甲乙丙，【他】", ("甲乙", "乙丙"), [[(0, 2)], [(1, 3)]]),
        ("甲，【他】", ("甲", "乙"), [[(0, 1)], []]),
        ("Ann怕Anna，【她】", ("Ann", "Anna"), [[(0, 3)], [(4, 8)]]),
        ("the key to the keyhole 【it】", ("key", "keyhole"), [[(4, 7)], [(15, 22)]]),
        ("a keyhole 【it】", ("key", ""), [[], []]),
        ("Dr._Li见Li，【她】", ("Li", "Dr._Li"), [[(7, 9)], [(0, 6)]]),
    ],
)
def test_mentions_of_a_candidate(text: str, candidates: tuple[str, str], places: list[list[tuple[int, int]]]) -> None:
    expected = tuple(tuple(Span(*place) for place in some) for some in places)
    assert own_mentions(marked(text, candidates=candidates)) == expected


# --- corrections ------------------------------------------------------------------------------------------------------


def table(tmp_path: Path, *lines: str) -> Path:
    path = tmp_path / "tokens.tsv"
    path.write_text("\n".join(["# by hand", "item\ttokens\tnote", *lines]) + "\n", encoding="utf-8")
    return path


def test_corrections_are_read_with_their_lines(tmp_path: Path) -> None:
    path = table(tmp_path, "t-1-a\t甲 见 Dr._Li 。\tthe name is one word", "t-1-b\t甲\t")
    assert read_corrections(path) == {
        "t-1-a": Correction("t-1-a", ("甲", "见", "Dr._Li", "。"), path, 3, "the name is one word"),
        "t-1-b": Correction("t-1-b", ("甲",), path, 4),
    }


@pytest.mark.parametrize(
    ("lines", "line", "field"),
    [
        (["t-1-a\t甲  见\t"], 3, "tokens"),
        (["t-1-a\t 甲\t"], 3, "tokens"),
        (["t-1-a\t\t"], 3, "tokens"),
        (["t-1-a\t甲\u3000见\t"], 3, "tokens"),
        (["t-1-a\t甲\t", "t-1-a\t甲\t"], 4, "item"),
        (["t-1-a\t甲"], 3, "row"),
    ],
)
def test_a_broken_table_is_refused_at_its_line(
    tmp_path: Path, refused: Refused, lines: list[str], line: int, field: str
) -> None:
    path = table(tmp_path, *lines)
    refused(lambda: read_corrections(path), f"{path}:{line}", field)


@pytest.mark.parametrize(
    ("tokens", "reason"),
    [
        (("甲", "看见", "乙"), "found '见 乙，他', expected '看见'"),
        (("甲", "见"), "found '乙，他', expected its end"),
        (("甲", "见", "乙", "，", "他", "。"), "found '', expected '。'"),
        (("甲", "见乙", "，", "他"), "found '见 乙，他', expected '见乙'"),  # no word goes over a blank
    ],
)
def test_a_correction_that_no_longer_applies_stops_the_run(
    refused: Refused, tokens: tuple[str, ...], reason: str
) -> None:
    item = marked("甲见 乙，【他】")
    message = refused(
        lambda: tokenised([item], {item.id: Correction(item.id, tokens, HERE, 3)}), "tokens.tsv:3", "tokens"
    )
    assert message.endswith(f"[tokens] no longer applies; {reason}")


def test_a_correction_of_an_item_that_is_gone_stops_the_run(refused: Refused) -> None:
    message = refused(
        lambda: require_items({"t-9-a": Correction("t-9-a", ("甲",), HERE, 7)}, {"t-1-a"}), "tokens.tsv:7", "item"
    )
    assert "found no item 't-9-a'" in message


# --- agreement --------------------------------------------------------------------------------------------------------


def test_agreement_by_hand() -> None:
    # Ours cuts 我|喜欢|喝|茶 and theirs 我|喜欢|喝茶: 3 and 2 boundaries within, 2 in common.
    # Ours 下雨了 has none and theirs 下雨|了 one; a text of one word adds nothing.
    ours = {"a": ["我", "喜欢", "喝", "茶"], "b": ["下雨了"], "c": ["好"]}
    theirs = {"a": ["我", "喜欢", "喝茶"], "b": ["下雨", "了"], "c": ["好"]}
    agreement = boundary_agreement(ours, theirs)
    assert agreement == BoundaryAgreement(texts=3, ours=3, theirs=3, both=2)
    assert (agreement.precision, agreement.recall, agreement.f1) == (
        pytest.approx(2 / 3),
        pytest.approx(2 / 3),
        pytest.approx(2 / 3),
    )


@pytest.mark.parametrize(
    ("ours", "theirs", "scores"),
    [
        (
            list("他来了吗"),
            ["他", "来了吗"],
            (pytest.approx(1 / 3), 1.0, 0.5),
        ),  # precision is of ours, recall of theirs
        (["甲乙"], ["甲乙"], (None, None, None)),
        (["甲", "乙"], ["甲乙"], (0.0, None, None)),
        (["甲乙"], ["甲", "乙"], (None, 0.0, None)),
        (["甲", "乙丙"], ["甲乙", "丙"], (0.0, 0.0, 0.0)),
        ([], [], (None, None, None)),
    ],
)
def test_scores_may_be_undefined(ours: list[str], theirs: list[str], scores: tuple[float | None, ...]) -> None:
    agreement = boundary_agreement({"a": ours}, {"a": theirs})
    assert (agreement.precision, agreement.recall, agreement.f1) == scores


@pytest.mark.parametrize(
    ("ours", "theirs", "field"),
    [({"a": ["甲"]}, {"b": ["甲"]}, "item"), ({"a": ["甲"]}, {}, "item"), ({"a": ["甲"]}, {"a": ["乙"]}, "tokens")],
)
def test_other_texts_cannot_be_compared(ours: dict[str, list[str]], theirs: dict[str, list[str]], field: str) -> None:
    with pytest.raises(ValueError, match=rf"^\[{field}\] not the same text"):
        boundary_agreement(ours, theirs)


segmentations = st.lists(st.text("甲乙", min_size=1, max_size=3), max_size=6)


@given(segmentations, st.sets(st.integers(1, 17)))
def test_agreement_is_symmetric_and_counts_no_end(tokens: list[str], cuts: set[int]) -> None:
    text = "".join(tokens)
    ends = sorted({0, len(text)} | {at for at in cuts if at < len(text)})
    other = [text[start:end] for start, end in pairwise(ends)]
    there, back = boundary_agreement({"a": tokens}, {"a": other}), boundary_agreement({"a": other}, {"a": tokens})
    assert (there.precision, there.recall, there.f1) == (back.recall, back.precision, back.f1)
    assert there.ours == max(0, len(tokens) - 1)
    assert 0 <= there.both <= min(there.ours, there.theirs)
    assert boundary_agreement({"a": tokens}, {"a": tokens}).f1 == (1.0 if len(tokens) > 1 else None)


def test_the_tokenizer_is_compared_before_it_is_corrected() -> None:
    items = [marked("厨子来了，【他】饿了。", name, candidates=("厨子", "他")) for name in ("t-1-a", "t-1-b")]
    japanese = marked("厨子来了，【他】饿了。", "t-2-a", lang="ja")
    corrections = {
        "t-1-b": Correction("t-1-b", ("厨子", "来", "了", "，", "他饿", "了", "。"), HERE),
        "t-2-a": Correction("t-2-a", tuple(japanese.text), HERE),
    }
    assert cut(items[0].text) == ["厨子", "来", "了", "，", "他", "饿", "了", "。"]
    agreement = agreement_with([*items, japanese], corrections)
    assert agreement == BoundaryAgreement(texts=1, ours=7, theirs=6, both=6)
    assert (
        str(agreement)
        == "word boundaries of 1 texts: precision 0.8571, recall 1.0000, F1 0.9231 (ours 7, theirs 6, both 6)"
    )
    assert "precision undefined, recall undefined, F1 undefined" in str(agreement_with([], corrections))


def test_jieba_agrees_with_the_corpus(shared_data: Path) -> None:
    corrections = {draft.id: Correction(draft.id, draft.words, HERE) for draft in drafts_of("pws", shared_data)}
    agreement = agreement_with(items_of("pws", shared_data), corrections)
    # Counted with Jieba 0.42.1.
    assert agreement == BoundaryAgreement(texts=248, ours=4176, theirs=4143, both=4139)


# --- for any text -----------------------------------------------------------------------------------------------------

texts = st.text("甲乙丙他家 aA_.，", max_size=16)


@st.composite
def cases(draw: st.DrawFn) -> Item:
    head, target, tail = draw(texts), draw(st.sampled_from(["", "他", "他们"])), draw(texts)
    names = draw(st.lists(st.text("甲乙丙aA", max_size=3), min_size=2, max_size=2))
    return marked(f"{head}【{target}】{tail}", lang=draw(st.sampled_from(["zh", "en"])), candidates=tuple(names))


@given(cases())
def test_every_item_is_tokenised_on_its_borders(item: Item) -> None:
    check(item, row(item))


@given(cases(), st.data())
def test_any_correction_is_split_on_the_borders(item: Item, data: st.DataObject) -> None:
    cuts = data.draw(st.sets(st.integers(0, len(item.text))))
    ends = sorted(cuts | {0, len(item.text)})
    tokens = [word for start, end in pairwise(ends) for word in item.text[start:end].split()]
    made = row(item, *tokens)
    check(item, made, corrected=bool(tokens))


def check(item: Item, made: Row, *, corrected: bool = False) -> None:
    spans = [Span(*offsets) for offsets in made["offsets"]]
    assert [span.of(item.text) for span in spans] == made["tokens"]
    assert all(token.split() == [token] for token in made["tokens"])
    # The tokens at their offsets give the text back, whose blanks alone they leave out.
    covered = {at for span in spans for at in range(span.start, span.end)}
    assert sum(span.length for span in spans) == len(covered)
    assert all(item.text[at].isspace() for at in set(range(len(item.text))) - covered)
    start, end = target_of(made)
    assert "".join(made["tokens"][start:end]) == item.target.of(item.text)
    if item.already_zero:
        assert start == end
        assert all(span.end <= item.target.start for span in spans[:start])
        assert all(span.start >= item.target.start for span in spans[start:])
    else:
        assert (spans[start].start, spans[end - 1].end) == (item.target.start, item.target.end)
    for places, named in zip(made["candidates"], own_mentions(item), strict=True):
        assert [(spans[first].start, spans[last - 1].end) for first, last in places] == [
            (span.start, span.end) for span in named
        ]
    assert made["corrected"] is corrected


# --- the real data ----------------------------------------------------------------------------------------------------


def test_all_of_mandarinograd_is_tokenised_by_jieba_or_as_printed(shared_data: Path) -> None:
    items = items_of("pws", shared_data)
    printed = {draft.id: list(draft.words) for draft in drafts_of("pws", shared_data)}
    corrections = {item.id: Correction(item.id, tuple(printed[item.id]), HERE) for item in items}
    assert len(corrections) == len(items) == 248
    for given_, corrected in (({}, False), (corrections, True)):
        result = tokenised(items, given_)
        assert (result.items, result.unmade) == (248, ())
        for item, made in zip(items, result.rows, strict=True):
            check(item, made, corrected=corrected)
    kept = sum(list(made["tokens"]) == printed[made["item"]] for made in tokenised(items, corrections).rows)
    # In the others the corpus has a candidate or the pronoun within a word (大卡车, 墙上), or cuts otherwise than the standard (两个).
    assert kept == 93
