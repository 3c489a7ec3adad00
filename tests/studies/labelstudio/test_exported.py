"""Label Studio's own exports: each format as its converter writes it, read as a pull reads the server. No server is needed."""

import dataclasses
import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.core.errors import PipelineError
from pipeline.core.servers import KEY, Secret
from pipeline.studies.labelstudio.exported import read_exports
from pipeline.studies.labelstudio.pull import PullResult, pseudonym
from pipeline.studies.model.design import Control
from pipeline.studies.model.study import Study, Task, write_study
from tests.support.commands import winoforge
from tests.support.small_study import CONFIG, CONTROLS, choices, comment, rating, sent, study, tasks_of

CODES = '<Choices name="codes" toName="text" choice="multiple"><Choice value="a"/><Choice value="b"/></Choices></View>'
STUDY = dataclasses.replace(
    study(lists=("1",)),
    config=CONFIG.replace("</View>", CODES),
    controls=(*CONTROLS, Control("codes", "choices", required=False, choices=("a", "b"))),
)
TASKS = tasks_of(STUDY)
TABLES = {"JSON_MIN": "json", "CSV": "csv", "TSV": "tsv"}
#: An answer about the first control alone.
FIRST = sent(TASKS[0], 0, 3)[0]
LAMPS = Secret(KEY, "a lantern in the fog")


def codes(*values: str) -> dict[str, Any]:
    return choices("codes", "a") | {"value": {"choices": list(values)}}


def annotation(number: int, by: object, result: Any, **more: Any) -> dict[str, Any]:
    times = {
        "created_at": f"2026-11-21T10:00:{number % 60:02}.25Z",
        "updated_at": f"2026-11-21T11:00:{number % 60:02}Z",
    }
    return (
        {"id": number, "completed_by": by, "was_cancelled": False, "lead_time": 3.25, "result": result} | times | more
    )


def exported(*tasks: tuple[Task, list[dict[str, Any]]], **more: Any) -> list[dict[str, Any]]:
    return [
        {"id": number, "data": {**task.data, "place": f"{number} / 4"}, "annotations": annotations, "predictions": []}
        | more
        for number, (task, annotations) in enumerate(tasks, 1)
    ]


def write(folder: Path, value: object, name: str = "export.json") -> Path:
    (folder / name).write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")
    return folder / name


def read(*paths: Path, of: Study = STUDY, key: Callable[[], Secret] = lambda: LAMPS) -> PullResult:
    return read_exports(of, TASKS, paths, key)[0]


def converted(path: Path, kind: str) -> Path:
    """Return the file that the server makes of its JSON for the other formats."""
    from label_studio_sdk.converter import Converter  # takes seconds

    out = path.parent / f"{kind}.{TABLES[kind]}"
    Converter(STUDY.config, None).convert(str(path), str(path.parent / kind), kind, is_dir=False)
    (file,) = (path.parent / kind).glob("result.*")  # a table with tabs is called .csv too
    file.rename(out)
    return out


texts = st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), min_size=1, max_size=8)
answers = st.builds(
    lambda task, candidate, stars, verdict, remarks, marked: [
        *sent(task, candidate, stars),
        *([choices("verdict", verdict)] if verdict else []),
        *([comment(*remarks)] if remarks else []),
        *([codes(*marked)] if marked else []),
    ],
    st.just(TASKS[1]),
    st.sampled_from([0, 1]),
    st.integers(1, 6),
    st.sampled_from([None, "keep", "drop"]),
    st.lists(
        st.one_of(texts, st.sampled_from(['["x"]', "{}", 'a "b", c', "a\tb\nc", "=1+1", '{"text": 1}', "true"])),
        max_size=3,
    ),
    st.sampled_from([[], ["a"], ["b", "a"]]),
)


@settings(max_examples=40, deadline=None)
@given(results=st.lists(answers, min_size=1, max_size=4))
def test_every_format_gives_the_judgements_of_the_json(
    results: list[Any], tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("formats")
    path = write(
        folder, exported((TASKS[1], [annotation(10 + by, by, result) for by, result in enumerate(results, 1)]))
    )
    whole = read(path)
    assert whole.judged + whole.refused == len(results)
    for kind in TABLES:
        short = read(converted(path, kind))
        assert (short.judgements, short.refused) == (whole.judgements, whole.refused), kind


def test_skipped_begun_guessed_and_newer_ones_count_as_on_a_server(tmp_path: Path) -> None:
    """Of task 1: one skipped, one changed later than a newer one; of task 2: a draft, a model's guess, one of a deleted account."""
    first, second = TASKS[:2]
    older = annotation(12, 1, sent(first, 1, 5))
    changed = annotation(11, 1, sent(first, 0, 2), updated_at="2026-11-22T08:00:00Z")
    rows = exported((first, [older, changed, annotation(13, 2, [], was_cancelled=True)]), (second, []))
    rows[1] |= {
        "drafts": [{"id": 1, "user": "wei@uni.edu", "result": [rating(2)]}],
        "predictions": [{"id": 9, "result": []}],
    }
    rows[1]["annotations"] = [
        annotation(14, None, sent(second, 0, 1)),
        annotation(15, 3, sent(second, 0, 1), updated_by=1),
    ]
    result = read(write(tmp_path, rows))
    assert [(row.rater, row.skipped, row.answers.get("naturalness")) for row in result.judgements] == [
        ("r-000001", False, 2),
        ("r-000002", True, None),
    ]
    assert (result.read, result.judged, result.superseded, result.refused, result.drafts) == (6, 2, 1, 2, 1)
    assert ["unknown account, perhaps deleted" in result.findings[0], "wrong author" in result.findings[1]] == [
        True,
        True,
    ]
    assert "1 prediction of models left out" in result.notes[1]
    assert result.notes[-1] == "list 1: 2 of 4 tasks not in the export"


@pytest.mark.parametrize("author", [{"id": 7, "email": "Wei@uni.edu", "first_name": "Wei"}, "wei@uni.edu"])
@pytest.mark.parametrize("kind", [None, *TABLES])
def test_an_address_becomes_the_pseudonym_that_a_pull_makes(author: object, kind: str | None, tmp_path: Path) -> None:
    path = write(tmp_path, exported((TASKS[0], [annotation(11, author, sent(TASKS[0], 0, 3))])))
    (judgement,) = read(converted(path, kind) if kind else path).judgements
    assert judgement.rater == pseudonym(LAMPS, "wei@uni.edu")


def test_addresses_without_a_key_are_refused_by_the_name_of_the_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(KEY, raising=False)
    write_study(tmp_path / "study", STUDY, TASKS)
    path = write(tmp_path, exported((TASKS[1], [annotation(11, "wei@uni.edu", sent(TASKS[1], 0, 3))])))
    words = f"annotate agree study --judgements {path} --out out --resamples 20".split()
    refused = winoforge(*words, cwd=tmp_path)
    assert (refused.returncode, KEY in refused.stderr, "uni.edu" in refused.stderr) == (2, True, False)
    monkeypatch.setenv(KEY, LAMPS.value)
    assert winoforge(*words, cwd=tmp_path).returncode == 0
    assert not any("uni.edu" in file.read_text(encoding="utf-8") for file in (tmp_path / "out").iterdir())


def test_stars_of_another_tag_count_and_an_annotation_in_two_files_counts_once(tmp_path: Path) -> None:
    stars = {"from_name": "naturalness", "type": "rating", "value": {"rating": 4}}
    rows = exported((TASKS[0], [annotation(11, 1, [FIRST, stars])]))
    result = read(write(tmp_path, rows), write(tmp_path, rows, "again.json"))
    assert [row.answers["naturalness"] for row in result.judgements] == [4]
    assert (result.read, result.superseded) == (1, 0)
    assert "again.json: 1 annotation read before, counted once" in result.notes[0]


def _lines(rows: list[Any]) -> str:
    return "".join(f"{json.dumps(row)}\n" for row in rows)


STRANGE_TIME = '[{"id": 1, "data": {}, "annotations": [{"id": 1, "created_at": "gestern"}]}]'


@pytest.mark.parametrize(
    ("text", "name", "reason"),
    [
        ('[{"id": 1, "data": {"x": 1}, "annotations": []}]', "a.json", "[study] not an export of a study; found the fields 'x'"),
        ('[{"id": 1, "data": {"study": "lamps"}, "annotations": []}]', "a.json", "an export of another study; found 'lamps'"),
        ('[{"id": 1, "annotations": [], "data": 3}]', "a.json", "[annotations] malformed"),
        (STRANGE_TIME, "a.json", "[annotations] malformed"),
        ("[1]", "a.json", "[json] wrong kind; found 1"),
        ('{"annotations": [\n', "a.json", "[json] not JSON"),
        ("id,text\n1,x\n", "a.csv", "a.csv:1: [annotator] missing column"),
        ("annotator,annotation_id\n1\n", "a.csv", "a.csv:2: [row] wrong width; found 1 cell, expected 2"),
        ('annotator,annotation_id\n"1,2\n', "a.csv", "a.csv:2: [annotator] quotation mark not closed"),
    ],
)  # fmt: skip
def test_a_file_of_something_else_is_refused_in_a_line(text: str, name: str, reason: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(PipelineError) as caught:
        read(tmp_path / name)
    assert reason in str(caught.value)


def test_other_writers_of_the_same_formats_are_read(tmp_path: Path) -> None:
    """An old version's completions, an object a line, a single task, and a table that a spreadsheet saved with semicolons."""
    rows = exported(
        (TASKS[0], [annotation(11, 1, sent(TASKS[0], 0, 3))]), (TASKS[1], [annotation(12, 1, sent(TASKS[1], 1, 2))])
    )
    whole = read(path := write(tmp_path, rows)).judgements
    (tmp_path / "lines.jsonl").write_text(_lines(rows), encoding="utf-8")
    assert read(tmp_path / "lines.jsonl").judgements == whole
    assert read(write(tmp_path, rows[0], "single.json")).judgements == whole[:1]
    old = [
        {key: value for key, value in row.items() if key != "annotations"} | {"completions": row["annotations"]}
        for row in rows
    ]
    assert read(write(tmp_path, old, "old.json")).judgements == whole
    table = converted(path, "TSV").read_text(encoding="utf-8")
    assert ";" not in table
    (tmp_path / "again.csv").write_text("\ufeff" + table.replace("\t", ";").replace("\n", "\r\n"), encoding="utf-8")
    assert read(tmp_path / "again.csv").judgements == whole


def test_every_command_reads_an_export_or_says_how_to_make_judgements_of_it(tmp_path: Path) -> None:
    def run(command: str) -> CompletedProcess[str]:
        return winoforge(*command.split(), cwd=tmp_path)

    write_study(tmp_path / "study", STUDY, TASKS)
    both = [annotation(11, 1, sent(TASKS[1], 0, 3)), annotation(12, 2, sent(TASKS[1], 0, 4))]
    write(tmp_path, exported((TASKS[1], both)))
    agreed = run("annotate agree study --judgements export.json --out direct --resamples 20")
    assert "export.json: 2 read: 2 taken" in agreed.stdout
    assert run("annotate pull study --export export.json --out pulled").returncode == 0
    assert run("annotate agree study --judgements pulled/judgements.jsonl --out by-pull --resamples 20").returncode == 0
    for name in ("figures.json", "items.tsv", "index.html"):
        assert (tmp_path / "direct" / name).read_bytes() == (tmp_path / "by-pull" / name).read_bytes()
    (tmp_path / "design.yaml").write_text("study: x\n", encoding="utf-8")
    refused = run("annotate design design.yaml --judgements export.json --out o")
    assert refused.returncode == 2
    assert "`winoforge annotate pull STUDY --export FILE --out DIR`" in refused.stderr
