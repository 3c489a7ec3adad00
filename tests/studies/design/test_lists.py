"""Lists of the schemes `all` and `subsets`."""

from collections import Counter
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.studies.design.fields import StudyRecord
from pipeline.studies.design.lists import make_lists, random_subsets
from pipeline.studies.model.design import Lists
from tests.support.study_records import ANY, PAIRS, Answers, pool, schema_of


def member_of(record: StudyRecord) -> str:
    return record.item.version


def answer_of(record: StudyRecord) -> int | None:
    return record.item.answer


@given(st.lists(PAIRS, min_size=1, max_size=30), st.integers(1, 12), st.integers(1, 30), st.integers(0, 9))
def test_subsets_are_even_and_have_no_two_members_of_a_pair(
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
    assert max(seen.values()) - min(seen.values()) <= 1


@given(st.lists(ANY, min_size=1, max_size=30), st.integers(1, 12), st.integers(0, 9))
def test_subsets_of_any_schemas_have_no_two_members_of_one(schemas: list[Answers], count: int, seed: int) -> None:
    for subset in random_subsets(pool(*schemas), count, len(schemas), Random(seed)):
        assert len(set(map(schema_of, subset))) == len(subset) == len(schemas)


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


def test_raters_get_different_subsets() -> None:
    drawn = random_subsets(pool(*[(0, 1)] * 20), 4, 10, Random(2))
    assert len({frozenset(record.id for record in subset) for subset in drawn}) == 4


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
