"""The suite `experiment`: a built experiment is what its inputs and its setting give again."""

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import Path

from ...core.convert import to_object
from ...core.errors import PipelineError
from ...core.files import read_bytes
from ...core.validation.derivation import Derived, checks_of, compare, fault, fault_of, reader_of, table_of
from ...core.validation.suite import Row, Suite, Value
from ..browser.files import KEY, KEY_COLUMNS, OPTIONS, PSYCHOPY, build_again, key_row, trial_of
from ..browser.records import TRIALS

_EXPECTATIONS = {
    "built-again": "The inputs in options.json are there as they were, and give an experiment.",
    "trials": "Each list shows the trials that its layout has, in their order.",
    "key": "The key has the right answer, the pair, the place and the register of each trial.",
    "files": "The page, the conditions for PsychoPy, options.json and README.md are those of the layout, byte for byte.",
}


def experiments(paths: Sequence[Path]) -> list[Row]:
    """Return the rows of folders that `experiment build` wrote: one for each trial, each key and each other file."""
    return [row for path in paths for row in _rows(path)]


def _rows(folder: Path) -> Iterator[Row]:
    try:
        layout, files = build_again(folder)
    except PipelineError as error:
        yield fault_of("built-again", folder / OPTIONS, error)
        return
    trials = [to_object(trial_of(placed, layout.options)) for placed in layout.placed]
    keys = table_of(KEY_COLUMNS, map(key_row, layout.placed))
    derived = [
        Derived("trials", folder / TRIALS, trials, _place),
        Derived("key", folder / KEY, keys, _place, reader_of(KEY_COLUMNS)),
    ]
    for entry in derived:
        try:
            yield from compare(entry)
        except PipelineError as error:
            yield fault_of(entry.expectation, entry.path, error)
    for name, data in files.items():
        if name not in (TRIALS, KEY):
            yield _compare_file(folder, name, data)
    for path in sorted(folder.glob(f"{PSYCHOPY}/*")):
        if (name := path.relative_to(folder).as_posix()) not in files:
            yield fault("files", path, 1, name, "unknown file; found one, expected none")


def _place(row: Value) -> str:
    return f"list {row.get('list')}, position {row.get('position')}"


def _compare_file(folder: Path, name: str, expected: bytes) -> Row:
    """Return the row of a file, which has the first line that differs."""
    path = folder / name
    try:
        actual = read_bytes(path)
    except PipelineError as error:
        return fault_of("files", path, error)
    lines = zip_longest(actual.splitlines(keepends=True), expected.splitlines(keepends=True), fillvalue=b"")
    for line, (found, wanted) in enumerate(lines, 1):
        if found != wanted:
            sides = {"found": {"line": found.decode(errors="replace")}, "expected": {"line": wanted.decode()}}
            return Row(name, path, line, {"artifact": "files"} | sides)
    return Row(name, path, 1, {"artifact": "files"})


EXPERIMENT = Suite(
    "experiment",
    "experiments with people (build/experiment)",
    experiments,
    checks_of(_EXPECTATIONS),
    unique=False,
    may_be_empty=True,
)
