"""HTML pages of validations: an index, and a page for each validation. They load nothing from the network."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..invisible import visible
from ..pages import page_environment
from .suite import NOT_EMPTY, Failure, Suite, Validation, severity_of


@dataclass(frozen=True)
class Step:
    """A line of the table of a page: an expectation, how many rows it was checked on, and which failed."""

    name: str
    what: str
    severity: str
    unit: str
    rows: int
    failures: Sequence[Failure]


@dataclass(frozen=True)
class Report:
    """A validation as its page shows it.

    Attributes:
        number: its place among the validations, from 1.
        suite: the suite.
        paths: the files, as they were named.
        rows: number of rows.
        steps: the expectations.
    """

    number: int
    suite: Suite
    paths: Sequence[str]
    rows: int
    steps: Sequence[Step]

    @property
    def name(self) -> str:
        """The name of its files, without the suffix."""
        return file_name(self.number, self.suite)

    @property
    def failed(self) -> int:
        """The number of expectations that are not met."""
        return sum(bool(step.failures) for step in self.steps)

    @property
    def failures(self) -> int:
        """The number of failures, of all expectations together."""
        return sum(len(step.failures) for step in self.steps)


def file_name(number: int, suite: Suite) -> str:
    """Return the name of the files on a validation, without the suffix."""
    return f"{number:02}-{suite.name}"


def pages(validations: Sequence[tuple[Validation, Sequence[Path]]]) -> dict[str, str]:
    """Return ``index.html`` and a page for each validation, by file name.

    Great Expectations' own pages load styles, scripts and icons from the network and contain the time of the run; these do not.
    """
    environment = page_environment()
    reports = [
        Report(
            number,
            validation.suite,
            [visible(path.as_posix()) for path in paths],
            validation.rows,
            list(_steps(validation, paths)),
        )
        for number, (validation, paths) in enumerate(validations, 1)
    ]
    index = environment.get_template("core/validation/index.html.j2").render(reports=reports)
    page = environment.get_template("core/validation/page.html.j2")
    return {"index.html": index} | {f"{report.name}.html": page.render(report=report) for report in reports}


def _steps(validation: Validation, paths: Sequence[Path]) -> Iterator[Step]:
    suite, failed = validation.suite, validation.failed()
    for name, what in suite.expectations.items():
        unit, rows = ("file", len(paths)) if name == NOT_EMPTY else ("row", validation.rows)
        yield Step(name, what, severity_of(name).value, unit, rows, failed.get(name, ()))
