"""The site of the pages: every link and anchor leads somewhere, every page is in the navigation, nothing comes from the net."""

import re
import shlex
import subprocess
import sys
import textwrap
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer.main

from pipeline.cli import application
from pipeline.winograd.forms import FORMS
from tests.conftest import ROOT
from tools.item_picture import PICTURE, picture

#: What a browser loads without being asked: elements with `src`, style sheets and icons; what style sheets load.
LOADED = re.compile(
    r"""<(?!a\b)[a-z]+\b[^>]*?\s(?:src|srcset|data)=["']?\s*(?:https?:)?//|<link\b[^>]*href=["']?\s*(?:https?:)?//"""
)
LOADED_BY_STYLE = re.compile(r"""(?:url\(|@import)\s*["']?(?:https?:)?//""")


def site(source: Path, out: Path) -> "subprocess.CompletedProcess[str]":
    options = ["--fail-on-warning", "--keep-going", "--quiet", "-c", "docs"]
    command = [sys.executable, "-m", "sphinx", *options, str(source), str(out)]
    return subprocess.run(command, cwd=source, capture_output=True, text=True, check=False)


def test_the_site_is_whole_and_fetches_nothing(tmp_path: Path) -> None:
    pytest.importorskip("sphinx")
    done = site(ROOT, tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    pages = [path for path in tmp_path.rglob("*.html") if "_static" not in path.parts]
    assert tmp_path / "docs" / "rules.html" in pages
    assert [path for path in pages if LOADED.search(path.read_text(encoding="utf-8"))] == []
    styles = list(tmp_path.rglob("*.css"))
    assert styles
    assert [path for path in styles if LOADED_BY_STYLE.search(path.read_text(encoding="utf-8"))] == []


def test_what_the_site_refuses(tmp_path: Path) -> None:
    pytest.importorskip("sphinx")
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "conf.py").write_bytes((ROOT / "docs" / "conf.py").read_bytes())
    (docs / "index.md").write_text(
        "# Pages\n\n## Part\n\n- [one](one.md), [lost](one.md#lost), [gone](gone.md)\n", encoding="utf-8"
    )
    (docs / "one.md").write_text("# One\n", encoding="utf-8")
    (docs / "hidden.md").write_text("# Hidden\n", encoding="utf-8")
    done = site(tmp_path, tmp_path / "out")
    assert done.returncode == 1
    for fault in ("'lost'", "'gone.md'", "hidden.md: WARNING: document isn't included in any toctree"):
        assert fault in done.stderr


@pytest.mark.parametrize(
    "element", ['<script src="https://x/y.js">', '<link rel="x" href="//x/y.css">', '<img alt="" src=//x>']
)
def test_what_would_be_loaded_is_seen(element: str) -> None:
    assert LOADED.search(element)
    assert not LOADED.search('<a href="https://x">')


def pages() -> list[str]:
    """Return the texts of the pages that speak of what there is now, without those whose recipes other tests follow."""
    files = {
        path
        for pattern in ("*.md", "docs/*.md", "raw/**/README.md", "annotation/README.md")
        for path in ROOT.glob(pattern)
    }
    return [file.read_text(encoding="utf-8") for file in files - {ROOT / "CHANGELOG.md", ROOT / "docs" / "adding.md"}]


def examples() -> list[str]:
    """Return the command lines of winoforge and make in the pages, in blocks and in the text."""
    lines = []
    for text in (page.replace("\\\n", " ") for page in pages()):
        lines += re.findall(r"^(?: {4,}|\$ )+((?:winoforge|make) [^|&\n]+)", text, re.MULTILINE)
        lines += [" ".join(line.split()) for line in re.findall(r"`((?:winoforge|make) [^`&|]+)", text)]
    return sorted(set(lines))


@cache
def root_command() -> Any:
    return typer.main.get_command(application())


def fault(line: str) -> str:
    """Return what the program does not have of a command line: the command, an option, a file of the repository."""
    program, *words = shlex.split(line, comments=True)
    if program == "make":
        makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
        targets = [word for word in words if re.fullmatch("[a-z][a-z-]+", word)]
        return next((word for word in targets if not re.search(rf"^[\w -]*\b{word}\b.*:", makefile, re.MULTILINE)), "")
    command = root_command()
    options = {"--help", "-h", "--quiet", "--json", "--version", "--install-completion"}
    while words and hasattr(command, "commands"):
        if words[0] not in command.commands:
            return "" if words[0] in options or words[0] == "COMMAND" else words[0]
        command = command.commands[words.pop(0)]
    options |= {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)}
    for word in words:
        if word.startswith("-") and word != "-" and word.split("=")[0] not in options:
            return word
        if word.startswith(("raw/", "rules/")) and "*" not in word and not (ROOT / word).exists():
            return word
    return ""


def test_the_examples_name_what_there_is() -> None:
    lines = examples()
    assert len(lines) > 150
    assert {line: found for line in lines if (found := fault(line))} == {}


def test_the_pages_name_files_that_there_are() -> None:
    named = re.compile(r"`((?:pipeline|rules|tests|tools|raw|annotation|replication)/[\w./-]+)`")
    paths = {path for page in pages() for path in named.findall(page) if not path.startswith("annotation/exports")}
    assert len(paths) > 50
    assert sorted(path for path in paths if not (ROOT / path).exists()) == []


@pytest.mark.parametrize(("line", "found"), [
    ("winoforge zeros x", "zeros"), ("winoforge zero x --into y", "--into"),
    ("winoforge zp stats raw/gone", "raw/gone"), ("make pages", "pages"),
])  # fmt: skip
def test_what_an_example_may_not_name(line: str, found: str) -> None:
    assert fault(line) == found


def test_the_example_in_python_prints_what_the_page_says(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, code, after = re.split(
        r"^```(?:python)?\n", (ROOT / "docs" / "python.md").read_text(encoding="utf-8"), flags=re.MULTILINE
    )[:3]
    monkeypatch.chdir(ROOT)
    exec(code, {})
    assert textwrap.indent(capsys.readouterr().out, "    ") in after


@pytest.mark.parametrize(
    ("page", "names"),
    [
        ("docs/forms.md", FORMS),
        ("annotation/README.md", [path.stem for path in (ROOT / "annotation" / "designs").glob("*.yaml")]),
    ],
    ids=["forms", "designs"],
)
def test_the_table_of_what_can_be_added_has_all(page: str, names: Iterable[str]) -> None:
    table = (ROOT / page).read_text(encoding="utf-8").partition("\n|---")[2].partition("\n\n")[0]
    rows = re.findall(r"^\| (`[^|]+) \|", table, re.MULTILINE)
    assert {name for row in rows for name in re.findall(r"`([\w-]+)`", row)} == {*names}


def test_the_picture_is_of_the_first_item() -> None:
    assert PICTURE.read_text(encoding="utf-8") == picture()
