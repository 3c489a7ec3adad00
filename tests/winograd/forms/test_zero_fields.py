"""The zero form beside the overt one in derived forms, and why no other form has one."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pipeline.core.model import Item
from pipeline.winograd.forms import FORMS, FormOptions, variants
from pipeline.winograd.forms.form import zero_of_text
from pipeline.winograd.forms.substitution import disambiguated, winogrande
from pipeline.winograd.zero_forms import zero_form
from tests.support.collections import items_of
from tests.support.items import marked

PEOPLE = ("老汤", "小柳")
UMBRELLA = marked("老汤给小柳送伞，因为【他】怕淋雨。", answer=1, candidates=PEOPLE, question="谁怕淋雨？")


def first_rows(item: Item, options: FormOptions | None = None) -> Mapping[str, Any]:
    """Return the first row of an item in each form."""
    made = variants([item], options or FormOptions())
    return {name: form.rows[0] for name, form in made.items() if form.rows}


def as_zero(item: Item) -> Item:
    """Return an item whose source leaves the anaphor out."""
    form = zero_form(item.text, item.target, item.lang)
    return replace(item, text=form.text_dropped, target=form.dropped)


def test_a_premise_and_a_context_have_three_forms() -> None:
    rows = first_rows(UMBRELLA)
    assert rows["nli"]["premise"] == "老汤给小柳送伞，因为他怕淋雨。"
    assert rows["nli"]["premise_zero"] == "老汤给小柳送伞，因为Ø怕淋雨。"
    assert rows["nli"]["premise_dropped"] == "老汤给小柳送伞，因为怕淋雨。"
    assert rows["scoring"]["context_overt"] == "老汤给小柳送伞，因为他怕淋雨。谁怕淋雨？"
    assert rows["scoring"]["context_zero"] == "老汤给小柳送伞，因为Ø怕淋雨。谁怕淋雨？"
    assert rows["scoring"]["context_dropped"] == "老汤给小柳送伞，因为怕淋雨。谁怕淋雨？"


def test_an_item_without_a_question_has_no_context_to_answer() -> None:
    rows = first_rows(replace(UMBRELLA, question=""))
    assert "context" in rows["scoring"]
    assert "context_zero" not in rows["scoring"]


def test_a_form_that_is_an_item_has_the_fields_of_its_zero_form() -> None:
    rows = first_rows(marked("老汤給Tom送伞，因为【他】怕淋雨。", candidates=("老汤", "Tom"), question="谁怕淋雨？"))
    of_items = [rows[name] for name, form in FORMS.items() if form.zero is zero_of_text and name in rows]
    assert len(of_items) > 1
    for row in of_items:
        head, tail = row["text"].split("他")
        assert (row["text_zero"], row["text_dropped"]) == (f"{head}Ø{tail}", f"{head}{tail}")
        assert row["zero"] == {"start": len(head), "end": len(head) + 1}
        assert row["dropped"] == {"start": len(head), "end": len(head)}
        named = [row["candidates"][mention["candidate"]] for mention in row["mentions"]]
        assert sorted(named) == sorted(row["candidates"])


def test_words_change_at_the_target_only() -> None:
    row = first_rows(UMBRELLA)["tokens"]
    at = row["tokens"].index("他")
    before, after = row["tokens"][:at], row["tokens"][at + 1 :]
    assert row["tokens_zero"] == [*before, "Ø", *after]
    assert row["tokens_dropped"] == [*before, *after]
    assert (row["zero"], row["dropped"]) == ({"start": at, "end": at + 1}, {"start": at, "end": at})
    # 老汤给小柳送伞，因为他 are 11 characters, so 怕 is the twelfth; without the target it is the eleventh.
    assert [row["offsets_zero"][at + 1][0], row["offsets_dropped"][at][0]] == [11, 10]


@given(st.text("伞因怕", min_size=1, max_size=4), st.sampled_from(["他", "他们", ""]), st.text("伞因怕", max_size=4))
def test_words_of_all_three_forms_are_their_texts(head: str, target: str, tail: str) -> None:
    item = marked(f"老汤{head}【{target}】{tail}小柳走。", candidates=PEOPLE)
    row = first_rows(item)["tokens"]
    for suffix, span in (("", "target"), ("_zero", "zero"), ("_dropped", "dropped")):
        text, words = row[f"text{suffix}"], row[f"tokens{suffix}"]
        assert "".join(words) == text
        assert [text[start:end] for start, end in row[f"offsets{suffix}"]] == words
        place = row[span]
        assert "".join(words[place["start"] : place["end"]]) == {"target": target, "zero": "Ø", "dropped": ""}[span]
        for name, ranges in zip(PEOPLE, row[f"candidates{suffix}"], strict=True):
            assert ["".join(words[start:end]) for start, end in ranges] == [name]


def test_languages_without_rules_of_zeros_have_none() -> None:
    item = marked("Tom gave Ann an umbrella because 【she】 was wet.", lang="en", candidates=("Tom", "Ann"), answer=1)
    for row in first_rows(replace(item, question="Who was wet?")).values():
        assert not [field for field in row if "zero" in field or "dropped" in field]


def test_a_candidate_in_the_place_of_the_zero_gives_the_text_with_it_in_the_place_of_the_pronoun() -> None:
    """Why `disambiguated`, `scoring` and `winogrande` have one text for both forms."""
    items = items_of("zh")
    overt, zero = disambiguated(items), disambiguated(map(as_zero, items))
    assert len(overt.rows) == 2 * len(items)
    assert [row["text"] for row in overt.rows] == [row["text"] for row in zero.rows]
    # A possessor (他女儿) needs 的 behind a name; the rules reject such items, since a zero is no possessor.
    as_given = {item.id: item for item in items} | {row["item"]: None for row in overt.rows if row["changes"]}
    rows = [(row, item) for row in winogrande(items).rows if (item := as_given[row["item"]])]
    assert len(rows) > 0.9 * len(items)
    for row, item in rows:
        assert row["sentence"] == zero_form(item.text, item.target, item.lang).text_zero.replace("Ø", "_")
