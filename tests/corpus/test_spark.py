"""Spark counts what the local engine counts. All counts here run in one JVM, since starting it takes longest."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from pipeline.core.errors import PipelineError
from pipeline.corpus.counting.counts import read_counts
from pipeline.corpus.counting.spark import missing
from tests.conftest import ROOT
from tests.support.corpus import ARTICLE_PAGES, PROSE, TERMS, check_articles, count_command, terms_file
from tests.support.dumps import write_multistream
from tests.support.needs import need

#: Runs the file that spark-submit is given twice, with other arguments. After the first count it forgets spark-submit, so that the
#: other chooses the master as a plain process does.
DRIVER = """
import contextlib, io, json, os, runpy, sys

job, runs = sys.argv[1:]
for name, arguments in json.loads(runs).items():
    sys.argv[1:] = arguments
    out, code = io.TextIOWrapper(io.BytesIO(), "utf-8"), 0
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        try:
            runpy.run_path(job, run_name="__main__")
        except SystemExit as end:
            code = end.code or 0
    with open(f"{name}.json", "w", encoding="utf-8") as stream:
        out.flush()
        json.dump({"code": code, "output": out.buffer.getvalue().decode()}, stream)
    os.environ.pop("PYSPARK_GATEWAY_PORT", None)
"""


@dataclass(frozen=True)
class SparkRuns:
    """The folder in which Spark counted, with the arguments, the output and the exit status of each count by its name."""

    folder: Path
    arguments: dict[str, list[str]]
    outputs: dict[str, str]
    codes: dict[str, int]
    logs: str


@pytest.fixture(scope="module")
def spark(tmp_path_factory: pytest.TempPathFactory) -> SparkRuns:
    """Count two files, so two shards, with twelve lines each that are not UTF-8, and a dump."""
    need("Spark", missing())
    folder = tmp_path_factory.mktemp("spark")
    lines = PROSE.read_text(encoding="utf-8").splitlines()
    for name, part in (("first.txt", lines[:45]), ("second.txt", lines[45:])):
        (folder / name).write_bytes("\n".join(part).encode() + b"\n\xff" * 12)
    terms_file(folder)
    dump, _, _ = write_multistream(folder, ARTICLE_PAGES)
    common = ["--terms", "terms.txt", "--window", "10"]
    texts = ["first.txt", "second.txt", "--format", "text", "--skip-damaged", *common]
    arguments = {
        "passages": [*texts, "--passages", "--backend", "fast"],
        "dump": [dump.name, "--format", "wikimedia-xml", "--backend", "fast", *common],
    }
    runs = {
        name: ["corpus", "count", *words, "--engine", "spark", "--out", f"spark-{name}.jsonl"]
        for name, words in arguments.items()
    }
    (folder / "driver.py").write_text(DRIVER, encoding="utf-8")
    settings = {"eventLog.enabled": "true", "eventLog.compress": "false", "eventLog.dir": folder.as_uri()}
    submit = [str(Path(sys.executable).with_name("spark-submit")), "--master", "local[1]"]
    submit += [word for name, value in settings.items() for word in ("--conf", f"spark.{name}={value}")]
    submit += ["driver.py", str(ROOT / "tools" / "spark_job.py"), json.dumps(runs)]
    (folder / "winoforge").symlink_to(ROOT / "pipeline")  # as where the package is installed
    environment = os.environ | {"PYSPARK_PYTHON": sys.executable, "PYTHONPATH": str(folder)}
    process = subprocess.run(submit, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert process.returncode == 0, process.stderr
    ended = {name: json.loads((folder / f"{name}.json").read_text(encoding="utf-8")) for name in runs}
    logs = "".join(path.read_text(encoding="utf-8") for path in folder.rglob("*local-*") if path.is_file())
    outputs, codes = ({name: end[field] for name, end in ended.items()} for field in ("output", "code"))
    return SparkRuns(folder, arguments, outputs, codes, logs)


def test_spark_counts_the_same(spark: SparkRuns, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(spark.folder)
    output = spark.outputs["passages"]
    assert spark.codes["passages"] == 0, output
    local = count_command(*spark.arguments["passages"], "--out", "local.jsonl")
    assert local.exit_code == 0, local.output
    assert Path("spark-passages.jsonl").read_bytes() == Path("local.jsonl").read_bytes()
    assert read_counts(Path("local.jsonl")).terms[TERMS[0]] > 10
    last = [text.splitlines()[-1].partition(":")[2] for text in (output, local.output)]
    assert last[0] == last[1]
    assert "90 documents in 2 shards" in last[0]
    assert "24 damaged and skipped" in last[0]
    assert output.count("[encoding] ") == 10  # the first ten reports


def test_spark_submit_decides_where_it_runs_else_it_runs_in_two_processes_here(spark: SparkRuns) -> None:
    assert '"spark.master":"local[1]"' in spark.logs
    assert '"spark.master":"local[2]"' in spark.logs


def test_a_dump_is_counted_by_its_articles(spark: SparkRuns) -> None:
    assert spark.codes["dump"] == 0, spark.outputs["dump"]
    check_articles(spark.folder / "spark-dump.jsonl")


def test_spark_keeps_no_state(tmp_path: Path) -> None:
    arguments = ("--format", "text", "--terms", terms_file(tmp_path), "--window", 3, "--out", tmp_path / "out")
    result = count_command(PROSE, *arguments, "--engine", "spark", "--resume", tmp_path / "state")
    assert isinstance(result.exception, PipelineError)
    assert str(result.exception).startswith("[resume] ")
