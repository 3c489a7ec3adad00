"""The zero forms: nothing but the target changes."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core.model import Item, Span
from pipeline.winograd.mentions import mentions
from pipeline.winograd.zero_forms import ZERO, ZeroForm, shift_span, to_zero, zero_form
from tests.support.items import marked

texts = st.text(st.characters(exclude_categories=["Cs"]))


@st.composite
def targets(draw: st.DrawFn) -> tuple[str, Span]:
    text = draw(texts)
    start, end = sorted(draw(st.tuples(*[st.integers(0, len(text))] * 2)))
    return text, Span(start, end)


@st.composite
def items(draw: st.DrawFn) -> Item:
    text = draw(st.text("甲乙它Ø😀，", max_size=12))
    start, end = sorted(draw(st.tuples(*[st.integers(0, len(text))] * 2)))
    return Item(
        id="x-a",
        schema="x",
        version="a",
        lang="zh",
        text=text,
        target=Span(start, end),
        candidates=tuple(draw(st.lists(st.text("甲乙😀", max_size=2), min_size=1, max_size=3))),
        answer=0,
    )


def span(value: dict[str, int]) -> Span:
    return Span(value["start"], value["end"])


# --- by hand ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "target", "form"),
    [
        (
            "积雪压断了枯枝，因为它太沉了。",
            Span(10, 11),
            ZeroForm("积雪压断了枯枝，因为Ø太沉了。", Span(10, 11), "积雪压断了枯枝，因为太沉了。", Span(10, 10)),
        ),
        ("他们走了", Span(0, 2), ZeroForm("Ø走了", Span(0, 1), "走了", Span(0, 0))),
        ("我等他们", Span(2, 4), ZeroForm("我等Ø", Span(2, 3), "我等", Span(2, 2))),
        ("因为太沉", Span(2, 2), ZeroForm("因为Ø太沉", Span(2, 3), "因为太沉", Span(2, 2))),
        ("", Span(0, 0), ZeroForm("Ø", Span(0, 1), "", Span(0, 0))),
        ("😀它", Span(1, 2), ZeroForm("😀Ø", Span(1, 2), "😀", Span(1, 1))),
    ],
)
def test_zero_forms_by_hand(text: str, target: Span, form: ZeroForm) -> None:
    assert zero_form(text, target, "zh") == form


def test_a_record_by_hand() -> None:
    item = marked("小猫等小狗，因为【它们】的碗空了，小狗", candidates=("小猫", "小狗"), question="谁的碗空了？")
    value = to_zero(item)
    assert value["text"] == "小猫等小狗，因为它们的碗空了，小狗"
    assert (value["text_zero"], value["zero"]) == ("小猫等小狗，因为Ø的碗空了，小狗", {"start": 8, "end": 9})
    assert (value["text_dropped"], value["dropped"]) == ("小猫等小狗，因为的碗空了，小狗", {"start": 8, "end": 8})
    assert [(entry["candidate"], *map(span, list(entry.values())[1:])) for entry in value["mentions"]] == [
        (0, Span(0, 2), Span(0, 2), Span(0, 2)),
        (1, Span(3, 5), Span(3, 5), Span(3, 5)),
        (1, Span(15, 17), Span(14, 16), Span(13, 15)),
    ]
    assert list(value)[:11] == list(json.loads(json.dumps(value)))[:11]
    assert list(value)[11:] == ["text_zero", "zero", "text_dropped", "dropped", "mentions"]


@pytest.mark.parametrize(
    ("place", "target", "replacement", "there"),
    [
        (Span(0, 2), Span(2, 3), 1, Span(0, 2)),  # up to the target
        (Span(3, 5), Span(2, 3), 1, Span(3, 5)),  # from its end
        (Span(3, 5), Span(2, 3), 0, Span(2, 4)),
        (Span(5, 6), Span(2, 4), 1, Span(4, 5)),
        (Span(2, 4), Span(2, 2), 1, Span(3, 5)),  # behind a place of no width
        (Span(0, 2), Span(2, 2), 1, Span(0, 2)),
        (Span(1, 3), Span(2, 2), 1, None),  # around it
        (Span(1, 3), Span(2, 4), 1, None),
        (Span(2, 3), Span(2, 3), 1, None),
        (Span(3, 4), Span(2, 5), 0, None),
    ],
)
def test_a_span_is_carried_over_or_lost(place: Span, target: Span, replacement: int, there: Span | None) -> None:
    assert shift_span(place, target, replacement) == there


def test_mentions_are_in_the_order_of_the_text() -> None:
    item = marked("乙甲乙【它】甲甲", candidates=("甲", "乙", "丙", ""))
    assert list(mentions(item)) == [(1, Span(0, 1)), (0, Span(1, 2)), (1, Span(2, 3)), (0, Span(4, 5)), (0, Span(5, 6))]
    nested = marked("老王和小老王【他】", candidates=("小老王", "老王"))
    assert list(mentions(nested)) == [(1, Span(0, 2)), (0, Span(3, 6)), (1, Span(4, 6))]


# --- for any text -----------------------------------------------------------------------------------------------------


@given(targets())
def test_the_text_can_be_restored(case: tuple[str, Span]) -> None:
    text, target = case
    form = zero_form(text, target, "zh")
    assert form.text_zero[: form.zero.start] + target.of(text) + form.text_zero[form.zero.end :] == text
    assert form.zero.of(form.text_zero) == ZERO
    assert form.text_zero[: form.zero.start] + form.text_zero[form.zero.end :] == form.text_dropped
    assert form.dropped == Span(target.start, target.start)
    assert len(form.text_dropped) == len(text) - target.length


@given(targets(), st.data())
def test_a_span_carried_over_covers_the_same_text(case: tuple[str, Span], data: st.DataObject) -> None:
    text, target = case
    start, end = sorted(data.draw(st.tuples(*[st.integers(0, len(text))] * 2)))
    place, form = Span(start, end), zero_form(text, target, "zh")
    for changed, replacement in ((form.text_zero, 1), (form.text_dropped, 0)):
        there = shift_span(place, target, replacement)
        if there is None:
            assert start < max(target.end, target.start + 1)
            assert end > target.start
        else:
            assert there.of(changed) == place.of(text)


@given(items())
def test_every_mention_is_the_same_in_all_texts(item: Item) -> None:
    value = to_zero(item)
    spans = []
    for mention in value["mentions"]:
        name = item.candidates[mention["candidate"]]
        assert span(mention["text"]).of(item.text) == name
        spans.append((mention["candidate"], span(mention["text"])))
        for text in ("text_zero", "text_dropped"):
            if mention[text] is not None:
                assert span(mention[text]).of(value[text]) == name
            else:
                assert span(mention["text"]).start < max(item.target.end, item.target.start + 1)
                assert span(mention["text"]).end > item.target.start
    for index, name in enumerate(item.candidates):
        assert sum(candidate == index for candidate, _ in spans) == (item.text.count(name) if name else 0)


# --- files ------------------------------------------------------------------------------------------------------------
