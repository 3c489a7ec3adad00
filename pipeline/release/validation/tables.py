"""What must be true of each data file of a release: its two formats are equal, and no row is doubled or of other columns."""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from ...core.errors import plural, shown
from ...core.validation.derivation import difference, equal, fault, id_of
from ...core.validation.rows import list_of, text_of
from ...core.validation.suite import Check, Row, Value
from ...evaluation.folder import Lines
from .folder import Release

if TYPE_CHECKING:
    import pyarrow

#: Reports what differs between the two formats.
FORMATS = "formats-agree"


def table_rows(release: Release) -> Iterator[Row]:
    """Yield a row for each data file, and one for each difference between its two formats."""
    for name in release.data:
        path = release.path / f"data/{name}.jsonl"
        if path.is_file():
            lines = release.lines(name)
            rows = [row for _, row in lines]
            yield Row(f"{release.name}/{name}", path, 1, {"artifact": "table", "rows": rows, "lines": lines})
            table = release.table(name)
            if table is not None:
                yield from _differences(release, name, lines, table)


def _differences(release: Release, name: str, lines: Lines, table: "pyarrow.Table") -> Iterator[Row]:
    path, file = release.path / f"data/{name}.jsonl", f"data/{name}.parquet"
    expected = _columns([row for _, row in lines])
    actual = _types(table)
    if expected and actual != expected:
        other, there = next(pair for pair in zip_longest(actual, expected) if pair[0] != pair[1])
        reason = f"columns of {file}; found {_column(other)}, expected {_column(there)}"
        yield fault(FORMATS, path, 1, f"{release.name}/{name}", reason)
    last = 1
    for line, row, stored in zip_longest(*zip(*lines, strict=True), table.to_pylist()) if lines else ():
        last = line or last
        if not equal(stored, row):
            problem = difference({"found": stored, "expected": row})
            yield fault(FORMATS, path, last, id_of(row or stored) or f"line {last}", f"in {file}, {problem}")
    if not lines and table.num_rows:
        yield fault(FORMATS, path, 1, f"{release.name}/{name}", f"found {plural(table.num_rows, 'row')} in {file} only")


def _columns(rows: list[dict[str, Any]]) -> list[tuple[str, str]]:
    """Return name and type of the columns that rows have as Parquet; none if they fit no table."""
    import pyarrow

    try:
        return _types(pyarrow.Table.from_pylist(rows))
    except (pyarrow.ArrowException, OverflowError):
        return []


def _types(table: "pyarrow.Table") -> list[tuple[str, str]]:
    """Return name and type of the columns; files and memory name the elements of a list differently."""
    return [(column.name, str(column.type).replace("<element: ", "<item: ")) for column in table.schema]


def _column(column: tuple[str, str] | None) -> str:
    return f"{column[0]} ({column[1]})" if column else "none"


def not_empty(value: Value) -> str:
    """A configuration has rows."""
    return "" if value["rows"] else "found an empty file, expected at least one row"


def unique_rows(value: Value) -> str:
    """No row occurs twice, by its id or, without an id, by its content."""
    seen: dict[str, int] = {}
    for line, row in value["lines"]:
        key = str(row.get("id", row))
        if key in seen:
            return f"found {shown(key)} in lines {seen[key]} and {line}, expected it once"
        seen[key] = line
    return ""


def unique_texts(value: Value) -> str:
    """No two items have the same text and target."""
    seen: dict[tuple[str, str], str] = {}
    for row in list_of(value, "rows", dict):
        if "target" in row and "candidates" in row:
            key = (text_of(row, "text"), str(row["target"]))
            if key in seen:
                return f"found the same text in {seen[key]} and {shown(row.get('id'))}: {shown(key[0])}"
            seen[key] = shown(row.get("id"))
    return ""


def same_columns(value: Value) -> str:
    """All rows have the same fields, in the same order."""
    usual = Counter(map(tuple, value["rows"])).most_common(1)
    for line, row in value["lines"]:
        if tuple(row) != usual[0][0]:
            return f"{id_of(row)} in line {line}; found {_fields(row)}, expected {_fields(dict.fromkeys(usual[0][0]))}"
    return ""


def _fields(row: Mapping[str, Any]) -> str:
    return shown(", ".join(row))


TABLES: dict[str, Check] = {
    "configuration-not-empty": not_empty,
    "unique-rows": unique_rows,
    "unique-texts": unique_texts,
    "same-columns": same_columns,
}
