"""Derive the files of a report again, from its sample."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from ...core.errors import PipelineError, shown
from ...core.files import from_json, read_text, to_json
from ...core.records import text_field
from ...core.validation.derivation import Derived, fault, words_of
from ...core.validation.suite import Row
from .files import report_files

#: The file of a report that says what it was made from.
OPTIONS = "options.json"
EXPECTATIONS: Mapping[str, str] = {
    "report": "A report has the files that its sample gives, line by line, and no others."
}


@dataclass(frozen=True, slots=True)
class Options:
    """What a report was made from.

    Attributes:
        sample: the folder of the sample, relative to that of the report.
        baseline: the system that the others are tested against.
    """

    sample: str
    baseline: str


def options_of(sample: Path, out: Path, baseline: str) -> Options:
    """Return the options of a report that is written to a folder."""
    return Options(Path(os.path.relpath(sample.resolve(), out.resolve())).as_posix(), baseline)


def options_to_json(options: Options) -> str:
    """Return the text of `OPTIONS`."""
    return to_json({"sample": options.sample, "baseline": options.baseline}) + "\n"


def read_options(path: Path) -> Options:
    """Return the options in a file.

    Raises:
        PipelineError: the file is malformed.
    """
    try:
        value = from_json(read_text(path))
        if not isinstance(value, dict):
            raise ValueError(f"[json] wrong kind; found {shown(value)}, expected an object")
        return Options(text_field(value, "sample"), text_field(value, "baseline"))
    except ValueError as error:
        raise PipelineError(path, 1, str(error)) from error


def derive_report(folder: Path) -> Iterator[Derived | Row]:
    """Yield the files of a report as they would be written again; nothing for a folder without `OPTIONS`.

    Raises:
        PipelineError: the options or the sample are malformed.
    """
    if not (folder / OPTIONS).exists():
        return
    options = read_options(folder / OPTIONS)
    files, _ = report_files(folder / options.sample, options.baseline)
    for name, text in files.items():
        if not (folder / name).exists():
            yield fault("report", folder / name, None, name, "missing file; found none, expected one: run make build")
            continue
        yield Derived("report", folder / name, [row for _, row in words_of(text, folder)], reader=words_of)
    known = {*files, OPTIONS}
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        name = path.relative_to(folder).as_posix()
        if name not in known:
            yield fault("report", path, None, name, "no such file of a report; found one, expected none")
