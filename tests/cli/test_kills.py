"""Commands that a signal ends at each write: a file is as it was or complete, no temporary file stays, the next run succeeds."""

import inspect
import os
import shlex
import signal
import sys
import traceback
from collections.abc import Callable, Iterator
from importlib import import_module
from itertools import cycle, product
from pathlib import Path
from unittest.mock import patch

import pytest

from pipeline.cli import COMMANDS, main, module_of
from pipeline.cli.report import outputs_of
from pipeline.core.outputs import is_temporary
from pipeline.core.validation.suite import Suite, Validation
from tests.support.commands import run_program
from tools.fuzz.__main__ import write_files
from tools.fuzz.targets import OUT, SERVER, TARGETS, Target, server_of

#: The commands that write, each with the target of the fuzzer that says on which files it runs.
STAGES = {
    **{
        command: next(target for target in TARGETS.values() if target.command.startswith(f"{command} "))
        for command in COMMANDS
        if command not in ("validate", "annotate push")
        and outputs_of(inspect.signature(import_module(f"pipeline.cli.{module_of(command)}").command, eval_str=True))
    },
    "validate": Target("validate", f"validate items,pairs zh/items.jsonl --docs {OUT}"),
    "parse": TARGETS["parse"],
    "annotate adjudicate": TARGETS["adjudicate"],
}
#: The moments of a write at which a signal comes: the temporary file is new, or it is complete but not renamed.
MOMENTS = ("open", "fsync")
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGKILL, signal.SIGHUP)
#: What `corpus fetch` keeps of a file, to continue there.
PARTS = (".part", ".part.json")


def files_in(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and not path.name.endswith(PARTS)
    }


def without_great_expectations(suite: Suite, paths: list[Path]) -> Validation:
    return suite.check(paths)


def at_the_write(number: int, act: Callable[[], None], moment: str) -> Callable[..., int | None]:
    """Return a function in place of `os.open` or `os.fsync` that acts at the nth write of a file."""
    original, left = getattr(os, moment), [number]

    def replacement(*arguments: object, **options: object) -> int | None:
        result: int | None = original(*arguments, **options)
        if moment == "fsync" or is_temporary(Path(str(arguments[0]))):
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


@pytest.fixture(autouse=True)
def _checks_only() -> Iterator[None]:
    with patch("pipeline.cli.validate.validate", without_great_expectations):
        yield


@pytest.mark.parametrize("stage", STAGES)
def test_a_command_that_a_signal_ends_leaves_no_half_file(stage: str, seeds: Path, tmp_path: Path) -> None:
    target = STAGES[stage]
    before = {name: (seeds / name).read_bytes() for name in target.inputs(seeds)}
    write_files(tmp_path, before)
    writes = []
    with server_of(target, tmp_path) as address:
        words = shlex.split(target.command.replace(SERVER, address))
        with patch("os.fsync", lambda _: writes.append(1)):
            done = run_program(main, *words, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        after = files_in(tmp_path)
        assert writes
        kinds = cycle(product(MOMENTS, SIGNALS))
        for write in range(1, len(writes) + 1):
            moment, number = next(kinds)
            write_files(tmp_path, before)
            status = ended_by(number, moment, write, words, tmp_path)
            assert status == (-number if number == signal.SIGKILL else 128 + number), (moment, number, write)
            left = files_in(tmp_path)
            temporary = {name for name in left if is_temporary(Path(name))}
            assert len(temporary) == (number == signal.SIGKILL), (moment, number, write)
            assert all(left[name] in (before.get(name), after.get(name)) for name in left.keys() - temporary)
            assert left.keys() >= before.keys()
        assert run_program(main, *words, cwd=tmp_path).returncode == 0
        again = files_in(tmp_path)
        assert {name: data for name, data in again.items() if not is_temporary(Path(name))} == after
