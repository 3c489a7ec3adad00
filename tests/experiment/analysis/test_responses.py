"""The files of an experiment's results."""

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core.errors import PipelineError
from pipeline.core.tables import parse_table
from pipeline.experiment.browser.records import Input, Part
from pipeline.experiment.browser.results.tables import (
    PARTICIPANT,
    PARTICIPANTS,
    RESPONSE,
    RESPONSES,
    Participant,
    Response,
    codebook_text,
    read_results,
    table_text,
)

ANSWER = Response("p001", 2, 1, "de-1-a", "item", "sie", 4, 2500, 900, "touch")
PERSON = Participant(
    participant="p001", list=2, region="Köln", completed=True, attention_right=1, attention_asked=2, reloads=1
)


def write(folder: Path, responses: str = "", people: str = "") -> Path:
    (folder / RESPONSES).write_text(responses or table_text(RESPONSE, [ANSWER]), encoding="utf-8")
    (folder / PARTICIPANTS).write_text(people or table_text(PARTICIPANT, [PERSON]), encoding="utf-8")
    return folder


def changed(text: str, column: str, value: str) -> str:
    """Return a table of one row with another cell."""
    header, row = (line.split("\t") for line in text.splitlines())
    row[header.index(column)] = value
    return "\t".join(header) + "\n" + "\t".join(row) + "\n"


@given(
    st.lists(st.sampled_from(["er", "sie", "es"]), min_size=1, max_size=5),
    st.integers(1, 5),
    st.integers(0, 86_400_000),
)
def test_what_is_written_is_read(answers: list[str], confidence: int, time: int) -> None:
    rows = [
        replace(ANSWER, position=place, id=f"=de-{place}", answer=answer, confidence=confidence, rt_answer_ms=time)
        for place, answer in enumerate(answers, 1)
    ]
    with TemporaryDirectory() as folder:
        results = read_results(write(Path(folder), table_text(RESPONSE, rows)))
    assert results.responses == tuple(rows)
    assert results.participants == {"p001": PERSON}


def test_the_codebook_has_each_column_and_the_values_of_its_codes() -> None:
    rows = [row for _, row in parse_table(codebook_text(), Path("codebook.tsv"), ())]
    expected = [(RESPONSES, column) for column in RESPONSE] + [(PARTICIPANTS, column) for column in PARTICIPANT]
    assert [(row["file"], row["column"]) for row in rows] == expected
    values = {row["column"]: row["values"] for row in rows}
    assert [values[name] for name in ("part", "input")] == [", ".join(get_args(kind)) for kind in (Part, Input)]


@pytest.mark.parametrize(("column", "value", "reason"), [
    ("participant", "p002", "[participant] found 'p002', expected one of the 1 in participants.tsv"),
    ("participant", "", "[participant] wrong value; found '', expected text"),
    ("list", "3", "[list] two lists; found list 3 of 'p001', expected 2 as in participants.tsv"),
    ("position", "0", "[position] wrong value; found 0, expected a whole number from 1 to 999"),
    ("part", "fillr", "[part] unknown value; found 'fillr', expected one of practice, item, filler, attention"),
    ("confidence", "6", "[confidence] wrong value; found 6, expected a whole number from 1 to 5"),
    ("confidence", "³", "[confidence] wrong kind; found '³', expected a whole number from 1 to 5"),
    ("rt_answer_ms", "-3", "[rt_answer_ms] wrong kind; found '-3', expected a whole number of milliseconds up to"),
    ("rt_answer_ms", "9" * 30, "[rt_answer_ms] wrong kind; found '999"),
    ("answer", " ", "[answer] wrong value; found ' '"),
])  # fmt: skip
def test_a_wrong_cell_is_refused_at_its_line(tmp_path: Path, column: str, value: str, reason: str) -> None:
    folder = write(tmp_path, responses=changed(table_text(RESPONSE, [ANSWER]), column, value))
    with pytest.raises(PipelineError) as error:
        read_results(folder)
    assert str(error.value).startswith(f"{tmp_path / RESPONSES}:2: {reason}")


@pytest.mark.parametrize(("column", "value", "reason"), [
    ("completed", "ja", "[completed] found 'ja', expected yes or no"),
    ("attention_right", "3", "[attention_right] found 3, expected at most the 2 asked"),
    ("list", "x", "[list] wrong kind; found 'x'"),
])  # fmt: skip
def test_a_wrong_person_is_refused(tmp_path: Path, column: str, value: str, reason: str) -> None:
    folder = write(tmp_path, people=changed(table_text(PARTICIPANT, [PERSON]), column, value))
    with pytest.raises(PipelineError) as error:
        read_results(folder)
    assert f"{PARTICIPANTS}:2: {reason}" in str(error.value)


def test_an_answer_twice_is_refused_and_so_is_a_file_without_answers(tmp_path: Path) -> None:
    for other in (replace(ANSWER, id="de-2-a"), replace(ANSWER, position=2)):
        with pytest.raises(PipelineError, match="not unique"):
            read_results(write(tmp_path, table_text(RESPONSE, [ANSWER, other])))
    with pytest.raises(PipelineError, match="no response"):
        read_results(write(tmp_path, table_text(RESPONSE, [])))
    with pytest.raises(PipelineError, match="cannot be read"):
        read_results(tmp_path / "none")
