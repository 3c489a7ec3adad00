"""The collection of raw/de: what its README promises of it."""

from collections import Counter
from itertools import permutations

import pytest

from pipeline.core.checksums import digest_of
from pipeline.core.model import Item
from pipeline.core.tables import read_table
from pipeline.core.yamlfile import load_yaml
from pipeline.language.pronoun_classes import GENDERS
from pipeline.winograd.analysis import Analysis, analysis_table
from tests.conftest import ROOT
from tests.support.collections import drafts_of, items_of

RAW = ROOT / "raw" / "de"
COLUMNS = ("id", "text", "reader", "pronoun", "sure", "natural", "other", "remark")
DROPPED = {"de-004", "de-014", "de-015", "de-018", "de-057"}


@pytest.fixture(scope="module")
def items() -> list[Item]:
    return list(items_of("de"))


@pytest.fixture(scope="module")
def analyses() -> dict[str, Analysis]:
    return {draft.id: draft.analysis for draft in drafts_of("de") if draft.analysis}


def pronoun_of(item: Item) -> str:
    return item.target.of(item.text)


def test_it_has_as_many_items_as_promised(items: list[Item]) -> None:
    """An id that was dropped does not come back with another text: what was written later is de-101 or above."""
    schemas = list(dict.fromkeys(item.schema for item in items))
    assert len(schemas) == 70
    assert [item.id for item in items] == [f"{schema}-{version}" for schema in schemas for version in "ab"]
    dropped = DROPPED | {
        name.rpartition("-")[0] for entry in load_yaml(RAW / "errata.yaml") for name in entry["before"]
    }
    first = {f"de-{number:03}" for number in (*range(1, 73), 85, 86, 87)}
    assert {schema for schema in schemas if schema < "de-100"} == first - dropped
    assert schemas == sorted(schemas)


def test_genders_registers_places_and_pronouns_are_balanced(items: list[Item], analyses: dict[str, Analysis]) -> None:
    first = [item for item in items if item.version == "a"]
    orders = Counter(analyses[item.id].genders for item in first)
    assert set(orders) == set(permutations(GENDERS, 2))
    assert set(orders.values()) == {11, 12}
    registers = Counter(analyses[item.id].register for item in first)
    assert set(registers) == set(analysis_table("de").registers)
    assert set(registers.values()) == {11, 12}
    assert Counter(map(pronoun_of, items)) == {"er": 47, "sie": 47, "es": 46}
    places = Counter((pronoun_of(item), item.answer) for item in items)
    assert len(places) == 6
    assert set(places.values()) <= {22, 23, 24}
    assert sorted(Counter(item.answer for item in first).values()) == [35, 35]


def test_every_sentence_was_read_by_two_or_four_as_it_stands(items: list[Item]) -> None:
    texts = {item.id: digest_of(item.text) for item in items}
    pronouns = {item.id: pronoun_of(item) for item in items}
    path = RAW / "reading.tsv"
    rows = [row for _, row in read_table(path, COLUMNS)]
    readings = Counter(row["id"] for row in rows)
    assert readings.keys() == texts.keys()
    assert set(readings.values()) == {2, 4}
    for row in rows:
        assert row["text"] == texts[row["id"]], row["id"]
        assert row["pronoun"] == pronouns[row["id"]], row["id"]
        assert row["sure"] in ("4", "5"), row["id"]
        assert row["natural"] in ("4", "5"), row["id"]
    assert all(  # a reader saw one member of a pair
        count == 1 for count in Counter((row["reader"], row["id"].rpartition("-")[0]) for row in rows).values()
    )
    readme = (RAW / "README.md").read_text(encoding="utf-8")
    sure, natural = (sum(int(row[column]) for row in rows) / len(rows) for column in ("sure", "natural"))
    assert f"| {len(rows)} | {len(rows)} | {sure:.2f} | {natural:.2f} |" in readme


def test_few_gaps_can_be_filled_from_their_clause_and_the_antecedents_alone(items: list[Item]) -> None:
    """What readers say of the sentence, and what guessers who saw only these get right with certainty."""
    texts = {item.id: digest_of(item.text) for item in items}
    rows = [row for _, row in read_table(RAW / "clauses.tsv", ("id", "text", "reader", "alone", "guess", "certainty"))]
    assert all(row["text"] == texts[row["id"]] for row in rows)
    said = [row["alone"] == "y" for row in rows if row["alone"]]
    guessed = [(row["guess"], row["certainty"]) == ("right", "3") for row in rows if row["guess"]]
    readme = (RAW / "README.md").read_text(encoding="utf-8")
    for marks in (said, guessed):
        assert f"{sum(marks)} of {len(marks)} ({sum(marks) / len(marks):.0%})" in readme


def test_fillers_have_one_gap_and_are_balanced() -> None:
    fillers = load_yaml(RAW / "fillers.yaml")
    assert len({filler["id"] for filler in fillers}) == len(fillers) == 45
    for filler in fillers:
        assert filler["text"].count("___") == 1, filler["id"]
        assert filler["text"].count("_") == 3, filler["id"]
    several = [filler for filler in fillers if isinstance(filler["answer"], list)]
    assert len(several) == 9, "three brands, three given names, three loanwords"
    for filler in several:
        assert filler["antecedent"] in filler["text"], filler["id"]
        assert filler["answer"] in (["er", "sie"], ["er", "es"], ["sie", "es"]), filler["id"]
    fillers = [filler for filler in fillers if filler not in several]
    for filler in fillers:
        article, noun = filler["antecedent"].split()
        assert noun in filler["text"], filler["id"]
        assert {"der": "er", "die": "sie", "das": "es"}[article] == filler["answer"], filler["id"]
    assert Counter(filler["answer"] for filler in fillers) == {"er": 12, "sie": 12, "es": 12}
    assert Counter(filler["register"] for filler in fillers) == dict.fromkeys(analysis_table("de").registers, 6)
