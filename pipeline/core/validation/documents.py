"""What `winoforge validate --docs` does: run suites with Great Expectations; write pages, failing rows as tables, suites and results."""

import contextlib
import hashlib
import json
import re
import sys
import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import distributions
from pathlib import Path
from typing import Any

import msgspec

from ..files import read_bytes, write_text
from ..invisible import one_line, visible
from ..pages import page_environment
from ..rules import PACKAGE, RULES
from ..tables import tsv_text
from .suite import Failure, Row, Suite, Validation, count, severity_of

#: The columns of a table of failing rows.
COLUMNS = ("path", "line", "id", "expectation", "severity", "reason")
#: Names of the files, as patterns.
PATTERNS = (
    "index.html",
    "[0-9]*-*.html",
    "[0-9]*-*.tsv",
    "suites/*.json",
    "results/[0-9]*-*.json",
    "results/checkpoint.json",
)


class _Kept(msgspec.Struct):
    """The content of ``passed.json``: by suite and rows a result in the format of Great Expectations."""

    code: str
    results: dict[str, dict[str, Any]]


class Passed:
    """The results of suites that all rows have passed, by suite and rows, kept from one build to the next while the code is the same.

    Args:
        records: the folder of a build's records; None to keep nothing.
    """

    def __init__(self, records: Path | None = None) -> None:
        """Read the results of the last build; there are none if another code has written them, or somebody has damaged the file."""
        self._file = records and records / "passed.json"
        self._code = _code() if records else ""
        self._before: Mapping[str, Mapping[str, Any]] = {}
        self._now: dict[str, Mapping[str, Any]] = {}
        if self._file and self._file.is_file():
            with contextlib.suppress(msgspec.MsgspecError):
                kept = msgspec.json.decode(read_bytes(self._file), type=_Kept)
                self._before = kept.results if kept.code == self._code else {}

    def result(self, suite: Suite, rows: Sequence[Row]) -> Mapping[str, Any]:
        """Return the result of a suite on rows: that of the last build if the same rows passed it then."""
        key = self._key(suite, rows)
        result = self._now.get(key) or self._before.get(key)
        if result is None or not _is_passed(result, suite):
            from .expectations import result_of

            result = result_of(suite, rows)
        if key and _is_passed(result, suite):
            self._now[key] = _lasting(result)
        return result

    def _key(self, suite: Suite, rows: Sequence[Row]) -> str:
        """Return what tells a suite and its rows from others; empty if nothing is kept, or if a value is not one of JSON."""
        cells = [suite.name, list(suite.expectations), [(row.id, row.line, row.value) for row in rows]]
        try:
            return hashlib.sha256(json.dumps(cells).encode()).hexdigest() if self._code else ""
        except TypeError:
            return ""

    def write(self) -> None:
        """Keep the results of this build, and no others, for the next one."""
        if self._file:
            write_text(self._file, json.dumps({"code": self._code, "results": self._now}, sort_keys=True) + "\n")


def _is_passed(result: Mapping[str, Any], suite: Suite) -> bool:
    """Tell whether a result, which somebody may have edited, is that of rows which pass all of a suite."""
    try:
        counts = [outcome["result"]["unexpected_count"] for outcome in result["results"] if outcome["success"] is True]
        return result["success"] is True and counts == [0] * len(suite.expectations)
    except (KeyError, TypeError):
        return False


def _code() -> str:
    """Return the digest of what decides whether rows pass: the modules, the rules, and the versions of the packages."""
    digest = hashlib.sha256()
    for folder in (PACKAGE, RULES):
        for path in sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc"):
            digest.update(f"{path.relative_to(folder).as_posix()} {path.stat().st_size}\n".encode() + path.read_bytes())
    versions = sorted(f"{package.name} {package.version}" for package in distributions())
    return hashlib.sha256("\n".join([digest.hexdigest(), sys.version, *versions]).encode()).hexdigest()


def validate(suite: Suite, paths: Sequence[Path], passed: Passed | None = None) -> Validation:
    """Return the validation of files by a suite with Great Expectations, which is loaded with the first one: that takes seconds.

    Args:
        passed: what rows have passed before, and need not be shown again.

    Raises:
        PipelineError: a file cannot be read.
        RuntimeError: a check raised an exception.
    """
    start = time.perf_counter()
    rows = suite.read(paths)
    result = (passed or Passed()).result(suite, rows)
    failures = []
    for name, outcome in zip(suite.expectations, result["results"], strict=True):
        if not outcome["result"]:  # Great Expectations catches what a check raises
            message = _exception(outcome["exception_info"])
            raise RuntimeError(f"{suite.name}/{name} could not be checked: {message}")
        values, places = outcome["result"]["unexpected_list"], outcome["result"]["unexpected_index_list"]
        for value, place in zip(values, places, strict=True):
            failures.append(Failure(name, rows[place["index"]], value["reason"]))
    return Validation(suite, count(rows), tuple(failures), time.perf_counter() - start, result)


def _exception(info: Mapping[str, Any]) -> str:
    """Return the message of an exception, which Great Expectations keeps in the dictionary itself or in one per metric."""
    messages = [
        entry["exception_message"]
        for entry in (info, *info.values())
        if isinstance(entry, Mapping) and entry.get("exception_message")
    ]
    return "; ".join(dict.fromkeys(messages)) or "no reason given"


@dataclass(frozen=True)
class Report:
    """A validation as its page shows it.

    Attributes:
        number: its place among the validations, from 1.
        paths: the files, as they were named.
    """

    number: int
    validation: Validation
    paths: Sequence[str]

    @property
    def name(self) -> str:
        """The name of its files, without the suffix."""
        return _file_name(self.number, self.validation.suite)

    @property
    def failed(self) -> Mapping[str, Sequence[Failure]]:
        """The failures of each expectation that is not met."""
        return self.validation.failed()


def documents(suites: Iterable[Suite], validations: Sequence[tuple[Validation, Sequence[Path]]]) -> dict[str, str]:
    """Return the files on validations, by name."""
    from .expectations import stored

    files = _pages(validations) | {f"suites/{suite.name}.json": _json(stored(suite)) for suite in suites}
    summary = []
    for number, (validation, paths) in enumerate(validations, 1):
        name = _file_name(number, validation.suite)
        result = _lasting(validation.result)
        files[f"results/{name}.json"] = _json(result)
        summary.append(
            {key: result[key] for key in ("success", "suite_name", "statistics")}
            | {"file": f"{name}.json", "paths": [path.as_posix() for path in paths]}
        )
        if validation.failures:
            files[f"{name}.tsv"] = _table(validation)
    failed = sum(not entry["success"] for entry in summary)
    statistics = {
        "evaluated_validations": len(summary),
        "successful_validations": len(summary) - failed,
        "unsuccessful_validations": failed,
        "success_percent": 100 * (len(summary) - failed) / len(summary) if summary else None,
    }
    checkpoint = {"success": not failed, "statistics": statistics, "validation_results": summary}
    return files | {"results/checkpoint.json": _json(checkpoint)}


def _file_name(number: int, suite: Suite) -> str:
    """Return the name of the files on a validation, without the suffix."""
    return f"{number:02}-{suite.name}"


def _pages(validations: Sequence[tuple[Validation, Sequence[Path]]]) -> dict[str, str]:
    """Return ``index.html`` and a page for each validation, by file name.

    Great Expectations' own pages load styles, scripts and icons from the network and contain the time of the run; these do not.
    """
    environment = page_environment()
    reports = [
        Report(number, validation, [visible(path.as_posix()) for path in paths])
        for number, (validation, paths) in enumerate(validations, 1)
    ]
    index = environment.get_template("core/validation/index.html.j2").render(
        reports=reports, folders=_by_folder(reports), severity_of=severity_of
    )
    page = environment.get_template("core/validation/page.html.j2")
    return {"index.html": index} | {
        f"{report.name}.html": page.render(report=report, severity_of=severity_of) for report in reports
    }


def _by_folder(reports: Sequence[Report]) -> dict[str, dict[str, list[Report]]]:
    """Return the reports by the folder that was validated and, in it, by their files; a folder within another belongs to that."""
    first = {report.number: Path(report.paths[0]) for report in reports}
    folders = {path.parent if path.suffix else path for path in first.values()}
    groups: dict[str, dict[str, list[Report]]] = {}
    for report in reports:
        outermost = min(
            (folder for folder in folders if first[report.number].is_relative_to(folder)),
            key=lambda folder: len(folder.parts),
        )
        files = groups.setdefault(outermost.as_posix(), {})
        files.setdefault(", ".join(report.paths), []).append(report)
    return groups


def _table(validation: Validation) -> str:
    """Return the failing rows as a table, safe to open in a spreadsheet."""
    return tsv_text(
        COLUMNS,
        (
            [
                one_line(cell)
                for cell in (row.path.as_posix(), str(row.line), row.id, name, severity_of(name), failure.reason)
            ]
            for name, failures in validation.failed().items()
            for failure in failures
            for row in (failure.row,)
        ),
    )


def _lasting(result: Mapping[str, Any]) -> dict[str, Any]:
    """Return a result without what differs from run to run: times, and the names of batches in memory."""
    results = []
    for outcome in result["results"]:
        config = outcome["expectation_config"]
        kwargs = {name: value for name, value in config["kwargs"].items() if name != "batch_id"}
        results.append(outcome | {"expectation_config": config | {"kwargs": kwargs}})
    version = result["meta"]["great_expectations_version"]
    return dict(result) | {"results": results, "meta": {"great_expectations_version": version}}


def _json(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, indent=2, sort_keys=True)
    return (
        text.encode("utf-8", "backslashreplace").decode() + "\n"
    )  # half a character, of a file's name, as an escape of JSON


def outdated(folder: Path, names: Collection[str], suites: Iterable[Suite]) -> list[Path]:
    """Return the files of an earlier run in a folder that are not among those with these names."""
    ours = re.compile(rf"(?:results/)?\d\d+-(?:{'|'.join(suite.name for suite in suites)})\.(?:html|tsv|json)")
    present = [path.relative_to(folder).as_posix() for pattern in PATTERNS for path in folder.glob(pattern)]
    return [folder / name for name in present if ours.fullmatch(name) and name not in names]
