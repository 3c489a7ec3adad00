"""Run the suites on the published collections, and compare what they find with the list of defects.

`python -m tools.false_alarms` prints a table: the rows that each suite checked, its findings, how many of them are listed in
rules/validation/defects.tsv, and how many are not: those are false alarms, or defects to list. It prints what is listed and no
longer found, too. Exit 1 if there is any of either.
"""

import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from pipeline.cli import application
from pipeline.core.validation.rows import members_of
from pipeline.core.validation.suite import Failure, Value
from pipeline.release.gate import ARTIFACTS, SUITES
from pipeline.winograd.validation.labels import LABELS
from tools.defects import SUITE, Defect, read_defects
from tools.published import data_folder


@dataclass(frozen=True, slots=True)
class Collection:
    """A published collection: its file in the folder of the data, and how to read it."""

    file: str
    format: str = ""
    lang: str = ""


_PWS = ("en", "hu", "fr", "por", "por2", "man", "jap", "jap2", "rus")
COLLECTIONS: Mapping[str, Collection] = {
    **{f"pws-{column}": Collection("pws/pws.tsv", "pws-tsv", column) for column in _PWS},
    "wsc": Collection("wsc/WSCollection.xml", "wsc-xml"),
    "xwinograd": Collection("xwinograd/dataset.tsv", "xwinograd-tsv"),
    "cluewsc": Collection("cluewsc/dev_0.json", "cluewsc-jsonl"),
    "winogender": Collection("winogender/templates.tsv"),
    "winopron": Collection("winopron/data.zip"),
}
#: The files that `instantiate` makes of templates.
_SENTENCES = ("double.jsonl", "single.jsonl")
_PLACE = re.compile(r"(?:PWS idx|XWINO line|WSC|CLUEWSC line) (\d+)")


@dataclass(frozen=True, slots=True)
class Result:
    """What a suite found in a file of a collection, and the findings that no row of the list names."""

    collection: str
    suite: str
    file: str
    rows: int
    failures: Sequence[Failure]
    unlisted: Sequence[Failure]


def numbers_in(value: Value, line: int) -> set[int]:
    """Return the numbers of the records that a value is about, as their sources tell, or the line of a template."""
    members = members_of(value) or [value]
    places = [_PLACE.match(str(member.get("source", ""))) for member in members]
    return {int(place[1]) for place in places if place} or {line}


def ingested(data: Path, name: str, folder: Path) -> tuple[Path, Path]:
    """Read a collection as `winoforge ingest` does; return the file of its items and that of the skipped records."""
    entry = COLLECTIONS[name]
    items, skipped = folder / f"{name}.jsonl", folder / f"{name}.skipped.jsonl"
    lang = ["--lang", entry.lang] if entry.lang else []
    outputs = ["--out", str(items), "--skipped", str(skipped)]
    _run("ingest", str(data / entry.file), "--format", entry.format, *lang, *outputs)
    return items, skipped


def artifacts(data: Path, name: str, folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield each suite that applies to a collection, with the file that it checks."""
    entry = COLLECTIONS[name]
    if entry.format:
        items, _ = ingested(data, name, folder)
        yield from ((suite.name, items) for suite in (*ARTIFACTS["items.jsonl"], LABELS))
        return
    yield "templates", data / entry.file
    _run("instantiate", str(data / entry.file), "--out", str(folder / name))
    for file in _SENTENCES:
        if (folder / name / file).exists():
            yield from ((suite.name, folder / name / file) for suite in ARTIFACTS[file])


def results(data: Path, name: str, defects: Iterable[Defect], folder: Path) -> list[Result]:
    """Return the results of all suites on a collection."""
    listed: dict[str, set[int]] = {}
    for defect in defects:
        if defect.collection == name:
            listed.setdefault(defect.finding, set()).update(defect.numbers)
    outcomes = []
    for suite, path in artifacts(data, name, folder):
        validation = SUITES[suite].check([path])
        unlisted = [
            failure
            for failure in validation.failures
            if not numbers_in(failure.row.value, failure.row.line) & listed.get(f"{suite}/{failure.check}", set())
        ]
        outcomes.append(Result(name, suite, path.name, validation.rows, validation.failures, unlisted))
    return outcomes


def not_found(name: str, defects: Iterable[Defect], checked: Iterable[Result]) -> list[Defect]:
    """Return the defects of a collection that a suite should find, by the list, and does not."""
    places: dict[str, set[int]] = {}
    for result in checked:
        for failure in result.failures:
            numbers = numbers_in(failure.row.value, failure.row.line)
            places.setdefault(f"{result.suite}/{failure.check}", set()).update(numbers)
    return [
        defect
        for defect in defects
        if (defect.collection, defect.how) == (name, SUITE)
        and not {*defect.numbers} <= places.get(defect.finding, set())
    ]


def _run(*arguments: str) -> None:
    """Run a command of winoforge, which may exit 1 for the findings that it prints, without its output."""
    from typer.testing import CliRunner

    outcome = CliRunner().invoke(application(), list(arguments))
    if outcome.exit_code not in (0, 1):
        raise SystemExit(f"winoforge {' '.join(arguments)}: {outcome.output}{outcome.exception}")


def main() -> int:
    """Print the table, and what is not in the list or no longer found; return the exit status."""
    data, defects = data_folder(), read_defects()
    heads = ("collection", "suite", "file", "rows", "findings", "real", "false")
    print("{:12} {:15} {:18} {:>6} {:>9} {:>5} {:>6}".format(*heads))
    lines, totals = [], [0, 0, 0]
    with TemporaryDirectory() as folder:
        for name in COLLECTIONS:
            checked = results(data, name, defects, Path(folder))
            for result in checked:
                failures, false = len(result.failures), len(result.unlisted)
                totals = [totals[0] + failures, totals[1] + failures - false, totals[2] + false]
                print(
                    f"{name:12} {result.suite:15} {result.file:18} {result.rows:6} {failures:9} {failures - false:5} {false:6}"
                )
                lines += [f"not in the list: {result.suite}/{str(failure)[:300]}" for failure in result.unlisted]
            lost = not_found(name, defects, checked)
            lines += [f"listed, not found: {name} {defect.rows}: {defect.finding}" for defect in lost]
    print(f"{'all':12} {'':15} {'':18} {'':6} {totals[0]:9} {totals[1]:5} {totals[2]:6}")
    print("\n".join(lines), file=sys.stderr, end="\n" if lines else "")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
