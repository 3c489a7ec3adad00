"""Balanced lists keep every promise, or are refused with the reason."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.studies.design.fields import StudyRecord
from pipeline.studies.design.lists import balanced_lists, group_by_schema, make_lists
from pipeline.studies.model.design import Lists
from tests.support.study_records import ANY, PAIRS, Answers, ids, pool, schema_of


def tallies(records: Sequence[StudyRecord]) -> Counter[object]:
    """How many records there are in all, of each member, of each answer, of each member with an answer."""
    return Counter(
        key
        for record in records
        for version, answer in [(record.item.version, record.item.answer)]
        for key in ("all", version, answer, (version, answer))
    )


def fair(lists: Sequence[Sequence[StudyRecord]], records: Sequence[StudyRecord], size: int | None) -> bool:
    """Whether no list has two members of a schema, and each has its part of everything, rounded up or down."""
    whole = tallies(records)
    for part in lists:
        if max(Counter(map(schema_of, part)).values(), default=0) > 1:
            return False
        present = tallies(part)
        for key, number in whole.items():
            share = number / len(lists) if size is None else number * size / len(records)
            off = 1 if isinstance(key, tuple) else 0
            if not share - 1 - off < present[key] < share + 1 + off:
                return False
    return True


def balance(
    records: Sequence[StudyRecord], count: int, size: int | None = None, seed: int = 0
) -> list[list[StudyRecord]]:
    return balanced_lists(list(group_by_schema(records).values()), count, size, Random(seed))


@given(st.lists(ANY, min_size=1, max_size=40), st.integers(1, 6), st.none() | st.integers(1, 12), st.integers(0, 9))
def test_balanced_lists_are_fair_or_refused(schemas: list[Answers], count: int, size: int | None, seed: int) -> None:
    records = pool(*schemas)
    try:
        lists = balance(records, count, size, seed)
    except ValueError:
        return
    assert len(lists) == count
    assert fair(lists, records, size)
    listed = [name for part in ids(lists) for name in part]
    assert len(set(listed)) == len(listed) == (len(records) if size is None else count * size)


def all_lists(records: Sequence[StudyRecord], count: int, size: int | None) -> Iterator[list[list[StudyRecord]]]:
    """Every way to put the records in lists; with a size some are left over."""
    for places in product(range(count + (size is not None)), repeat=len(records)):
        yield [
            [record for record, place in zip(records, places, strict=True) if place == number]
            for number in range(count)
        ]


@settings(max_examples=60)
@given(st.lists(ANY, min_size=1, max_size=4), st.integers(1, 3), st.none() | st.integers(1, 2))
def test_small_lists_are_refused_only_where_there_are_none(
    schemas: list[Answers], count: int, size: int | None
) -> None:
    records = pool(*schemas)
    possible = any(fair(lists, records, size) for lists in all_lists(records, count, size))
    if possible:
        assert fair(balance(records, count, size, 1), records, size)
    else:
        with pytest.raises(ValueError, match=r"^\[(count|size|lists)\] "):
            balance(records, count, size, 1)


@settings(max_examples=20)
@given(st.integers(0, 120).filter(lambda flipped: flipped not in (1, 119)), st.integers(0, 99))
def test_the_papers_lists_can_be_made(flipped: int, seed: int) -> None:
    # WSC-ZA, section 3.3: 240 sentences, of each of 120 pairs both, in 4 lists of 60. All pairs have a and b, and one answer of
    # each kind, so a list has 30 of either member and 30 of either answer, whatever pairs are flipped, but for a single one.
    records = pool(*[(0, 1)] * flipped, *[(1, 0)] * (120 - flipped))
    for part in balance(records, 4, seed=seed):
        assert tallies(part) & Counter({"all": 99, "a": 99, "b": 99, 0: 99, 1: 99}) == Counter(
            {"all": 60, "a": 30, "b": 30, 0: 30, 1: 30}
        )
        assert len(set(map(schema_of, part))) == 60


@pytest.mark.parametrize("flipped", [1, 39])
def test_a_single_flipped_pair_is_refused(flipped: int) -> None:
    # 40 pairs in 4 lists of 20. A list with p a0, q a1, s b1 and t b0 has p + q = 10 of member a and q + s = 10 answers 1, so p = s.
    # Where one pair alone has a0 and b1, the list with its a would have its b too; likewise q = t for a single pair with a1 and b0.
    with pytest.raises(ValueError, match=r"^\[lists\] no balanced lists in "):
        balance(pool(*[(0, 1)] * flipped, *[(1, 0)] * (40 - flipped)), 4)


def test_impossible_lists_are_refused_with_the_reason() -> None:
    records = pool((0, 1), (1, 0))
    with pytest.raises(ValueError, match=r"^\[count\] too few lists; found 1, expected at least 2"):
        balance(records, 1)
    with pytest.raises(ValueError, match=r"^\[size\] too many records; found 2 lists of 3, expected at most 4 records"):
        balance(records, 2, 3)


@settings(max_examples=25)
@given(st.lists(PAIRS, min_size=1, max_size=8), st.integers(2, 4), st.integers(0, 9))
def test_whole_pairs_are_left_over(schemas: list[Answers], count: int, seed: int) -> None:
    # Of each kind of pair there are enough that half of them can be shared by all lists.
    records = pool(*schemas * (2 * count))
    lists = balance(records, count, 2 * len(schemas), seed)
    left_over = {record.id for record in records} - {name for part in ids(lists) for name in part}
    assert len(left_over) == 2 * len({name[:-2] for name in left_over}) == len(records) // 2


@given(st.lists(PAIRS, min_size=4, max_size=20), st.permutations(range(8)))
def test_lists_do_not_depend_on_the_order_of_records(schemas: list[Answers], order: list[int]) -> None:
    records = pool(*schemas, *schemas)  # even numbers of both kinds of pairs, which two lists can share
    mixed = [records[number] for number in order] + records[8:]
    design = Lists("balanced", 2)
    assert make_lists(design, records, Random(5)) == make_lists(design, mixed, Random(5))
