"""Install the wheel in empty environments, one for each Python, and do with it what README and the tutorial show.

`python -m tools.wheels` builds the wheel of this checkout. For Python 3.11, 3.12 and 3.13 it makes an environment outside the
repository, installs the wheel with its parser and the versions of constraints.txt, follows docs/tutorial.md to the letter, asks
`licence` about a text, calls the module, and prints the seconds of each step. Exit 1 if a step prints something else than the
page says, or a Python is not there.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

_ROOT = Path(__file__).resolve().parents[1]
_PAGE = _ROOT / "docs" / "tutorial.md"
_BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
#: The rules and the canary change the digest of a release.
_DIGEST = re.compile(r"\b[0-9a-f]{12}$", re.MULTILINE)
_UV = (sys.executable, "-m", "uv")
VERSIONS = ("3.11", "3.12", "3.13")
_LICENCE = "他 must stay: direct-object (zh/direct-object)"
_MODULE = "import winoforge; print([p.decision for p in winoforge.licence('小明看见他，他就跑。')])"


@dataclass(frozen=True, slots=True)
class Step:
    """A command of the page, the lines that it must print, and those that it printed, digests as ``…``."""

    command: str
    expected: Sequence[str]
    printed: Sequence[str]


def follow(folder: Path, run: Callable[[Sequence[str], Path], str]) -> Iterator[Step]:
    """Do in a folder what the page says: write its files, make its changes, run its commands.

    Args:
        folder: an empty folder.
        run: given the words after ``winoforge`` and the folder, runs the command there and returns what it prints, standard error first.
    """
    for kind, name, text in _BLOCK.findall(_PAGE.read_text(encoding="utf-8")):
        if kind == "console":
            for block in text.split("$ ")[1:]:
                command, *expected = block.splitlines()
                printed = run(shlex.split(command)[1:], folder)
                yield Step(command, expected, _DIGEST.sub("…", printed).splitlines())
        elif kind == "diff":
            _change(folder / name, text)
        else:
            (folder / name).write_text(text, encoding="utf-8")


def _change(path: Path, diff: str) -> None:
    """Put the lines marked + in place of those marked -, each of which must be there once."""
    lines = path.read_text(encoding="utf-8").splitlines()
    at = 0
    for mark, line in ((step[0], step[1:]) for step in diff.splitlines()):
        if mark == "-":
            assert lines.count(line) == 1, line
            at = lines.index(line)
            del lines[at]
        else:
            lines.insert(at, line)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def interpreter(version: str) -> Path | None:
    """Return a Python of a version such as ``3.12``: this one, on the path, or beside this one (pyenv); None if there is none.

    >>> interpreter("3.0") is None
    True
    """
    own = Path(sys.executable).resolve()
    found = [
        own,
        Path(shutil.which(f"python{version}") or ""),
        *own.parents[2].glob(f"{version}.*/bin/python{version}"),
    ]
    question = f"import sys; sys.exit(sys.version_info[:2] != {tuple(map(int, version.split('.')))})"
    for path in found:
        if path.is_file() and subprocess.run([path, "-c", question], capture_output=True, check=False).returncode == 0:
            return path
    return None


def run(*words: object, cwd: Path, environment: Mapping[str, str] = os.environ) -> str:
    """Run a program and return what it printed, standard error first."""
    done = subprocess.run([*map(str, words)], cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    return done.stderr + done.stdout


def install(python: Path, wheel: Path, folder: Path) -> Path:
    """Return the folder of the programs of a new environment that holds the wheel and what it needs."""
    subprocess.run([*_UV, "venv", "--quiet", "--python", python, folder], check=True)
    command = (*_UV, "pip", "install", "--quiet", "--python", folder, "--constraint", _ROOT / "constraints.txt")
    subprocess.run([*command, f"winoforge[parse] @ {wheel.as_uri()}"], check=True)
    return folder / "bin"


def failures(programs: Path, folder: Path) -> Iterator[str]:
    """Do what the pages show with the programs, print the seconds of each step, and yield each step that went wrong."""
    outside = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}

    def winoforge(words: Sequence[str], cwd: Path) -> str:
        return run(programs / "winoforge", *words, cwd=cwd, environment=outside)

    start = perf_counter()
    for step in follow(folder, winoforge):
        print(f"  {perf_counter() - start:6.1f} s  {step.command}")
        if step.printed != step.expected:
            yield f"{step.command}: printed {step.printed}, expected {step.expected}"
        start = perf_counter()
    (folder / "text.txt").write_text("小明看见他，他就跑。\n", encoding="utf-8")
    if _LICENCE not in (printed := winoforge(["licence", "text.txt"], folder)):
        yield f"licence: printed {printed}"
    if "overt" not in (printed := run(programs / "python", "-c", _MODULE, cwd=folder, environment=outside)):
        yield f"the module: printed {printed}"


def main() -> int:
    """Return 1 if a Python is missing or a step fails with it."""
    failed = False
    with TemporaryDirectory() as temporary:
        place = Path(temporary)
        subprocess.run([*_UV, "build", "--quiet", "--wheel", "--out-dir", place / "wheel", _ROOT], check=True)
        wheel = next((place / "wheel").glob("*.whl"))
        for version in VERSIONS:
            python = interpreter(version)
            print(f"Python {version}: {'not found' if python is None else wheel.name}")
            if python is None:
                failed = True
                continue
            folder = place / version
            programs = install(python, wheel, folder / "environment")
            (folder / "anywhere").mkdir()
            for failure in failures(programs, folder / "anywhere"):
                failed = True
                print(f"  {failure}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
