"""The commands of one make in one process: each ends, prints and writes as it does in a process of its own."""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.building import ROOT, VENV
from tools import one_process

pytestmark = pytest.mark.skipif(not (VENV / "base").exists(), reason="needs the .venv that `make test` makes")

ITEM = (
    '{"id": "a-1", "schema": "a", "version": "a", "lang": "zh", "text": "小猫追小狗，因为它饿了。", "target": {"start": 8, "end": 9}, '
    '"candidates": ["小猫", "小狗"], "answer": 0, "question": "谁饿了？", "source": "test", "note": ""}\n'
)


class Make:
    """Stands for a make: starts commands as its recipes do, with times in a file."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.times = folder, folder / "times"
        self.variables = os.environ | {
            "VENV": str(VENV),
            one_process.MAKE_PROCESS: f"test-{os.getpid()}-{folder.name}",
            one_process.TIMES: str(self.times),
        }

    def start(self, *words: str, root: Path = ROOT) -> subprocess.Popen[str]:
        """Start a command in the folder of a repository, where the recipes run."""
        pipe = subprocess.PIPE
        command = [root / "tools" / "winoforge", *words]
        return subprocess.Popen(command, cwd=root, env=self.variables, stdin=pipe, stdout=pipe, stderr=pipe, text=True)

    def run(self, *words: str, root: Path = ROOT) -> tuple[int, str, str]:
        """Run a command to its end; return its exit status and what it printed."""
        process = self.start(*words, root=root)
        printed = process.communicate("")
        return process.returncode, *printed


@pytest.fixture
def make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Make]:
    made = Make(tmp_path)
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv(one_process.MAKE_PROCESS, made.variables[one_process.MAKE_PROCESS])
    (tmp_path / "kept.jsonl").write_text(ITEM, encoding="utf-8")
    home = one_process.folder()
    yield made
    for process in processes(home):
        with contextlib.suppress(ProcessLookupError):  # it has just ended by itself
            os.kill(process, signal.SIGTERM)
    shutil.rmtree(home, ignore_errors=True)


def processes(folder: Path) -> list[int]:
    """Return the numbers of the processes that serve the sockets of a folder."""
    mark = f"--serve\0{folder}/".encode()
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            found += [int(path.parent.name)] if mark in path.read_bytes() else []
        except OSError:  # it has just ended
            continue
    return found


def wait_until_it_reads(number: int) -> None:
    """Wait until a process has the standard input of a command, which comes through a pipe."""
    while not str(Path(f"/proc/{number}/fd/0").readlink()).startswith("pipe:"):
        time.sleep(0.01)


def test_a_command_ends_and_prints_as_it_does_alone(make: Make) -> None:
    for words in (
        ("zero", str(make.folder / "kept.jsonl"), "--out", "-"),
        ("validate", "items", str(make.folder / "kept.jsonl")),
        ("validate", "nothing", "a"),
        ("--version",),
    ):
        alone = subprocess.run(
            [VENV / "bin" / "winoforge", *words], cwd=ROOT, capture_output=True, text=True, check=False
        )
        assert make.run(*words) == (alone.returncode, alone.stdout, alone.stderr)
    assert len(processes(one_process.folder())) == 1
    assert len(make.times.read_text(encoding="utf-8").splitlines()) == 4


def test_what_comes_while_a_command_runs_has_a_process_of_its_own(make: Make) -> None:
    make.run("--version")
    (number,) = processes(one_process.folder())
    first = make.start("zero", "-", "--out", "-")
    wait_until_it_reads(number)
    assert make.run("--version")[0] == 0
    assert len(processes(one_process.folder())) == 2
    assert '"a-1"' in first.communicate(ITEM)[0]


def test_a_command_that_is_ended_ends_its_process(make: Make) -> None:
    assert make.run("--version")[0] == 0
    (number,) = processes(one_process.folder())
    process = make.start("zero", "-", "--out", "-")
    wait_until_it_reads(number)
    process.terminate()
    process.wait()  # its standard input stays open, so that only the signal ends it
    process.communicate()
    assert process.returncode == 128 + signal.SIGTERM
    assert make.run("--version")[0] == 0
    assert set(processes(one_process.folder())) - {number}


def test_a_process_that_is_gone_is_told(make: Make) -> None:
    make.run("--version")
    (number,) = processes(one_process.folder())
    process = make.start("zero", "-", "--out", "-")
    wait_until_it_reads(number)
    os.kill(number, signal.SIGKILL)
    printed = process.communicate()
    assert (process.returncode, *printed) == (
        70,
        "",
        "[system] the process of the commands of this make has ended; run make again\n",
    )
    assert make.run("--version")[0] == 0


def test_a_process_that_ends_before_it_reads_a_command_is_not_needed(make: Make) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(one_process.folder() / "0"))
        listener.listen()
        process = make.start("zero", "-", "--out", "-")
        listener.accept()[0].close()
    assert '"a-1"' in process.communicate(ITEM)[0]
    assert not make.times.exists()


def test_a_lock_that_a_process_deletes_as_it_ends_is_none(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    path = one_process.folder() / "0"
    monkeypatch.setattr(one_process.fcntl, "flock", lambda *_: path.with_suffix(".lock").unlink())
    assert one_process.lock(path) is None


def test_other_clones_have_processes_of_their_own(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    here = one_process.folder()
    monkeypatch.chdir(make.folder)
    assert one_process.folder() != here
    one_process.folder().rmdir()


def test_a_command_may_have_many_words(make: Make) -> None:
    many = ["a" * 100] * 4000  # the kernel passes no message of this size in one piece
    assert make.run("--version", *many) == make.run("--version")
    assert len(make.times.read_text(encoding="utf-8")) > 400_000


def test_without_a_make_no_process_is_left_that_would_run_old_code(make: Make) -> None:
    del make.variables[one_process.MAKE_PROCESS]
    assert make.run("--version")[0] == 0
    assert not make.times.exists()


def test_code_that_cannot_be_imported_is_told(make: Make) -> None:
    (make.folder / "pipeline").mkdir()
    (make.folder / "pipeline" / "__init__.py").write_text("def (", encoding="utf-8")
    (make.folder / "tools").mkdir()
    for name in ("winoforge", "one_process.py"):
        shutil.copy(ROOT / "tools" / name, make.folder / "tools" / name)
    status, _, errors = make.run("--version", root=make.folder)
    assert (status, errors.splitlines()[-1]) == (1, "SyntaxError: invalid syntax")
    assert list(one_process.folder().iterdir()) == []


def test_a_command_runs_where_no_process_can_be_started(make: Make) -> None:
    make.variables["TMPDIR"] = str(make.folder / ("long" * 40))  # sockets have short names
    Path(make.variables["TMPDIR"]).mkdir()
    assert make.run("--version")[0] == 0
    assert not make.times.exists()
