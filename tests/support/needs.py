"""What some tests need of the machine: without it they are skipped and the end of the run says so; in CI they fail."""

import os
from collections import Counter
from collections.abc import Iterable

import pytest


def need(what: str, missing: str) -> None:
    """Skip a test if something is missing, with how to get it; in CI that is a failure. `what` is then not tested."""
    if not missing:
        return
    if "CI" in os.environ:
        pytest.fail(f"{what}: {missing}")
    pytest.skip(f"{what}: {missing}")


def untested(reports: Iterable[pytest.TestReport]) -> list[str]:
    """Return a line for each reason of skipped tests, with their number, in the order of the reasons."""
    reasons = Counter(
        report.longrepr[2].removeprefix("Skipped: ") for report in reports if isinstance(report.longrepr, tuple)
    )
    return [f"{reason} ({count} {'test' if count == 1 else 'tests'})" for reason, count in sorted(reasons.items())]
