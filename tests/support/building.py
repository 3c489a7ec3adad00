"""`make build` in a copy of the repository's inputs, with this checkout's environment."""

import hashlib
import os
import shlex
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest
from filelock import FileLock

from tests.support.commands import winoforge

ROOT = Path(__file__).resolve().parents[2]
VENV = ROOT / ".venv"
FILES = ("Makefile", "pyproject.toml", "constraints.txt", "README.md")
FOLDERS = ("pipeline", "rules", "raw", "annotation", "tools")
SCHEMAS = "raw/zh/schemas.yaml"
#: The environment variable that names the file with what `make V=1 build` printed in this checkout, if the tests shall take that build.
PRINTED = "WINOFORGE_TEST_BUILD_PRINTED"


@dataclass(frozen=True)
class Built:
    """A copy of the repository's inputs that was built once, and what the build printed."""

    folder: Path
    printed: str


def inputs(folder: Path) -> Path:
    """Copy the repository's inputs, without anything built, and return the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in FILES:
        shutil.copy2(ROOT / name, folder / name)
    for name in FOLDERS:
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "*.pt"))
    return folder


def command(copy: Path, *arguments: str) -> list[str]:
    """Return the make command that builds a copy with this checkout's environment, which it must not remake."""
    extras = ("base", "parse", "stanza", "corpus", "zp", "evaluate", "local", "models", "dev")
    stamps = [argument for extra in extras for argument in ("--old-file", f"{VENV}/{extra}")]
    return ["make", "--directory", str(copy), "--no-print-directory", f"VENV={VENV}", *stamps, *arguments]


def make(copy: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run make in a copy to its end."""
    return subprocess.run(command(copy, *arguments), capture_output=True, text=True, check=False)


def run_plan(copy: Path, *arguments: str) -> str:
    """Run what make plans in a copy, each winoforge command in this process, and return what make would print.

    Half of what a stage takes in a process of its own is the import of its packages.
    """
    printed = []
    for line in " && ".join(plan(copy, *arguments)).split(" && "):
        if is_stage(line):
            run = winoforge(*shlex.split(line)[1:], cwd=copy)
            assert run.returncode == 0, run.stderr or run.stdout
            printed += [f"{line}\n", run.stdout]
        else:
            printed.append(shell(copy, line))
    return "".join(printed)


def pretend(copy: Path, *arguments: str) -> None:
    """Leave a copy as a finished build would, with empty files for what the stages write."""
    lines = [line for line in plan(copy, *arguments) if "/.asked" in line and not is_stage(line)]
    records = [line for line in lines if ".made" in line]
    for line in lines:
        if line not in records:
            shell(copy, line)
    collections = [path.parent for path in (copy / "build").glob("*/.asked")]
    collections.append(copy / "build" / "de")
    folders = [
        folder / name
        for folder in collections
        for name in ("artefacts", "association", "audit", "items", "parses", "variants")
    ]
    for folder in (
        *folders,
        *(
            copy / "build" / name
            for name in ("en/items", "release/en", "release/zh", "release/de", "release/zp", "validation", "zp")
        ),
    ):
        folder.mkdir(parents=True, exist_ok=True)
    (copy / "build" / "validation" / "index.html").touch()
    done = make(copy, "--touch", *arguments)
    assert done.returncode == 0, done.stderr
    for variants in (copy / "build").glob("*/variants"):
        (variants / "nli.jsonl").touch()
    for line in records:
        shell(copy, line)


def plan(copy: Path, *arguments: str) -> list[str]:
    """Return the commands that make would run in a copy."""
    run = subprocess.run(command(copy, "--dry-run", *arguments), capture_output=True, text=True, check=True)
    return run.stdout.replace("\\\n", " ").splitlines()


def is_stage(line: str) -> bool:
    """Return whether a command in a plan is one of winoforge."""
    return line.split(" ", 1)[0].endswith("/winoforge")


def shell(copy: Path, line: str) -> str:
    """Run another command of a plan in a copy and return what it prints."""
    return subprocess.run(line, shell=True, cwd=copy, capture_output=True, text=True, check=True).stdout


def stages(output: str) -> list[str]:
    """Return the winoforge commands in what make printed."""
    return [line.split()[1] for line in output.splitlines() if is_stage(line)]


def digests(folder: Path) -> dict[str, str]:
    """Return the sha256 of every file below a folder."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def first_schemas(count: int) -> str:
    """Return the text of the first schemas of the Chinese collection."""
    return "\n- ".join((ROOT / SCHEMAS).read_text(encoding="utf-8").split("\n- ")[: count + 1]) + "\n"


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """The default build, made once for the tests of all workers; one that changes it takes a copy."""
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    folder, printed = shared / "built", shared / "built.txt"
    with FileLock(shared / "built.lock"):
        if not printed.exists():
            shutil.rmtree(folder, ignore_errors=True)
            inputs(folder)
            if PRINTED in os.environ:
                shutil.copytree(ROOT / "build", folder / "build")
                text = Path(os.environ[PRINTED]).read_text(encoding="utf-8")
            else:
                text = run_plan(folder, "build")
            printed.write_text(text, encoding="utf-8")
    return Built(folder, printed.read_text(encoding="utf-8"))
