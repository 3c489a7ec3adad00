"""The files of an experiment's results."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core.errors import PipelineError
from pipeline.experiment.browser.results.tables import (
    PARTICIPANT,
    PARTICIPANTS,
    RESPONSE,
    RESPONSES,
    Participant,
    Response,
    participants_text,
    read_results,
    responses_text,
)

COLUMNS, PEOPLE = tuple(RESPONSE), tuple(PARTICIPANT)
ANSWER = Response("p001", 2, 1, "de-1-a", "item", "sie", 4, 2500, 900, "touch")
PERSON = Participant(
    participant="p001",
    list=2,
    language="Deutsch",
    region="Köln",
    completed=True,
    attention_right=1,
    attention_asked=2,
    reloads=1,
)


def write(folder: Path, responses: str, people: str) -> Path:
    (folder / RESPONSES).write_text(responses, encoding="utf-8")
    (folder / PARTICIPANTS).write_text(people, encoding="utf-8")
    return folder


@given(
    st.lists(st.sampled_from(["er", "sie", "es"]), min_size=1, max_size=5),
    st.integers(1, 5),
    st.integers(0, 86_400_000),
)
def test_what_is_written_is_read(answers: list[str], confidence: int, time: int) -> None:
    import tempfile

    rows = [
        replace(ANSWER, position=place, id=f"=de-{place}", answer=answer, confidence=confidence, rt_answer_ms=time)
        for place, answer in enumerate(answers, 1)
    ]
    with tempfile.TemporaryDirectory() as folder:
        results = read_results(write(Path(folder), responses_text(rows), participants_text([PERSON])))
    assert results.responses == tuple(rows)
    person = results.participants["p001"]
    assert (person.completed, person.attention_right, person.attention_asked) == (True, 1, 2)
    assert person.region == "Köln"


def cells(**changed: str) -> str:
    row = dict(zip(COLUMNS, responses_text([ANSWER]).splitlines()[1].split("\t"), strict=True)) | changed
    return "\t".join(COLUMNS) + "\n" + "\t".join(row[column] for column in COLUMNS) + "\n"


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
    folder = write(tmp_path, cells(**{column: value}), participants_text([PERSON]))
    with pytest.raises(PipelineError) as error:
        read_results(folder)
    assert str(error.value).startswith(f"{tmp_path / RESPONSES}:2: {reason}")


@pytest.mark.parametrize(("change", "reason"), [
    ({"completed": "ja"}, "[completed] found 'ja', expected yes or no"),
    ({"attention_right": "3"}, "[attention_right] found 3, expected at most the 2 asked"),
    ({"list": "x"}, "[list] wrong kind; found 'x'"),
])  # fmt: skip
def test_a_wrong_person_is_refused(tmp_path: Path, change: dict[str, str], reason: str) -> None:
    row = dict(zip(PEOPLE, participants_text([PERSON]).splitlines()[1].split("\t"), strict=True)) | change
    people = "\t".join(PEOPLE) + "\n" + "\t".join(row[column] for column in PEOPLE) + "\n"
    with pytest.raises(PipelineError) as error:
        read_results(write(tmp_path, responses_text([ANSWER]), people))
    assert f"{PARTICIPANTS}:2: {reason}" in str(error.value)


def test_an_answer_twice_is_refused(tmp_path: Path) -> None:
    for other in (replace(ANSWER, id="de-2-a"), replace(ANSWER, position=2)):
        with pytest.raises(PipelineError, match="not unique"):
            read_results(write(tmp_path, responses_text([ANSWER, other]), participants_text([PERSON])))


def test_a_file_without_answers_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PipelineError, match="no response"):
        read_results(write(tmp_path, responses_text([]), participants_text([PERSON])))
    with pytest.raises(PipelineError, match="cannot be read"):
        read_results(tmp_path / "none")
