"""What a crash or a signal leaves behind."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from pipeline.core.errors import PipelineError
from pipeline.core.files import write_text
from tests.conftest import ROOT


@pytest.mark.parametrize("crash", [OSError("disk gone"), KeyboardInterrupt(), MemoryError()])
@pytest.mark.parametrize("step", ["write", "fsync", "rename"])
def test_a_crash_before_the_rename_leaves_the_old_file_alone(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, step: str, crash: BaseException
) -> None:
    path = tmp_path / "f.txt"
    write_text(path, "old")

    def fail(*_: object, **__: object) -> None:
        raise crash

    if step == "write":
        monkeypatch.setattr(os, "fdopen", fail)
    elif step == "fsync":
        monkeypatch.setattr(os, "fsync", fail)
    else:
        monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(PipelineError if isinstance(crash, OSError) else type(crash)):
        write_text(path, "new")
    monkeypatch.undo()
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_a_writer_that_is_stopped_leaves_the_old_file_alone(tmp_path: Path, number: signal.Signals) -> None:
    path = tmp_path / "f.txt"
    path.write_text("old")
    program = (
        "import os, sys, time; from pathlib import Path; from pipeline.core import outputs\n"
        "os.fsync = lambda _: (print('half', flush=True), time.sleep(60))\n"
        "with outputs.ending_on_signals(): outputs.write_bytes(Path(sys.argv[1]), b'new')"
    )
    command = [sys.executable, "-c", program, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=ROOT) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"half\n"
        assert len(list(tmp_path.iterdir())) == 2
        child.send_signal(number)
    gentle = number in (signal.SIGTERM, signal.SIGHUP)
    assert child.returncode == (128 + number if gentle else -number)
    assert path.read_text() == "old"
    assert len(list(tmp_path.iterdir())) == (2 if number == signal.SIGKILL else 1)
