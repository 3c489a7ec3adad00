"""The members of a pair: their difference, and how they leave together."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core.model import Finding, Item, Rejected
from pipeline.winograd.pairs import contrasts, difference, distance, minimal_pair_fault, pair_mates
from tests.support.items import marked


@pytest.mark.parametrize(
    ("first", "second", "parts"),
    [
        ("", "", ("", "")), ("a", "a", ("", "")), ("ab", "b", ("a", "")), ("aab", "ab", ("a", "")),
        ("axb", "ayyb", ("x", "yy")), ("ab", "ba", ("ab", "ba")), ("ab", "ab!", ("", "!")), ("甲大乙", "甲很小乙", ("大", "很小")),
    ],
)  # fmt: skip
def test_the_difference_of_two_texts(first: str, second: str, parts: tuple[str, str]) -> None:
    assert difference(first, second) == parts
    assert difference(second, first) == parts[::-1]


@given(st.text("ab", max_size=8), st.text("ab", max_size=8))
def test_a_difference_stands_between_the_longest_common_beginning_and_end(first: str, second: str) -> None:
    mine, theirs = difference(first, second)
    cuts = [start for start in range(len(first) + 1) if first[start : start + len(mine)] == mine]
    assert any(first[:start] + theirs + first[start + len(mine) :] == second for start in cuts)
    if mine and theirs:  # nothing more is shared at either side
        assert mine[0] != theirs[0]
        assert mine[-1] != theirs[-1]


@given(st.text("甲他，", max_size=6), st.text("乙他，", max_size=6))
def test_the_distance_of_members_counts_marked_targets_too(first: str, second: str) -> None:
    member, other = marked(f"【他】{first}", "p-1-a"), marked(f"【他】{second}", "p-1-b")
    assert distance(member, other) == distance(other, member) == max(map(len, difference(first, second)))
    assert distance(marked("他【他】", "p-1-a"), marked("【他】他", "p-1-b")) > 0


@pytest.mark.parametrize(
    ("first", "second", "place"),
    [
        ("甲问乙，【他】胖。", "甲问乙，【他】瘦。", "after"),
        ("甲问乙，【他】胖。", "甲答乙，【他】胖。", "before"),
        ("甲问乙，【他】胖。", "甲答乙，【他】瘦。", "before"),  # also before it
        # The pronoun itself may differ, as in German, and is no place of its own.
        ("Der Topf und die Vase: 【er】 ist weg.", "Der Topf und die Vase: 【sie】 ist da.", "after"),
        ("Der Topf und die Vase: 【er】 ist weg.", "Der Topf und die Vase: 【sie】 ist weg.", None),
    ],
)
def test_where_the_members_of_a_pair_differ(first: str, second: str, place: str | None) -> None:
    pair = [marked(first, "p-1-a"), marked(second, "p-1-b")]
    lone = marked(first, "p-2-a")
    assert contrasts([*pair, lone]) == contrasts([lone, *pair[::-1]]) == ({"p-1": place} if place else {})


_TEXTS = st.text("甲乙他", max_size=4)


@given(_TEXTS, _TEXTS, _TEXTS, _TEXTS)
def test_a_contrast_follows_from_what_stands_before_and_after_the_targets(a: str, b: str, x: str, y: str) -> None:
    pair = [marked(f"{a}【他】{x}", "p-1-a"), marked(f"{b}【她】{y}", "p-1-b")]
    assert contrasts(pair).get("p-1") == ("before" if a != b else "after" if x != y else None)


def test_members_may_differ_in_no_more_than_before_and_in_something() -> None:
    first, second = marked("甲问乙，【他】胖。", "p-1-a"), marked("甲问乙，【他】瘦。", "p-1-b")
    assert minimal_pair_fault(first, second, first, second) == ""
    longer = marked("甲问乙，【他】胖极了。", "p-1-a")
    fault = "no longer a minimal pair with p-1-b; found a difference of 3 characters, expected 1 to 1, as before"
    assert minimal_pair_fault(longer, second, first, second) == fault
    assert "found a difference of 0 characters" in minimal_pair_fault(second, second, first, second)


def records(schemas: list[str]) -> list[Item]:
    return [marked("【他】", f"s-{schema}-{number}") for number, schema in enumerate(schemas)]


@given(st.lists(st.sampled_from("123"), max_size=8), st.randoms())
def test_the_members_of_a_schema_leave_together(schemas: list[str], random: Random) -> None:
    items = records(schemas)
    rejected = [Rejected(item, (Finding("zh/x", "other", None, "because"),)) for item in items if random.random() < 0.3]
    names = {entry.record.id for entry in rejected}
    free = [item for item in items if item.id not in names]
    mates = pair_mates(free, rejected)
    lost = {entry.record.schema for entry in rejected}
    assert [mate.record for mate in mates] == [item for item in free if item.schema in lost]
    for mate in mates:
        (finding,) = mate.findings
        assert (finding.rule, finding.exclusion) == ("exclude/pair-mate", "pair-mate")
        assert finding.evidence["mate"] == min(name for name in names if name.rsplit("-", 1)[0] == mate.record.schema)
