"""The package from Python: the notebook prints what it shows, types and functions are there, figures are those of the commands."""

import contextlib
import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import pipeline
from pipeline.core.errors import PipelineError
from tests.conftest import ROOT
from tests.support.commands import winoforge
from tests.support.simulated_systems import simulated_items
from tests.support.system_answers import write_release, write_rows


def test_the_notebook_prints_what_it_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    names: dict[str, Any] = {}
    cells = json.loads(Path("docs/winoforge.ipynb").read_text(encoding="utf-8"))["cells"]
    ran = 0
    for cell in cells:
        if cell["cell_type"] == "code":
            with contextlib.redirect_stdout(io.StringIO()) as printed:
                exec("".join(cell["source"]), names)
            assert printed.getvalue() == "".join(line for output in cell["outputs"] for line in output["text"])
            ran += 1
    assert ran > 3


def test_importing_the_package_loads_nothing_else() -> None:
    code = "import sys, pipeline; print([name for name in sys.modules if name.startswith('pipeline.')])"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_every_public_name_is_there_and_says_what_it_is() -> None:
    for name in pipeline.__all__:
        assert getattr(pipeline, name).__doc__
    with pytest.raises(AttributeError, match="'pipeline' has no attribute 'nothing'"):
        pipeline.nothing  # noqa: B018


def test_score_and_report_give_the_figures_of_the_command(tmp_path: Path) -> None:
    items = simulated_items(2)
    release = write_release(tmp_path / "zh", items)
    answers = tmp_path / "answers.jsonl"
    # The first candidate each time: right for one member of each pair.
    rows = [{"id": entry.item.id, "mode": "zero-shot", "model": "first", "answer": "A"} for entry in items]
    write_rows(answers, rows)
    figures = pipeline.score(release, answers)
    right = sum(entry.item.answer == 0 for entry in items)
    assert figures["models"]["first"]["zero-shot"]["accuracy"] == right / len(items)
    again = pipeline.report(release, answers, out=tmp_path / "report")
    assert again["models"] == figures["models"]
    assert json.loads((tmp_path / "report" / "report.json").read_text(encoding="utf-8"))["models"] == figures["models"]
    assert (tmp_path / "report" / "index.html").exists()


def test_validate_gives_the_findings_of_the_command(tmp_path: Path) -> None:
    item = json.loads((ROOT / "tools/fuzz/samples/english.jsonl").read_text(encoding="utf-8").splitlines()[0])
    (tmp_path / "items.jsonl").write_text(json.dumps(item | {"question": ""}) + "\n", encoding="utf-8")
    failures = pipeline.validate("items", tmp_path / "items.jsonl")
    run = winoforge("validate", "items", tmp_path / "items.jsonl")
    assert failures
    assert len(failures) == len(run.stderr.splitlines())
    with pytest.raises(PipelineError, match=r"\[suite\] unknown; found 'item', expected one of "):
        pipeline.validate("item", tmp_path / "items.jsonl")
