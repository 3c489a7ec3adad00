"""Lists of the schemes `all`, `subsets`, `sections` and `rotated`."""

from collections import Counter
from itertools import combinations, pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core.model import Record
from pipeline.studies.design.fields import Passage, StudyRecord
from pipeline.studies.design.lists import (
    by_genre,
    equal_shares,
    make_lists,
    random_subsets,
    rotated_orders,
    sampled,
    section_lists,
)
from pipeline.studies.model.design import Lists
from tests.support.study_records import ANY, PAIRS, Answers, pool, schema_of

# --- all, subsets -----------------------------------------------------------------------------------------------------


def member_of(record: StudyRecord) -> str:
    return record.item.version


def answer_of(record: StudyRecord) -> int | None:
    return record.item.answer


@given(
    st.lists(PAIRS, min_size=1, max_size=30) | st.lists(ANY, min_size=1, max_size=30),
    st.integers(1, 12),
    st.integers(1, 30),
    st.integers(0, 9),
)
def test_subsets_are_even_and_have_no_two_members_of_a_schema(
    schemas: list[Answers], count: int, size: int, seed: int
) -> None:
    records = pool(*schemas)
    if size > len(schemas):
        with pytest.raises(ValueError, match=rf"^\[size\] found {size}, expected at most {len(schemas)}:"):
            random_subsets(records, count, size, Random(seed))
        return
    drawn = random_subsets(records, count, size, Random(seed))
    assert [len(subset) for subset in drawn] == [size] * count
    assert all(len(set(map(schema_of, subset))) == size for subset in drawn)
    seen = Counter({record.id: 0 for record in records})
    for subset in drawn:
        seen.update(record.id for record in subset)
    assert len(set(map(len, schemas))) > 1 or max(seen.values()) - min(seen.values()) <= 1


@pytest.mark.parametrize(
    ("count", "shared"),
    # of the pairs of raters 1 of 3, 2 of 6, 4 of 10, 6 of 15 are on one side, so that two raters share that part of 90 pairs
    [(3, 30), (4, 30), (5, 36), (6, 36)],
)
def test_every_two_raters_share_records_and_have_as_many_of_each_member(count: int, shared: int) -> None:
    records = pool(*[(0, 1), (0, 1), (1, 0)] * 30)
    for seed in range(5):
        drawn = random_subsets(records, count, None, Random(seed))
        sets = [{record.id for record in subset} for subset in drawn]
        assert all(abs(len(first & second) - shared) <= 3 for first, second in combinations(sets, 2))
        for subset in drawn:
            members, answers = (Counter(pick(record) for record in subset) for pick in (member_of, answer_of))
            assert abs(members["a"] - members["b"]) <= 4  # by chance 19 of 20 halves of 90 differ by up to 18
            assert abs(answers[0] - answers[1]) <= 4
        raters = Counter(record for subset in sets for record in subset)
        most = [record for record, number in raters.items() if number == max(raters.values())]
        assert abs(sum(record.endswith("a") for record in most) - sum(record.endswith("b") for record in most)) <= 4


def test_a_short_subset_has_both_answers() -> None:
    """Ten of twelve with one answer have no order with runs of three."""
    for seed in range(20):
        (subset,) = random_subsets(pool(*[(0, 1)] * 40), 1, 12, Random(seed))
        assert Counter(map(answer_of, subset)) == {0: 6, 1: 6}


def test_all_is_one_list() -> None:
    records = pool((0, 1), (1,))
    assert make_lists(Lists("all"), records[::-1], Random(0)) == {"1": records}
    with pytest.raises(ValueError, match=r"^\[lists\] found count or size"):
        make_lists(Lists("all", 1, 2), records, Random(0))


def test_subsets_without_a_size_have_a_record_of_each_schema() -> None:
    records = pool(*[(0, 1)] * 3)
    lists = make_lists(Lists("subsets", 2), records, Random(0))
    assert [len(set(map(schema_of, members))) for members in lists.values()] == [3, 3]


def test_only_lists_whose_order_is_free_are_mirrored() -> None:
    with pytest.raises(
        ValueError, match=r"^\[mirrored\] found it with the scheme subsets, expected it with all or balanced alone"
    ):
        make_lists(Lists("subsets", 2, mirrored=True), pool((0, 1)), Random(0))


# --- sentences by genre -----------------------------------------------------------------------------------------------


def sentences(*sizes: int) -> list[StudyRecord]:
    """Return so many sentences of genres a, b, …"""
    return [
        StudyRecord(
            item=Record(
                id=f"{genre}-1-{line:03}", schema=f"{genre}-1", version="", lang="zh", text=f"第{line}句。", target=None,
                candidates=(), answer=None,
            ),
            passage=Passage(genre=genre, context="", oracle="", reference=""),
        )
        for genre, size in zip("abcdefgh", sizes, strict=False)
        for line in range(1, size + 1)
    ]  # fmt: skip


@given(
    sizes=st.lists(st.integers(5, 9), min_size=2, max_size=5),
    common=st.integers(0, 5),
    seed=st.integers(0, 99),
)
def test_a_rater_gets_one_genre_and_the_same_sentences_of_others(sizes: list[int], common: int, seed: int) -> None:
    records = sentences(*sizes)
    lists = section_lists(records, len(sizes), common, Random(seed))
    assert lists == section_lists(records, len(sizes), common, Random(seed))
    shared: dict[str, list[set[str]]] = {}
    for (genre, members), own in zip(lists.items(), by_genre(records).values(), strict=True):
        assert members[: len(own)] == own
        assert len({record.id for record in members}) == len(members) == len(own) + common
        others = by_genre(members[len(own) :])
        assert genre not in others
        # Shares of the other genres differ by one at most; those without a share are not there.
        assert sorted(map(len, others.values()), reverse=True) == [
            share for share in equal_shares(common, len(sizes) - 1) if share
        ]
        for other, part in others.items():
            assert part == sorted(part, key=records.index)
            shared.setdefault(other, []).append({record.id for record in part})
    for parts in shared.values():  # what a rater gets of a genre contains what another gets, or the reverse
        parts.sort(key=len)
        assert all(smaller <= larger for smaller, larger in pairwise(parts))


@pytest.mark.parametrize(
    ("sizes", "count", "common", "message"),
    [
        ((3, 3), 3, 2, r"^\[count\] found 3, expected 2: a list for each of a, b"),
        ((3,), 1, 2, r"^\[common\] found 2, expected 0"),
        ((3, 2), 2, 3, r"^\[lists\] too few records; found 2 records of b, expected at least 3"),
    ],
)
def test_impossible_sections_are_refused(sizes: tuple[int, ...], count: int, common: int, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        section_lists(sentences(*sizes), count, common, Random(1))


def test_a_sample_has_equally_many_of_each_genre_in_their_order() -> None:
    records = sentences(6, 4, 9)
    chosen = sampled(records, 8, Random(3))
    assert [len(part) for part in by_genre(chosen).values()] == [3, 3, 2]  # 8 = 3 + 3 + 2
    assert chosen == [record for record in records if record in chosen]
    assert sampled(records, None, Random(3)) == records
    with pytest.raises(ValueError, match="found 4 records of b, expected at least 5"):
        sampled(records, 15, Random(3))


@given(blocks=st.integers(1, 4), rest=st.integers(0, 5), candidates=st.integers(1, 6), seed=st.integers(0, 99))
def test_places_are_balanced_in_a_list_and_over_lists(blocks: int, rest: int, candidates: int, seed: int) -> None:
    records = blocks * candidates + rest % candidates
    lists = [rotated_orders(records, candidates, number, Random(seed)) for number in range(candidates)]
    everything = set(range(candidates))
    for orders in lists:
        assert all(set(order) == everything for order in orders)
        for start in range(0, blocks * candidates, candidates):
            block = orders[start : start + candidates]
            assert all({order[place] for order in block} == everything for place in everything)
        for place in everything:
            counts = Counter(order[place] for order in orders)
            assert max(counts.values()) - min(counts[candidate] for candidate in everything) <= 1
    for orders in zip(*lists, strict=True):  # of one record, over the lists
        assert all({order[place] for order in orders} == everything for place in everything)


def test_neighbours_change_from_block_to_block() -> None:
    orders = rotated_orders(60, 3, 0, Random(1))
    # After candidate 0 comes 1 in some blocks and 2 in others: with one cycle for all it would always be the same.
    followers = {order[(order.index(0) + 1) % 3] for order in orders}
    assert followers == {1, 2}


def test_common_sentences_belong_to_sections_alone() -> None:
    with pytest.raises(ValueError, match=r"^\[common\] found 2 with the scheme rotated"):
        make_lists(Lists("rotated", common=2), sentences(3, 3), Random(1))
