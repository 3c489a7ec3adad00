"""Which neighbours of a source without schema ids are one schema."""

import pytest

from pipeline.core.model import Span
from pipeline.winograd.readers.draft import Draft
from pipeline.winograd.readers.pairing import with_schemas

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
