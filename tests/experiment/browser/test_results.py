"""Results of an experiment become tables: from the server, from files, from JATOS, from PsychoPy."""

import hashlib
import json
import shutil
import sqlite3
import zipfile
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.experiment.browser.records import TRIALS, Experiment, session_record
from pipeline.experiment.browser.results.sessions import ReadRecord, ReadResults, sessions_of
from pipeline.experiment.browser.results.tables import read_results, tables
from pipeline.experiment.browser.store import DATABASE, Store
from pipeline.release.gate import SUITES
from tests.support.commands import Run, winoforge
from tests.support.experiments import psychopy_rows, session_name, session_records, write_csv

Values = list[dict[str, Any]]
#: Three sessions. By the digests of their ids, `printf %s ID | sha256sum`, their order is the one that `pseudonym` gives.
NAMES = [session_name(number) for number in (1, 2, 3)]


def pseudonym(session: str) -> str:
    return f"p{1 + sorted(NAMES, key=lambda name: hashlib.sha256(name.encode()).hexdigest()).index(session):03}"


@pytest.fixture
def sessions(experiment: Experiment) -> list[Values]:
    """Sessions of the lists 1, 2 and 3; the third stopped after its second trial."""
    values = [session_records(name, number, experiment) for number, name in enumerate(NAMES, 1)]
    return [values[0], values[1], values[2][:4]]


def flat(sessions: list[Values]) -> Values:
    return [value for values in sessions for value in values]


def write_lines(path: Path, values: Sequence[object]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{json.dumps(value)}\n" for value in values), encoding="utf-8")
    return path


def imported(folder: Path, out: Path, *results: object) -> Run:
    return winoforge("experiment", "import", *results, "--experiment", folder, "--out", out)


def cells(path: Path) -> list[dict[str, str]]:
    header, *rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]
    return [dict(zip(header, row, strict=True)) for row in rows]


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


# --- the tables -------------------------------------------------------------------------------------------------------


def test_a_session_becomes_rows(folder: Path, tmp_path: Path, sessions: list[Values]) -> None:
    sessions[0][0]["data"] = {"reloads": 0}
    sessions[0][8]["data"] = {"reloads": 2}
    sessions[0][6]["data"]["answer"] = "es"  # the attention trial of the first session, which asks for sie
    run = imported(folder, tmp_path / "out", write_lines(tmp_path / "a.jsonl", flat(sessions)))
    assert (run.returncode, run.stderr) == (0, "")
    # 2 sessions of 9 records and one of 4: 6 + 6 + 2 trials; start, background and end: 3 + 3 + 2.
    assert (
        "22 records in: 14 responses, 8 on start, background and end, 0 read twice, 0 of trials answered before, 0 withdrawn"
        in run.stdout
    )
    assert (
        "3 sessions in: 2 completed, 1 incomplete, 0 withdrawn, 0 without a record; 4 trials without an answer"
        in run.stdout
    )
    first, second, third = map(pseudonym, NAMES)
    people = {row["participant"]: " ".join(row.values()) for row in cells(tmp_path / "out" / "participants.tsv")}
    assert list(people) == ["p001", "p002", "p003"]
    described = "de Hessen 25-34 university no"  # list, background, completed, attention right, asked, reloads
    assert people[first] == f"{first} 1 {described} yes 0 1 2"
    assert people[second] == f"{second} 2 {described} yes 1 1 0"
    assert people[third] == f"{third} 3 {described} no 0 0 0"
    row = next(row for row in cells(tmp_path / "out" / "responses.tsv") if row["participant"] == first)
    # 1200.5 ms, rounded half to even
    assert " ".join(row.values()) == f"{first} 1 1 practice-1 practice sie 4 1200 640 keyboard"
    results = read_results(tmp_path / "out")
    assert len(results.responses) == 14
    assert [person.completed for person in results.participants.values()].count(True) == 2
    assert SUITES["responses"].check([tmp_path / "out"]).failures == ()
    silent = shutil.copytree(tmp_path / "out", tmp_path / "silent")  # somebody who began, and nobody answered
    for name, kept in (("responses.tsv", ()), ("participants.tsv", (third,))):
        lines = (silent / name).read_text(encoding="utf-8").splitlines(keepends=True)
        own = [line.replace(third, "p001") for line in lines[1:] if line.split("\t")[0] in kept]
        (silent / name).write_text("".join([lines[0], *own]), encoding="utf-8")
    assert SUITES["responses"].check([silent]).failures == ()
    written = b"".join(bytes_of(tmp_path / "out").values())
    assert not any(name.encode() in written for name in NAMES)


@settings(max_examples=30, deadline=None)
@given(st.data())
def test_any_order_and_repetition_gives_the_same_tables(experiment: Experiment, data: st.DataObject) -> None:
    entries = [
        ReadRecord(Path("a"), line, session_record(value, experiment))
        for number, name in enumerate(NAMES, 1)
        for line, value in enumerate(session_records(name, number, experiment), 1)
    ]
    repeated = data.draw(st.lists(st.sampled_from(entries), max_size=20))
    again = [ReadRecord(Path("b"), 1, entry.record) for entry in repeated]
    shuffled = data.draw(st.permutations([*entries, *again]))
    expected = sessions_of(ReadResults(entries), experiment)
    result = sessions_of(ReadResults(shuffled), experiment)
    assert tables(result.sessions, experiment) == tables(expected.sessions, experiment)
    assert result.duplicates == len(again)
    assert result.read == result.trials + result.others + result.duplicates + result.repeated + result.withdrawn_records


def test_the_first_of_two_answers_counts(folder: Path, tmp_path: Path, sessions: list[Values]) -> None:
    again = {**sessions[0][3], "sequence": 20, "data": {**sessions[0][3]["data"], "answer": "er"}}
    run = imported(folder, tmp_path / "out", write_lines(tmp_path / "a.jsonl", [again, *sessions[0]]))
    assert (
        "10 records in: 6 responses, 3 on start, background and end, 0 read twice, 1 of trials answered before"
        in run.stdout
    )
    assert {row["answer"] for row in cells(tmp_path / "out" / "responses.tsv")} == {"sie"}


def test_tables_inside_the_results_and_empty_results_are_refused(
    folder: Path, tmp_path: Path, sessions: list[Values]
) -> None:
    """The next import of the folder would read its own `trials.jsonl` as results."""
    results, empty = tmp_path / "results", tmp_path / "empty.jsonl"
    write_lines(results / "a.jsonl", sessions[0])
    empty.write_text("", encoding="utf-8")
    for out in (results, results / "tables"):
        run = winoforge("experiment", "import", results, "--experiment", folder, "--out", out)
        assert (run.returncode, "[out] output lies in a folder that the command reads" in run.stderr) == (2, True)
    run = winoforge("experiment", "import", empty, "--experiment", folder, "--out", tmp_path / "out")
    assert (run.returncode, "[results] no record" in run.stderr) == (2, True)
    run = winoforge("experiment", "serve", folder, "--data", folder, "--check")
    assert (run.returncode, "[out] output lies in a folder that the command reads" in run.stderr) == (2, True)
    assert [path.name for path in results.iterdir()] == ["a.jsonl"]


def test_a_withdrawn_session_is_left_out_wherever_it_is(folder: Path, tmp_path: Path, sessions: list[Values]) -> None:
    withdrawal = {**sessions[0][0], "record": "withdrawn", "sequence": 9, "data": {}}
    first = write_lines(tmp_path / "a.jsonl", sessions[0])
    second = write_lines(tmp_path / "b.jsonl", [withdrawal, *sessions[1]])
    run = imported(folder, tmp_path / "out", first, second)
    assert (
        "19 records in: 6 responses, 3 on start, background and end, 0 read twice, 0 of trials answered before, 10 withdrawn"
        in run.stdout
    )
    assert "2 sessions in: 1 completed, 0 incomplete, 1 withdrawn" in run.stdout
    assert [row["list"] for row in cells(tmp_path / "out" / "participants.tsv")] == ["2"]


@pytest.mark.parametrize(
    "answer", ["anna.muster@example.org", "Anna Muster", "0211 123456", "02111234567", "https://example.org", "x" * 80]
)
def test_what_could_name_a_person_is_left_out(
    folder: Path, tmp_path: Path, sessions: list[Values], answer: str
) -> None:
    sessions[0][1]["data"]["region"] = answer
    run = imported(folder, tmp_path / "out", write_lines(tmp_path / "a.jsonl", sessions[0]))
    assert "1 answer on the background left out" in run.stdout
    assert answer not in run.stdout
    (person,) = cells(tmp_path / "out" / "participants.tsv")
    assert (person["region"], person["age"]) == ("", "25-34")
    assert answer.encode() not in b"".join(bytes_of(tmp_path / "out").values())


def test_a_completed_session_without_a_trial_is_a_finding(folder: Path, tmp_path: Path, sessions: list[Values]) -> None:
    run = imported(folder, tmp_path / "out", write_lines(tmp_path / "a.jsonl", [*sessions[0][:4], *sessions[0][5:]]))
    assert run.returncode == 1
    assert run.stderr == f"{tmp_path}/out/participants.tsv: [position] p001 completed without 1 trial of list 1\n"
    (line,) = SUITES["responses"].check([tmp_path / "out"]).lines()
    assert "[responses/all-answered] 1 of 12: p001 to the end" in line


# --- where results come from ------------------------------------------------------------------------------------------


def database(experiment: Experiment, data: Path, sessions: list[Values], *, close: bool = True) -> Store:
    store = Store(data, experiment)
    for values in sessions:
        for value in values:
            store.add(session_record(value, experiment))
    if close:
        store.close()
    return store


def jatos_text(path: Path, sessions: list[Values]) -> None:
    """Write what JATOS exports as plain text: the results of all runs after each other, each a list here."""
    write_lines(path, sessions)


def indented(path: Path, sessions: list[Values]) -> None:
    path.write_text(json.dumps(flat(sessions), indent=2), encoding="utf-8")


def one_line(path: Path, sessions: list[Values]) -> None:
    path.write_text(json.dumps(flat(sessions)), encoding="utf-8")


def archive(path: Path, sessions: list[Values]) -> None:
    with zipfile.ZipFile(path, "w") as target:
        target.writestr("metadata.json", '{"data": [{"studyTitle": "Lücken"}]}')
        for number, values in enumerate(sessions):
            lines = "\n".join(map(json.dumps, values))  # as the page joins them
            target.writestr(f"study_result_{number}/comp_result_{number}/data.txt", lines)


def folders(path: Path, sessions: list[Values]) -> None:
    for number, values in enumerate(sessions):
        write_lines(path / f"study_result_{number}" / "data.txt", values)
    (path / "metadata.json").write_text("{}")
    (path / "notes.md").write_text("not a result")


@pytest.mark.parametrize(("name", "write"), [
    ("jatos.txt", jatos_text), ("a.json", indented), ("a.json", one_line), ("jatos.jrzip", archive), ("results", folders),
])  # fmt: skip
def test_every_source_gives_the_same_tables(
    folder: Path, tmp_path: Path, sessions: list[Values], name: str, write: Callable[[Path, list[Values]], None]
) -> None:
    assert imported(folder, tmp_path / "lines", write_lines(tmp_path / "a.jsonl", flat(sessions))).returncode == 0
    write(tmp_path / name, sessions)
    run = imported(folder, tmp_path / "out", tmp_path / name)
    assert run.returncode == 0, run.stderr
    assert bytes_of(tmp_path / "out") == bytes_of(tmp_path / "lines")


def test_the_database_gives_the_same_tables_while_the_server_runs(
    folder: Path, tmp_path: Path, experiment: Experiment, sessions: list[Values]
) -> None:
    imported(folder, tmp_path / "lines", write_lines(tmp_path / "a.jsonl", flat(sessions)))
    store = database(experiment, tmp_path / "data", sessions, close=False)
    store.list_of(session_name(7))
    store.add(session_record({**sessions[0][0], "session": session_name(8), "record": "withdrawn"}, experiment))
    run = imported(folder, tmp_path / "out", tmp_path / "data")
    store.close()
    assert "5 sessions in: 2 completed, 1 incomplete, 1 withdrawn, 1 without a record" in run.stdout
    assert bytes_of(tmp_path / "out") == bytes_of(tmp_path / "lines")
    # The file that the page offered beside it holds nothing new.
    both = imported(folder, tmp_path / "both", tmp_path / "data", tmp_path / "a.jsonl")
    assert "22 read twice" in both.stdout
    assert bytes_of(tmp_path / "both") == bytes_of(tmp_path / "lines")


# --- PsychoPy ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("delimiter", [",", ";"])
def test_a_table_of_psychopy_becomes_rows(folder: Path, tmp_path: Path, experiment: Experiment, delimiter: str) -> None:
    write_csv(tmp_path / "data" / "a.csv", psychopy_rows(experiment, 2), delimiter)
    run = imported(folder, tmp_path / "out", tmp_path / "data", "--format", "psychopy")
    assert (run.returncode, run.stderr) == (0, "")
    assert "1 row of other screens, or without an answer, skipped" in run.stdout
    rows = cells(tmp_path / "out" / "responses.tsv")
    assert [row["answer"] for row in rows] == ["sie", "es", "sie", "sie", "sie", "sie"]
    assert {row["rt_answer_ms"] for row in rows} == {"1235"}  # 1.2346 s
    assert {row["rt_confidence_ms"] for row in rows} == {"500"}
    (person,) = cells(tmp_path / "out" / "participants.tsv")
    assert (person["list"], person["completed"], person["attention_right"], person["region"]) == ("2", "yes", "1", "")
    assert b"Muster" not in b"".join(bytes_of(tmp_path / "out").values())
    assert SUITES["responses"].check([tmp_path / "out"]).failures == ()


def test_a_run_that_was_broken_off_is_incomplete(folder: Path, tmp_path: Path, experiment: Experiment) -> None:
    rows = psychopy_rows(experiment, 1)[:4]
    rows[3]["key_resp_2.keys"] = "None"
    run = imported(folder, tmp_path / "out", write_csv(tmp_path / "a.csv", rows), "--format", "psychopy")
    assert "2 rows of other screens, or without an answer, skipped" in run.stdout
    assert "0 completed, 1 incomplete, 0 withdrawn, 0 without a record; 4 trials without an answer" in run.stdout


@pytest.mark.parametrize("identity", [("", "", ""), ("", "001", ""), ("anon", "001", "2026-01-01")])
def test_runs_without_names_are_told_apart_by_their_answers(
    folder: Path, tmp_path: Path, experiment: Experiment, identity: tuple[str, ...]
) -> None:
    """Three people whose participant, session and date are removed or equal; a copy and the beginning of the first run add nobody."""
    removed = dict(zip(("participant", "session", "date", "expStart"), (*identity, ""), strict=True))
    for number, name in enumerate("abc", 1):
        rows = [row | removed for row in psychopy_rows(experiment, 2 if name == "c" else 1)]
        if name == "b":
            rows[2]["key_resp.rt"] = "0.777"
        write_csv(tmp_path / "data" / f"{name}.csv", rows, ";" if number == 2 else ",")
    write_csv(tmp_path / "data" / "copy.csv", [row | removed for row in psychopy_rows(experiment, 1)], ";")
    write_csv(tmp_path / "data" / "stopped.csv", [row | removed for row in psychopy_rows(experiment, 1)][:4])
    run = imported(folder, tmp_path / "out", tmp_path / "data", "--format", "psychopy")
    assert run.returncode == 0, run.stderr
    assert "3 sessions in: 3 completed, 0 incomplete" in run.stdout
    for name in ("copy", "stopped"):
        assert f"{name}.csv: the run of {tmp_path}/data/a.csv again, counted once" in run.stderr
    assert ("counted as 3 sessions" in run.stderr) == any(identity)


@pytest.mark.parametrize(
    ("column", "cell", "reason"),
    [
        ("key_resp.keys", "['1', '2']", "[key_resp.keys] found \"['1', '2']\", expected one number key"),
        ("key_resp.keys", "4", "[key_resp.keys] found 4, expected the number of an answer, 1 to 3"),
        ("key_resp_2.keys", "9", "[confidence] wrong value; found 9"),
        ("key_resp.rt", "", "[key_resp.rt] found '', expected seconds"),
        ("key_resp.rt", "inf", "[key_resp.rt]"),
        ("key_resp.rt", "nan", "[key_resp.rt]"),
        ("key_resp.rt", "-1", "[rt_answer_ms]"),
        ("trial_position", "99", "[trial_position] not in the experiment; found list 1, position 99"),
        ("trial_position", "1e9", "[trial_position] found '1e9', expected a whole number"),
        ("trial_id", "de-002-2", "[id] found 'de-002-2'"),
        ("list_number", "²", "[list_number] found '²'"),
    ],
)
def test_a_malformed_cell_is_refused_with_its_line(
    folder: Path, tmp_path: Path, experiment: Experiment, column: str, cell: str, reason: str
) -> None:
    rows = psychopy_rows(experiment, 1)
    rows[2][column] = cell
    run = imported(folder, tmp_path / "out", write_csv(tmp_path / "a.csv", rows), "--format", "psychopy")
    assert run.returncode == 2
    assert run.stderr.startswith(f"{tmp_path}/a.csv:4: {reason}")
    assert not (tmp_path / "out").exists()


def test_a_table_without_the_columns_is_refused(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("participant,key_resp.keys\n1,2\n")
    run = imported(folder, tmp_path / "out", tmp_path / "a.csv")
    assert run.stderr.endswith("; --format psychopy reads tables\n")
    run = imported(folder, tmp_path / "out", tmp_path / "a.csv", "--format", "psychopy")
    assert run.returncode == 2
    assert (
        "a.csv:1: [list_number] missing column; found 'participant, key_resp.keys', expected list_number, trial_position"
        in run.stderr
    )


# --- what is refused --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "[json] not JSON"),
        ("7", "[json] wrong kind; found 7, expected a record"),
        ('[{"session": 1}, 7]', "[list] missing field"),
        ("[" * 5000, "[json] not JSON (nested too deeply)"),
        ('{"session": NaN}', "[json] not JSON (NaN is not a JSON number)"),
    ],
)
def test_a_malformed_line_is_refused(
    folder: Path, tmp_path: Path, sessions: list[Values], line: str, reason: str
) -> None:
    path = write_lines(tmp_path / "a.jsonl", sessions[0])
    path.write_text(path.read_text() + line + "\n")
    run = imported(folder, tmp_path / "out", path)
    assert run.returncode == 2
    assert run.stderr.startswith(f"{path}:10: {reason}")
    assert run.stderr.count("\n") == 1
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(("record", "change", "reason"), [
    (3, {"data": {"answer": "er"}}, "[sequence] found another record with the number 3 in DIR/a.jsonl:4"),
    (0, {"list": 2, "sequence": 30}, "[list] found 2, expected 1"),
])  # fmt: skip
def test_records_of_a_session_that_contradict_each_other_are_refused(
    folder: Path, tmp_path: Path, sessions: list[Values], record: int, change: dict[str, Any], reason: str
) -> None:
    first = sessions[0][record]
    other = {**first, **change, "data": first["data"] | change.get("data", {})}
    run = imported(folder, tmp_path / "out", write_lines(tmp_path / "a.jsonl", [*sessions[0], other]))
    assert run.returncode == 2
    assert f"a.jsonl:10: {reason}".replace("DIR", str(tmp_path)) in run.stderr


def test_results_of_another_experiment_are_refused(
    folder: Path, tmp_path: Path, experiment: Experiment, sessions: list[Values]
) -> None:
    database(experiment, tmp_path / "data", sessions)
    other = shutil.copytree(folder, tmp_path / "other")
    (other / TRIALS).write_text((other / TRIALS).read_text().replace("Text 2", "Satz 2"))
    run = imported(other, tmp_path / "out", tmp_path / "data")
    assert run.returncode == 2
    assert "results.sqlite: [data] results of another experiment" in run.stderr


@pytest.mark.parametrize(
    "statement",
    [
        "DROP TABLE withdrawn",
        "PRAGMA application_id = 1",
        "DELETE FROM experiment",
        "UPDATE records SET record = '{' WHERE sequence = 3",
        "UPDATE records SET record = CAST(x'ff' AS TEXT) WHERE sequence = 3",
        "UPDATE records SET sequence = 70 WHERE sequence = 3",
        "UPDATE records SET record = (SELECT record FROM records WHERE sequence = 4) WHERE sequence = 3",
        "ALTER TABLE records RENAME COLUMN record TO other",
        "ALTER TABLE records RENAME TO other; CREATE VIEW records AS SELECT * FROM other",
    ],
)
def test_a_database_that_somebody_changed_is_refused(
    folder: Path, tmp_path: Path, experiment: Experiment, sessions: list[Values], statement: str
) -> None:
    database(experiment, tmp_path / "data", sessions[:1])
    with closing(sqlite3.connect(tmp_path / "data" / DATABASE)) as changed:
        changed.executescript(statement)
    run = imported(folder, tmp_path / "out", tmp_path / "data")
    assert run.returncode == 2
    assert "results.sqlite" in run.stderr
    assert run.stderr.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_an_archive_without_results_and_an_empty_folder(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    run = imported(folder, tmp_path / "out", tmp_path / "empty")
    assert run.returncode == 2
    assert "empty: [results] no results; expected files" in run.stderr
    (tmp_path / "a.zip").write_bytes(b"no archive")
    run = imported(folder, tmp_path / "out", tmp_path / "a.zip")
    assert run.returncode == 2
    assert "a.zip: [zip] not a readable archive" in run.stderr
