"""docs/tutorial.md, followed to the letter in an empty folder that is no clone."""

import re
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.support.commands import winoforge
from tools.wheels import Step, follow


def in_this_process(words: Sequence[str], folder: Path) -> str:
    run = winoforge(*words, cwd=folder)
    return run.stderr + run.stdout


@pytest.fixture(scope="module")
def followed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Step]]:
    folder = tmp_path_factory.mktemp("anywhere")
    return folder, list(follow(folder, in_this_process))


def test_each_command_prints_what_the_page_says(followed: tuple[Path, list[Step]]) -> None:
    for step in followed[1]:
        assert step.printed == step.expected, step.command


def test_a_command_within_the_text_lacks_no_option(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8")
    commands = [shlex.split(command) for command in re.findall(r"`winoforge ([^`]+ --[^`]+)`", text)]
    assert ["evaluate", "cloze"] in [command[:2] for command in commands]
    for command in commands:
        run = winoforge(*command, cwd=tmp_path)
        assert "No such file" in run.stderr, run.stderr  # not "missing option"


def test_the_release_is_of_its_authors_and_names_no_place(followed: tuple[Path, list[Step]]) -> None:
    folder = followed[0]
    release = folder / "mine" / "build" / "release" / "mine"
    files: Mapping[str, bytes] = {path.name: path.read_bytes() for path in release.rglob("*") if path.is_file()}
    assert files["LICENSE"].endswith(b"Credit: Li Hua, Three schemas for a tutorial.\n")
    assert b'authors: [{"name": "Li Hua"}]' in files["CITATION.cff"]
    assert files["README.md"].startswith(b"---\npretty_name: mine\nlanguage:\n- zh\n")
    for name, data in files.items():
        for word in (str(folder), folder.name, str(Path.home()), str(ROOT), "winoforge developers"):
            assert word.encode() not in data, (name, word)
