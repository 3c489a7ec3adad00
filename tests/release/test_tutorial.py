"""docs/tutorial.md, followed to the letter in an empty folder that is no clone."""

import re
import shlex
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.support.commands import winoforge

PAGE = ROOT / "docs" / "tutorial.md"
_BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)

#: The rules and the canary change the digest of a release.
_DIGEST = re.compile(r"\b[0-9a-f]{12}$", re.MULTILINE)


def follow(folder: Path) -> list[tuple[str, list[str], str]]:
    """Do what the page says; return each command with the lines that it must print and those that it printed."""
    runs = []
    for kind, name, text in _BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        if kind == "console":
            for block in text.split("$ ")[1:]:
                command, *expected = block.splitlines()
                run = winoforge(*shlex.split(command)[1:], cwd=folder)
                runs.append((command, expected, run.stderr + run.stdout))
        elif kind == "diff":
            change(folder / name, text)
        else:
            (folder / name).write_text(text, encoding="utf-8")
    return runs


def change(path: Path, diff: str) -> None:
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


@pytest.fixture(scope="module")
def followed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[tuple[str, list[str], str]]]:
    folder = tmp_path_factory.mktemp("anywhere")
    return folder, follow(folder)


def test_each_command_prints_what_the_page_says(followed: tuple[Path, list[tuple[str, list[str], str]]]) -> None:
    for command, expected, printed in followed[1]:
        assert _DIGEST.sub("…", printed).splitlines() == expected, command


def test_the_release_is_of_its_authors_and_names_no_place(
    followed: tuple[Path, list[tuple[str, list[str], str]]],
) -> None:
    folder = followed[0]
    release = folder / "mine" / "build" / "release" / "mine"
    files: Mapping[str, bytes] = {path.name: path.read_bytes() for path in release.rglob("*") if path.is_file()}
    assert files["LICENSE"].endswith(b"Credit: Li Hua, Three schemas for a tutorial.\n")
    assert b'authors: [{"name": "Li Hua"}]' in files["CITATION.cff"]
    assert files["README.md"].startswith(b"---\npretty_name: mine\nlanguage:\n- zh\n")
    for name, data in files.items():
        for word in (str(folder), folder.name, str(Path.home()), str(ROOT), "winoforge developers"):
            assert word.encode() not in data, (name, word)
