"""The site of the pages: every link and anchor leads somewhere, every page is in the navigation, nothing comes from the net."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tools.item_picture import PICTURE, picture

#: What a browser loads without being asked: elements with `src`, style sheets and icons; what style sheets load.
LOADED = re.compile(
    r"""<(?!a\b)[a-z]+\b[^>]*?\s(?:src|srcset|data)=["']?\s*(?:https?:)?//|<link\b[^>]*href=["']?\s*(?:https?:)?//"""
)
LOADED_BY_STYLE = re.compile(r"""(?:url\(|@import)\s*["']?(?:https?:)?//""")


def site(source: Path, out: Path) -> "subprocess.CompletedProcess[str]":
    command = [
        sys.executable,
        "-m",
        "sphinx",
        "--fail-on-warning",
        "--keep-going",
        "--quiet",
        "-c",
        "docs",
        str(source),
        str(out),
    ]
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


def test_the_picture_is_of_the_first_item() -> None:
    assert PICTURE.read_text(encoding="utf-8") == picture()
