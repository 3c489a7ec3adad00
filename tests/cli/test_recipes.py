"""The recipes of docs/adding.md, followed to the letter in a copy of the repository."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from pipeline.core.records import write_items
from pipeline.winograd.readers import ingest
from tests.conftest import ROOT
from tests.support.small_release import small_release

#: What a recipe may read or change. Data are linked, because no recipe edits a file of them.
COPIED = ("pipeline", "rules", "annotation", "tests", "docs", "tools")
LINKED = ("raw", "replication", "pyproject.toml")
#: What people add most often; each must have a recipe that a test can follow.
REQUIRED = {
    "Add a derived form",
    "Add a language",
    "Add a measure",
    "Add a reader",
    "Add a suite or an expectation",
    "Add a study design",
    "Add or change a rule",
}
#: Runs commands in one process, because loading Great Expectations takes seconds, and prints what each ended with.
DRIVER = """
import dataclasses, json, runpy, shlex, subprocess, sys
from pipeline.release.gate import SUITES
from tests.defects import TRIED
from tests.support.commands import run_program, winoforge

def run(line):
    command, *arguments = shlex.split(line)
    if command == "winoforge":
        return dataclasses.asdict(winoforge(*arguments))
    if arguments[1] == "pytest":
        options = ("-q", "-n0", "-p", "no:cacheprovider")
        tests = subprocess.run([sys.executable, *arguments, *options], capture_output=True, text=True)
        return {"returncode": tests.returncode, "stdout": tests.stdout, "stderr": tests.stdout[-2000:]}
    return dataclasses.asdict(run_program(lambda: runpy.run_module(arguments[1], run_name="__main__"), *arguments[2:]))

runs = {line: run(line) for line in sys.argv[1:]}
expectations = {(suite.name, name) for suite in SUITES.values() for name in suite.expectations}
print(json.dumps({"runs": runs, "without": sorted(expectations - TRIED)}))
"""
_BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Step:
    """One fenced block: a file to write, a diff to apply, or commands to run with what they print."""

    kind: str
    path: str
    text: str


def recipes() -> Iterator[tuple[str, list[Step]]]:
    """Yield the title and the steps of each recipe that has a step."""
    text = (ROOT / "docs" / "adding.md").read_text(encoding="utf-8")
    for section in text.split("\n## ")[1:]:
        title, _, body = section.partition("\n")
        steps = [Step(*match.groups(default="")) for match in _BLOCK.finditer(body)]
        if any(step.kind == "console" for step in steps):
            yield title, steps


RECIPES = dict(recipes())


def copied(folder: Path) -> None:
    """Copy the repository, with six items built and released."""
    for name in COPIED:
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in LINKED:
        (folder / name).symlink_to(ROOT / name)
    schemas = ROOT / "raw" / "zh" / "schemas.yaml"
    items = ingest(schemas.read_bytes(), schemas, "schema-yaml").items[:6]
    for name in ("items", "kept"):
        write_items(folder / "build" / "zh" / f"{name}.jsonl", items)
    small_release(folder / "build" / "release" / "zh", 3)


def insert(diff: str, path: Path) -> None:
    """Insert the lines marked + after the line before them; a line marked - goes. The other lines must be there once."""
    lines = path.read_text(encoding="utf-8").splitlines()
    at = 0
    for step in diff.splitlines():
        mark, line = step[0], step[1:]
        if mark == "+":
            lines.insert(at, line)
            at += 1
            continue
        assert lines.count(line) == 1, f"{path} has {lines.count(line)} lines {line!r}"
        at = lines.index(line) + 1
        if mark == "-":
            at -= 1
            del lines[at]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def commands(steps: list[Step]) -> dict[str, list[str]]:
    """Return the commands of a recipe, each with the lines that it must print."""
    expected: dict[str, list[str]] = {}
    for line in "".join(step.text for step in steps if step.kind == "console").splitlines():
        if line.startswith("$ "):
            expected[command := line[2:]] = []
        else:
            expected[command].append(line)
    return expected


@pytest.fixture(scope="module")
def followed(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Any]:
    """Follow all recipes in one copy.

    Return what each command ended with and printed (`runs`), what ruff finds in the code that is there then (`check`, `format`), and the
    expectations that no seeded defect tries (`without`).
    """
    folder = tmp_path_factory.mktemp("recipes")
    copied(folder)
    for steps in RECIPES.values():
        for step in steps:
            path = folder / step.path
            if step.kind == "diff":
                insert(step.text, path)
            elif step.kind != "console":
                assert not path.exists(), f"{step.path} is there already"
                path.parent.mkdir(exist_ok=True)
                path.write_text(step.text, encoding="utf-8")
    (folder / "driver.py").write_text(DRIVER, encoding="utf-8")
    lines = [command for steps in RECIPES.values() for command in commands(steps)]
    lines.sort(key=lambda command: "pytest" in command)  # the tests need what all recipes have written
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    done = subprocess.run(
        [sys.executable, "driver.py", *lines], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    outcome: dict[str, Any] = json.loads(done.stdout)
    ruff = [sys.executable, "-m", "ruff"]
    for words in (["check"], ["format", "--check"]):
        checked = subprocess.run(
            [*ruff, *words, "-q", "pipeline", "tests"], cwd=folder, capture_output=True, text=True, check=False
        )
        outcome[words[0]] = checked.stdout
    return outcome


def test_what_is_added_often_has_a_recipe() -> None:
    assert set(RECIPES) >= REQUIRED


@pytest.mark.parametrize("title", RECIPES)
def test_a_recipe_touches_five_places_at_most(title: str) -> None:
    # files without a folder are a user's own; what is declared of a language is in one place, rules/
    places = {"rules" if step.path.startswith("rules/") else step.path for step in RECIPES[title] if "/" in step.path}
    assert len(places) <= 5


@pytest.mark.parametrize("title", RECIPES)
def test_a_recipe_works_to_the_letter(title: str, followed: Mapping[str, Any]) -> None:
    for command, expected in commands(RECIPES[title]).items():
        assert command.startswith(("winoforge ", "python -m tools.", "python -m pytest "))
        run = followed["runs"][command]
        assert run["returncode"] == 0, run["stderr"]
        for line in expected:
            assert line in run["stdout"].splitlines()


def test_each_expectation_of_a_recipe_has_its_defect(followed: Mapping[str, Any]) -> None:
    assert followed["without"] == []


def test_the_code_of_the_recipes_passes_the_linter(followed: Mapping[str, Any]) -> None:
    assert (followed["check"], followed["format"]) == ("", "")
