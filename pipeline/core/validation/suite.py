"""What a suite is: the rows of an artifact, and what must hold of each."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

UNIQUE = "unique-id"
#: What is checked: a record, the members of a pair, a group of labels, a file.
Value = Mapping[str, Any]
#: A check says what is wrong with a value, ``found X, expected Y``, or nothing.
Check = Callable[[Value], str]


def described(what: str, check: Check) -> Check:
    """Return the check with `what` it expects as its docstring, which reports show."""

    def told(value: Value) -> str:
        return check(value)

    told.__doc__ = what
    return told


@dataclass(frozen=True, slots=True)
class Row:
    """One thing to check, the id under which it is reported, and the place of the artifact where it stands."""

    id: str
    path: Path
    line: int
    value: Value


@dataclass(frozen=True, slots=True)
class Suite:
    """The expectations of one kind of artifact.

    `rows` reads the artifact; malformed input is its `PipelineError`. `checks` are the expectations by their stable ids;
    `unique` asks besides that no id is given twice; where rows are groups by their id, it cannot be.
    """

    name: str
    what: str
    rows: Callable[[Sequence[Path]], list[Row]]
    checks: Mapping[str, Check]
    unique: bool = True

    @property
    def expectations(self) -> Mapping[str, str]:
        """What is expected, by the id of each expectation."""
        unique = {UNIQUE: "No id is given twice."} if self.unique else {}
        return {name: (check.__doc__ or "").strip() for name, check in self.checks.items()} | unique


@dataclass(frozen=True, slots=True)
class Failure:
    """An expectation that was not met by one row."""

    check: str
    row: Row
    reason: str

    def __str__(self) -> str:
        return f"{self.row.path}:{self.row.line}: [{self.check}] {self.row.id}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Validation:
    """What a suite found: how many rows met how many expectations, and which did not.

    `seconds` is how long it took.
    """

    suite: Suite
    rows: int
    failures: tuple[Failure, ...]
    seconds: float = 0.0

    def failed(self) -> Mapping[str, list[Failure]]:
        """Return the failures by expectation, in the order of the suite."""
        found: dict[str, list[Failure]] = {name: [] for name in self.suite.expectations}
        for failure in self.failures:
            found[failure.check].append(failure)
        return {name: failures for name, failures in found.items() if failures}
