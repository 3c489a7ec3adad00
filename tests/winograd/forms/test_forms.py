"""The derived forms of whole collections, and what every row must meet."""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from pipeline.core.model import Item, Span
from pipeline.core.records import read_items, write_items
from pipeline.language.grammar.base import mere_substitution
from pipeline.winograd.forms import FORMS, FormOptions, variants, whole_schemas
from pipeline.winograd.forms.form import DerivedForm, Row, zero_of_text
from pipeline.winograd.forms.substitution import ENTAILMENT, differences, disambiguated, winogrande
from pipeline.winograd.zero_forms import zero_form
from tests.support.collections import items_of
from tests.support.commands import app
from tests.support.effort import operations
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


# --- the effort of a form grows with the length of a text, not with its square --------------------------------------------


#: Sentences of the short text; the long one has four times as many.
_SENTENCES = 12
_ITEMS = {
    "people": marked("李军见王芳走了，余老板说【他】错了。", candidates=("李军", "余老板"), question="谁错了？"),
    "things": marked("箱子压在箱子盖上，所以【它】坏了。", candidates=("箱子", "箱子盖"), question="什么坏了？"),
    "english": marked(
        "Dr. Ann Smith called Bob Jones, because 【she】 was late. ",
        lang="en", candidates=("Ann Smith", "Bob Jones"), question="Who was late?",
    ),
}  # fmt: skip


def long(item: Item, sentences: int) -> Item:
    """Return the item after `sentences` copies of its text."""
    start = sentences * len(item.text)
    text = item.text * (sentences + 1)
    return replace(item, text=text.strip(), target=Span(item.target.start + start, item.target.end + start))


@pytest.mark.parametrize("name", _ITEMS)
@pytest.mark.parametrize("form", FORMS)
def test_a_text_of_four_times_the_length_takes_four_times_the_effort(form: str, name: str) -> None:
    item = _ITEMS[name]
    options = FormOptions()
    make = FORMS[form].make
    short, long_text = ([long(item, sentences)] for sentences in (_SENTENCES, 4 * _SENTENCES))
    make([long(item, 1)], options)  # loads dictionaries and tables
    efforts = [operations(lambda items=items: make(items, options)) for items in (short, long_text)]
    assert efforts[1] <= 4 * efforts[0]


# --- the zero form beside the overt one in derived forms, and why no other form has one -----------------------------------


PEOPLE = ("老汤", "小柳")
UMBRELLA = marked("老汤给小柳送伞，因为【他】怕淋雨。", answer=1, candidates=PEOPLE, question="谁怕淋雨？")


def first_rows(item: Item, options: FormOptions | None = None) -> Mapping[str, Any]:
    """Return the first row of an item in each form."""
    made = variants([item], options or FormOptions())
    return {name: form.rows[0] for name, form in made.items() if form.rows}


def as_zero(item: Item) -> Item:
    """Return an item whose source leaves the anaphor out."""
    form = zero_form(item.text, item.target, item.lang)
    return replace(item, text=form.text_dropped, target=form.dropped)


def test_a_premise_and_a_context_have_three_forms() -> None:
    rows = first_rows(UMBRELLA)
    assert rows["nli"]["premise"] == "老汤给小柳送伞，因为他怕淋雨。"
    assert rows["nli"]["premise_zero"] == "老汤给小柳送伞，因为Ø怕淋雨。"
    assert rows["nli"]["premise_dropped"] == "老汤给小柳送伞，因为怕淋雨。"
    assert rows["scoring"]["context_overt"] == "老汤给小柳送伞，因为他怕淋雨。谁怕淋雨？"
    assert rows["scoring"]["context_zero"] == "老汤给小柳送伞，因为Ø怕淋雨。谁怕淋雨？"
    assert rows["scoring"]["context_dropped"] == "老汤给小柳送伞，因为怕淋雨。谁怕淋雨？"


def test_an_item_without_a_question_has_no_context_to_answer() -> None:
    rows = first_rows(replace(UMBRELLA, question=""))
    assert "context" in rows["scoring"]
    assert "context_zero" not in rows["scoring"]


def test_a_form_that_is_an_item_has_the_fields_of_its_zero_form() -> None:
    rows = first_rows(marked("老汤給Tom送伞，因为【他】怕淋雨。", candidates=("老汤", "Tom"), question="谁怕淋雨？"))
    of_items = [rows[name] for name, form in FORMS.items() if form.zero is zero_of_text and name in rows]
    assert len(of_items) > 1
    for row in of_items:
        head, tail = row["text"].split("他")
        assert (row["text_zero"], row["text_dropped"]) == (f"{head}Ø{tail}", f"{head}{tail}")
        assert row["zero"] == {"start": len(head), "end": len(head) + 1}
        assert row["dropped"] == {"start": len(head), "end": len(head)}
        named = [row["candidates"][mention["candidate"]] for mention in row["mentions"]]
        assert sorted(named) == sorted(row["candidates"])


def test_words_change_at_the_target_only() -> None:
    row = first_rows(UMBRELLA)["tokens"]
    at = row["tokens"].index("他")
    before, after = row["tokens"][:at], row["tokens"][at + 1 :]
    assert row["tokens_zero"] == [*before, "Ø", *after]
    assert row["tokens_dropped"] == [*before, *after]
    assert (row["zero"], row["dropped"]) == ({"start": at, "end": at + 1}, {"start": at, "end": at})
    # 老汤给小柳送伞，因为他 are 11 characters, so 怕 is the twelfth; without the target it is the eleventh.
    assert [row["offsets_zero"][at + 1][0], row["offsets_dropped"][at][0]] == [11, 10]


@given(st.text("伞因怕", min_size=1, max_size=4), st.sampled_from(["他", "他们", ""]), st.text("伞因怕", max_size=4))
def test_words_of_all_three_forms_are_their_texts(head: str, target: str, tail: str) -> None:
    item = marked(f"老汤{head}【{target}】{tail}小柳走。", candidates=PEOPLE)
    row = first_rows(item)["tokens"]
    for suffix, span in (("", "target"), ("_zero", "zero"), ("_dropped", "dropped")):
        text, words = row[f"text{suffix}"], row[f"tokens{suffix}"]
        assert "".join(words) == text
        assert [text[start:end] for start, end in row[f"offsets{suffix}"]] == words
        place = row[span]
        assert "".join(words[place["start"] : place["end"]]) == {"target": target, "zero": "Ø", "dropped": ""}[span]
        for name, ranges in zip(PEOPLE, row[f"candidates{suffix}"], strict=True):
            assert ["".join(words[start:end]) for start, end in ranges] == [name]


def test_languages_without_rules_of_zeros_have_none() -> None:
    item = marked("Tom gave Ann an umbrella because 【she】 was wet.", lang="en", candidates=("Tom", "Ann"), answer=1)
    for row in first_rows(replace(item, question="Who was wet?")).values():
        assert not [field for field in row if "zero" in field or "dropped" in field]


def test_a_candidate_in_the_place_of_the_zero_gives_the_text_with_it_in_the_place_of_the_pronoun() -> None:
    """Why `disambiguated`, `scoring` and `winogrande` have one text for both forms."""
    items = items_of("zh")
    overt, zero = disambiguated(items), disambiguated(map(as_zero, items))
    assert len(overt.rows) == 2 * len(items)
    assert [row["text"] for row in overt.rows] == [row["text"] for row in zero.rows]
    # A possessor (他女儿) needs 的 behind a name; the rules reject such items, since a zero is no possessor.
    as_given = {item.id: item for item in items} | {row["item"]: None for row in overt.rows if row["changes"]}
    rows = [(row, item) for row in winogrande(items).rows if (item := as_given[row["item"]])]
    assert len(rows) > 0.9 * len(items)
    for row, item in rows:
        assert row["sentence"] == zero_form(item.text, item.target, item.lang).text_zero.replace("Ø", "_")


# --- German items, by hand --------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def made_in_german() -> dict[str, DerivedForm]:
    return variants(items_of("de"), FormOptions())


def row(form: DerivedForm, name: str) -> Row:
    return next(row for row in form.rows if row["id"] == name)


@pytest.mark.parametrize(
    ("name", "text", "changes"),
    [
        ("de-027-b-1", "Mitten in der Nacht rüttelte das Enkelkind den Großvater wach, weil "
         "[der Großvater] so laut schnarchte.", ["nominative"]),
        ("de-068-a-0", "Das Einhorn entkam der Zauberin, obwohl [das Einhorn] am Bein verletzt war.", ["lower-case"]),
        ("de-067-a-1", "Das Restaurant beschwerte sich beim Fischhändler, weil [der Fischhändler] zwei Kisten Lachs zu wenig "
         "geliefert hatte.", ["determiner"]),
        ("de-060-b-1", "Das Chamäleon erwischte die Fliege, obwohl [die Fliege] schon losgeflogen war.", []),
    ],
)  # fmt: skip
def test_disambiguated_texts(made_in_german: dict[str, DerivedForm], name: str, text: str, changes: list[str]) -> None:
    actual = row(made_in_german["disambiguated"], name)
    assert actual["text"] == text.replace("[", "").replace("]", "")
    assert (actual["span"]["start"], actual["span"]["end"]) == (text.index("["), text.index("]") - 1)
    assert (actual["changes"], actual["correct"]) == (changes, True)
    scored = row(made_in_german["scoring"], name)
    assert scored["context"] == text.partition("]")[0].replace("[", "")
    assert scored["continuation"] == text.partition("]")[2]


def test_a_sentence_with_options(made_in_german: dict[str, DerivedForm]) -> None:
    assert row(made_in_german["winogrande"], "de-028-a") == {
        "id": "de-028-a",
        "item": "de-028-a",
        "schema": "de-028",
        "sentence": "Die Fürstin ließ den Boten bis zum Abend vor dem Tor warten, obwohl _ wichtige Nachrichten brachte.",
        "option1": "die Fürstin",
        "option2": "der Bote",
        "answer": "2",
    }
