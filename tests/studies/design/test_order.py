"""The order of records in a list, and of candidates on the screen."""

from collections.abc import Sequence
from itertools import permutations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.studies.design.fields import StudyRecord
from pipeline.studies.design.order import candidate_orders, order_records
from tests.support.study_records import ANY, PAIRS, Answers, pool, schema_of


def follows(order: Sequence[StudyRecord], run: int, apart: int) -> bool:
    """Whether an order has no run longer than `run`, and members of a schema stand `apart`."""
    answers = [record.expected for record in order]
    if run and any(len(set(answers[at : at + run + 1])) == 1 for at in range(len(order) - run)):
        return False
    schemas = [schema_of(record) for record in order]
    return not any(name in schemas[max(0, at - apart) : at] for at, name in enumerate(schemas))


@settings(max_examples=25)
@given(st.lists(ANY, max_size=30), st.integers(0, 4), st.integers(0, 8), st.integers(0, 9))
def test_an_order_follows_its_rules_or_is_refused(schemas: list[Answers], run: int, apart: int, seed: int) -> None:
    records = pool(*schemas)
    try:
        order = order_records(records, run, apart, Random(seed))
    except ValueError as error:
        assert str(error).startswith(("[run] no order", "[apart] no order"))
        return
    assert sorted(record.id for record in order) == sorted(record.id for record in records)
    assert follows(order, run, apart)


@settings(max_examples=60)
@given(st.lists(ANY, min_size=1, max_size=3), st.integers(0, 3), st.integers(0, 3))
def test_an_order_is_refused_only_where_there_is_none(schemas: list[Answers], run: int, apart: int) -> None:
    records = pool(*schemas)
    if any(follows(order, run, apart) for order in permutations(records)):
        assert follows(order_records(records, run, apart, Random(3)), run, apart)
    else:
        with pytest.raises(ValueError, match=r"^\[(run|apart)\] no order of the list; "):
            order_records(records, run, apart, Random(3))


@settings(max_examples=20)
@given(st.integers(20, 60), st.integers(0, 9))
def test_long_lists_are_ordered_as_papers_ask(pairs: int, seed: int) -> None:
    records = pool(*[(0, 1)] * pairs)
    # With both members of all pairs the farthest they can all be apart are the others of one half: pairs - 1.
    assert follows(order_records(records, 3, pairs // 2, Random(seed)), 3, pairs // 2)
    assert follows(order_records(records, 1, 0, Random(seed)), 1, 0)
    with pytest.raises(ValueError, match=rf"^\[apart\] no order of the list; found {2 * pairs} records, expected "):
        order_records(records, 0, pairs, Random(seed))


def test_too_many_records_with_one_answer_are_refused() -> None:
    # Five 0 and one 1: with runs of two at most 2 (1 + 1) = 4 zeros find a place.
    with pytest.raises(ValueError, match=r"found 5 of 6 records with the answer 0, expected at most 4 for runs of 2"):
        order_records(pool((0,), (0,), (0,), (0,), (0,), (1,)), 2, 0, Random(0))


def test_orders_are_random_and_the_same_for_a_seed() -> None:
    records = pool(*[(0, 1)] * 30)
    orders = {repr([record.id for record in order_records(records, 3, 2, Random(seed))]) for seed in (1, 2, 3, 1)}
    assert len(orders) == 3
    assert order_records(records, 3, 2, Random(1)) == order_records(records[::-1], 3, 2, Random(1))
    assert len({tuple(candidate_orders(records, 3, Random(seed))) for seed in range(5)}) == 5


@given(st.lists(ANY, max_size=40), st.integers(0, 4), st.integers(0, 9))
def test_candidates_are_shuffled_without_long_runs_of_places(schemas: list[Answers], run: int, seed: int) -> None:
    records = pool(*schemas)
    orders = candidate_orders(records, run, Random(seed))
    assert all(sorted(order) == [0, 1] for order in orders)
    assert len(orders) == len(records)
    places = [order.index(record.item.answer) for order, record in zip(orders, records, strict=True)]  # type: ignore[arg-type]
    assert not run or not any(len(set(places[at : at + run + 1])) == 1 for at in range(len(places) - run))


@given(st.lists(PAIRS, max_size=40), st.sampled_from((0, 3)), st.integers(0, 9))
def test_the_right_candidate_stands_at_each_place_equally_often(schemas: list[Answers], run: int, seed: int) -> None:
    records = order_records(pool(*schemas), run, 0, Random(seed))
    orders = candidate_orders(records, run, Random(seed))
    assert abs(orders.count((0, 1)) - orders.count((1, 0))) <= 2
    for answer in (0, 1):  # over records with the same answer too: no candidate is first in more of them
        same = [order for order, record in zip(orders, records, strict=True) if record.item.answer == answer]
        assert abs(same.count((0, 1)) - same.count((1, 0))) <= 1
    first = sum(order.index(record.item.answer) == 0 for order, record in zip(orders, records, strict=True))  # type: ignore[arg-type]
    assert abs(2 * first - len(records)) <= len(records) % 2
