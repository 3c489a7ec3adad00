"""A defect in a random field of a random derived row is found by the comparison with what its stage would write again."""

import re
import shutil
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from pipeline.core.validation.derivation import Derived, compare, difference, equal
from pipeline.core.validation.suite import Row
from pipeline.release.derivation import derive
from pipeline.release.validation.folder import read_release
from pipeline.release.validation.rows import derive_release
from tests.support.artifacts import read, write

TRIES = 1000
#: What a reason says besides what it expects: what was found, or that a field is missing; an unknown field is named with its record.
_SAYS = re.compile(r"found|missing|^\[\w+(\.\w+)+\] unknown field; ")
#: What no stage derives, by the name of a file: what people wrote, what only trees tell, what a corpus gave.
GIVEN: dict[str, tuple[str, ...]] = {
    "decisions.jsonl": ("votes", "uncertain"),
    "rejected.jsonl": ("findings.evidence.pattern", "findings.evidence.words"),
    "modifications.jsonl": ("type", "reason", "question", "gloss"),
    "analysis.jsonl": ("gloss", "kind", "role", "register", "pmi", "genders"),
    "counts.jsonl": ("count", "windows"),
    "provenance.jsonl": ("disputed", "adjudication"),
}
#: What the main rows of a release have besides what follows: the item that a person wrote, and its analysis.
WRITTEN = [
    "id",
    "schema",
    "version",
    "lang",
    "text",
    "target",
    "candidates",
    "answer",
    "question",
    "source",
    "note",
    "gloss",
    "kind",
    "role",
    "register",
    "genders",
    "pmi_candidates",
    "pmi_reference",
    "modification",
    "original_text",
]
#: Files from which their own rows, or those of others, are derived: they are damaged on disk.
SOURCES = ("decisions.jsonl", "rejected.jsonl", "modifications.jsonl", "analysis.jsonl", "counts.jsonl",
           "double.jsonl", "single.jsonl")  # fmt: skip
Place = tuple[Any, ...]


def entries(builds: Path) -> Iterator[tuple[Path, Derived]]:
    """Yield the folder and the expected rows of each derived file of small builds and their releases that has rows."""
    for name in ("zh", "en", "de", "zp-report"):
        for entry in derive(builds / name):
            if isinstance(entry, Derived) and entry.path.exists() and read(entry.path):
                yield builds / name, replace(entry, rows=list(entry.rows))
    for name in ("zh", "de", "zp-report"):
        for entry in derive_release(read_release(builds / "release" / name)):
            if isinstance(entry, Derived) and entry.path.exists() and entry.path.stem not in ("readings", "rejected"):
                yield builds / "release" / name, replace(entry, rows=list(entry.rows))


def places(value: Any, place: Place = ()) -> Iterator[Place]:
    """Yield the place of a value and of each value inside."""
    yield place
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from places(value[key], (*place, key))


def name_of(place: Place) -> str:
    return ".".join(part for part in place if isinstance(part, str))


def damaged(value: Any, random: Random) -> Any:
    """Return another value of the same kind."""
    match value:
        case bool():
            return not value
        case int() | float():
            return value + random.choice((-1, 1))
        case str():
            at = random.randrange(len(value) + 1)
            return random.choice((f"{value[:at]}甲{value[at:]}", f"{value[:at]}{value[at + 1 :]}x"))
        case list():
            return random.choice((value[1:] or ["甲"], [*value, *(value[:1] or [0])]))
        case dict():
            rest = dict(list(value.items())[1:])
            return random.choice((rest or {"甲": 1}, {**value, "checked": True}))
    return "甲"


def with_damage(rows: list[Any], given: tuple[str, ...], random: Random) -> tuple[str, list[Any]]:
    """Return the name of a random field of a random row, and the rows with another value there."""
    number = random.randrange(len(rows))
    free = [place for place in places(rows[number]) if place and not name_of(place).startswith(given)]
    if not free:
        return "", rows
    place = random.choice(free)
    copy = [*rows[:number], deepcopy(rows[number]), *rows[number + 1 :]]
    inside = copy[number]
    for key in place[:-1]:
        inside = inside[key]
    inside[place[-1]] = damaged(inside[place[-1]], random)
    return f"row {number + 1}, {'.'.join(map(str, place))}", copy


def reasons(entry: Derived | Row) -> list[str]:
    """Return what is wrong with the rows of a file."""
    rows = [entry] if isinstance(entry, Row) else compare(entry) if entry.path.exists() else []
    return [reason for row in rows if (reason := difference(row.value))]


@pytest.fixture(scope="module")
def copy_of(builds: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the builds whose files may be damaged."""
    return Path(shutil.copytree(builds, tmp_path_factory.mktemp("planted"), dirs_exist_ok=True))


def test_a_defect_in_a_random_field_of_a_random_derived_row_is_found(
    builds: Path, copy_of: Path, forms_once: None, capsys: pytest.CaptureFixture[str]
) -> None:
    random, files = Random(27), list(entries(builds))
    found, missed = 0, []
    tables = {entry.path: list(entry.reader(entry.path.read_text(encoding="utf-8"), entry.path)) for _, entry in files}
    while found + len(missed) < TRIES:
        folder, entry = random.choice(files)
        lines = tables[entry.path]
        main = entry.expectation in ("zero", "record-fields") and "release" in entry.path.parts
        given = tuple(WRITTEN) if main else GIVEN.get(entry.path.name, ())
        place, rows = with_damage([row for _, row in lines], given, random)
        if all(map(equal, rows, (row for _, row in lines))):
            continue
        if entry.path.name in SOURCES and "release" not in entry.path.parts:
            path = copy_of / entry.path.relative_to(builds)
            write(path, rows, like=read(entry.path))
            told = next(
                (told for other in derive(copy_of / folder.relative_to(builds)) if (told := reasons(other))), []
            )
            shutil.copy(entry.path, path)
        else:
            numbered = [(line, row) for (line, _), row in zip(lines, rows, strict=True)]
            told = reasons(replace(entry, reader=lambda *_, numbered=numbered: numbered))
        if told and all("expected" in reason and _SAYS.search(reason) for reason in told):
            found += 1
        else:
            missed.append(f"{entry.path.relative_to(builds)}: {place}: {told[:1]}")
    with capsys.disabled():
        print(f"\nplanted defects found: {found} of {TRIES}, in {len(files)} files")
    assert missed == []
