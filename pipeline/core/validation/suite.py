"""Suites: the rows of an artifact and the expectations that every row must meet."""

import functools
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import Any

from ..convert import convert, has_keys_in_order, keys_of
from ..invisible import one_line
from ..records import STAMP

#: Maximum number of ids in a line; the pages list all of them.
_MAX_IDS = 8
#: Maximum length of a line; the pages have all of it.
_MAX_LINE = 1000
#: Id of the expectation on the fields of a row, their types and ranges.
CONTRACT = "contract"
#: Id of the expectation that ids are unique.
UNIQUE = "unique-id"
#: Id of the expectation that a file has rows.
NOT_EMPTY = "not-empty"
#: The content of a row: a record, the members of a pair, a group of labels, a file.
Value = Mapping[str, Any]
#: The content of the row that stands for a file without rows; only `NOT_EMPTY` fails for it.
EMPTY: Value = MappingProxyType({})
#: A check returns the reason why a value is wrong (``found X, expected Y``), or an empty string.
Check = Callable[[Value], str]


class Severity(StrEnum):
    """How much a failed expectation matters. With any of them, `winoforge validate` ends with exit status 1."""

    CRITICAL = "critical"
    WARNING = "warning"
    INFO = "info"


#: Expectations on how texts are set and how answers are spread: data that fail one can be used with care.
WARNINGS = frozenset(
    {
        "balanced",
        "closed-quotations",
        "finished-sentence",
        "full-width-marks",
        "known-files",
        "lines-in-order",
        "no-doubled-mark",
        "no-doubled-word",
        "no-leading-mark",
        "single-blanks",
        "small-difference",
        "typography",
    }
)
#: Expectations on what describes data and changes no result.
NOTES = frozenset({"gloss-given", "kind-given", "noun-in-lexicon", "register-given", "role-given", "source-given"})


def severity_of(expectation: str) -> Severity:
    """Return the severity of an expectation: critical, unless it is listed here.

    >>> severity_of("target-is-anaphor").value, severity_of("balanced").value
    ('critical', 'warning')
    """
    if expectation in WARNINGS:
        return Severity.WARNING
    return Severity.INFO if expectation in NOTES else Severity.CRITICAL


def described(expectation: str, check: Check) -> Check:
    """Return the check with `expectation` as its docstring, which pages show."""

    def described_check(value: Value) -> str:
        return check(value)

    described_check.__doc__ = expectation
    return described_check


def contract(what: str, kind: type, ignored: Collection[str] = ()) -> Check:
    """Return the check that a row is a record of a type, with its keys in their order.

    Args:
        what: what the row is, for the description.
        ignored: keys that the reader of the rows has added. Those of `STAMP` are ignored too.
    """
    keys = keys_of(kind)
    optional = [key for key, required in keys.items() if not required]

    def check(value: Value) -> str:
        row = {key: content for key, content in value.items() if key not in ignored and key not in STAMP}
        try:
            convert(row, kind)
        except ValueError as error:
            return str(error)
        return (
            ""
            if has_keys_in_order(row, kind)
            else f"found the keys {', '.join(row)}, expected them in the order {', '.join(keys)}"
        )

    also = f"; {', '.join(optional)} may be missing" if optional else ""
    return described(f"{what}: {', '.join(keys)}{also}, each of its type and in its range.", check)


def limited(artifact: str, expectation: str, check: Check) -> Check:
    """Return the check for values of one artifact only, with `expectation` as its docstring."""
    return described(expectation, lambda value: check(value) if value["artifact"] == artifact else "")


def rows_with(kind: str, check: Check) -> Check:
    """Return a check that applies to rows with a value of this kind (``lists``, ``list``, ``task``); others pass."""
    return described(check.__doc__ or "", lambda value: check(value) if kind in value else "")


def _unless_malformed(check: Check, contract: Check) -> Check:
    """Return the check without the exceptions that it raises for values that do not meet the contract."""

    @functools.wraps(check)
    def checked(value: Value) -> str:
        try:
            return check(value)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
            if contract(value):
                return ""
            raise

    vars(checked)["relies_on"] = contract
    return checked


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
    with `may_be_empty`. Two suites are equal if they expect the same, however they read the rows.
    """

    name: str
    what: str
    rows: Callable[[Sequence[Path]], list[Row]] = field(compare=False)
    checks: Mapping[str, Check] = field(hash=False)
    unique: bool = True
    may_be_empty: bool = False

    def __post_init__(self) -> None:
        """Let no check raise an exception for a row that does not meet the contract: what is wrong with it is told there."""
        if contract := self.checks.get(CONTRACT):
            checks = {
                name: check
                if check is contract or getattr(check, "relies_on", None) is contract
                else _unless_malformed(check, contract)
                for name, check in self.checks.items()
            }
            object.__setattr__(self, "checks", checks)

    @property
    def expectations(self) -> Mapping[str, str]:
        """The docstring of each expectation, by id."""
        unique = {UNIQUE: "No id is used twice."} if self.unique else {}
        filled = {} if self.may_be_empty else {NOT_EMPTY: "The file has at least one row."}
        return {name: (check.__doc__ or "").strip() for name, check in self.checks.items()} | unique | filled

    def read(self, paths: Sequence[Path]) -> list[Row]:
        """Return the rows of files, and one with the value `EMPTY` for each file of which there must be a row and is none."""
        rows = self.rows(paths)
        if self.may_be_empty:
            return rows
        filled = {path for file in {row.path for row in rows} for path in (file, *file.parents)}
        return rows + [Row(path.name, path, 1, EMPTY) for path in paths if path not in filled]

    def reasons(self, expectation: str, rows: Sequence[Row]) -> list[str]:
        """Return for each row why it does not meet an expectation; an empty string if it does."""
        if expectation == NOT_EMPTY:
            return ["found an empty file" if row.value is EMPTY else "" for row in rows]
        if expectation == UNIQUE:
            return _repetitions(rows)
        check = self.checks[expectation]
        return ["" if row.value is EMPTY else check(row.value) for row in rows]

    def check(self, paths: Sequence[Path]) -> "Validation":
        """Return what `documents.validate` returns, without Great Expectations, which takes seconds to load, and without its results.

        The tests hold that both find the same.

        Raises:
            PipelineError: a file cannot be read.
        """
        start = time.perf_counter()
        validation = self.judge(self.read(paths))
        return replace(validation, seconds=time.perf_counter() - start)

    def judge(self, rows: Sequence[Row]) -> "Validation":
        """Return which rows, as `read` returns them, do not meet which expectation."""
        return Validation(
            self,
            count(rows),
            tuple(
                Failure(name, row, reason)
                for name in self.expectations
                for row, reason in zip(rows, self.reasons(name, rows), strict=True)
                if reason
            ),
        )


def count(rows: Sequence[Row]) -> int:
    """Return the number of rows, without those that stand for empty files."""
    return sum(row.value is not EMPTY for row in rows)


def _repetitions(rows: Sequence[Row]) -> list[str]:
    """Return for each row in which other lines its id is; an empty string if in none."""
    places: dict[str, list[int]] = defaultdict(list)
    for place, row in enumerate(rows):
        if row.value is not EMPTY:
            places[row.id].append(place)
    reasons = [""] * len(rows)
    for repeated in places.values():
        for place in repeated if len(repeated) > 1 else ():
            others = [str(rows[other].line) for other in repeated[: _MAX_IDS + 1] if other != place][:_MAX_IDS]
            more = f" and {len(repeated) - 1 - len(others)} more" if len(repeated) - 1 > len(others) else ""
            reasons[place] = f"found in line {', '.join(others)}{more} too, expected each id once"
    return reasons


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
    """The result of a suite: the number of rows, the failures, and the seconds that it took.

    `result` has it in the format of Great Expectations, if that ran.
    """

    suite: Suite
    rows: int
    failures: tuple[Failure, ...]
    seconds: float = field(default=0.0, compare=False)
    result: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)

    def failed(self) -> Mapping[str, list[Failure]]:
        """Return the failures by expectation, in the order of the suite."""
        by_check: dict[str, list[Failure]] = {name: [] for name in self.suite.expectations}
        for failure in self.failures:
            by_check[failure.check].append(failure)
        return {name: failures for name, failures in by_check.items() if failures}

    def lines(self) -> Iterator[str]:
        """Yield a line for each failed expectation: first place, number of rows, their ids, first reason."""
        for check, failures in self.failed().items():
            first = failures[0]
            if check == NOT_EMPTY:
                yield from (
                    one_line(
                        f"{failure.row.path}: [{self.suite.name}/{check}] {failure.reason}, expected at least one row"
                    )
                    for failure in failures
                )
                continue
            ids = list(dict.fromkeys(failure.row.id for failure in failures))
            shown = ", ".join(ids[:_MAX_IDS]) + (f" and {len(ids) - _MAX_IDS} more" if len(ids) > _MAX_IDS else "")
            line = (
                f"{first.row.path}:{first.row.line}: [{self.suite.name}/{check}] {len(failures)} of {self.rows}: "
                f"{shown}; {first.row.id}: {first.reason}"
            )
            line = line if len(line) <= _MAX_LINE else f"{line[:_MAX_LINE]}…"
            yield one_line(line)
