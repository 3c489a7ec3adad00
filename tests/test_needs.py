"""What a machine lacks is skipped and named at the end of the run; in CI it is a failure."""

from collections.abc import Sequence

import pytest

from tests.conftest import pytest_terminal_summary
from tests.support.needs import need, untested


def report(longrepr: tuple[str, int, str] | None, name: str = "test_a") -> pytest.TestReport:
    return pytest.TestReport(name, ("a.py", 1, name), {}, "skipped", longrepr, "setup")


def test_what_is_missing_is_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)
    need("Spark", "")
    with pytest.raises(pytest.skip.Exception, match=r"^Spark: no Java$"):
        need("Spark", "no Java")


def test_in_ci_it_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    need("Spark", "")
    with pytest.raises(pytest.fail.Exception, match=r"^Spark: no Java$"):
        need("Spark", "no Java")


class Screen:
    """The part of pytest's terminal reporter that the summary uses."""

    def __init__(self, reports: Sequence[pytest.TestReport]) -> None:
        """Hold the reports of the skipped tests."""
        self.reports, self.lines = reports, list[str]()

    def getreports(self, outcome: str) -> Sequence[pytest.TestReport]:
        return self.reports if outcome == "skipped" else []

    def section(self, title: str) -> None:
        self.lines.append(f"= {title} =")

    def line(self, line: str) -> None:
        self.lines.append(line)


def test_the_end_of_a_run_names_what_was_not_tested() -> None:
    skipped = [report(("a.py", 1, f"Skipped: {reason}")) for reason in ("Spark: no Java", "pages: no Chromium")]
    screen = Screen([skipped[0], *skipped, report(None)])
    pytest_terminal_summary(screen)  # type: ignore[arg-type]
    assert screen.lines == ["= not tested here =", "Spark: no Java (2 tests)", "pages: no Chromium (1 test)"]


def test_a_run_that_tests_all_says_nothing() -> None:
    screen = Screen([])
    pytest_terminal_summary(screen)  # type: ignore[arg-type]
    assert screen.lines == untested([]) == []
