"""The suite of releases, the folders that users download: their files and licences here, texts and rows in modules of their own."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ...core.errors import shown
from ...core.validation.derivation import checks_of
from ...core.validation.rows import text_of
from ...core.validation.suite import Check, Row, Suite, Value, limited
from ..sources import declared_licence, identifier_fault, text_fault
from .folder import LICENCE, Release, read_release, releases_in
from .rows import ROWS, data_rows
from .texts import TEXTS, text_rows


def file_rows(release: Release) -> Iterator[Row]:
    """Yield a row for each file that is in a release, that its checksums list, or that it must have."""
    faults = dict(release.faults)
    for name in sorted({*release.entries, *faults, *release.files}):
        value = {
            "artifact": "file",
            "name": name,
            "expected": name in release.files,
            "kind": release.entries.get(name),
            "fault": faults.get(name, ""),
        }
        yield Row(f"{release.name}/{name}", release.path / name, 1, value)


def licence_row(release: Release) -> Row:
    """Return the row of the licence: its name on the card, its text, and the text that it must have, if that is known."""
    named = text_of(release.metadata, "license")
    value = {
        "artifact": "licence",
        "named": named,
        "text": release.text(LICENCE),
        "own": declared_licence(release.path, release.source) if release.source else None,
        "declared": release.source.licence if release.source else named,
    }
    return Row(f"{release.name}/{LICENCE}", release.path / LICENCE, 1, value)


def checksums_hold(value: Value) -> str:
    """Every file has the checksum in SHA256SUMS; none is missing, not listed or listed twice."""
    return text_of(value, "fault")


def complete(value: Value) -> str:
    """No file of a release is missing."""
    return "found no such file, expected one" if value["expected"] and value["kind"] is None else ""


def known_files(value: Value) -> str:
    """There are only the plain files that a release has: no other file, folder or link."""
    if value["kind"] is None:
        return ""
    if value["expected"]:
        return f"found {value['kind']}, expected a plain file" if value["kind"] else ""
    return f"found {value['kind'] or 'a file'} {shown(value['name'])}, expected none of this name"


def licence_known(value: Value) -> str:
    """The card names the declared licence, by a known SPDX identifier."""
    if value["named"].casefold() != value["declared"].casefold():
        return f"found {shown(value['named'])}, expected {value['declared'].lower()}"
    return identifier_fault(value["named"])


def licence_included(value: Value) -> str:
    """LICENSE has the text of the licence that the card names."""
    if value["own"] is not None:
        return "" if value["text"] == value["own"] else f"found {shown(value['text'])}, expected {shown(value['own'])}"
    return text_fault(value["named"], value["text"])


FILES: dict[str, Check] = {"checksums-hold": checksums_hold, "complete": complete, "known-files": known_files}
LICENCES: dict[str, Check] = {"licence-known": licence_known, "licence-included": licence_included}


def release_rows(paths: Sequence[Path]) -> list[Row]:
    """Return the rows of release folders: their files, licences and texts, and each of their records."""
    return [row for path in releases_in(paths) for row in rows_of(read_release(path))]


def rows_of(release: Release) -> Iterator[Row]:
    """Yield the rows of a release folder; see `release_rows`."""
    yield from file_rows(release)
    yield licence_row(release)
    yield from text_rows(release)
    yield from data_rows(release)


def _of(artifact: str, checks: Mapping[str, Check]) -> dict[str, Check]:
    """Return checks that look at the rows of one kind only."""
    return {name: limited(artifact, check.__doc__ or "", check) for name, check in checks.items()}


RELEASES = Suite(
    "releases",
    "release folders (build/release/NAME)",
    release_rows,
    {**_of("file", FILES), **_of("licence", LICENCES), **checks_of({**TEXTS, **ROWS})},
    unique=False,
    may_be_empty=True,
)
