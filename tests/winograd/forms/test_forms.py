"""The derived forms of whole collections, and what every row must meet."""

import json
import re
from collections import Counter, defaultdict
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from pipeline.core.model import Item
from pipeline.core.records import read_items, write_items
from pipeline.language.grammar.base import mere_substitution
from pipeline.winograd.forms import FORMS, FormOptions, variants, whole_schemas
from pipeline.winograd.forms.form import DerivedForm
from pipeline.winograd.forms.substitution import ENTAILMENT, differences, disambiguated, winogrande
from tests.support.collections import items_of
from tests.support.commands import app
from tests.support.items import marked


@pytest.fixture(scope="module", params=["zh", "de", "pws", "wsc"])
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def items(name: str, shared_data: Path) -> list[Item]:
    return list(items_of(name, shared_data))


@pytest.fixture(scope="module")
def made(name: str, items: list[Item]) -> dict[str, DerivedForm]:
    return variants(items, FormOptions())


def by_item(derived: DerivedForm) -> dict[str, list[Any]]:
    rows = defaultdict(list)
    for row in derived.rows:
        rows[row["item"]].append(row)
    return rows


def test_each_item_has_rows_or_is_unmade(items: list[Item], made: dict[str, DerivedForm]) -> None:
    assert set(made) == {name for name, form in FORMS.items() if form.is_of(items[0].lang)}
    for form, derived in made.items():
        named = [*by_item(derived), *(entry.item for entry in derived.unmade)]
        assert sorted(named) == sorted(item.id for item in items), form
        assert {entry.form for entry in derived.unmade} <= {form}
        assert all(entry.reason.startswith("[") for entry in derived.unmade)


def test_few_items_are_unmade(name: str, made: dict[str, DerivedForm]) -> None:
    """What is unmade is known: see the tests of the grammars; a blank needs a word after it."""
    counts = {form: len(derived.unmade) for form, derived in made.items()}
    limits = {
        "zh": {"nli": 1, "disambiguated": 0, "scoring": 0, "winogrande": 14},
        "de": {"nli": 6, "disambiguated": 0, "scoring": 0, "winogrande": 0},
        "pws": {"nli": 1, "disambiguated": 1, "scoring": 1, "winogrande": 21},
        "wsc": {"nli": 8, "disambiguated": 8, "scoring": 8, "winogrande": 26},
    }
    assert {form: counts[form] for form in limits[name]} == limits[name]
    assert counts["tokens"] == 0


def test_a_schema_has_four_nli_rows_and_two_entailments(items: list[Item], made: dict[str, DerivedForm]) -> None:
    members = Counter(item.schema for item in items)
    rows = defaultdict(list)
    for row in made["nli"].rows:
        rows[row["schema"]].append(row)
    unmade = {entry.item.rsplit("-", 1)[0] for entry in made["nli"].unmade}
    assert rows
    for schema, schema_rows in rows.items():
        if schema not in unmade:
            assert len(schema_rows) == 2 * members[schema]
            assert sum(row["label"] == ENTAILMENT for row in schema_rows) == members[schema]
    texts = {item.id: item.text for item in items}
    assert all(row["premise"] == texts[row["item"]] for row in made["nli"].rows)


def test_a_hypothesis_is_a_statement_about_one_candidate(name: str, made: dict[str, DerivedForm]) -> None:
    for rows in by_item(made["nli"]).values():
        hypotheses = [row["hypothesis"] for row in rows]
        assert len(set(hypotheses)) == len(hypotheses) == 2
        for hypothesis in hypotheses:
            assert re.search(r"[^。.]([。.]|”|\")$", hypothesis)
            assert not re.search(r"[？?]|^(?:Wer|Was|Wen|Wem)\b", hypothesis)
            # The subject of a German statement is in the nominative.
            assert name != "de" or hypothesis.split()[0] in ("Der", "Die", "Das")


def test_a_text_without_its_insertion_is_the_original(items: list[Item], made: dict[str, DerivedForm]) -> None:
    by_id = {item.id: item for item in items}
    for row in made["disambiguated"].rows:
        item, span = by_id[row["item"]], row["span"]
        form = item.target.of(item.text)
        restored = row["text"][: span["start"]] + form + row["text"][span["end"] :]
        assert restored == item.text or "singular-verb" in row["changes"]
        mere = mere_substitution(item, item.candidates.index(row["candidate"]))
        assert bool(row["changes"]) == (row["text"] != mere)
    for members in by_item(made["disambiguated"]).values():
        assert [row["correct"] for row in members].count(True) == 1


def named(row: dict[str, Any]) -> str:
    """Return a disambiguated text with the candidate's name where it has 自己 for it, as the other forms do."""
    if "reflexive" not in row["changes"]:
        return str(row["text"])
    start, end = row["span"]["start"], row["span"]["end"]
    assert row["text"][start:end] == "自己"
    return f"{row['text'][:start]}{row['candidate']}{row['text'][end:]}"


def test_scoring_cuts_the_same_texts(made: dict[str, DerivedForm]) -> None:
    texts = {row["id"]: named(row) for row in made["disambiguated"].rows}
    for row in made["scoring"].rows:
        assert row["context"] + row["continuation"] == texts[row["id"]]
        assert row["partial"] == any(character.isalnum() for character in row["continuation"])
    for members in by_item(made["scoring"]).values():
        assert len({row["continuation"] for row in members}) == 1


def test_a_blank_filled_with_an_option_is_a_disambiguated_text(made: dict[str, DerivedForm]) -> None:
    texts = defaultdict(list)
    for row in made["disambiguated"].rows:
        texts[row["item"]].append((named(row), row["correct"]))
    for row in made["winogrande"].rows:
        assert row["sentence"].count("_") == 1
        filled = [row["sentence"].replace("_", row[option]) for option in ("option1", "option2")]
        assert filled == [text for text, _ in texts[row["item"]]]
        assert texts[row["item"]][int(row["answer"]) - 1][1]
        assert any(character.isalnum() for character in row["sentence"].split("_")[1])


def _says(item: Item) -> bool:
    """Return whether the clause of a target in our collection begins with 说 and one of the two says it."""
    told, _, opening = item.text[: item.target.start].rpartition("，")
    clause = told.rpartition("，")[2]
    says = opening.startswith("说") and "说好" not in opening and any(name in clause for name in item.candidates)
    return says and "谁的" not in item.question  # a possessor stays a name


def test_a_kind_of_difference_is_counted(name: str, items: list[Item], made: dict[str, DerivedForm]) -> None:
    table = differences(items, made["disambiguated"])
    counts = Counter(change for _, changes, _, _ in table for change in changes.split(", "))
    expected = {
        # The modified possessors of two schemas; one text of each item in which a candidate says the clause.
        "zh": {"possessor-de": 2 * 4, "reflexive": sum(_says(item) for item in items)},
        # 63 candidates open their sentence, 3 have their article in a preposition, one of them with an ending (Nachbarn);
        # 30 have den or dem, 14 are feminine with der
        "de": {"lower-case": 2 * 63, "determiner": 2 * 3, "nominative": 2 * (30 + 14 + 1)},
        "pws": {"coverb-added": 2, "part-of-clause": 4, "determiner": 18},
        "wsc": {
            "possessive": 58,
            "determiner": 50,
            "lower-case": 36,
            "definite": 34,
            "capital": 40,
            "bare-possessor": 18,
            "quoted": 4,
            "singular-verb": 4,
        },
    }
    assert counts == expected[name]


@pytest.mark.parametrize(("text", "candidates", "reason"), [
    ("老汤找小柳，老汤怨【他】。", ("老汤", "小柳"), "[text] no word follows the blank"),
    ("老汤_甲找小柳，【他】病了。", ("老汤", "小柳"), "[text] a low line beside the blank"),
    ("老汤找小柳，【他】病了。", ("老汤", "老汤"), "[candidates] both options are the same"),
    ("老汤找小柳，【他】病了。", ("老汤", "小柳", "老石"), "[candidates] wrong number; found 3, expected two options"),
])  # fmt: skip
def test_an_item_that_fits_no_winogrande_sentence_is_unmade(
    text: str, candidates: tuple[str, ...], reason: str
) -> None:
    (unmade,) = winogrande([marked(text, candidates=candidates, question="谁病了？")]).unmade
    assert unmade.reason.startswith(reason)


# --- in parts ---------------------------------------------------------------------------------------------------------


@given(st.lists(st.integers(0, 9)), st.integers(1, 5))
def test_no_schema_is_in_two_parts(schemas: list[int], size: int) -> None:
    items = [replace(marked("【他】走了。"), schema=str(schema)) for schema in schemas]
    parts = list(whole_schemas(items, size))
    assert [item for part in parts for item in part] == items
    assert sum(len({item.schema for item in part}) for part in parts) == len(set(schemas))
    assert all(len(part) >= size for part in parts[:-1])


def test_the_forms_of_the_parts_are_those_of_all_items() -> None:
    both = [item for lang in ("zh", "de") for item in items_of(lang)[:24]]
    items = [both[start + step] for start in range(0, 48, 6) for step in (0, 2, 4, 1, 3, 5)]  # members lie apart
    parts = [variants(part, FormOptions()) for part in whole_schemas(items, 4)]
    assert len(parts) > 4
    for name, form in variants(items, FormOptions()).items():
        of_form = [part[name] for part in parts if name in part]
        assert [row for part in of_form for row in part.rows] == [*form.rows]
        assert [entry for part in of_form for entry in part.unmade] == [*form.unmade]


# --- the command ------------------------------------------------------------------------------------------------------


def run(*arguments: object) -> Any:
    return CliRunner().invoke(app, ["variants", *map(str, arguments)])


def test_the_command_writes_every_form(tmp_path: Path) -> None:
    items = [
        marked("老汤找小柳，因为【她】妈妈病了。", "t-1-a", candidates=("老汤", "小柳"), answer=1, question="谁妈妈病了？"),
        marked("老汤找小柳，因为【她】妈妈来了。", "t-1-b", candidates=("老汤", "小柳"), question="她妈妈来了？"),
    ]  # fmt: skip
    write_items(tmp_path / "kept.jsonl", items)
    result = run(tmp_path / "kept.jsonl", "--out", tmp_path / "out")
    assert result.exit_code == 0, result.output
    assert "nli.jsonl: 1 items made + 1 unmade; 2 rows" in result.output
    assert "4 of 4 differ from mere substitution: possessor-de 4" in result.output
    assert len(read_items(tmp_path / "kept.jsonl")) == 2
    written = {path.name for path in (tmp_path / "out").iterdir()}
    forms = [name for name, form in FORMS.items() if form.is_of("zh")]
    assert written == {*(f"{name}.jsonl" for name in forms), "unmade.jsonl", "differences.tsv", "options.json"}
    lines = (tmp_path / "out" / "unmade.jsonl").read_text(encoding="utf-8").splitlines()
    assert [(row["form"], row["item"], row["reason"]) for row in map(json.loads, lines)] == [
        ("nli", "t-1-b", "[question] no question word; found '她妈妈来了？', expected 谁, 什么, 哪里 or the like"),
    ]
    table = (tmp_path / "out" / "differences.tsv").read_text(encoding="utf-8").splitlines()
    assert table[1] == "t-1-a-0\tpossessor-de\t老汤找小柳，因为老汤妈妈病了。\t老汤找小柳，因为老汤的妈妈病了。"


def test_a_correction_that_no_longer_applies_fails_the_command(tmp_path: Path) -> None:
    write_items(tmp_path / "all.jsonl", [marked("老汤找小柳，【她】病了。", name) for name in ("t-1-a", "t-1-b")])
    write_items(tmp_path / "kept.jsonl", [marked("老汤找小柳，【她】病了。", "t-1-a")])
    tokens, out = tmp_path / "tokens.tsv", tmp_path / "out"
    line = "t-1-b\t老汤 找 小柳 ， 她 病 了 。\tnames\n"
    tokens.write_text(f"item\ttokens\tnote\n{line}", encoding="utf-8")
    command = (tmp_path / "kept.jsonl", "--out", out, "--tokens", tokens)
    assert str(run(*command).exception).startswith(f"{tokens}:2: [item] no longer applies")
    assert run(*command, "--collection", tmp_path / "all.jsonl").exit_code == 0
    tokens.write_text(f"item\ttokens\tnote\n{line.replace('t-1-b', 't-1-a').replace('找', '叫')}", encoding="utf-8")
    before = {path: path.read_bytes() for path in out.iterdir()}
    assert str(run(*command).exception).startswith(f"{tokens}:2: [tokens] no longer applies")
    assert {path: path.read_bytes() for path in out.iterdir()} == before


def test_the_table_in_the_docs_is_current(root: Path) -> None:
    """docs/disambiguation.md: examples of differences from mere substitution, in texts of our own."""
    items = {item.id: item for item in (*items_of("zh"), *english(root))}
    lines = (root / "docs" / "disambiguation.md").read_text(encoding="utf-8").splitlines()
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith(("| zh-", "| en-"))
    ]
    assert len(rows) >= 5
    kinds = {line.split("`")[1] for line in lines if line.startswith("| `")}
    for name, changes, mere, text in rows:
        identifier, index = name.rsplit("-", 1)
        item = items[identifier]
        (changed,) = [row for row in differences([item], disambiguated([item])) if row[0] == name]
        assert (changes, mere, text) == (changed[1], mere_substitution(item, int(index)), changed[3])
        assert set(changes.split(", ")) <= kinds


def english(root: Path) -> list[Item]:
    from pipeline.language.pronouns import pronoun_table
    from pipeline.winopron.instances import instances, read_templates

    table, path = pronoun_table("en"), root / "raw" / "en" / "templates.yaml"
    return [
        instance.item for instance in instances(read_templates(path, table), table, "double", lang="en", source=path)
    ]
