"""The collection of raw/zh: what its README and the dataset card promise of it, besides what the suites prove at each build."""

import re
from collections import Counter
from pathlib import Path
from statistics import fmean

import pytest

from pipeline.core.checksums import is_of_other_words
from pipeline.core.model import Item
from pipeline.core.tables import read_table
from pipeline.core.validation.suite import Row
from pipeline.core.yamlfile import load_yaml
from pipeline.evaluation.difficulty import read_readings, system_groups
from pipeline.evaluation.items import ReleasedItem
from pipeline.evaluation.predictions import read_predictions
from pipeline.language.anaphors import locate
from pipeline.language.parsing.lock import read_lock
from pipeline.language.questions import question_table
from pipeline.language.zh import CHINESE
from pipeline.release.readings import COLUMNS
from pipeline.winograd.analysis import Analysis, analysis_table
from pipeline.winograd.exclusion.exclude import Partition, exclude
from pipeline.winograd.exclusion.ruleset import load_rules
from pipeline.winograd.modifications import TYPES, Modified, judge, modify, read_modifications
from pipeline.winograd.readers.schema_yaml import Schema, schemas_of
from pipeline.winograd.validation.candidates import candidates_are_nouns
from pipeline.winograd.validation.collection import candidates_in_order, in_collection
from pipeline.winograd.validation.questions import question_asks
from pipeline.winograd.zero_forms import zero_form
from tests.conftest import ROOT
from tests.support.collections import drafts_of, items_of

RAW = ROOT / "raw" / "zh"
SCHEMAS = RAW / "schemas.yaml"
MODIFICATIONS = RAW / "modifications.yaml"
LOCKS = [RAW / "parses" / "stanza.conllu", RAW / "parses" / "udpipe.conllu"]


@pytest.fixture(scope="module")
def schemas() -> list[Schema]:
    return schemas_of(load_yaml(SCHEMAS), SCHEMAS)


@pytest.fixture(scope="module")
def items() -> list[Item]:
    return list(items_of("zh"))


@pytest.fixture(scope="module")
def analyses() -> dict[str, Analysis]:
    return {draft.id: draft.analysis for draft in drafts_of("zh") if draft.analysis}


@pytest.fixture(scope="module")
def partition(items: list[Item]) -> Partition:
    return exclude(items, [read_lock(path) for path in LOCKS], load_rules("zh"))


@pytest.fixture(scope="module")
def released(partition: Partition) -> Modified:
    result = modify(partition.kept, partition.rejected, read_modifications(MODIFICATIONS), MODIFICATIONS)
    judge(result, [read_lock(path) for path in LOCKS], load_rules("zh"), MODIFICATIONS)
    return result


# --- size and balance -------------------------------------------------------------------------------------------------


def test_it_is_as_large_as_promised(schemas: list[Schema], released: Modified) -> None:
    assert len(schemas) >= 190
    assert len({item.schema for item in released.kept}) >= 160
    ids = [schema.id for schema in schemas]
    assert ids == sorted(set(ids))  # an id that is gone is not given again
    assert all(re.fullmatch("zh-[0-9]{4}", name) for name in ids)


def test_every_kind_of_common_sense_has_a_dozen_pairs(schemas: list[Schema]) -> None:
    counts = Counter(schema.kind for schema in schemas)
    assert set(counts) == set(analysis_table("zh").kinds)
    assert min(counts.values()) >= 12


@pytest.mark.parametrize("version", ["a", "b"])
def test_each_candidate_is_right_equally_often_in_each_member(
    items: list[Item], released: Modified, version: str
) -> None:
    for collection, apart in ((items, 4), (released.kept, 1)):  # an odd number of pairs cannot be halved
        answers = Counter(item.answer for item in collection if item.version == version)
        assert set(answers) == {0, 1}
        assert abs(answers[0] - answers[1]) <= apart


def test_every_register_has_its_share_and_each_candidate_in_it(
    released: Modified, analyses: dict[str, Analysis]
) -> None:
    answers = Counter((analyses[item.id].register, item.answer) for item in released.kept)
    registers = analysis_table("zh").registers
    assert {register for register, _ in answers} == set(registers)
    assert all(answers[register, 0] == answers[register, 1] for register in registers)
    assert min(answers.values()) >= len(released.kept) / (2 * len(registers)) * 0.75


def test_unlicensed_targets_are_of_all_classes(schemas: list[Schema]) -> None:
    table = analysis_table("zh")
    roles = Counter(schema.role for schema in schemas if table.expected[schema.role])
    classes = Counter(table.expected[schema.role] for schema in schemas)
    assert 25 <= sum(roles.values()) <= 45
    assert classes["ba-object"] >= 4
    assert classes["prenominal-possessor"] >= 8
    assert roles["possessor"] >= 1
    assert roles["bare-possessor"] >= 1
    assert classes["direct-object"] >= 5
    assert classes["other"] >= 8


def test_targets_stand_in_many_places(items: list[Item], analyses: dict[str, Analysis]) -> None:
    places = Counter(place_of(item) for item in items if analyses[item.id].role in ("subject", "topic"))
    # A full stop before a zero makes a fragment, so that no target begins a sentence.
    assert set(places) == {"clause-initial", "after a connective or adverbial"}
    assert min(places.values()) >= 96
    # Few: strict readers take a zero under a verb of saying for the one who speaks (raw/zh/README.md, eleventh round).
    assert sum(analysis.role == "embedded-subject" for analysis in analyses.values()) >= 16
    assert all(len(CHINESE.sentences(item.text)) <= 2 for item in items)


def place_of(item: Item) -> str:
    if CHINESE.sentence_of(item.text, item.target).start == item.target.start:
        return "sentence-initial"
    return "clause-initial" if item.text[item.target.start - 1] == "，" else "after a connective or adverbial"


# --- each schema ------------------------------------------------------------------------------------------------------


def test_both_candidates_are_named_before_the_target_in_order(items: list[Item]) -> None:
    """One of them may be named again where it suffers what the other does (姑妈拉着小桂看老相册，困得小桂直掐大腿)."""
    for item in items:
        places = [item.text.index(candidate) for candidate in item.candidates]
        assert places == sorted(places), item.id
        assert places[-1] < item.target.start, item.id
        assert sorted(item.text.count(candidate) for candidate in item.candidates) in ([1, 1], [1, 2]), item.id
        first, second = item.candidates
        assert first not in second, item.id
        assert second not in first, item.id


def test_a_text_is_of_natural_length(items: list[Item]) -> None:
    for item in items:
        assert 15 <= len(item.text) <= 60, item.id
        assert re.fullmatch(r"[\u4e00-\u9fff0-9，。：；！？“”、]+", item.text), item.id
        assert re.fullmatch(r"[\u4e00-\u9fff，]+？", item.question), item.id


def test_the_question_finds_the_place_of_the_marked_target(items: list[Item]) -> None:
    """The others ask in other words (谁半个钟头还没上来 of 都半个钟头了，他还没上来) or by 哪个, which may be a person."""
    table = question_table("zh")
    places = [locate(item.text, item.question, item.candidates, table) for item in items]
    others = [item.id for item, place in zip(items, places, strict=True) if getattr(place, "span", None) != item.target]
    assert len(others) <= len(items) / 25, others


def test_no_released_sentence_stands_twice(released: Modified) -> None:
    for texts in ([item.text for item in released.kept], [zero_of(item) for item in released.kept]):
        assert len(set(texts)) == len(texts)


def test_no_name_is_used_too_often(schemas: list[Schema]) -> None:
    pairs = Counter(candidates for schema in schemas for candidates in [frozenset(schema.candidates)])
    assert pairs.most_common(1)[0][1] <= 4
    single = Counter(candidate for schema in schemas for candidate in schema.candidates)
    assert single.most_common(1)[0][1] <= 4  # 大嫂, 表姐, …: terms of kinship, which families use for names


# --- decisions and modifications --------------------------------------------------------------------------------------


def test_the_rules_decide_as_the_authors_foresee(partition: Partition, analyses: dict[str, Analysis]) -> None:
    table = analysis_table("zh")
    decided = {entry.id: None if entry.exclusion == "pair-mate" else entry.exclusion for entry in partition.decisions}
    assert decided == {name: table.expected[entry.role] for name, entry in analyses.items()}


def test_modifications_rescue_items(released: Modified) -> None:
    """Each type of WSC-ZA, Table 2, has a pair; a stance adverbial or a copula makes natural what the rules keep anyway."""
    counts = Counter(applied.modification.type for applied in released.ledger)
    assert set(counts) == set(TYPES)
    assert min(counts.values()) >= 2
    told = ", ".join(f"{kind} {count}" for kind, count in counts.most_common())
    assert f"By type, items: {told}." in (RAW / "README.md").read_text(encoding="utf-8")
    assert released.rescued == counts["possessor"] + counts["predicate"] >= 6


def test_most_of_what_is_released_has_terms_for_association(released: Modified, analyses: dict[str, Analysis]) -> None:
    """More than the 81 % of the sentences for which LREC 2020, 4.2 found terms."""
    with_terms = [item for item in released.kept if analyses[item.id].pmi is not None]
    assert len(with_terms) >= 0.85 * len(released.kept)


# --- the reading ------------------------------------------------------------------------------------------------------


def zero_of(item: Item) -> str:
    return zero_form(item.text, item.target, item.lang).text_dropped


@pytest.fixture(scope="module")
def as_released(items: list[Item], released: Modified) -> dict[str, Item]:
    """All items by id, the released ones as they are released."""
    modified = {item.id: item for item in released.kept}
    return {item.id: modified.get(item.id, item) for item in items}


@pytest.fixture(scope="module")
def zeros(released: Modified) -> dict[str, str]:
    return {item.id: zero_of(item) for item in released.kept}


def rows_of(name: str) -> list[dict[str, str]]:
    return [row for _, row in read_table(RAW / name, COLUMNS)]


def figures(rows: list[dict[str, str]], *, total: bool = False) -> str:
    """Return the columns of the README's table: readers, readings, right answers, and the mean and the marks under 4 of each form."""
    marks = [[int(row[name]) for row in rows if row[name]] for name in ("natural_zero", "natural")]
    means = " | ".join(f"{fmean(numbers):.2f} | {sum(mark < 4 for mark in numbers)}" for numbers in marks)
    return f"{len({row['reader'] for row in rows})} | {len(rows):,} | {len(rows):,} | {means} |" if total else means


def test_no_reader_of_a_released_sentence_read_its_pair_mate(zeros: dict[str, str]) -> None:
    """That every sentence was read as it stands is asked of each release."""
    readers: dict[str, set[str]] = {}
    for row in rows_of("reading.tsv"):
        readers.setdefault(row["id"], set()).add(row["reader"])
    for name in zeros:
        if name.endswith("a"):
            assert not readers[name] & readers[f"{name[:-1]}b"], name


def test_earlier_readings_of_sentences_as_they_stand_found_nothing_under_four(
    as_released: dict[str, Item], zeros: dict[str, str]
) -> None:
    of_words_as_they_stand, under_four = 0, list[tuple[str, str, int]]()
    for row in rows_of("reading-before.tsv"):
        item = as_released.get(row["id"])
        if item and item.id in zeros and not is_of_other_words(row, (item.text, zeros[item.id])):
            of_words_as_they_stand += 1
            assert row["answer"] == item.candidates[item.answer], item.id
            least = min(int(row[name]) for name in ("sure", "natural", "natural_zero") if row[name])
            under_four += [(item.id, row["reader"], least)] if least < 4 else []
    assert of_words_as_they_stand > 400
    assert under_four == [("zh-0573-a", "reader-197", 3)]  # which README.md names


def test_the_figures_of_the_readings_are_those_of_the_table(
    as_released: dict[str, Item], zeros: dict[str, str]
) -> None:
    readme = (RAW / "README.md").read_text(encoding="utf-8")
    kept = rows_of("reading.tsv")
    rows = [row for row in kept if row["id"] in zeros]
    assert f"| of what is released (`reading.tsv`) | {figures(rows, total=True)}" in readme
    for name, answer in (("earlier", 0), ("later", 1)):
        marks = [row for row in rows if as_released[row["id"]].answer == answer]
        text, zero = (fmean(int(row[form]) for row in marks if row[form]) for form in ("natural", "natural_zero"))
        assert f"{name} candidate: {text:.2f} and {zero:.2f}" in " ".join(readme.split())
        assert text >= 4.5
        assert zero >= 4.5
    # Before anything was chosen by them.
    every = [*kept, *rows_of("reading-before.tsv")]
    for name, numbers in READINGS.items():
        whole = [row for row in every if int(row["reader"].split("-")[1]) in numbers]
        counts = rf"{len(numbers)} \| {len(whole):,} \| [\d,]+"
        assert re.search(rf"\| {re.escape(name)} \| {counts} \| {re.escape(figures(whole))} \|", readme), name


def test_how_hard_the_items_are_is_what_the_answers_say(as_released: dict[str, Item], zeros: dict[str, str]) -> None:
    items = [ReleasedItem(as_released[item_id], zero, {}) for item_id, zero in zeros.items()]
    readings, _ = read_readings([RAW / "reading.tsv", RAW / "reading-before.tsv"], items)
    page = " ".join((ROOT / "docs" / "difficulty.md").read_text(encoding="utf-8").split())
    assert (
        f"all {readings.total.right:,} readings of the {len(items)} released Mandarin items, by language models" in page
    )
    assert readings.total.wrong == 0
    runs = read_predictions([ROOT / "raw" / "evaluation" / "small_models_zh.jsonl"], items)
    first, second = (f"{group.total.right} of {group.total.understood}" for group in system_groups(runs, "zero"))
    assert f"{first} and {second} answers that were understood are right" in page
    choices = {run: [of.parsed.choice for of in responses.values()] for run, responses in runs.items()}
    in_first_place = sum(of.count(("written", "swapped").index(run.order)) for run, of in choices.items())
    understood = sum(len(of) - of.count(None) for of in choices.values())
    readme = " ".join((ROOT / "raw" / "evaluation" / "README.md").read_text(encoding="utf-8").split())
    assert f"Of the {understood} choices that were understood, {in_first_place} are option A" in readme
    assert {len(of) for of in choices.values()} == {100}


#: The numbers of the readers of each reading of all that there was, by its name in README's table.
READINGS = {
    "9, first whole reading": range(92, 100),
    "9, second whole reading": range(100, 112),
    "10, the third edition, by readers from outside": range(118, 120),
    "10, 112 new pairs": range(120, 124),
    "10, 83 new pairs": range(124, 128),
    "10, the 48 that were left of both": range(128, 132),
    "10, what was mended of them": range(132, 136),
    "10, 15 pairs mended after a remark, twice": range(136, 144),
    "11, 140 pairs of the tenth round and 103 new ones, twice": range(160, 176),
    "11, 68 new pairs and 6 mended, twice": range(176, 184),
    "11, 47 new pairs, twice": range(184, 192),
    "12, all 160, 102 of them with words mended, and 14 others, twice": range(194, 202),
    "12, ten mended again and 25 new pairs": (202, *range(204, 209)),
}


def test_the_pairs_that_differ_before_the_target_are_counted(schemas: list[Schema], zeros: dict[str, str]) -> None:
    """Such a pair tests who did what, and not the words after the zero, as most pairs of the papers do."""
    early = [
        schema.id for schema in schemas if f"{schema.id}-a" in zeros and schema.text.index("{") < schema.text.index("[")
    ]
    readme = (RAW / "README.md").read_text(encoding="utf-8")
    assert (
        f"In {len(early)} of the {len(zeros) // 2} released pairs the words that differ stand before the pronoun."
        in readme
    )


# --- what holds of nearly all items of a collection is asked of each ------------------------------------------------------


def _row(number: int, gloss: str) -> Row:
    text = f"苏琴把第{number}杯热茶递给叶梅，谁知她没接稳。"
    value = {
        "id": f"t-{number}-a",
        "schema": f"t-{number}",
        "lang": "zh",
        "text": text,
        "candidates": ["苏琴", "叶梅"],
        "gloss": gloss,
    }
    return Row(f"t-{number}-a", Path("items.jsonl"), number, value)


def test_names_of_glosses_stand_in_the_order_of_the_text_if_nearly_all_do() -> None:
    right, wrong = "Su Qin handed Ye Mei the tea.", "Ye Mei handed Su Qin the tea."
    rows = in_collection([_row(number, wrong if number == 3 else right) for number in range(12)])
    assert [row.id for row in rows if candidates_in_order(row.value)] == ["t-3-a"]
    # Three of twelve may be passives: then the order tells nothing.
    rows = in_collection([_row(number, wrong if number in (3, 5, 7) else right) for number in range(12)])
    assert not any(candidates_in_order(row.value) for row in rows)


@pytest.mark.parametrize(
    ("question", "sound"),
    [
        ("哪个人病了？", True),
        ("什么人病了？", True),
        ("哪位病了？", True),
        ("什么病了？", False),
        ("哪里病了？", False),
    ],
)
def test_a_person_is_asked_for_with_a_word_for_people(question: str, *, sound: bool) -> None:
    text = "老汤拦住小柳，因为他病了。"
    row = {
        "lang": "zh",
        "text": text,
        "question": question,
        "target": {"start": 9, "end": 10},
        "candidates": ["老汤", "小柳"],
    }
    assert (question_asks(row) == "") is sound


# --- what a candidate may be ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "is_noun"), [("向老师", True), ("给马悦", False), ("向门口", False), ("张医生", True)]
)
def test_a_surname_that_is_a_preposition_too_is_a_name_before_a_title(name: str, is_noun: bool) -> None:
    value = {"lang": "zh", "text": f"{name}见了老李，因为他有事。", "candidates": [name, "老李"]}
    assert candidates_are_nouns(value) == ("" if is_noun else f"found {name!r}, expected a noun phrase")
