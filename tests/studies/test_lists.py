"""Lists of a study keep every promise of their design, or say why they cannot."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import permutations, product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.core.model import Record
from pipeline.studies.design.balanced_lists import balanced, edge_colouring
from pipeline.studies.design.design import Lists
from pipeline.studies.design.fields import StudyRecord
from pipeline.studies.design.lists import by_schema, lay_out, subsets
from pipeline.studies.design.order import arranged, shown_orders

#: The answers of the members of a schema; of a single one the member is b.
Answers = tuple[int, ...]


def pool(*schemas: Answers) -> list[StudyRecord]:
    """Records whose schemas have these answers."""
    return [
        StudyRecord(
            record=Record(
                id=f"s-{number:04}-{version}",
                schema=f"s-{number:04}",
                version=version,
                lang="zh",
                text="甲说乙来了。",
                target=None,
                candidates=("甲", "乙"),
                answer=answer,
            )
        )
        for number, answers in enumerate(schemas)
        for version, answer in zip("b" if len(answers) == 1 else "ab", answers, strict=True)
    ]


PAIRS = st.sampled_from([(0, 1), (1, 0)])
ANY = st.sampled_from([(0, 1), (1, 0), (0, 0), (1, 1), (0,), (1,)])


def schema_of(asked: StudyRecord) -> str:
    return asked.record.schema


def ids(lists: Sequence[Sequence[StudyRecord]]) -> list[list[str]]:
    return [[asked.id for asked in one] for one in lists]


# --- balanced lists -----------------------------------------------------------------------------------------------------


def tallies(records: Sequence[StudyRecord]) -> Counter[object]:
    """How many records there are in all, of each member, of each answer, of each member with an answer."""
    return Counter(
        key
        for asked in records
        for version, answer in [(asked.record.version, asked.record.answer)]
        for key in ("all", version, answer, (version, answer))
    )


def fair(lists: Sequence[Sequence[StudyRecord]], records: Sequence[StudyRecord], size: int | None) -> bool:
    """Whether no list has two members of a schema, and each has its part of everything, rounded up or down."""
    whole = tallies(records)
    for one in lists:
        if max(Counter(map(schema_of, one)).values(), default=0) > 1:
            return False
        found = tallies(one)
        for key, number in whole.items():
            part = number / len(lists) if size is None else number * size / len(records)
            off = 1 if isinstance(key, tuple) else 0
            if not part - 1 - off < found[key] < part + 1 + off:
                return False
    return True


@given(st.lists(ANY, min_size=1, max_size=40), st.integers(1, 6), st.none() | st.integers(1, 12), st.integers(0, 9))
def test_balanced_lists_are_fair_or_refused(schemas: list[Answers], count: int, size: int | None, seed: int) -> None:
    records = pool(*schemas)
    try:
        lists = balanced(list(by_schema(records).values()), count, size, Random(seed))
    except ValueError:
        return
    assert len(lists) == count
    assert fair(lists, records, size)
    laid = [name for one in ids(lists) for name in one]
    assert len(set(laid)) == len(laid) == (len(records) if size is None else count * size)


def all_lists(records: Sequence[StudyRecord], count: int, size: int | None) -> Iterator[list[list[StudyRecord]]]:
    """Every way to put the records in lists; with a size some are left over."""
    for places in product(range(count + (size is not None)), repeat=len(records)):
        yield [[asked for asked, place in zip(records, places, strict=True) if place == one] for one in range(count)]


@settings(max_examples=60)
@given(st.lists(ANY, min_size=1, max_size=4), st.integers(1, 3), st.none() | st.integers(1, 2))
def test_lists_are_refused_only_where_there_are_none(schemas: list[Answers], count: int, size: int | None) -> None:
    records = pool(*schemas)
    possible = any(fair(lists, records, size) for lists in all_lists(records, count, size))
    if possible:
        assert fair(balanced(list(by_schema(records).values()), count, size, Random(1)), records, size)
    else:
        with pytest.raises(ValueError, match=r"^\[(count|size|lists)\] "):
            balanced(list(by_schema(records).values()), count, size, Random(1))


@settings(max_examples=20)
@given(st.integers(0, 120).filter(lambda flipped: flipped not in (1, 119)), st.integers(0, 99))
def test_the_papers_lists_can_be_made(flipped: int, seed: int) -> None:
    # WSC-ZA, section 3.3: 240 sentences, of each of 120 pairs both, in 4 lists of 60. All pairs have a and b, and one answer of
    # each kind, so a list has 30 of either member and 30 of either answer, whatever pairs are flipped, but for a single one.
    records = pool(*[(0, 1)] * flipped, *[(1, 0)] * (120 - flipped))
    lists = balanced(list(by_schema(records).values()), 4, None, Random(seed))
    for one in lists:
        assert tallies(one) & Counter({"all": 99, "a": 99, "b": 99, 0: 99, 1: 99}) == Counter(
            {"all": 60, "a": 30, "b": 30, 0: 30, 1: 30}
        )
        assert len(set(map(schema_of, one))) == 60


@pytest.mark.parametrize("flipped", [1, 119])
def test_a_single_flipped_pair_is_refused(flipped: int) -> None:
    # A list with p a0, q a1, s b1 and t b0 has p + q = 30 of member a and q + s = 30 answers 1, so p = s. Where one pair alone has a0
    # and b1, the list with its a would have its b too; likewise q = t for a single pair with a1 and b0.
    schemas = by_schema(pool(*[(0, 1)] * flipped, *[(1, 0)] * (120 - flipped)))
    with pytest.raises(ValueError, match=r"^\[lists\] no such lists; "):
        balanced(list(schemas.values()), 4, None, Random(0))


def test_a_parity_that_cannot_be_is_refused() -> None:
    # Two pairs (a0 b1) and (a1 b0) in two lists: a list gets one member of each. With an a and a b both are 0 or both are 1;
    # with both answers both are a or both are b.
    with pytest.raises(ValueError, match=r"^\[lists\] no such lists; found 1 a with answer 0, .* in 2 schemas"):
        balanced(list(by_schema(pool((0, 1), (1, 0))).values()), 2, None, Random(0))


def test_what_cannot_be_says_why() -> None:
    schemas = list(by_schema(pool((0, 1), (1, 0))).values())
    with pytest.raises(ValueError, match=r"^\[count\] found 1, expected at least 2"):
        balanced(schemas, 1, None, Random(0))
    with pytest.raises(ValueError, match=r"^\[size\] found 2 lists of 3, expected at most 4 records"):
        balanced(schemas, 2, 3, Random(0))


def test_whole_pairs_are_left_over() -> None:
    # 161 pairs in two lists of 160: of 322 records two are left over, and they can be a pair.
    records = pool(*[(0, 1)] * 81, *[(1, 0)] * 80)
    lists = balanced(list(by_schema(records).values()), 2, 160, Random(4))
    left = {asked.id for asked in records} - {name for one in ids(lists) for name in one}
    assert len(left) == 2
    assert len({name[:-2] for name in left}) == 1


@given(st.lists(PAIRS, min_size=4, max_size=20), st.permutations(range(8)))
def test_lists_do_not_depend_on_the_order_of_records(schemas: list[Answers], order: list[int]) -> None:
    records = pool(*schemas, *schemas)  # even numbers of both kinds of pairs, which two lists can share
    mixed = [records[number] for number in order] + records[8:]
    design = Lists("balanced", 2)
    assert lay_out(design, records, Random(5)) == lay_out(design, mixed, Random(5))


def test_another_seed_gives_other_lists() -> None:
    records = pool(*[(0, 1)] * 10, *[(1, 0)] * 10)
    found = {repr(ids(balanced(list(by_schema(records).values()), 2, None, Random(seed)))) for seed in range(5)}
    assert len(found) == 5


@given(st.lists(st.lists(st.integers(0, 4), min_size=3, max_size=3), min_size=1, max_size=4))
def test_edges_at_a_node_have_different_colours(degrees: list[list[int]]) -> None:
    edges = edge_colouring(degrees)
    assert Counter((left, right) for left, right, _ in edges) == Counter(
        {(left, right): number for left, row in enumerate(degrees) for right, number in enumerate(row) if number}
    )
    assert len({(left, colour) for left, _, colour in edges}) == len(edges)
    assert len({(right, colour) for _, right, colour in edges}) == len(edges)
    greatest = max(*map(sum, degrees), *map(sum, zip(*degrees, strict=True)))
    assert {colour for _, _, colour in edges} <= set(range(greatest))


# --- subsets ------------------------------------------------------------------------------------------------------------


@given(st.lists(PAIRS, min_size=1, max_size=30), st.integers(1, 12), st.integers(1, 30), st.integers(0, 9))
def test_subsets_are_even_and_have_no_two_members_of_a_pair(
    schemas: list[Answers], count: int, size: int, seed: int
) -> None:
    records = pool(*schemas)
    if size > len(schemas):
        with pytest.raises(ValueError, match=rf"^\[size\] found {size}, expected at most {len(schemas)}:"):
            subsets(records, count, size, Random(seed))
        return
    drawn = subsets(records, count, size, Random(seed))
    assert [len(one) for one in drawn] == [size] * count
    assert all(len(set(map(schema_of, one))) == size for one in drawn)
    seen = Counter({asked.id: 0 for asked in records})
    for one in drawn:
        seen.update(asked.id for asked in one)
    assert max(seen.values()) - min(seen.values()) <= 1


@given(st.lists(ANY, min_size=1, max_size=30), st.integers(1, 12), st.integers(0, 9))
def test_subsets_of_any_schemas_have_no_two_members_of_one(schemas: list[Answers], count: int, seed: int) -> None:
    for one in subsets(pool(*schemas), count, len(schemas), Random(seed)):
        assert len(set(map(schema_of, one))) == len(one) == len(schemas)


def test_raters_get_different_subsets() -> None:
    drawn = subsets(pool(*[(0, 1)] * 20), 4, 10, Random(2))
    assert len({frozenset(asked.id for asked in one) for one in drawn}) == 4


# --- the schemes --------------------------------------------------------------------------------------------------------


def test_all_is_one_list() -> None:
    records = pool((0, 1), (1,))
    assert lay_out(Lists("all"), records[::-1], Random(0)) == {"1": records}
    with pytest.raises(ValueError, match=r"^\[lists\] found count or size"):
        lay_out(Lists("all", 1, 2), records, Random(0))


def test_subsets_need_a_size() -> None:
    with pytest.raises(ValueError, match=r"^\[size\] missing"):
        lay_out(Lists("subsets", 2), pool((0, 1)), Random(0))


# --- the order in a list ------------------------------------------------------------------------------------------------


def follows(order: Sequence[StudyRecord], run: int, apart: int) -> bool:
    """Whether an order has no run longer than `run`, and members of a schema stand `apart`."""
    answers = [asked.expected for asked in order]
    if run and any(len(set(answers[at : at + run + 1])) == 1 for at in range(len(order) - run)):
        return False
    schemas = [schema_of(asked) for asked in order]
    return not any(name in schemas[max(0, at - apart) : at] for at, name in enumerate(schemas))


@given(st.lists(ANY, max_size=40), st.integers(0, 4), st.integers(0, 8), st.integers(0, 9))
def test_an_order_follows_its_rules_or_is_refused(schemas: list[Answers], run: int, apart: int, seed: int) -> None:
    records = pool(*schemas)
    try:
        order = arranged(records, run, apart, Random(seed))
    except ValueError as error:
        assert str(error).startswith(("[run] no order", "[apart] no order"))
        return
    assert sorted(asked.id for asked in order) == sorted(asked.id for asked in records)
    assert follows(order, run, apart)


@settings(max_examples=60)
@given(st.lists(ANY, min_size=1, max_size=3), st.integers(0, 3), st.integers(0, 3))
def test_an_order_is_refused_only_where_there_is_none(schemas: list[Answers], run: int, apart: int) -> None:
    records = pool(*schemas)
    if any(follows(order, run, apart) for order in permutations(records)):
        assert follows(arranged(records, run, apart, Random(3)), run, apart)
    else:
        with pytest.raises(ValueError, match=r"^\[(run|apart)\] no order of the list; "):
            arranged(records, run, apart, Random(3))


@settings(max_examples=20)
@given(st.integers(20, 60), st.integers(0, 9))
def test_long_lists_are_ordered_as_papers_ask(pairs: int, seed: int) -> None:
    records = pool(*[(0, 1)] * pairs)
    # With both members of all pairs the farthest they can all be apart are the others of one half: pairs - 1.
    assert follows(arranged(records, 3, pairs // 2, Random(seed)), 3, pairs // 2)
    assert follows(arranged(records, 1, 0, Random(seed)), 1, 0)
    with pytest.raises(ValueError, match=rf"^\[apart\] no order of the list; found {2 * pairs} records, expected "):
        arranged(records, 0, pairs, Random(seed))


def test_too_many_of_an_answer_say_so() -> None:
    # Five 0 and one 1: with runs of two at most 2 (1 + 1) = 4 zeros find a place.
    with pytest.raises(ValueError, match=r"found 5 of 6 records with the answer 0, expected at most 4 for runs of 2"):
        arranged(pool((0,), (0,), (0,), (0,), (0,), (1,)), 2, 0, Random(0))


def test_orders_are_random_and_the_same_for_a_seed() -> None:
    records = pool(*[(0, 1)] * 30)
    orders = {repr([asked.id for asked in arranged(records, 3, 2, Random(seed))]) for seed in (1, 2, 3, 1)}
    assert len(orders) == 3
    assert arranged(records, 3, 2, Random(1)) == arranged(records[::-1], 3, 2, Random(1))


@given(st.lists(ANY, max_size=40), st.integers(0, 4), st.integers(0, 9))
def test_candidates_are_shuffled_without_long_runs_of_places(schemas: list[Answers], run: int, seed: int) -> None:
    records = pool(*schemas)
    orders = shown_orders(records, run, Random(seed))
    assert all(sorted(order) == [0, 1] for order in orders)
    assert len(orders) == len(records)
    places = [order.index(asked.record.answer) for order, asked in zip(orders, records, strict=True)]  # type: ignore[arg-type]
    assert not run or not any(len(set(places[at : at + run + 1])) == 1 for at in range(len(places) - run))


def test_the_right_candidate_stands_at_either_place() -> None:
    # 400 records: the first place 160 to 240 times; a fair coin leaves that range once in 20,000 seeds.
    orders = shown_orders(pool(*[(0,)] * 400), 0, Random(11))
    assert 160 <= sum(order == (0, 1) for order in orders) <= 240
