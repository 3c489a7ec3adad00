"""Drafts become items or skipped records with all their defects; targets set by hand must fit or fail."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from pipeline.core.errors import PipelineError
from pipeline.core.model import Span
from pipeline.winograd.mentions import mentioned
from pipeline.winograd.readers import ingest
from pipeline.winograd.readers.draft import Draft, assemble, member, name_of, override_targets
from pipeline.winograd.readers.pairing import with_schemas
from tests.conftest import ROOT, Refused

HEADER = "id\tstart\tend\tform\tnext\treason\n"
FIRST = Draft(
    schema="x",
    version="a",
    lang="zh",
    text="积雪压断了枯枝，因为它太沉了。",
    candidates=("积雪", "枯枝"),
    gold="积雪",
    question="什么太沉了？",
)
SECOND = replace(FIRST, version="b", text="😀积雪压断了枯枝，因为太脆了。", gold="枯枝", target=Span(0, 0))
DRAFTS = [FIRST, SECOND]


def test_a_whole_draft_becomes_an_item() -> None:
    (item,) = assemble([FIRST]).items
    assert (item.target.of(item.text), item.candidates, item.answer) == ("它", ("积雪", "枯枝"), 0)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"gold": None}, "the source gives no right answer"),
        ({"gold": "雪"}, "the right answer is none of the candidates; found '雪'"),
        ({"candidates": ("积雪",), "gold": "积雪"}, "fewer than two candidates"),
        ({"candidates": ("积雪", "积 雪"), "gold": "积雪"}, "fewer than two candidates"),
        ({"candidates": (), "gold": None}, "fewer than two candidates; found none"),
        ({"candidates": ("积雪", "大象"), "gold": "积雪"}, "a candidate does not occur in the text; found '大象'"),
        ({"candidates": ("积雪", ""), "gold": "积雪"}, "a candidate does not occur in the text; found ''"),
        ({"text": "积雪[压断/盖住]了枯枝，因为它太沉了。"}, "an alternation is left unresolved; found '[压断/盖住]'"),
        ({"question": "什么太[沉/脆]了？"}, "an alternation is left unresolved; found '[沉/脆]' in the question"),
        ({"question": "谁唱歌？", "text": "积雪压断了枯枝。"}, "no clause of the text fits the question"),
    ],
)
def test_a_defective_draft_is_skipped_with_its_reason(changes: dict[str, object], reason: str) -> None:
    result = assemble([replace(FIRST, **changes)])  # type: ignore[arg-type]
    (skipped,) = result.skipped
    assert result.items == ()
    assert skipped.exclusion == "defect"
    assert reason in " | ".join(finding.message for finding in skipped.findings)


def test_all_reasons_are_given_at_once() -> None:
    (skipped,) = assemble([replace(FIRST, gold=None, candidates=("大象", "大象"))]).skipped
    assert Counter(finding.message.split(";")[0] for finding in skipped.findings) == {
        "fewer than two candidates": 1,
        "a candidate does not occur in the text": 2,
        "the source gives no right answer": 1,
    }


def test_twins_are_skipped_together() -> None:
    twins = [FIRST, replace(FIRST, version="b", gold="枯枝"), replace(FIRST, schema="y")]
    result = assemble(twins)
    assert [item.id for item in result.items] == ["y-a"]
    assert [skipped.record.id for skipped in result.skipped] == ["x-a", "x-b"]


def test_an_expression_is_no_pronoun() -> None:
    there = replace(
        FIRST, text="小猫钻进了纸箱，那儿很暖和。", candidates=("小猫", "纸箱"), gold="纸箱", question="哪儿很暖和？"
    )
    (skipped,) = assemble([there]).skipped
    assert skipped.exclusion == "not-pronoun"
    assert skipped.record.target is not None
    assert skipped.record.target.of(skipped.record.text) == "那儿"


@pytest.mark.parametrize(
    ("index", "letters"), [(0, "a"), (1, "b"), (25, "z"), (26, "aa"), (51, "az"), (52, "ba"), (702, "aaa")]
)
def test_members_are_lettered(index: int, letters: str) -> None:
    assert member(index) == letters


def test_names_and_mentions() -> None:
    assert name_of("  王 老师 的 ", "zh") == "王老师"
    assert name_of("的", "zh") == ""
    assert name_of(" the  old kettle ", "en") == "the old kettle"
    assert mentioned("王 老师", "王老师走了")
    assert not mentioned("", "王老师走了")
    assert not mentioned("  的", "王老师走了")
    assert not mentioned("李老师", "王老师走了")


# --- targets set by hand --------------------------------------------------------------------------------------------


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return tmp_path / "targets.tsv"


def test_targets_are_set_and_the_rest_is_left(table: Path) -> None:
    table.write_text(f"# by hand\n{HEADER}x-b\t11\t11\t\t太\tthe subject\nx-a\t10\t11\t它\t太\tso\n", encoding="utf-8")
    assert override_targets(DRAFTS, table) == [
        replace(FIRST, target=Span(10, 11)),
        replace(SECOND, target=Span(11, 11)),
    ]
    table.write_text(HEADER, encoding="utf-8")
    assert override_targets(DRAFTS, table) == DRAFTS


def test_a_zero_may_stand_at_either_end(table: Path) -> None:
    table.write_text(f"{HEADER}x-a\t15\t15\t\t\tend\nx-b\t0\t0\t\t😀\tstart\n", encoding="utf-8")
    assert [draft.target for draft in override_targets(DRAFTS, table)] == [Span(15, 15), Span(0, 0)]


@pytest.mark.parametrize(
    ("row", "field"),
    [
        ("z-a\t10\t11\t它\t太\tgone", "id"),
        ("\t10\t11\t它\t太\tempty", "id"),
        ("x-a\t9\t10\t它\t太\tmoved", "form"),
        ("x-a\t10\t11\t她\t太\tanother form", "form"),
        ("x-a\t10\t11\t它\t很\tanother neighbour", "form"),
        ("x-a\t10\t11\t它\t\tno neighbour", "form"),
        ("x-a\t15\t16\t\t\tout of the text", "end"),
        ("x-a\t180\t190\t它\t太\tbeyond the text", "start"),
        ("x-a\t10\t999999999999\t它太沉了。\t\tfar out of the text", "end"),
        ("x-a\t11\t10\t\t它\tout of order", "start"),
        ("x-a\t-1\t0\t\t积\tnegative", "start"),
        ("x-a\tten\t11\t它\t太\tno number", "start"),
        ("x-a\t\t\t\t积\tempty", "start"),
        ("x-a\t1.0\t2\t雪\t压\tno whole number", "start"),
        ("x-a\t²\t3\t压\t断\tno digit", "start"),
        (f"x-a\t{'9' * 5000}\t{'9' * 5000}\t\t\thuge", "start"),
        ("x-a\t10\t11\t它\t太", "row"),
        ("x-a\t10\t11\t它\t太\treason\tmore", "row"),
        ("x-b\t11\t11\t\t太\ttwice", "id"),
    ],
)
def test_an_override_that_does_not_apply_is_refused(refused: Refused, table: Path, row: str, field: str) -> None:
    table.write_text(f"# by hand\n{HEADER}x-b\t11\t11\t\t太\tfine\n{row}\n", encoding="utf-8")
    message = refused(lambda: override_targets(DRAFTS, table), f"{table}:4", field)
    assert len(message) < 500


def test_the_overrides_of_mandarinograd_apply(shared_data: Path) -> None:
    corpus = shared_data / "pws" / "pws.tsv"
    targets = ROOT / "raw" / "mandarinograd" / "targets.tsv"
    items = {item.id: item for item in ingest(corpus.read_bytes(), corpus, "pws-tsv", targets=targets).items}
    for name in ("pws-man-105-a", "pws-man-105-b"):
        assert (items[name].target, items[name].text[35]) == (Span(35, 35), "沾")
    with pytest.raises(PipelineError, match="no longer applies"):
        ingest(corpus.read_bytes(), corpus, "pws-tsv", "en", targets)


# --- which neighbours of a source without schema ids are one schema -------------------------------------------------------


GREY, WHITE = ("the cat", "the mouse"), ("the dog", "the hen")


def draft(text: str, candidates: tuple[str, ...] = GREY) -> Draft:
    """Return a draft whose target is the first "it" or "they" of the text."""
    start = next((text.index(f" {form}") + 1 for form in ("it", "they") if f" {form}" in text), 0)
    end = text.index(" ", start)
    return Draft(lang="en", text=text, candidates=candidates, gold=candidates[0], target=Span(start, end))


def ids(*drafts: Draft) -> list[str]:
    return [draft.id.removeprefix("x-") for draft in with_schemas(drafts, "x", 2)]


FAST = draft("The cat saw the mouse because it was very fast today.")
SLOW = draft("The cat saw the mouse because it was very slow today.")
SAD = draft("The cat saw the mouse because it was very sad today.")
FAR = draft("Before noon, the mouse fled; the cat had lunch and it slept well.")


@pytest.mark.parametrize(
    ("drafts", "expected"),
    [
        ([], []),
        ([FAST], ["01-a"]),
        ([FAST, SLOW], ["01-a", "01-b"]),
        ([FAST, FAR], ["01-a", "01-b"]),  # whatever they say: the suites report pairs that are none
        ([FAST, SLOW, FAST, SLOW], ["01-a", "01-b", "02-a", "02-b"]),
        ([FAST, SLOW, SAD], ["01-a", "01-b", "01-c"]),
        ([FAST, SLOW, SAD, draft("A dog bit it hard.", WHITE)], ["01-a", "01-b", "01-c", "03-a"]),
        ([FAR, FAST, SLOW], ["01-a", "02-a", "02-b"]),
        ([FAST, SLOW, FAR], ["01-a", "01-b", "02-a"]),
        ([FAST, SLOW, draft("The cat saw the mouse because they were very fast.")], ["01-a", "01-b", "02-a"]),
    ],
)
def test_neighbours_with_the_same_candidates(drafts: list[Draft], expected: list[str]) -> None:
    assert ids(*drafts) == expected


def test_the_special_word_may_be_in_a_candidate() -> None:
    minnow = draft("Look, a minnow swims below the duck, and it must hide.", ("a minnow", "the duck"))
    shark = draft("Look, a shark swims below the duck, and it must hide.", ("a shark", "the duck"))
    assert ids(minnow, shark, FAST) == ["01-a", "01-b", "03-a"]
    assert ids(minnow, shark, minnow, shark) == ["01-a", "01-b", "03-a", "03-b"]
    assert ids(minnow, FAST) == ["01-a", "02-a"]


def test_one_text_with_other_candidates_is_no_pair() -> None:
    assert ids(FAST, draft(FAST.text, ("the cat", "the day"))) == ["01-a", "02-a"]


def test_candidates_are_compared_without_case_and_order() -> None:
    assert ids(FAST, draft(SLOW.text, ("The mouse", "the cat"))) == ["01-a", "01-b"]
