"""The command line, run in the tests' own process: starting Python takes a second, most commands a tenth of that."""

import contextlib
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

from typer.testing import CliRunner

from pipeline.cli import application, main

app = application()


@dataclass
class Run:
    """What a command ended with and what it printed."""

    returncode: int = 0
    stdout: str = ""
    stderr: str = ""


@contextlib.contextmanager
def _captured(run: Run, stdin: str | bytes) -> Iterator[None]:
    with CliRunner().isolation(stdin) as (stdout, stderr, _):
        yield
        sys.stdout.flush()
        sys.stderr.flush()
        run.stdout, run.stderr = stdout.getvalue().decode(), stderr.getvalue().decode()


def printed(*arguments: object, status: int = 0) -> str:
    """Run a command of winoforge and return what it printed; what it refuses is raised."""
    result = CliRunner().invoke(app, list(map(str, arguments)), catch_exceptions=False)
    assert result.exit_code == status, result.output
    return result.output


def run_program(
    program: Callable[[], object], *arguments: object, cwd: Path | None = None, stdin: str | bytes = ""
) -> Run:
    """Run the entry point of a program in this process, as a user would, and return the exit status and the output."""
    run = Run()
    with contextlib.chdir(cwd or "."), patch("sys.argv", ["winoforge", *map(str, arguments)]), _captured(run, stdin):
        try:
            program()
        except SystemExit as ended:
            run.returncode = int(ended.code or 0)
    return run


def winoforge(*arguments: object, cwd: Path | None = None, stdin: str | bytes = "") -> Run:
    """Run a command of winoforge in this process and return the exit status and the output."""
    return run_program(main, *arguments, cwd=cwd, stdin=stdin)
