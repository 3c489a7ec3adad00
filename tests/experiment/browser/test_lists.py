"""Lists of items and fillers: who meets whom, equal shares, the order of trials."""

from collections import Counter
from dataclasses import replace
from itertools import groupby, pairwise, product
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.experiment.browser.lists import (
    ITEMS_IN_ROW,
    LEAD,
    PRONOUNS_IN_ROW,
    Layout,
    filler_lists,
    groups_of,
    item_lists,
    lay_out,
    order_trials,
)
from pipeline.experiment.browser.materials import Filler, Item, Sentence, read_design, read_fillers, read_items
from tests.support.built_experiment import DE
from tests.support.built_experiment import cloze as cloze

OPTIONS = ("er", "sie", "es")
REGISTERS = ("everyday", "narrative", "news", "work", "nature", "technology")


def collection(schemas: int, registers: int = 6) -> list[Item]:
    """A balanced collection: pairs go through all orders of two pronouns, and through the registers."""
    orders = [order for order in product(OPTIONS, repeat=2) if order[0] != order[1]]
    return [
        Item(f"s{number}-{place}", "___", pronoun, f"s{number}", place, REGISTERS[number // 6 % registers])
        for number in range(schemas)
        for pronoun, place in zip(orders[number % 6], ("first", "second"), strict=True)
    ]


@pytest.fixture(scope="module")
def items(cloze: Path) -> list[Item]:
    """The items of raw/de."""
    return read_items(cloze)[1]


def layout_of(items: list[Item], seed: int) -> Layout:
    return lay_out(
        "de", OPTIONS, items, read_fillers(DE / "fillers.yaml", "de"), read_design(DE / "experiment.yaml", "de"), seed
    )


# --- lists of items ---------------------------------------------------------------------------------------------------


@settings(max_examples=20)
@given(schemas=st.sampled_from([50, 60, 66, 69, 70, 72]), size=st.sampled_from([8, 10, 12]), seed=st.integers(0, 2**32))
def test_each_item_is_in_one_list_without_its_mate(schemas: int, size: int, seed: int) -> None:
    own = collection(schemas)
    lists = item_lists(own, size, Random(seed))
    assert sorted(item.id for part in lists for item in part) == sorted(item.id for item in own)
    assert len(lists) == -(-2 * schemas // size)
    lengths = [len(part) for part in lists]
    assert max(lengths) - min(lengths) <= 1
    whole = Counter(group for item in own for group in groups_of(item) if group[0] != "pronoun and place")
    for part in lists:
        assert len({item.schema for item in part}) == len(part)
        present = Counter(group for item in part for group in groups_of(item))
        for group, number in whole.items():
            assert number // len(lists) <= present[group] <= -(-number // len(lists)), group


def test_lists_that_cannot_be_balanced_are_refused() -> None:
    """Two pairs: er is right twice in the first, sie twice in the second. A list has a pronoun once if it has no two members of a pair."""
    odd = [
        Item(f"{s}{place}", "___", pronoun, s, place, "work")
        for s, pronoun in (("a", "er"), ("b", "sie"))
        for place in ("first", "second")
    ]
    assert len(item_lists(odd, 2, Random(0))) == 2
    clash = [replace(item, schema="same") for item in odd]
    reason = r"\[items\] no balanced lists in 12 attempts; found 4 items, expected 2 lists"
    with pytest.raises(ValueError, match=reason):
        item_lists(clash, 2, Random(0))


# --- fillers ----------------------------------------------------------------------------------------------------------


@settings(max_examples=30)
@given(
    counts=st.tuples(*[st.integers(6, 14)] * 3),
    lists=st.integers(1, 20),
    size=st.integers(3, 18),
    seed=st.integers(0, 99),
)
def test_fillers_are_used_evenly(counts: tuple[int, int, int], lists: int, size: int, seed: int) -> None:
    own = [
        Filler(f"{pronoun}{number}", "___", pronoun, REGISTERS[number % 6])
        for pronoun, count in zip(OPTIONS, counts, strict=True)
        for number in range(count)
    ]
    dealt = filler_lists(own, lists, size, Random(seed))
    assert all(len(part) == size == len({filler.id for filler in part}) for part in dealt)
    for part in dealt:
        numbers = Counter(dict.fromkeys(OPTIONS, 0)) + Counter(filler.pronoun for filler in part)
        assert max(numbers.values()) - min(numbers.values()) <= 1
    for pronoun in OPTIONS:
        uses = Counter({filler.id: 0 for filler in own if filler.pronoun == pronoun})
        uses.update(filler.id for part in dealt for filler in part if filler.pronoun == pronoun)
        assert max(uses.values()) - min(uses.values()) <= 1


def test_fillers_with_several_right_pronouns_have_a_share_together() -> None:
    """Of 15, four kinds have 3 or 4: er, sie, es, and those with several pronouns, whichever these are."""
    several = ["er|es", "er|sie", "sie|es"] * 2
    own = [Filler(f"{n}-{pronoun}", "___", pronoun, "work") for n, pronoun in enumerate([*OPTIONS * 6, *several])]
    for part in filler_lists(own, 7, 15, Random(0)):
        numbers = Counter("several" if "|" in filler.pronoun else filler.pronoun for filler in part)
        assert sorted(numbers.values()) == [3, 4, 4, 4]


def test_too_few_fillers_are_refused() -> None:
    own = [Filler(pronoun, "___", pronoun, "work") for pronoun in OPTIONS]
    with pytest.raises(
        ValueError, match=r"\[fillers\] too few fillers; found 1 with er, expected 2 or more for lists of 6"
    ):
        filler_lists(own, 2, 6, Random(0))


# --- order ------------------------------------------------------------------------------------------------------------


@settings(max_examples=30)
@given(seed=st.integers(0, 2**32), attention=st.integers(0, 3))
def test_an_order_follows_the_rules(seed: int, attention: int) -> None:
    own = [Sentence(f"i{number}", "___", OPTIONS[number % 3]) for number in range(10)]
    others = [Sentence(f"f{number}", "___", OPTIONS[number % 3]) for number in range(15)]
    checks = [Sentence(f"a{number}", "___", OPTIONS[number % 3]) for number in range(attention)]
    order = order_trials(own, others, checks, Random(seed))
    kinds = [sentence.id[0] for sentence in order]
    assert Counter(order) == Counter([*own, *others, *checks])
    assert kinds[:LEAD] == ["f"] * LEAD
    assert max(len(list(run)) for kind, run in groupby(kinds) if kind == "i") <= ITEMS_IN_ROW
    assert max(len(list(run)) for _, run in groupby(sentence.pronoun for sentence in order)) <= PRONOUNS_IN_ROW
    places = [place for place, kind in enumerate(kinds) if kind == "a"]
    assert [order[place] for place in places] == checks
    assert all(later - earlier > 1 for earlier, later in pairwise(places))
    assert not places or (places[0] > LEAD and places[-1] < len(order) - 1)


def test_an_order_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ValueError, match=r"\[order\] no order of a list"):
        order_trials([Sentence(f"i{n}", "___", "er") for n in range(5)], [], [], Random(0))


# --- whole experiments ------------------------------------------------------------------------------------------------


def test_a_layout_has_all_parts_in_every_list(items: list[Item]) -> None:
    """Two attention trials of six a list: three lists use each once, and no list has the same right answer in both."""
    layout = layout_of(items, 0)
    for trials in layout.lists.values():
        parts = Counter(trial.part for trial in trials)
        assert parts == {"practice": 4, "item": parts["item"], "filler": 15, "attention": 2}
        assert [trial.position for trial in trials] == list(range(1, len(trials) + 1))
        assert len({trial.sentence.pronoun for trial in trials if trial.part == "attention"}) == 2
    uses = Counter(trial.sentence.id for trial in layout.placed if trial.part == "attention")
    assert max(uses.values()) - min(uses.values()) <= 1


def test_sentences_have_their_own_ids(items: list[Item], tmp_path: Path) -> None:
    from pipeline.core.errors import PipelineError

    path = tmp_path / "fillers.yaml"
    path.write_text(
        (DE / "fillers.yaml").read_text(encoding="utf-8").replace("id: fl-01\n", f"id: {items[0].id}\n"),
        encoding="utf-8",
    )
    with pytest.raises(PipelineError, match=rf"\[id\] not unique; found '{items[0].id}' twice"):
        lay_out("de", OPTIONS, items, read_fillers(path, "de"), read_design(DE / "experiment.yaml", "de"), 0)
