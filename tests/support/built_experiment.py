"""The German collection as cloze items, and the experiment that is built from it."""

from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.support.artifacts import run
from tests.support.needs import need

DE = ROOT / "raw" / "de"
JSPSYCH = ROOT / "tools" / "jspsych" / "node_modules" / "jspsych"


@pytest.fixture(scope="session")
def cloze(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The cloze items of raw/de."""
    folder = tmp_path_factory.mktemp("cloze")
    outputs = [f"--{name}={folder / f'{name}.jsonl'}" for name in ("out", "skipped", "analysis", "cloze")]
    run("ingest", DE / "schemas.yaml", "--format=schema-yaml", "--lang=de", *outputs)
    return folder / "cloze.jsonl"


def build(cloze: Path, out: Path, *options: str) -> Path:
    """Build the experiment into a folder and return that; tests skip where jsPsych is not installed."""
    need("the experiment's page", "" if JSPSYCH.exists() else "no jsPsych; run npm ci in tools/jspsych")
    materials = (f"--fillers={DE / 'fillers.yaml'}", f"--design={DE / 'experiment.yaml'}", f"--jspsych={JSPSYCH}")
    run("experiment", "build", cloze, *materials, f"--out={out}", *options)
    return out
