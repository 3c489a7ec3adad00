"""The suite for releases, the folders that users download."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ...core.validation.derivation import checks_of
from ...core.validation.suite import Check, Row, Suite, limited
from .files import FILES, LICENCES, file_rows, licence_row
from .folder import Release, read_release, releases_in
from .rows import ROWS, data_rows
from .texts import TEXTS, text_rows


def release_rows(paths: Sequence[Path]) -> list[Row]:
    """Return the rows of release folders: their files, licences and texts, and each of their records.

    Raises:
        PipelineError: a folder is no release, or a file of it is malformed.
    """
    return [row for path in releases_in(paths) for row in _rows(read_release(path))]


def _rows(release: Release) -> Iterator[Row]:
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
