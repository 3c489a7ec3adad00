"""Suites as a user meets them: the command validate, and which suites a file must pass."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from pipeline.core.hints import kind_of
from pipeline.core.validation.documents import validate
from pipeline.core.validation.suite import NOTES, UNIQUE, WARNINGS
from pipeline.release.gate import ARTIFACTS, SUITES, plan, suites_of
from pipeline.release.validation.suite import release_rows
from tests.conftest import Refused
from tests.support.validation import sound_pair, validate_command, write_rows

# --- the command ------------------------------------------------------------------------------------------------------


def test_a_sound_artifact_exits_0(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "items.jsonl", sound_pair())
    number = len(SUITES["items"].expectations)
    assert validate_command("items", path) == (
        0,
        f"{path}: items: {number} of {number} expectations met by 2 rows\n",
        [],
    )


def test_each_failing_expectation_is_one_line_with_its_place_and_exits_1(tmp_path: Path) -> None:
    rows = sound_pair()
    rows[1].update(question="谁跑得慢。", text="小猫追小狗,它跑得慢。")
    path = write_rows(tmp_path / "items.jsonl", rows)
    code, printed, errors = validate_command("items", path)
    number = len(SUITES["items"].expectations)
    assert code == 1
    assert printed == f"{path}: items: {number - 2} of {number} expectations met by 2 rows\n"
    assert errors == [
        f"{path}:2: [items/question-asks] 1 of 2: t-0001-b; t-0001-b: found '谁跑得慢。', expected a question mark at its end",
        f"{path}:2: [items/full-width-marks] 1 of 2: t-0001-b; t-0001-b: "
        "found '狗,' in '小猫追小狗,它跑得慢。', expected full-width marks and half-width letters",
    ]


def test_many_rows_are_counted_and_the_first_named(tmp_path: Path) -> None:
    rows = [row for number in range(1, 6) for row in sound_pair(f"t-{number:04}")]
    for row in rows:
        row["lang"] = "zh-CN"
    code, _, errors = validate_command("items", write_rows(tmp_path / "items.jsonl", rows))
    (line,) = [line for line in errors if "known-language" in line]
    named = ", ".join(row["id"] for row in rows[:8])
    assert code == 1
    assert f"10 of 10: {named} and 2 more; t-0001-a: found 'zh-CN'" in line


def test_a_duplicate_row_is_named_with_both_lines(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "items.jsonl", [*sound_pair(), sound_pair()[0]])
    validation = validate(SUITES["items"], [path])
    assert [str(failure) for failure in validation.failures] == [
        f"{path}:1: [{UNIQUE}] t-0001-a: found in line 3 too, expected each id once",
        f"{path}:3: [{UNIQUE}] t-0001-a: found in line 1 too, expected each id once",
    ]
    code, _, errors = validate_command("items", path)
    assert code == 1
    assert errors == [
        f"{path}:1: [items/{UNIQUE}] 2 of 3: t-0001-a; t-0001-a: found in line 3 too, expected each id once"
    ]


def test_several_suites_take_one_file(tmp_path: Path) -> None:
    rows = sound_pair()
    rows[1]["answer"] = 0
    code, printed, errors = validate_command("items,pairs", write_rows(tmp_path / "items.jsonl", rows))
    assert code == 1
    assert re.findall(r": (\w+): \d+ of", printed) == ["items", "pairs"]
    assert [re.findall(r"\[(.*?)\]", line)[0] for line in errors] == ["pairs/answers-flip"]


def test_a_build_folder_runs_the_suites_of_its_files(tmp_path: Path) -> None:
    write_rows(tmp_path / "items.jsonl", sound_pair())
    write_rows(
        tmp_path / "variants" / "winogrande.jsonl", [{"id": "t-0001-a", "item": "t-0001-a", "sentence": "小猫跑。"}]
    )
    assert [(suite.name, path.name) for suite, path in suites_of(tmp_path)][:2] == [
        ("items", "items.jsonl"),
        ("pairs", "items.jsonl"),
    ]
    code, printed, errors = validate_command("build", tmp_path)
    assert code == 1
    assert re.findall(r": (\w+): \d+ of", printed) == [
        *(suite.name for suite in ARTIFACTS["items.jsonl"]),
        "derivation",
    ]
    assert {line.split("[")[1].split("/")[0] for line in errors} == {"derivation"}
    assert f"{tmp_path / 'skipped.jsonl'}:1: [derivation/complete] " in "\n".join(errors)


def test_what_is_as_its_stages_wrote_it_is_not_derived_again(tmp_path: Path) -> None:
    """The records are those of ``sha256sum``, as make writes them; one file that differs, and all is derived again."""
    build, records = tmp_path / "zh", tmp_path / "records"
    records.mkdir()
    write_rows(build / "items.jsonl", sound_pair())
    listed = subprocess.run(["sha256sum", build / "items.jsonl"], capture_output=True, text=True, check=True).stdout
    (records / "ingest.made").write_text(listed)
    code, printed, errors = validate_command("build", build, "--made", str(records))
    assert (code, errors) == (0, [])
    assert f"not derived again: {build}, as {records} has them on record" in printed
    write_rows(build / "skipped.jsonl", [])
    code, printed, errors = validate_command("build", build, "--made", str(records))
    assert code == 1
    assert "[derivation/complete]" in "\n".join(errors)


def test_timings_show_the_seconds_of_each_suite(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "items.jsonl", sound_pair())
    assert re.search(r"by 1 row; \d+\.\d\d s\n$", validate_command("pairs", path, "--timings")[1])
    assert " s\n" not in validate_command("pairs", path)[1]


def test_the_list_has_every_suite_with_its_expectations() -> None:
    code, printed, errors = validate_command("--list")
    assert (code, errors) == (0, [])
    for suite in SUITES.values():
        assert f"{suite.name}: {suite.what}\n" in printed
        for name, what in suite.expectations.items():
            assert re.search(rf"^  {name} +{re.escape(what)}(?: \((?:warning|info)\))?$", printed, re.MULTILINE)
    assert re.search(r"^  balanced .*\. \(warning\)$", printed, re.MULTILINE)


def test_a_full_width_comma_between_suites_is_named(tmp_path: Path, refused: Refused) -> None:
    message = refused(lambda: list(plan("items，pairs", [tmp_path])), "", "suite")
    assert "separate names with ',', not '，'" in message


def test_unknown_suites_and_folders_without_artifacts_are_refused(tmp_path: Path, refused: Refused) -> None:
    message = refused(lambda: list(plan("item", [tmp_path])), "", "suite")
    assert "found 'item', expected build or one of items" in message
    refused(lambda: list(plan("items,", [tmp_path])), "", "suite")
    message = refused(lambda: list(plan("build", [tmp_path])), str(tmp_path), "build")
    assert "[build] nothing to validate; expected one of items.jsonl, " in message
    message = refused(lambda: list(plan("build", [tmp_path / "none"])), str(tmp_path / "none"), "build")
    assert "[build] not a folder" in message


@pytest.mark.parametrize(
    ("suite", "text", "line", "field"),
    [
        ("items", '{"id": "t-0001-a"}\n{"id": \n', 2, "json"),
        ("items", '{"id": "t-0001-a"}\n["t-0001-b"]\n', 2, "json"),
        ("items", '{"id": "t-0001-a"}\n{"text": ""}\n', 2, "id"),
        ("pairs", '{"id": ""}\n', 1, "id"),
        ("labels", '{"id": 3}\n', 1, "id"),
        ("items", '{"id": "t-0001-a", "text": "\\ud800"}\n', 1, "json"),
        ("templates", "occupation\tparticipant\n", 1, "header"),
    ],
)
def test_a_malformed_file_is_refused_at_its_line(
    tmp_path: Path, refused: Refused, suite: str, text: str, line: int, field: str
) -> None:
    path = tmp_path / "broken"
    path.write_text(text, encoding="utf-8")
    refused(lambda: validate(SUITES[suite], [path]), f"{path}:{line}", field)


ITEM = sound_pair()[0]


@pytest.mark.parametrize(
    ("suite", "row", "reason"),
    [
        (
            "cloze",
            ITEM,
            "found an item, expected cloze items with the genders of their antecedents (JSON Lines); winoforge validate items,",
        ),
        (
            "items",
            ITEM | {"findings": []},
            "found a rejected record, expected items of a collection (JSON Lines); winoforge validate derivation",
        ),
        (
            "items",
            {"id": "x", "item": "x", "premise": "", "hypothesis": ""},
            "found a row of a derived form, expected items of",
        ),
        ("items", {"id": "x", "decision": "kept", "votes": {}}, "found a decision of the rules, expected items of"),
        ("items", {"windows": 3}, "found a line of counts, expected items of"),
    ],
)
def test_a_file_for_another_suite_is_refused_in_one_line(
    tmp_path: Path, refused: Refused, suite: str, row: dict[str, Any], reason: str
) -> None:
    path = write_rows(tmp_path / "rows.jsonl", [row])
    message = refused(lambda: list(plan(suite, [path])), f"{path}:1", suite)
    assert f"[{suite}] wrong file; {reason}" in message


def test_a_rejected_record_is_no_item_in_a_build(tmp_path: Path, refused: Refused) -> None:
    path = write_rows(tmp_path / "modified.jsonl", [ITEM | {"findings": []}])
    refused(lambda: list(plan("build", [tmp_path])), f"{path}:1", "items")


def test_a_release_is_no_build(tmp_path: Path, refused: Refused) -> None:
    (tmp_path / "SHA256SUMS").touch()
    message = refused(lambda: list(plan("build", [tmp_path])), str(tmp_path), "build")
    assert message.endswith(f"a release, not a build; winoforge validate releases {tmp_path} checks it")


def test_every_file_of_a_build_has_a_suite_for_its_kind(builds: Path) -> None:
    for path in sorted(builds.glob("*/**/*.jsonl")):
        kinds = [kind_of(json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()[:1]]
        name = path.relative_to(builds).parts[1:]
        for suite in ARTIFACTS.get("/".join(name), ()):
            assert [kind and suite.name in kind.suites for kind in kinds] == [True], path


def test_a_long_finding_is_cut(tmp_path: Path) -> None:
    rows = sound_pair()
    rows[0]["question"] = "谁" * 5000
    _, _, errors = validate_command("items", write_rows(tmp_path / "items.jsonl", rows))
    assert max(map(len, errors)) <= 1001


def test_a_file_is_not_a_release(tmp_path: Path, refused: Refused) -> None:
    path = write_rows(tmp_path / "zh", [])
    refused(lambda: release_rows([path]), str(path), "release")
    refused(lambda: release_rows([tmp_path]), str(tmp_path), "release")
    (tmp_path / "README.md").write_text("", encoding="utf-8")
    (tmp_path / "data").mkdir()
    write_rows(tmp_path / "data" / "zh.jsonl", [])
    (tmp_path / "data" / "zh.parquet").write_bytes(b"PAR1")
    refused(lambda: release_rows([tmp_path]), str(tmp_path / "data" / "zh.parquet"), "parquet")


def test_a_severity_belongs_to_an_expectation() -> None:
    assert {name for suite in SUITES.values() for name in suite.expectations} >= WARNINGS | NOTES


def test_every_expectation_says_what_it_expects() -> None:
    for suite in SUITES.values():
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", suite.name)
        for name, what in suite.expectations.items():
            assert re.fullmatch(r"[a-z]+(?:-[a-z]+)*", name), name
            assert re.fullmatch(r"[^\n]+\.", what), (suite.name, name)


def test_a_derived_file_is_checked_in_its_build(builds: Path, tmp_path: Path, refused: Refused) -> None:
    shutil.copytree(builds / "zh", tmp_path / "zh")
    path = tmp_path / "zh" / "variants" / "nli.jsonl"
    number = len(path.read_text(encoding="utf-8").splitlines())
    assert SUITES["derivation"].check([path]).rows == number
    path.write_text(path.read_text(encoding="utf-8").replace("ENTAILMENT", "TRUE", 1), encoding="utf-8")
    assert [(failure.check, failure.row.path) for failure in SUITES["derivation"].check([path]).failures] == [
        ("nli", path)
    ]
    message = refused(lambda: list(plan("items", [path])), f"{path}:1", "items")
    assert f"winoforge validate derivation {path} checks it, in its build" in message
    alone = path.rename(tmp_path / "nli.jsonl")
    assert "nothing to derive again" in refused(lambda: SUITES["derivation"].check([alone]), str(alone), "build")
