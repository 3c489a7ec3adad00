"""The targets: commands and suites, each with the files that it reads; most are entries of targets.yaml.

No reader is forgotten: every file that winoforge reads is named by an argument or an option of a command, lies in a folder that
one names, comes from a server, or lies in rules/. A test (tests/test_fuzz.py) fails if a command, an input of a command, a format, a
suite or a table of rules/ is in no target and is not in `NOT_FUZZED`.
"""

import contextlib
import io
import json
import shlex
import shutil
import signal
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import NoReturn

import typer

from pipeline.cli import application
from pipeline.core.convert import read_yaml
from pipeline.core.errors import PipelineError
from pipeline.core.outputs import is_temporary
from pipeline.release.gate import ARTIFACTS, plan
from pipeline.winopron.systems import SYSTEMS

from .readers import READERS
from .servers import serving

#: Maximum number of seconds of computing time of one run; a longer one counts as a crash.
LIMIT = 20
#: Maximum number of seconds on the clock, for a run that waits; a machine may have much else to do.
_WAITING = 20 * LIMIT
FILE = Path(__file__).with_suffix(".yaml")
#: The folder of what a target writes.
OUT = "out"
#: Stands for the address of a server.
SERVER = "{server}"
#: What is in no target, with the reason.
NOT_FUZZED: Mapping[str, str] = {
    "parse --model": "a model is a program of another package, which crashes in C++ if its bytes are changed",
    "validate --made": "reads what release --made reads",
    "verify --made": "reads what release --made reads",
    "stanza": "loads for half a minute and reads the same files as udpipe",
    "check": "reads what build reads, and has findings of a collection that nobody has filled in",
    "doctor": "reads no file that anybody gives it",
    "ginza": "reads the same files as udpipe",
}
#: The first word of the command of a target that is a reader.
_READ = "read"


class TooSlowError(Exception):
    """A run took more than its seconds."""


@dataclass(frozen=True)
class Target:
    """A command whose files are changed."""

    name: str
    command: str  # the words of the command; files and folders of `seeds` among them are its inputs
    also: tuple[str, ...] = ()  # more inputs, which the command finds by itself
    server: str = ""  # the folder with the answers of the server that the command talks to

    def inputs(self, folder: Path) -> list[str]:
        """Return the names of the files in a folder that the command reads."""
        paths = [folder / word for word in (*shlex.split(self.command), *self.also) if word != OUT]
        files = {file for path in paths for file in ([path] if path.is_file() else path.rglob("*")) if file.is_file()}
        return sorted(file.relative_to(folder).as_posix() for file in files)


def _of_tables() -> Iterator[Target]:
    """Yield a target for each suite of a file of a build, each coreference system and each reader of rules."""
    for file, suites in reversed([*ARTIFACTS.items()]):  # of several files of a suite the first
        yield from (Target(f"validate-{suite.name}", f"validate {suite.name} zh/{file}") for suite in suites)
    for system in SYSTEMS:
        vocabulary = "--vocabulary vocabulary.txt " if system == "spanbert" else ""
        yield Target(
            f"export-{system}", f"winopron export en/few.jsonl --format {system} {vocabulary}--out out/in.jsonl"
        )
        items = "--items en/single.jsonl"
        yield Target(f"import-{system}", f"winopron import {system}.jsonl --format {system} {items} --out out/a.jsonl")
    for name, (files, _) in READERS.items():
        yield Target(f"read-{name}", f"{_READ} {name}", files)


#: The targets by name; those of targets.yaml replace those of tables.
TARGETS = {target.name: target for target in (*_of_tables(), *read_yaml(FILE, tuple[Target, ...]))}


def run(target: Target, folder: Path) -> str:
    """Run a target on the files of a folder.

    Returns:
        what it refuses, or else what it finds; empty if it is content.

    Raises:
        Exception: it ends neither in success nor in findings nor in a refusal of one line, or leaves a file half written.
    """
    with contextlib.chdir(folder), server_of(target, Path()) as address, captured(), _limit():
        shutil.rmtree(OUT, ignore_errors=True)
        Path(OUT).mkdir()
        try:
            result = _run(shlex.split(target.command.replace(SERVER, address)))
        except (OSError, MemoryError, typer.TyperException) as error:  # `main` makes a line of them
            result = repr(error)
        except PipelineError as error:
            _require_printable(error)
            result = str(error)
        _require_whole(Path(OUT))
        return result


def _run(words: list[str]) -> str:
    if words[0] == _READ:
        _, read = READERS[words[1]]
        read()
        return ""
    if words[0] == "validate":  # without Great Expectations, which takes longer than all checks
        validations = [suite.check(paths) for suite, paths in plan(words[1], [Path(word) for word in words[2:]])]
        return "".join(line for validation in validations for line in validation.lines())
    status = application(words)(words, prog_name="winoforge", standalone_mode=False)
    return f"exit status {status}" if status else ""


def server_of(target: Target, folder: Path) -> contextlib.AbstractContextManager[str]:
    """Return the server that a target talks to, as a context that yields its address; without a server, an empty text."""
    return serving(folder / target.server) if target.server else contextlib.nullcontext("")


def _require_whole(folder: Path) -> None:
    """Raise `ValueError` if a file that was written is half written or a temporary one."""
    for path in folder.rglob("*"):
        if is_temporary(path):
            raise ValueError(f"temporary file left: {path}")
        if path.suffix == ".jsonl" and (data := path.read_bytes()):
            if not data.endswith(b"\n"):
                raise ValueError(f"half written: {path}")
            json.loads(data.splitlines()[-1])
        elif path.suffix == ".json":
            json.loads(path.read_bytes())


def _require_printable(error: PipelineError) -> None:
    line = str(error)
    if len(line.splitlines()) != 1 or "Traceback" in line or "Error(" in line:
        raise ValueError(f"not one plain line: {line[:200]!r}")
    line.encode()


@contextlib.contextmanager
def captured() -> Iterator[None]:
    """Keep what is printed from the terminal."""
    stream = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")  # strict, as a terminal is
    with stream, contextlib.redirect_stdout(stream), contextlib.redirect_stderr(stream):
        yield
        stream.flush()


@contextlib.contextmanager
def _limit() -> Iterator[None]:
    def stop(number: int, _: FrameType | None) -> NoReturn:
        raise TooSlowError(f"more than {LIMIT if number == signal.SIGPROF else _WAITING} seconds")

    timers = ((signal.SIGPROF, signal.ITIMER_PROF, LIMIT), (signal.SIGALRM, signal.ITIMER_REAL, _WAITING))
    before = {number: signal.signal(number, stop) for number, _, _ in timers}
    for _, timer, seconds in timers:
        signal.setitimer(timer, seconds)
    try:
        yield
    finally:
        for number, timer, _ in timers:
            signal.setitimer(timer, 0)
            signal.signal(number, before[number])
