"""Compare the files of a build with what their stages would write again.

A stage's pure function gives the expected rows of a file; `compare` pairs them with the rows of the file. The checks of one suite then
report, for each file, the rows that differ, are missing, or come from nothing.
"""

import codecs
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from math import isclose
from pathlib import Path
from typing import Any

from ..errors import MAX_SHOWN, PipelineError, plural, shown
from ..files import decode, lines_of, parse_jsonl, read_bytes
from ..tables import one_line, parse_table
from .rows import text_of
from .suite import Check, Row, Value, limited

#: Characters shown before the place where two long texts differ.
_BEFORE = 20
#: What no stage writes, by its name.
_NOT_WRITTEN = {"byte order mark": codecs.BOM_UTF8, "carriage return": b"\r"}
#: Stands for a field that is not there.
_NOTHING = object()
#: Reads a file as (line, row).
Reader = Callable[[str, Path], Iterable[tuple[int, Mapping[str, Any]]]]


def id_of(row: Value) -> str:
    """Return the id of a row, or of the item that it was made from."""
    return text_of(row, "id") or text_of(row, "item")


def words_of(text: str, _: Path) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield (line, row) for a list of words, one a line."""
    yield from ((line, {"id": word}) for line, word in enumerate(lines_of(text), 1))


@dataclass(frozen=True, slots=True)
class Derived:
    """A file as its stage would write it again.

    Attributes:
        expectation: the id of the expectation that reports its rows.
        rows: the expected rows, in the order of the file.
    """

    expectation: str
    path: Path
    rows: Iterable[Mapping[str, Any]]
    key: Callable[[Value], str] = id_of  # gives the id of a row
    reader: Reader = parse_jsonl


def table_of(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[dict[str, str]]:
    """Yield the rows of a table as it is read again after `write_tsv`."""
    yield from (dict(zip(columns, map(one_line, row), strict=True)) for row in rows)


def reader_of(columns: Sequence[str]) -> Reader:
    """Return the reader of a table with these columns."""
    return lambda text, path: parse_table(text, path, columns)


def fault(expectation: str, path: Path, line: int | None, name: str, reason: str) -> Row:
    """Return the row of something that cannot be derived again, with the reason."""
    return Row(name, path, line or 1, {"artifact": expectation, "reason": reason})


def fault_of(expectation: str, path: Path, error: PipelineError) -> Row:
    """Return the row of an error that stopped the derivation of a file, at the place of the error if it has one."""
    return fault(expectation, error.path or path, error.line, (error.path or path).name, error.reason)


def odd_bytes(data: bytes, expectation: str, path: Path, name: str) -> Iterator[Row]:
    """Yield the row of a file that has a byte order mark or a carriage return, which no stage writes."""
    if odd := next((odd for odd, mark in _NOT_WRITTEN.items() if mark in data), ""):
        line = data[: data.find(_NOT_WRITTEN[odd])].count(b"\n") + 1
        reason = f"not as its stage writes it; found a {odd}, expected UTF-8 with LF at the ends of lines"
        yield fault(expectation, path, line, name, reason)


def compare(derived: Derived) -> list[Row]:
    """Return a row for each row of a file and for each one that it lacks.

    The value has the row as ``found`` and as ``expected`` where the two differ, None where there is none. Rows are paired by
    their ids; two rows without a partner, at the same place, are one row whose id is wrong.
    """
    path, key = derived.path, derived.key
    data = read_bytes(path)
    actual = list(derived.reader(decode(data, path), path))
    expected = list(derived.rows)
    partners = _pairs([key(row) for _, row in actual], [key(row) for row in expected])
    same = {"artifact": derived.expectation}
    rows: list[Row] = []
    last = -1
    rows += odd_bytes(data, derived.expectation, path, path.name)
    for (line, row), at in zip(actual, partners, strict=True):
        name = key(row) or f"line {line}"
        if at is None:
            rows.append(Row(name, path, line, same | {"found": row, "expected": None}))
        elif at < last:
            reason = f"out of order; found after {key(expected[last])}, expected before it"
            rows.append(fault(derived.expectation, path, line, name, reason))
        else:
            last = at
            is_same = equal(row, expected[at])
            rows.append(Row(name, path, line, same if is_same else same | {"found": row, "expected": expected[at]}))
    lines = {at: line for (line, _), at in zip(actual, partners, strict=True) if at is not None}
    line = 1
    for at, row in enumerate(expected):
        if at in lines:
            line = lines[at]
        else:
            rows.append(Row(key(row), path, line, same | {"found": None, "expected": row}))
    return rows


def _pairs(actual: Iterable[str], expected: Iterable[str]) -> list[int | None]:
    """Return for each found id the place of its partner among the expected ones, or None."""
    places = {key: at for at, key in enumerate(_numbered(expected))}
    partners = [places.get(key) for key in _numbered(actual)]
    free = set(places.values()).difference(partners)
    previous = -1
    for number, partner in enumerate(partners):
        if partner is None and previous + 1 in free:
            partner = partners[number] = previous + 1
        previous = partner if partner is not None else previous
    return partners


def _numbered(names: Iterable[str]) -> Iterator[tuple[str, int]]:
    """Yield each name with how often it has occurred before."""
    counts = Counter[str]()
    for name in names:
        yield name, counts[name]
        counts[name] += 1


def difference(value: Value) -> str:
    """Return how a row that `compare` returned differs from the expected one; empty if it does not."""
    if "reason" in value:
        return str(value["reason"])
    if "found" not in value:
        return ""
    actual, expected = value["found"], value["expected"]
    if actual is None:
        return "missing row; found none, expected one"
    if expected is None:
        return "no such row can be derived; found one, expected none"
    differing = [name for name in {**actual, **expected} if not equal(_at(actual, name), _at(expected, name))]
    if not differing and list(actual) == list(expected):
        return ""
    if not differing:
        return f"other order of fields; found {', '.join(actual)}, expected {', '.join(expected)}"
    field, here, there = _first(differing[0], _at(actual, differing[0]), _at(expected, differing[0]))
    others = f"; {plural(len(differing) - 1, 'other field')} too" if len(differing) > 1 else ""
    return f"{field}; found {excerpt(here, there)}, expected {excerpt(there, here)}{others}"


def checks_of(expectations: Mapping[str, str]) -> dict[str, Check]:
    """Return a check for each expectation, given with what it expects: it fails for the rows of its file that differ."""
    return {name: limited(name, what, difference) for name, what in expectations.items()}


def _at(row: Value, field: str) -> object:
    return row.get(field, _NOTHING)


def equal(actual: object, expected: object) -> bool:
    """Return whether two JSON values are the same, also in kind and in the order of fields.

    Numbers may differ in the last digits, as machines do.
    """
    if isinstance(actual, str):  # most values are texts
        return isinstance(expected, str) and actual == expected
    if isinstance(actual, dict) and isinstance(expected, Mapping):
        return list(actual) == list(expected) and all(equal(actual[name], expected[name]) for name in actual)
    if isinstance(actual, list) and isinstance(expected, list):
        return len(actual) == len(expected) and all(map(equal, actual, expected))
    if isinstance(actual, float) and isinstance(expected, float):
        return isclose(actual, expected, rel_tol=1e-9, abs_tol=1e-12)
    return type(actual) is type(expected) and actual == expected


def _first(field: str, actual: object, expected: object) -> tuple[str, object, object]:
    """Return the first place inside a field where two values differ, as ``field.key.index``, and what is there."""
    if isinstance(actual, dict) and isinstance(expected, dict):
        inside = [(str(name), _at(actual, name), _at(expected, name)) for name in {**actual, **expected}]
    elif isinstance(actual, list) and isinstance(expected, list):
        pairs = zip_longest(actual, expected, fillvalue=_NOTHING)
        inside = [(str(index), *pair) for index, pair in enumerate(pairs)]
    else:
        return field, actual, expected
    name, here, there = next((entry for entry in inside if not equal(entry[1], entry[2])), ("", None, None))
    if not name:  # only the order of the fields differs
        return field, actual, expected
    return _first(f"{field}.{name}", here, there)


def excerpt(value: object, other: object) -> str:
    """Return a value as a message quotes it; of a long text the part where it differs from the other one."""
    if value is _NOTHING:
        return "nothing"
    if not isinstance(value, str) or not isinstance(other, str) or len(value) <= MAX_SHOWN:
        return shown(value)
    pairs = zip(value, other, strict=False)
    same = next((place for place, (here, there) in enumerate(pairs) if here != there), min(len(value), len(other)))
    start = max(0, same - _BEFORE)
    return shown(f"…{value[start:]}"[: MAX_SHOWN + 1]) if start else shown(value)
