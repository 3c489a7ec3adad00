"""Long stages show their progress on a terminal, and print nothing elsewhere."""

import io
import sys
from pathlib import Path

import pytest

from pipeline.cli.parameters import tracked
from pipeline.core.records import write_items
from tests.support.commands import winoforge
from tests.support.items import marked


class Terminal(io.StringIO):
    """Standard error as a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("columns", ["40", "120"])
def test_a_terminal_shows_how_far_a_stage_is(columns: str, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", columns)
    assert list(tracked(["a", "b"], "judging", quiet=False)) == ["a", "b"]
    assert "judging" in terminal.getvalue()
    assert "100%" in terminal.getvalue()


@pytest.mark.parametrize(
    ("terminal", "term", "quiet"), [(False, "xterm", False), (True, "dumb", False), (True, "xterm", True)]
)
def test_elsewhere_nothing_is_printed(terminal: bool, term: str, quiet: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Terminal() if terminal else io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", term)
    assert list(tracked(["a", "b"], "judging", quiet=quiet)) == ["a", "b"]
    assert stream.getvalue() == ""


def test_a_stage_shows_its_progress_unless_it_is_to_be_quiet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    items = tmp_path / "kept.jsonl"
    write_items(items, [marked("甲见乙，【他】走了。", question="谁走了？")])
    monkeypatch.setattr("pipeline.cli.parameters.on_terminal", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("FORCE_COLOR", "1")
    for options, expected in (((), True), (("--quiet",), False)):
        result = winoforge("variants", items, "--out", tmp_path / "forms", *options)
        assert result.returncode == 0, result.stderr
        assert ("\x1b[" in result.stderr) is expected
