"""Stages that a signal ends while they write: each file is whole or not there, and no temporary file is left."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.support.validation import sound_pair, write_rows

#: Runs a command that halts when it has written its nth file, but not yet renamed it.
PROGRAM = """
import os, sys, time
from pipeline.cli import main
flush, sys.argv, left = os.fsync, ["winoforge", *sys.argv[2:]], [int(sys.argv[1])]
def halt(handle):
    flush(handle)
    left[0] -= 1
    if not left[0]:
        os.write(1, b"halted\\n")
        time.sleep(60)
os.fsync = halt
main()
"""
TEMPLATE = """- occupation: baker
  participant: guest
  nominative:
    double: The $OCCUPATION thanked the $PARTICIPANT because $NOM_PRONOUN {was glad to be paid|was generous}.
    occupation: The $OCCUPATION smiled because $NOM_PRONOUN was glad to be paid.
    participant: The $PARTICIPANT smiled because $NOM_PRONOUN was generous.
"""
SCHEMA = (
    "- {id: t-1, text: '小猫追小狗，[它]跑得{快|慢}。', question: '谁跑得{快|慢}？', candidates: [小猫, 小狗], "
    "answers: [小猫, 小狗]}\n"
)
STAGES = {
    "zero": ("zero", "items.jsonl", "--out", "out/zero.jsonl"),
    "instantiate": ("instantiate", "templates.yaml", "--out", "out"),
    "ingest": (
        *("ingest", "schemas.yaml", "--format", "schema-yaml", "--analysis", "out/analysis.jsonl"),
        *("--out", "out/items.jsonl", "--skipped", "out/skipped.jsonl", "--terms", "out/terms.txt"),
    ),
}


@pytest.mark.parametrize(
    ("stage", "written", "number"),
    [("zero", 0, signal.SIGINT), ("instantiate", 2, signal.SIGTERM), ("ingest", 3, signal.SIGHUP)],
)
def test_a_signal_leaves_whole_files_only(tmp_path: Path, stage: str, written: int, number: signal.Signals) -> None:
    write_rows(tmp_path / "items.jsonl", sound_pair())
    (tmp_path / "templates.yaml").write_text(TEMPLATE, encoding="utf-8")
    (tmp_path / "schemas.yaml").write_text(SCHEMA, encoding="utf-8")
    command = [sys.executable, "-c", PROGRAM, str(written + 1), *STAGES[stage]]
    environment = {"PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        assert child.stdout.readline() == b"halted\n", child.stderr.read()
        child.send_signal(number)
        assert child.stderr.read() == b""
    assert child.returncode == 128 + number
    files = [path for path in (tmp_path / "out").rglob("*") if path.is_file()]
    assert len(files) == written
    assert not [path for path in files if path.suffix == ".tmp"]
    for path in files:
        lines = path.read_text(encoding="utf-8").split("\n")
        assert lines[-1] == ""
        assert path.suffix != ".jsonl" or all(json.loads(line) for line in lines[:-1])
