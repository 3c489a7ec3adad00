"""Commands that a signal ends at each write: a file is as it was or complete, no temporary file stays, the next run succeeds."""

import contextlib
import os
import shlex
import signal
import sys
import traceback
from collections.abc import Callable, Iterator
from importlib.metadata import version
from itertools import cycle, product
from pathlib import Path
from typing import BinaryIO
from unittest.mock import patch

import pytest

from pipeline.cli import COMMANDS, main
from pipeline.core import outputs
from pipeline.core.outputs import is_temporary
from pipeline.language.parsing.backends import Backend
from tests.cli.test_outputs import outputs_of
from tests.support.commands import run_program
from tools.fuzz.__main__ import write_files
from tools.fuzz.targets import OUT, SERVER, TARGETS, Target, server_of


def target_of(command: str) -> Target:
    """Return the first target of the fuzzer that runs a command."""
    targets = [target for target in TARGETS.values() if target.command.startswith(f"{command} ")]
    assert targets, f"{command} has no target in tools/fuzz/targets.yaml"
    return targets[0]


#: The commands that write, each with the target of the fuzzer that says on which files it runs.
STAGES = {
    **{
        command: target_of(command)
        for command in COMMANDS
        if command not in ("validate", "annotate push") and any(outputs_of(command))
    },
    "validate": Target("validate", f"validate items,pairs zh/items.jsonl --docs {OUT}"),
    "parse": TARGETS["parse"],
    "zp parse": TARGETS["zp-parse"],
    "licence": TARGETS["licence-treebank"],  # needs no parser, which these tests take away
    "annotate adjudicate": TARGETS["adjudicate"],
}
#: The moments of a write at which a signal comes: the temporary file is new, or it is complete but not renamed.
MOMENTS = ("open", "fsync")
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGKILL, signal.SIGHUP)
KINDS = list(product(MOMENTS, SIGNALS))
#: The model that made the trees of our lock.
MODEL = f"udchinese-{version('udchinese')}"
#: What `corpus fetch` keeps of a file, to continue there, and its record, which says only of its own files where they came from; Inspect
#: keeps its replies and logs in folders of these names: `generate` and `logs`.
KEPT = (".part", "-fetched.jsonl")


def files_in(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
        and not path.name.endswith(KEPT)
        and path.parent.name != "logs"
        and "generate" not in path.parts
    }


def at_the_write(number: int, act: Callable[[], None], moment: str) -> Callable[..., int | None]:
    """Return a function in place of `os.open` or `os.fsync` that acts at the nth write of a file below the current folder."""
    original, left, folder = getattr(os, moment), [number], Path.cwd().resolve()

    def replacement(*arguments: object, **options: object) -> int | None:
        result: int | None = original(*arguments, **options)
        path = Path(f"/proc/self/fd/{arguments[0]}" if moment == "fsync" else str(arguments[0])).resolve()
        if is_temporary(path) and path.is_relative_to(folder):  # a library flushes files of its own
            left[0] -= 1
            if not left[0]:
                act()
        return result

    return replacement


def ended_by(number: signal.Signals, moment: str, write: int, words: list[str], folder: Path) -> int:
    """Run a command in a process that gets a signal at the nth write; return how it ended, as `subprocess` does."""
    process = os.fork()
    if process:
        return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    status = 1
    try:
        os.chdir(folder)
        with Path(os.devnull).open("w") as nowhere:
            sys.stdout = sys.stderr = nowhere
            sys.argv = ["winoforge", *words]
            signal.signal(signal.SIGINT, signal.default_int_handler)
            for other in (signal.SIGTERM, signal.SIGHUP):
                signal.signal(other, signal.SIG_DFL)
            setattr(os, moment, at_the_write(write, lambda: os.kill(os.getpid(), number), moment))
            main()
    except SystemExit as ended:
        status = int(ended.code or 0)
    except BaseException:
        traceback.print_exc(file=sys.__stderr__)
    finally:
        os._exit(status)


@contextlib.contextmanager
def recorded_writes(folder: Path) -> Iterator[list[tuple[str, bytes]]]:
    """Yield a list of the files that are written in a folder from now on, with their content."""
    original, writes = outputs._replacement, list[tuple[str, bytes]]()

    @contextlib.contextmanager
    def replacement(path: Path, status: os.stat_result | None) -> Iterator[BinaryIO]:
        with original(path, status) as stream:
            yield stream
        if path.resolve().is_relative_to(folder):  # a command may check something in a folder of its own
            writes.append((path.resolve().relative_to(folder).as_posix(), path.read_bytes()))

    with patch("pipeline.core.outputs._replacement", replacement):
        yield writes


@pytest.fixture(autouse=True)
def _only_what_writes() -> Iterator[None]:
    """Save seconds: run the checks without Great Expectations, and load no model, which a complete lock does not need."""
    with (
        patch("pipeline.cli.releases.validate", lambda suite, paths, **_: suite.check(paths)),
        patch(
            "pipeline.cli.releases.documents", lambda *_: {"index.html": "<p>\n", "a.tsv": "", "results/a.json": "{}\n"}
        ),
        patch.dict("pipeline.language.parsing.lock.BACKENDS", udpipe=lambda _: Backend("udpipe", MODEL, list)),
    ):
        yield


@pytest.mark.parametrize("stage", STAGES)
def test_a_command_that_a_signal_ends_leaves_no_half_file(stage: str, seeds: Path, tmp_path: Path) -> None:
    target, kinds = STAGES[stage], cycle(KINDS[list(STAGES).index(stage) % len(KINDS) :] + KINDS)
    before = {name: (seeds / name).read_bytes() for name in target.inputs(seeds)}
    write_files(tmp_path, before)
    with server_of(target, tmp_path) as address:
        words = shlex.split(target.command.replace(SERVER, address))
        with recorded_writes(tmp_path) as writes:
            done = run_program(main, *words, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        after = files_in(tmp_path)
        assert writes
        whole = {*before.items(), *writes, *after.items()}
        for write in sorted({1, len(writes) // 2 + 1, len(writes)}):
            moment, number = next(kinds)
            write_files(tmp_path, before)
            status = ended_by(number, moment, write, words, tmp_path)
            assert status == (-number if number == signal.SIGKILL else 128 + number), (moment, number, write)
            left = files_in(tmp_path)
            temporary = {name for name in left if is_temporary(Path(name))}
            assert bool(temporary) == (number == signal.SIGKILL), (moment, number, write)
            assert {(name, left[name]) for name in left.keys() - temporary} <= whole
            assert left.keys() >= before.keys()
        assert run_program(main, *words, cwd=tmp_path).returncode == 0
    assert {name: data for name, data in files_in(tmp_path).items() if not is_temporary(Path(name))} == after
