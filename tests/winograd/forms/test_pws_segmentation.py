"""The words that the Parallel Winograd Schemata print, compared with Jieba's."""

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.language.segmentation import cut
from pipeline.statistics.agreement import BoundaryAgreement, boundary_agreement
from pipeline.winograd.forms.options import Correction
from pipeline.winograd.forms.tokens import agreement_with
from tests.support.collections import drafts_of, items_of
from tests.support.items import marked
from tests.winograd.readers.test_pws import HERE

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


def test_precision_is_of_ours_and_recall_of_theirs() -> None:
    agreement = boundary_agreement({"a": list("他来了吗")}, {"a": ["他", "来了吗"]})
    assert (agreement.precision, agreement.recall, agreement.f1) == (pytest.approx(1 / 3), 1.0, pytest.approx(1 / 2))


@pytest.mark.parametrize(
    ("ours", "theirs", "scores"),
    [
        (["甲乙"], ["甲乙"], (None, None, None)),
        (["甲", "乙"], ["甲乙"], (0.0, None, None)),
        (["甲乙"], ["甲", "乙"], (None, 0.0, None)),
        (["甲", "乙丙"], ["甲乙", "丙"], (0.0, 0.0, 0.0)),
        ([], [], (None, None, None)),
    ],
)
def test_undefined_scores_are_none(ours: list[str], theirs: list[str], scores: tuple[float | None, ...]) -> None:
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
    assert agreement == BoundaryAgreement(texts=248, ours=4166, theirs=4133, both=4129)
