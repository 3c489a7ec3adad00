"""Suites in the hands of a user of Great Expectations: with classes, stored suites, a context and a checkpoint of their own."""

import json
import re
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from pipeline.core.errors import PipelineError
from pipeline.core.validation.suite import severity_of
from pipeline.release.gate import SUITES
from tests.conftest import ROOT
from tests.support.validation import sound_pair, validate_command, write_rows


@pytest.fixture(scope="module")
def gx() -> ModuleType:
    """Great Expectations, which takes seconds to load: not in the processes that run other tests."""
    return import_module("great_expectations")


@pytest.fixture(scope="module")
def expectations() -> ModuleType:
    """The module that users import."""
    return import_module("pipeline.release.expectations")


# --- the classes ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("suite", SUITES)
def test_each_expectation_is_a_class_that_great_expectations_knows(suite: str, expectations: ModuleType) -> None:
    registry = import_module("great_expectations.expectations.registry")
    for name, what in SUITES[suite].expectations.items():
        kind = f"expect_{suite}_{name.replace('-', '_')}"
        known = registry.get_expectation_impl(kind)
        assert known is getattr(expectations, "".join(word.capitalize() for word in kind.split("_")))
        assert known.__doc__ == what
        assert known.__module__ == expectations.__name__
        assert known().severity.value == severity_of(name)


def test_a_class_can_be_loosened_and_run_by_itself(tmp_path: Path, gx: ModuleType, expectations: ModuleType) -> None:
    rows = [row for number in range(1, 6) for row in sound_pair(f"t-{number:04}")]
    rows[3]["question"] = "谁跑得慢。"
    data = expectations.frame("items", [write_rows(tmp_path / "items.jsonl", rows)])
    batch = batch_of(gx.get_context(mode="ephemeral"), data)
    assert not batch.validate(expectations.ExpectItemsQuestionAsks()).success
    result = batch.validate(expectations.ExpectItemsQuestionAsks(mostly=0.9, severity="info"))
    assert result.success
    assert result.result["partial_unexpected_list"] == [
        {"id": "t-0002-b", "reason": "found '谁跑得慢。', expected a question mark at its end"}
    ]
    assert "unexpected_list" not in result.result
    assert result.expectation_config.severity == "info"


# --- stored suites ----------------------------------------------------------------------------------------------------


def batch_of(context: Any, data: Any) -> Any:
    """Return a batch with a frame, in a context of the user's."""
    source = context.data_sources.add_pandas("data")
    batches = source.add_dataframe_asset("rows").add_batch_definition_whole_dataframe("all")
    return batches.get_batch({"dataframe": data})


def lasting(result: Any) -> Any:
    """Return a result as winoforge stores it, without what belongs to the user's batch and run."""
    values = json.loads(json.dumps(result.to_json_dict(), ensure_ascii=False, default=str))
    for outcome in values["results"]:
        del outcome["expectation_config"]["kwargs"]["batch_id"]
        outcome["expectation_config"].pop("id", None)
    return {name: values[name] for name in ("success", "suite_name", "statistics", "results")}


@pytest.fixture(scope="module")
def damaged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a build with a wrong question, a wrong answer and an id that is used twice, validated with its documents."""
    rows = [row for number in range(1, 4) for row in sound_pair(f"t-{number:04}")]
    rows[1]["question"] = "谁跑得慢。"
    rows[3]["answer"] = rows[2]["answer"]
    rows[4]["id"] = rows[3]["id"]
    folder = tmp_path_factory.mktemp("damaged") / "build"
    write_rows(folder / "items.jsonl", rows)
    write_rows(folder / "zero.jsonl", [])
    assert validate_command("build", folder, "--docs", folder.with_name("validation"))[0] == 1
    return folder


@pytest.mark.parametrize(
    ("suite", "file"), [("items", "items.jsonl"), ("pairs", "items.jsonl"), ("labels", "zero.jsonl")]
)
def test_a_stored_suite_gives_the_same_results_in_a_context_of_the_user(
    damaged: Path, gx: ModuleType, expectations: ModuleType, suite: str, file: str
) -> None:
    stored = json.loads((damaged.with_name("validation") / "suites" / f"{suite}.json").read_text(encoding="utf-8"))
    batch = batch_of(gx.get_context(mode="ephemeral"), expectations.frame(suite, [damaged / file]))
    result = batch.validate(gx.ExpectationSuite(**stored), result_format="COMPLETE")
    (path,) = (damaged.with_name("validation") / "results").glob(f"[0-9][0-9]-{suite}.json")
    written = json.loads(path.read_text(encoding="utf-8"))
    assert lasting(result) == {key: written[key] for key in ("success", "suite_name", "statistics", "results")}
    failures = SUITES[suite].check([damaged / file]).failures
    assert failures
    assert [value["reason"] for outcome in result.results for value in outcome.result["unexpected_list"]] == [
        failure.reason for failure in failures
    ]


def test_results_have_no_time_and_no_run(damaged: Path) -> None:
    for path in (damaged.with_name("validation") / "results").iterdir():
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"20\d\dT?-?\d\d|run_id|validation_time|batch_id|fingerprint", text), path
        assert text == json.dumps(json.loads(text), ensure_ascii=False, indent=2, sort_keys=True) + "\n"


def test_the_checkpoint_counts_the_validations(damaged: Path) -> None:
    checkpoint = json.loads(
        (damaged.with_name("validation") / "results" / "checkpoint.json").read_text(encoding="utf-8")
    )
    results = {entry["file"]: entry for entry in checkpoint["validation_results"]}
    assert not checkpoint["success"]
    passed = {name[3:].removesuffix(".json"): entry["success"] for name, entry in results.items()}
    failed = {"items": False, "pairs": False, "labels": False, "derivation": False}
    assert passed.items() >= (failed | {"variety": True, "artefacts": True}).items()  # so few schemas are not judged
    assert checkpoint["statistics"] == {
        "evaluated_validations": len(results),
        "successful_validations": len(results) - 4,
        "unsuccessful_validations": 4,
        "success_percent": 100 * (len(results) - 4) / len(results),
    }
    assert results["01-items.json"]["paths"] == [(damaged / "items.jsonl").as_posix()]
    assert results["01-items.json"]["statistics"]["unsuccessful_expectations"] == 5


def test_the_example_of_the_documentation_runs(
    damaged: Path, tmp_path: Path, gx: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    section = (
        (ROOT / "docs" / "validation.md").read_text(encoding="utf-8").split("\n## Use with Great Expectations\n")[1]
    )
    (code,) = re.findall(r"```python\n(.*?)```", section.split("\n## ")[0], re.DOTALL)
    shutil.copytree(damaged, tmp_path / "build" / "zh")
    shutil.copytree(damaged.with_name("validation"), tmp_path / "build" / "validation")
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    exec(code, names)
    failures = SUITES["items"].check([Path("build/zh/items.jsonl")]).failures
    assert {(row["line"], row["id"], row["reason"]) for row in names["failing"]} == {
        (failure.row.line, failure.row.id, failure.reason) for failure in failures
    }
    stored = json.loads(Path("quality/gx/expectations/items.json").read_text(encoding="utf-8"))
    assert len(stored["expectations"]) == len(SUITES["items"].expectations)
    again = gx.get_context(mode="file", project_root_dir="quality")
    assert again.checkpoints.get("items").validation_definitions[0].suite.name == "items"


def test_an_unknown_suite_is_refused(expectations: ModuleType) -> None:
    with pytest.raises(PipelineError, match="unknown suite; found 'item', expected build or one of items"):
        expectations.frame("item", [])


def test_another_data_frame_is_no_success(gx: ModuleType, expectations: ModuleType) -> None:
    data = import_module("pandas").DataFrame({"id": ["t-0001-a"]})
    result = batch_of(gx.get_context(mode="ephemeral"), data).validate(expectations.ExpectItemsContract())
    assert not result.success
    assert "found the columns id, expected path, line, value too" in str(result.exception_info)
    with pytest.raises(ValueError, match="mostly"):
        expectations.ExpectItemsContract(mostly=2)


def test_only_validation_loads_great_expectations() -> None:
    code = "import sys, pipeline.cli.releases; print('great_expectations' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout == "False\n"
