"""Templates become sentences: the published ones byte for byte, any others grammatically."""

import hashlib
import json
import shutil
import zipfile
from pathlib import Path
from typing import Any

import pytest

from pipeline.core.archives import PASSWORD, archived_texts
from pipeline.core.files import read_text
from pipeline.core.tables import read_table
from pipeline.language.pronouns import pronoun_table
from pipeline.winopron.instances import (
    fill,
    fill_with_span,
    instance_to_json,
    instances,
    parse_template_table,
    read_instances,
    winogender_sentences,
    words_for,
)
from tests.conftest import Refused
from tests.support.commands import winoforge

HERE = Path("templates.tsv")
TABLE = pronoun_table("en")
OLD = "occupation(0)\tother-participant(1)\tanswer\tsentence\n"
NEW = "occupation(0)\tother-participant(1)\tanswer\tpronoun_type\ttemplate\tsingle_version\t\t\r\n"
ROW = (
    "baker\tguest\t0\t$ACC_PRONOUN\t The $OCCUPATION hid, so the $PARTICIPANT missed $ACC_PRONOUN. "
    "\tThe $OCCUPATION hid; it suited $ACC_PRONOUN.\tx\ty\r\n"
)
#: sha256 of double.tsv and single.tsv as the authors' script writes them, computed apart from this code by its steps: strip,
#: replace the entities, then each form of the case in the order he, she, they, xe.
DOUBLE = "32f2584b5990edfc599b0087aaa439009296c724a69a1bec29e60b5f37fd8892"
SINGLE = "e31c32d8bcac844e87dae4e5e3188297c3e258a117567f6dc12c10b363f8fab5"


def run(*arguments: str | Path) -> str:
    result = winoforge("instantiate", *arguments)
    assert result.returncode == 0, result.stderr
    return result.stdout


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


# --- as published -----------------------------------------------------------------------------------------------------


def test_winopron_is_byte_for_byte_what_its_authors_make(shared_data: Path, tmp_path: Path) -> None:
    output = run(shared_data / "winopron" / "data.zip", "--out", tmp_path)
    assert output.count("360 templates in, 1440 sentences out") == 2
    assert (digest(tmp_path / "double.tsv"), digest(tmp_path / "single.tsv")) == (DOUBLE, SINGLE)
    rows = [row for _, row in read_table(tmp_path / "double.tsv", ("pronoun", "pronoun_type"))]
    forms = [row["pronoun"] for row in rows[:4] + rows[8:12] + rows[16:20]]
    assert " ".join(forms) == "he she they xe him her them xem his her their xyr"
    assert {row["pronoun_type"] for row in rows} == {"$NOM_PRONOUN", "$ACC_PRONOUN", "$POSS_PRONOUN"}


def test_winogender_is_byte_for_byte_as_published(shared_data: Path, tmp_path: Path) -> None:
    folder = shared_data / "winogender"
    assert "120 templates in, 720 sentences out" in run(folder / "templates.tsv", "--out", tmp_path)
    assert (tmp_path / "all_sentences.tsv").read_bytes() == (folder / "all_sentences.tsv").read_bytes()
    assert not (tmp_path / "single.tsv").exists()


def test_winogender_with_all_pronouns_is_what_the_authors_of_winopron_make(shared_data: Path, tmp_path: Path) -> None:
    """Their prep_old_templates.py replaces the entities, then the placeholder by each form, then "they was" by "they were"."""
    source = shared_data / "winogender" / "templates.tsv"
    assert "120 templates in, 480 sentences out" in run(source, "--out", tmp_path)
    forms = {"$NOM_PRONOUN": "he she they xe", "$ACC_PRONOUN": "him her them xem", "$POSS_PRONOUN": "his her their xyr"}
    expected = []
    for _, row in read_table(source, ("sentence",)):
        occupation, participant = row["occupation(0)"], row["other-participant(1)"]
        text = row["sentence"].strip().replace("$OCCUPATION", occupation).replace("$PARTICIPANT", participant)
        (kind,) = (kind for kind in forms if kind in text)
        for form in forms[kind].split():
            sentence = text.replace(kind, form).replace("they was", "they were")
            expected.append(
                [occupation, participant, sentence, kind, form, (occupation, participant)[int(row["answer"])]]
            )
    lines = read_text(tmp_path / "double.tsv").splitlines()
    assert [line.split("\t") for line in lines[1:]] == expected


# --- by hand ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words", "expected"),
    [
        ("The $OCCUPATION met the $PARTICIPANT.", ("baker", "guest"), "The baker met the guest."),
        ("The $PARTICIPANT met the $OCCUPATION.", ("baker", "someone"), "Someone met the baker."),
        ("The $OCCUPATION gave the $PARTICIPANT's hat away.", ("baker", "someone"), "The baker gave someone's hat away."),
        ("A $OCCUPATION and a $PARTICIPANT met.", ("engineer", "heir"), "An engineer and an heir met."),
        ("An $OCCUPATION met a $PARTICIPANT.", ("baker", "union member"), "A baker met a union member."),
        ("$OCCUPATION met. $PARTICIPANT left!", ("baker", "guest"), "Baker met. Guest left!"),
        ("It was late. “$PARTICIPANT?” the $OCCUPATION asked.", ("baker", "guest"), "It was late. “Guest?” the baker asked."),
        ("At 5 p.m. the $OCCUPATION left.", ("baker", "guest"), "At 5 p.m. the baker left."),
    ],
)  # fmt: skip
def test_articles_and_capitals_follow(text: str, words: tuple[str, str], expected: str) -> None:
    assert fill(text, dict(zip(("OCCUPATION", "PARTICIPANT"), words, strict=True)), TABLE) == expected


def test_a_verb_agrees_with_singular_they_only_after_its_nominative() -> None:
    row = "baker\tguest\t1\tThe $OCCUPATION knew $NOM_PRONOUN was late and was sad.\n"
    (template,) = parse_template_table(OLD + row, HERE, TABLE)
    made = {
        pronouns.name: fill_with_span(
            template.double, template.placeholder, words_for(template, pronouns, TABLE), pronouns, TABLE
        )[0]
        for pronouns in TABLE.sets
    }
    assert made["they"] == "The baker knew they were late and was sad."
    assert made["xe"] == "The baker knew xe was late and was sad."


def test_rows_of_both_formats() -> None:
    (template,) = parse_template_table(NEW + ROW, HERE, TABLE)
    rows = [sentence.row(TABLE) for sentence in instances([template], TABLE, "double", lang="en", source=HERE)]
    assert rows[2] == (
        "baker", "guest", "The baker hid, so the guest missed them.", "$ACC_PRONOUN", "them", "baker",
    )  # fmt: skip
    single = instances([template], TABLE, "single", lang="en", source=HERE)
    assert [sentence.item.text for sentence in single] == [
        f"The baker hid; it suited {form}." for form in ("him", "her", "them", "xem")
    ]
    (old,) = parse_template_table(OLD + "baker\tguest\t1\tThe $PARTICIPANT hid $POSS_PRONOUN hat.\n", HERE, TABLE)
    assert winogender_sentences([old], TABLE) == [
        ("baker.guest.1.male.txt", "The guest hid his hat."),
        ("baker.guest.1.female.txt", "The guest hid her hat."),
        ("baker.guest.1.neutral.txt", "The guest hid their hat."),
        ("baker.someone.1.male.txt", "Someone hid his hat."),
        ("baker.someone.1.female.txt", "Someone hid her hat."),
        ("baker.someone.1.neutral.txt", "Someone hid their hat."),
    ]


def test_an_item_by_hand(refused: Refused) -> None:
    (template,) = parse_template_table(NEW + ROW, HERE, TABLE)
    item = instances([template], TABLE, "double", lang="en", source=HERE)[3].item
    # The baker hid, so the guest missed xem.  - "The baker hid, so the guest missed " has 35 characters
    assert (item.id, item.schema, item.version) == (
        "en-double-baker-guest-accusative-xe-a", "en-double-baker-guest-accusative-xe", "a",
    )  # fmt: skip
    assert (item.target.start, item.target.end, item.candidates, item.answer) == (35, 38, ("baker", "guest"), 0)
    twice = parse_template_table(NEW + ROW + ROW, HERE, TABLE)
    message = refused(lambda: instances(twice, TABLE, "double", lang="en", source=HERE), "templates.tsv:3", "answer")
    assert "in line 2 too" in message


@pytest.mark.parametrize(("change", "field"), [
    ({"candidates": ["a"]}, "candidates"), ({"case": "dative"}, "case"), ({"pronouns": None}, "pronouns"), ({}, "id"),
])  # fmt: skip
def test_broken_items_are_refused_at_their_line(
    change: dict[str, Any], field: str, tmp_path: Path, refused: Refused
) -> None:
    (template,) = parse_template_table(NEW + ROW, HERE, TABLE)
    path = tmp_path / "items.jsonl"
    whole = instance_to_json(instances([template], TABLE, "double", lang="en", source=HERE)[0])
    path.write_text(f"{json.dumps(whole)}\n{json.dumps(whole | change)}\n", encoding="utf-8")
    refused(lambda: read_instances(path), f"{path}:2", field)


# --- broken files -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line", "field"),
    [
        ("", 1, "header"),
        ("a\tb\n", 1, "header"),
        (OLD.replace("sentence", "sentence\textra"), 1, "header"),
        (OLD + "baker\tguest\t0\n", 2, "row"),
        (OLD + "baker\t\t0\tThe $OCCUPATION saw $NOM_PRONOUN.\n", 2, "other-participant(1)"),
        (OLD + "baker\tguest\t2\tThe $OCCUPATION saw $NOM_PRONOUN.\n", 2, "answer"),
        (OLD + "baker\tguest\t0\tThe $OCCUPATION saw.\n", 2, "sentence"),
        (OLD + "baker\tguest\t0\tThe $OCCUPATION saw $NOM_PRONOUN and $ACC_PRONOUN.\n", 2, "sentence"),
        (OLD + "baker\tguest\t0\tThe $BOSS saw $NOM_PRONOUN.\n", 2, "sentence"),
        (NEW + ROW.replace("0\t$ACC_PRONOUN", "0\t$NOM_PRONOUN"), 2, "pronoun_type"),
        (NEW + ROW + ROW.replace("suited $ACC_PRONOUN", "suited"), 3, "single_version"),
    ],
)
def test_broken_templates_are_refused_at_their_line(refused: Refused, text: str, line: int, field: str) -> None:
    refused(lambda: parse_template_table(text, HERE, TABLE), f"templates.tsv:{line}", field)


# --- archives ---------------------------------------------------------------------------------------------------------


def test_the_password_comes_from_the_environment_or_a_readme(
    shared_data: Path, tmp_path: Path, refused: Refused, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = tmp_path / "deep" / "data.zip"
    archive.parent.mkdir()
    shutil.copy(shared_data / "winopron" / "data.zip", archive)
    monkeypatch.delenv(PASSWORD, raising=False)
    message = refused(lambda: archived_texts(archive, (".tsv",)), str(archive), "password")
    assert PASSWORD in message
    monkeypatch.setenv(PASSWORD, "wrong")
    refused(lambda: archived_texts(archive, (".tsv",)), str(archive), "password")
    password = read_text(shared_data / "README.md").split("winopron")[1].split("`")[1]
    (tmp_path / "README.md").write_text(f"The password is not `this` but `{password}`.\n", encoding="utf-8")
    assert set(archived_texts(archive, (".tsv",))) == {"new_templates.tsv", "old_templates.tsv"}
    (tmp_path / "README.md").unlink()
    monkeypatch.setenv(PASSWORD, password)
    assert len(archived_texts(archive, (".tsv",))) == 2


def test_a_damaged_archive_is_refused(tmp_path: Path, refused: Refused) -> None:
    path = tmp_path / "data.zip"
    path.write_bytes(b"PK\x03\x04 and no more")
    refused(lambda: archived_texts(path, (".tsv",)), str(path), "zip")
    refused(lambda: archived_texts(tmp_path / "missing.zip", (".tsv",)), str(tmp_path / "missing.zip"), "file")
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("../../escape.tsv", OLD + "baker\tguest\t0\tThe $OCCUPATION saw $NOM_PRONOUN.\n")
    assert list(archived_texts(path, (".tsv",))) == ["../../escape.tsv"]  # read, never unpacked
    assert "1 templates in" in run(path, "--out", tmp_path / "out")
    assert {entry.name for entry in tmp_path.iterdir()} == {"data.zip", "out"}
