"""Lists of the schemes `all` and `subsets`."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.studies.design.design import Lists
from pipeline.studies.design.lists import make_lists, random_subsets
from tests.support.study_records import ANY, PAIRS, Answers, pool, schema_of


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
