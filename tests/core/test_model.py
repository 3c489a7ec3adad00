"""Invariants of records, and the form of an error."""

from pathlib import Path

import pytest

from pipeline.core.errors import PipelineError
from pipeline.core.model import CLASSES, Finding, Item, Record, Rejected, Span, is_exclusion_class

TEXT = "积雪压断了枯枝，因为它太沉了。"


def record(**changes: object) -> Record:
    fields: dict[str, object] = {
        "id": "x-a",
        "schema": "x",
        "version": "a",
        "lang": "zh",
        "text": TEXT,
        "target": Span(10, 11),
        "candidates": ("积雪", "枯枝"),
        "answer": 0,
    }
    return Record(**fields | changes)  # type: ignore[arg-type]


# --- spans ------------------------------------------------------------------------------------------------------------


def test_a_span_covers_code_points() -> None:
    assert Span(10, 11).of(TEXT) == "它"
    assert Span(1, 3).of("😀她们走了") == "她们"  # an astral character counts once
    assert Span(1, 2).of("e\u0301他") == "\u0301"  # and so does a combining one
    assert Span(4, 7).length == 3


@pytest.mark.parametrize(("start", "end"), [(-1, 0), (-2, -1), (1, 0), (5, 4)])
def test_offsets_out_of_order_are_refused(start: int, end: int) -> None:
    with pytest.raises(ValueError, match=rf"^\[span\] .*found \[{start}, {end}\)"):
        Span(start, end)


# --- records ----------------------------------------------------------------------------------------------------------


def test_a_target_may_touch_the_end_but_not_leave_the_text() -> None:
    assert record(target=Span(len(TEXT), len(TEXT))).target == Span(15, 15)
    with pytest.raises(ValueError, match=r"^\[target\] .*found end 16, expected at most 15"):
        record(target=Span(15, 16))


@pytest.mark.parametrize(("answer", "candidates"), [(2, ("积雪", "枯枝")), (-1, ("积雪", "枯枝")), (0, ())])
def test_an_answer_is_one_of_the_candidates(answer: int, candidates: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match=rf"^\[answer\] .*found {answer}, expected 0 to {len(candidates) - 1}$"):
        record(answer=answer, candidates=candidates)


def test_only_a_record_may_leave_target_and_answer_open() -> None:
    assert record(target=None, answer=None).answer is None
    with pytest.raises(TypeError, match="answer"):
        Item(id="x-a", schema="x", version="a", lang="zh", text=TEXT, candidates=(), target=Span(0, 0))  # type: ignore[call-arg]


@pytest.mark.parametrize(("target", "zero"), [(Span(10, 11), False), (Span(10, 10), True), (Span(0, 0), True)])
def test_an_empty_target_is_already_zero(target: Span, zero: bool) -> None:
    item = Item(
        id="x-a", schema="x", version="a", lang="zh", text=TEXT, candidates=("积雪", "枯枝"), target=target, answer=1
    )
    assert item.already_zero is zero
    assert (item.question, item.source, item.note) == ("", "", "")


# --- findings ---------------------------------------------------------------------------------------------------------


def test_the_classes_are_stable() -> None:
    contract = "ba-object prenominal-possessor direct-object other pair-mate already-zero not-pronoun defect"
    assert " ".join(CLASSES) == contract
    assert all(map(is_exclusion_class, CLASSES))
    assert not any(map(is_exclusion_class, ["", "Ba-object", "keep", None, 0]))


def test_a_rejection_has_a_finding_and_the_class_of_the_first() -> None:
    first, second = Finding("zh/b", "other", Span(10, 11), "m"), Finding("zh/a", "ba-object", None, "m")
    assert Rejected(record(), (first, second)).exclusion == "other"
    with pytest.raises(ValueError, match=r"^\[findings\] .*x-a, expected at least one$"):
        Rejected(record(), ())


# --- errors -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "line", "message"),
    [
        ("raw/x.yaml", 7, "raw/x.yaml:7: [id] why"),
        (Path("raw/x.yaml"), None, "raw/x.yaml: [id] why"),
        (None, None, "[id] why"),
    ],
)
def test_an_error_says_where(path: Path | str | None, line: int | None, message: str) -> None:
    error = PipelineError(path, line, "[id] why")
    assert str(error) == message
    assert error.path == (None if path is None else Path(path))
    assert (error.line, error.reason) == (line, "[id] why")
