"""Files of cloze items: what is read, and what is refused."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core.errors import PipelineError
from pipeline.evaluation.cloze.items import ClozeItem, read_cloze_items
from pipeline.language.pronoun_classes import GAP, GENDERS, pronoun_classes
from tests.support.cloze import cloze_rows
from tests.support.system_answers import write_rows

FIRST, CAPITAL = cloze_rows()[0], cloze_rows()[8]
WINOGRAD = {
    "id": "en-a",
    "schema": "en",
    "version": "a",
    "lang": "en",
    "text": "Ann thanked Bob because he helped.",
    "target": {"start": 24, "end": 26},
    "candidates": ["Ann", "Bob"],
    "answer": 1,
    "question": "",
    "source": "own",
    "note": "",
}


def test_the_items_are_read_with_what_stands_around_the_gap(tmp_path: Path) -> None:
    items = read_cloze_items(write_rows(tmp_path / "items.jsonl", cloze_rows())).items
    assert len(items) == 10
    first, trumpet = items[0], items[8]
    assert (first.left, first.right) == ("Der Kater jagte die Maus durch den Garten, bis ", " aufgab.")
    assert (first.gender, first.place) == ("masc", "first")
    assert first.as_written("dieser") == "dieser"
    assert (trumpet.gender, trumpet.text(trumpet.as_written("diese"))) == (
        "fem",
        "Die Trompete übertönte das Klavier. Diese war einfach zu laut.",
    )
    assert [item.place for item in items] == ["first", "second"] * 5


def test_the_overt_pronoun_of_a_winograd_item_is_a_gap(tmp_path: Path) -> None:
    text = "王芳感谢李强，因为她帮了忙。"
    chinese = WINOGRAD | {
        "id": "zh",
        "lang": "zh",
        "text": text,
        "target": {"start": 9, "end": 10},
        "text_zero": "",
        "zero": {},
    }
    name = WINOGRAD | {"id": "name", "target": {"start": 0, "end": 3}}
    read = read_cloze_items(write_rows(tmp_path / "items.jsonl", [WINOGRAD, chinese, name]))
    assert [(item.text(), item.gender, item.antecedents, item.place) for item in read.items] == [
        ("Ann thanked Bob because ___ helped.", "masc", (), ""),
        ("王芳感谢李强，因为___帮了忙。", "fem", (), ""),
    ]
    assert read.skipped == ("name",)


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (FIRST | {"text": "Der Kater jagte die Maus."}, "[text] not one gap; found 'Der Kater jagte die Maus.', expected ___ once"),
        (FIRST | {"text": "Der Kater, die Maus: ___ und ___."}, "[text] not one gap"),
        (FIRST | {"text": "Der Kater jagte die Maus, bis ____ aufgab."}, "[text] not one gap"),
        (FIRST | {"text": "Der Kater jagte die Maus, bis_ __ aufgab."}, "[text] not one gap"),
        (FIRST | {"text": "Der Kater jagte die Maus, bis ___s aufgab."}, "[text] gap inside a word; found ' die Maus"[:32]),
        (FIRST | {"text": FIRST["text"] + "." * 4000}, "[text] too long; found 40"),
        (FIRST | {"lang": "xx"}, "[lang] no classes of pronouns; found 'xx', expected one of de, en, zh"),
        (FIRST | {"lang": "../cloze/de"}, "[lang] no classes of pronouns"),
        (FIRST | {"pronoun": "sie"}, "[pronoun] not the pronoun of the right antecedent (masc); found 'sie', expected 'er'"),
        (FIRST | {"pronoun": "ER"}, "[pronoun] not the pronoun"),
        (FIRST | {"pronoun": "Er"}, "[pronoun] capital inside a sentence; found 'Er' after"),
        (FIRST | {"text": "___ lief, bis der Kater die Maus sah."}, "[pronoun] no capital at the beginning of the text"),
        (FIRST | {"gold": 2}, "[gold] wrong kind; found 2, expected one of 0, 1"),
        (FIRST | {"antecedents": FIRST["antecedents"][:1]}, "[antecedents] wrong value; found"),
        (FIRST | {"antecedents": FIRST["antecedents"][::-1]}, "[antecedents] out of order; found 'die Maus' before 'Der Kater'"),
        (FIRST | {"antecedents": [{"text": "Der Kater", "gender": "masc"}, {"text": "den Garten", "gender": "masc"}]}, "[gender] same"),
        (FIRST | {"antecedents": [{"text": "Der Hund", "gender": "masc"}, FIRST["antecedents"][1]]}, "[antecedents] not in the text"),
        (FIRST | {"antecedents": [FIRST["antecedents"][0] | {"case": "nom"}, FIRST["antecedents"][1]]}, "[antecedents.0.case] unknown"),
        (FIRST | {"sources": ""}, "[sources] unknown field; expected one of id, "),
        (FIRST | {"schema": " "}, "[schema] wrong value; found ' ', expected text"),
        ({"windows": 3}, "[record] a line of counts; expected cloze items"),
        (WINOGRAD | {"findings": []}, "[record] a rejected record; expected cloze items"),
    ],
)  # fmt: skip
def test_what_is_no_cloze_item_is_refused_with_its_line(row: dict[str, Any], reason: str, tmp_path: Path) -> None:
    path = write_rows(tmp_path / "items.jsonl", [CAPITAL, row])
    with pytest.raises(PipelineError) as caught:
        read_cloze_items(path)
    assert str(caught.value).startswith(f"{path}:2: {reason}")


def test_a_file_without_an_item_is_refused(tmp_path: Path) -> None:
    for rows, reason in (
        ([], "found an empty file"),
        ([WINOGRAD | {"target": {"start": 0, "end": 3}}], "all 1 have another target"),
    ):
        with pytest.raises(PipelineError, match=reason):
            read_cloze_items(write_rows(tmp_path / "items.jsonl", rows))
    with pytest.raises(PipelineError, match=r":2: \[id\] not unique"):
        read_cloze_items(write_rows(tmp_path / "items.jsonl", [FIRST, FIRST]))


@given(left=st.text(alphabet="ab ,.„", max_size=8), right=st.text(alphabet="ab ,.", max_size=8), capital=st.booleans())
def test_a_word_in_the_gap_changes_nothing_around_it(left: str, right: str, capital: bool) -> None:
    pronoun = "Er" if capital else "er"
    item = ClozeItem(id="a", schema="a", lang="de", left=left, right=right, pronoun=pronoun, gender="masc")
    for word in item.classes.words():
        filled = item.text(item.as_written(word))
        assert filled.casefold() == item.text(GAP).replace(GAP, word).casefold()
        assert filled[len(left)].isupper() == capital


def test_the_four_words_of_the_paper_are_masculine() -> None:
    # Petersen and Spalek, footnote 3: "masc: der, er, dieser, jener, etc."
    classes = pronoun_classes("de")
    assert {"der", "er", "dieser", "jener"} <= set(classes.variants["masc"])
    assert [classes.gender_of(word) for word in ("Er", "sie", "ES", "dieser")] == [*GENDERS, None]
