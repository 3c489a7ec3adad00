"""The release of cloze items: its files, its balance, its readings and fillers."""

import json
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from pipeline.core.errors import PipelineError
from pipeline.core.model import Item
from pipeline.core.records import read_items
from pipeline.core.tables import read_table
from pipeline.evaluation.cloze.items import read_cloze_items
from pipeline.release.cloze import DERIVED, balance_tables
from pipeline.release.readings import GAP_COLUMNS, gap_reading_figures, read_gap_readings
from pipeline.winograd.cloze import read_fillers
from pipeline.winograd.forms import FORMS
from tests.conftest import ROOT
from tests.support.artifacts import german, read
from tests.support.commands import winoforge

RAW = ROOT / "raw" / "de"


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The German collection as `make build` makes it."""
    folder = tmp_path_factory.mktemp("build") / "de"
    german(folder)
    return folder


@pytest.fixture(scope="module")
def release(build: Path) -> Path:
    out = build.parent / "release"
    run = winoforge("release", build, "--out", out, cwd=ROOT)
    assert run.returncode == 0, run.stderr
    return out / "de"


def test_a_release_has_all_items_and_what_reads_them(build: Path, release: Path) -> None:
    ids = [item.id for item in read_items(build / "items.jsonl")]
    assert [item.id for item in read_cloze_items(release / "data" / "cloze.jsonl").items] == ids
    assert [item.id for item in read_items(release / "data" / "winograd.jsonl")] == ids
    fillers = [filler.id for filler in read_fillers(RAW / "fillers.yaml", "de")]
    assert [row["id"] for row in read(release / "data" / "fillers.jsonl")] == fillers
    assert {*DERIVED} == {name for name, form in FORMS.items() if form.is_of("de")} - {"tokens"}
    assert {*DERIVED} >= {"nli", "disambiguated", "scoring", "winogrande"}
    assert {f"{name}.jsonl" for name in DERIVED} < {path.name for path in (release / "data").iterdir()}


def test_each_pronoun_is_an_option_of_the_scoring_tasks(release: Path) -> None:
    items = {row["id"]: row for row in read(release / "data" / "cloze.jsonl")}
    scored = read(release / "lm_eval" / "scoring.jsonl")
    assert Counter(row["item"] for row in scored) == dict.fromkeys(items, 3)
    for row in scored:
        item = items[row["item"]]
        left, right = item["text"].split("___")
        pronoun = row["context"].removeprefix(left)
        assert pronoun.casefold() in ("er", "sie", "es")
        assert row["continuation"] == right
        assert row["correct"] == (pronoun == item["pronoun"])
    for at, row in enumerate(scored):  # the options of an item are its antecedents, in their order, and neither
        assert at % 3 == items[row["item"]]["gold"] or not row["correct"]


def test_the_card_has_the_balance(release: Path) -> None:
    rows = read(release / "data" / "cloze.jsonl")
    tables = balance_tables(rows)
    assert sum(tables["orders"].values()) * 2 == sum(map(sum, tables["places"].values())) == len(rows)
    card = (release / "README.md").read_text(encoding="utf-8")
    for (first, second), number in tables["orders"].items():
        assert f"| {first} | {second} | {number} |" in card
    for pronoun, numbers in tables["places"].items():
        assert f"| {pronoun} | {numbers[0]} | {numbers[1]} | {sum(numbers)} |" in card


def test_balance_by_hand() -> None:
    """One pair of a masculine before a neuter noun: er is right in the first place, es in the second."""
    antecedents = [{"text": "Der Hund", "gender": "masc"}, {"text": "das Kind", "gender": "neut"}]
    row = {"schema": "x", "lang": "de", "antecedents": antecedents, "register": "news", "kind": ""}
    tables = balance_tables([row | {"gold": 0}, row | {"gold": 1}])
    assert {order: number for order, number in tables["orders"].items() if number} == {("masc", "neut"): 1}
    assert len(tables["orders"]) == 6
    assert tables["places"] == {"er": [1, 0], "sie": [0, 0], "es": [0, 1]}
    assert (tables["registers"], tables["kinds"]) == ({"news": 1}, {})


def test_a_skipped_record_or_another_cloze_item_is_refused(build: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(build, tmp_path / "de"))
    cloze = copy / "cloze.jsonl"
    cloze.write_text(cloze.read_text(encoding="utf-8").replace('"register": "news"', '"register": "work"', 1), "utf-8")
    run = winoforge("release", copy, "--out", tmp_path / "release", cwd=ROOT)
    assert run.returncode == 1
    assert "[derivation/cloze] 1 of" in run.stderr
    assert not (tmp_path / "release").exists()


# --- readings -------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def items(build: Path) -> list[Item]:
    return read_items(build / "items.jsonl")


def table(folder: Path, change: Callable[[list[dict[str, str]]], object]) -> Path:
    """Write the readings of raw/de with a change."""
    path = RAW / "reading.tsv"
    rows = [row for _, row in read_table(path, GAP_COLUMNS)]
    change(rows)
    lines = ["\t".join(GAP_COLUMNS), *("\t".join(row[name] for name in GAP_COLUMNS) for row in rows)]
    out = folder / "reading.tsv"
    out.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return out


def test_figures_of_readings_by_hand() -> None:
    """Two readers of one item: (5 + 4) / 2 and (4 + 4) / 2."""
    rows = [
        {"item": "a", "reader": "x", "sure": 5, "natural": 4},
        {"item": "a", "reader": "y", "sure": 4, "natural": 4},
    ]
    assert gap_reading_figures(rows) == {"readings": 2, "items": 1, "readers": 2, "sure": 4.5, "natural": 4.0}
    assert gap_reading_figures([]) == {}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda rows: rows[0].update(id="de-999-a"), "[id] no such item; found 'de-999-a'"),
        (lambda rows: rows[0].update(text="0" * 16), "text has changed since it was read"),
        (lambda rows: rows[0].update(pronoun="wer"), "read with another pronoun; found 'wer'"),
        (lambda rows: rows[0].update(sure="3"), "sure is not good enough for a release; found 3, expected at least 4"),
        (lambda rows: rows[0].update(natural="6"), "natural is not on its scale; found '6', expected 1 to 5"),
        (lambda rows: rows[0].update(natural="٥"), "natural is not on its scale"),
        (lambda rows: rows.append(dict(rows[0])), "[reader] not unique"),
        (lambda rows: rows.__delitem__(slice(3)), "not read often enough; found 1 readings"),
    ],
)
def test_a_sentence_that_was_not_read_as_it_stands_is_refused(
    items: list[Item], tmp_path: Path, change: Callable[[list[dict[str, str]]], object], reason: str
) -> None:
    with pytest.raises(PipelineError) as refused:
        read_gap_readings(table(tmp_path, change), items)
    assert reason in str(refused.value)


# --- fillers --------------------------------------------------------------------------------------------------------------

FILLER = {
    "id": "f",
    "register": "news",
    "text": "Der Orkan zog ab, weil ___ schwand.",
    "answer": "er",
    "antecedent": "der Orkan",
}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"text": "Der Orkan zog ab."}, "[text] not one gap"),
        ({"text": "___ und ____"}, "[text] not one gap"),
        ({"answer": "ihn"}, "[answer] no such pronoun; found 'ihn', expected one of er, sie, es"),
        ({"answer": ["er", "ihn"]}, "[answer] no such pronoun; found 'er|ihn', expected one of er, sie, es"),
        ({"answer": ["er", "er"]}, "no such pronoun; found 'er|er', expected one of er, sie, es, or several of them"),
        ({"answer": []}, "[answer]"),
        ({"answer": ["er", 7]}, "[answer] wrong kind; found"),
        ({"answer": 7}, "[answer] wrong kind; found 7"),
        ({"gender": "masc"}, "[gender] unknown field"),
    ],
)
def test_a_broken_filler_is_refused_at_its_line(tmp_path: Path, change: dict[str, object], reason: str) -> None:
    path = tmp_path / "fillers.yaml"
    path.write_text(json.dumps([FILLER, FILLER | {"id": "g"} | change]), encoding="utf-8")
    with pytest.raises(PipelineError) as refused:
        read_fillers(path, "de")
    assert reason in str(refused.value)


def test_a_filler_may_have_several_right_pronouns(tmp_path: Path) -> None:
    path = tmp_path / "fillers.yaml"
    path.write_text(json.dumps([FILLER, FILLER | {"id": "g", "answer": ["er", "es"]}]), encoding="utf-8")
    assert [filler.answer for filler in read_fillers(path, "de")] == ["er", "er|es"]


@pytest.mark.parametrize("text", ["", "{}", "[]", "7", '["a"]'])
def test_a_file_without_fillers_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "fillers.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(PipelineError):
        read_fillers(path, "de")
