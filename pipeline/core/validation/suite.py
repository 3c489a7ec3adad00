"""Suites: the rows of an artifact and the expectations that every row must meet."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

#: Id of the expectation that ids are unique.
UNIQUE = "unique-id"
#: Id of the expectation that a file has rows.
NOT_EMPTY = "not-empty"
#: The content of a row: a record, the members of a pair, a group of labels, a file.
Value = Mapping[str, Any]
#: A check returns the reason why a value is wrong (``found X, expected Y``), or an empty string.
Check = Callable[[Value], str]


def described(expectation: str, check: Check) -> Check:
    """Return the check with `expectation` as its docstring, which pages show."""

    def described_check(value: Value) -> str:
        return check(value)

    described_check.__doc__ = expectation
    return described_check


@dataclass(frozen=True, slots=True)
class Row:
    """One thing to check, with its id in reports and its place in the artifact."""

    id: str
    path: Path
    line: int
    value: Value


@dataclass(frozen=True, slots=True)
class Suite:
    """The expectations of one kind of artifact.

    `rows` reads the artifact and raises `PipelineError` for malformed input. `checks` are the expectations by stable id. With
    `unique`, ids must also be unique; without, rows are groups by id and need no such check. Each file must have a row, except
    with `may_be_empty`.
    """

    name: str
    what: str
    rows: Callable[[Sequence[Path]], list[Row]]
    checks: Mapping[str, Check]
    unique: bool = True
    may_be_empty: bool = False

    @property
    def expectations(self) -> Mapping[str, str]:
        """The docstring of each expectation, by id."""
        unique = {UNIQUE: "No id is used twice."} if self.unique else {}
        filled = {} if self.may_be_empty else {NOT_EMPTY: "The file has at least one row."}
        return {name: (check.__doc__ or "").strip() for name, check in self.checks.items()} | unique | filled

    def empty(self, paths: Sequence[Path], rows: Sequence[Row]) -> list["Failure"]:
        """Return a failure for each file of which there is no row, though it must have one."""
        return [
            Failure(NOT_EMPTY, Row(path.name, path, 1, {}), "found an empty file")
            for path in paths
            if not self.may_be_empty and not any(path in (row.path, *row.path.parents) for row in rows)
        ]


@dataclass(frozen=True, slots=True)
class Failure:
    """A row that does not meet an expectation."""

    check: str
    row: Row
    reason: str

    def __str__(self) -> str:
        return f"{self.row.path}:{self.row.line}: [{self.check}] {self.row.id}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Validation:
    """The result of a suite: the number of rows, the failures, and the seconds that it took."""

    suite: Suite
    rows: int
    failures: tuple[Failure, ...]
    seconds: float = 0.0

    def failed(self) -> Mapping[str, list[Failure]]:
        """Return the failures by expectation, in the order of the suite."""
        by_check: dict[str, list[Failure]] = {name: [] for name in self.suite.expectations}
        for failure in self.failures:
            by_check[failure.check].append(failure)
        return {name: failures for name, failures in by_check.items() if failures}
