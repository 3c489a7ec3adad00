"""The suite for releases, the folders that users download."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path

from ...core.validation.derivation import checks_of
from ...core.validation.suite import Check, Row, Suite, limited
from .card import CARDS, LINES, card_rows
from .files import FILES, LICENCES, file_rows, licence_row
from .folder import Release, read_release, releases_in
from .origins import ORIGIN, REJECTION
from .records import DERIVED, RECORDS, record_rows
from .tables import FORMATS, TABLES, table_rows
from .tasks import TASKS, task_rows


def release_rows(paths: Sequence[Path]) -> list[Row]:
    """Return the rows of release folders: their files, cards and licences, their tables, and each of their records.

    Raises:
        PipelineError: a folder is no release, or a file of it is malformed.
    """
    return [row for path in releases_in(paths) for row in _rows(read_release(path))]


def _rows(release: Release) -> Iterator[Row]:
    yield from file_rows(release)
    yield licence_row(release)
    yield from card_rows(release)
    yield from table_rows(release)
    yield from record_rows(release)
    yield from task_rows(release)


def _of(artifact: str, checks: Mapping[str, Check]) -> dict[str, Check]:
    """Return checks that look at the rows of one kind only."""
    return {name: limited(artifact, check.__doc__ or "", check) for name, check in checks.items()}


_CHECKS = dict(
    chain(
        _of("file", FILES).items(),
        _of("licence", LICENCES).items(),
        _of("card", CARDS).items(),
        _of("line", LINES).items(),
        _of("table", TABLES).items(),
        _of("task", TASKS).items(),
        checks_of({FORMATS: "JSON Lines and Parquet hold the same rows, with the same types.", **DERIVED}).items(),
        _of("record", RECORDS).items(),
        _of("origin", ORIGIN).items(),
        _of("rejected record", REJECTION).items(),
    )
)

RELEASES = Suite(
    "releases", "release folders (build/release/NAME)", release_rows, _CHECKS, unique=False, may_be_empty=True
)
