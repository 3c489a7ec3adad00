"""Fetch a dump into a folder, verified, with a record of its files."""

import contextlib
import fcntl
import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from ...core.checksums import Digests, digests_of
from ...core.errors import PipelineError
from ...core.files import parse_jsonl, read_text, write_jsonl
from ...core.servers.retry import Progress
from .download import download, set_aside, writing
from .dump_files import Dump, parse_sums

_TYPES = {"name": str, "size": int, "sha1": str, "sha256": str, "url": str}
#: Maximum size in bytes of a list of digests; many times that of the largest wiki.
_SUMS_LIMIT = 1 << 24


@dataclass(frozen=True, slots=True)
class FetchedFile:
    """A row of the record; `url` is None if the file was already in the folder."""

    name: str
    size: int
    sha1: str
    sha256: str
    url: str | None


def read_record(path: Path) -> dict[str, FetchedFile]:
    """Read the rows of a record by file name; none if there is no record yet.

    Raises:
        PipelineError: a line is not a row.
    """
    rows = {}
    for number, value in parse_jsonl(read_text(path), path) if path.exists() else ():
        types = {key: type(cell) for key, cell in value.items()}
        if types not in (_TYPES, {**_TYPES, "url": type(None)}):
            reason = f"[record] not a row; found {', '.join(value)}, expected {', '.join(_TYPES)}"
            raise PipelineError(path, number, reason)
        rows[value["name"]] = FetchedFile(**value)
    return rows


def fetch(
    dump: Dump, folder: Path, mirror: str, sums_server: str, pins: Mapping[str, str], progress: Progress
) -> list[FetchedFile]:
    """Fetch the index, the dump itself and the list of digests; a file gets its final name once its digest is verified.

    No server is asked if all files are there and agree with the list beside them.

    Args:
        dump: the dump.
        folder: the folder, created if it is missing.
        mirror: the server of the files, with Wikimedia's layout.
        sums_server: the server of the list of digests, so that a mirror need not vouch for itself.
        pins: SHA-1 by file name, known from elsewhere; the list must have the same.
        progress: callbacks.

    Returns:
        The rows of the record, sorted by name.

    Raises:
        PipelineError: a file cannot be fetched (see `download`), or does not have its digest.
    """
    with _locked(folder):
        names = (dump.index, dump.articles)
        present = {name: _digests(folder / name, progress) for name in names if (folder / name).is_file()}
        sums, sums_url = _present_sums(folder / dump.sums), None
        if any(name not in present or present[name].sha1 != sums.get(name) for name in names):
            sums_url = dump.url(sums_server, dump.sums)
            sums = _fetch_sums(sums_url, folder / dump.sums, progress)
        _check_sums(folder / dump.sums, names, sums, pins)
        rows = read_record(folder / dump.record)
        _add_row(rows, dump.sums, _digests(folder / dump.sums, progress), sums_url)
        for name in names:
            digests, url = present.get(name), None
            if digests is None or digests.sha1 != sums[name]:
                if digests is not None:
                    bad = set_aside(folder / name, folder / name)
                    reason = f"[sha1] not the file of the dump; found {digests.sha1}, expected {sums[name]}"
                    progress.tell(f"{folder / name}: {reason}; renamed to {bad.name}, fetching it again")
                url = dump.url(mirror, name)
                digests = _fetch_file(url, folder / name, sums[name], progress)
            _add_row(rows, name, digests, url)
            # after each file: the next may fail, and a later run does not know where this one came from
            write_jsonl(folder / dump.record, (asdict(rows[name]) for name in sorted(rows)))
        return [rows[name] for name in sorted(rows)]


def _add_row(rows: dict[str, FetchedFile], name: str, digests: Digests, url: str | None) -> None:
    """Add a row; without `url` the file was there, and an old row with its digest still says where it came from."""
    old = rows.get(name)
    if url is None and old is not None and old.sha256 == digests.sha256:
        url = old.url
    rows[name] = FetchedFile(name, digests.size, digests.sha1, digests.sha256, url)


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Keep other runs out of the folder, which would write into the same parts. The lock ends with the process."""
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        handle = os.open(folder, os.O_RDONLY)
    try:
        with contextlib.suppress(OSError):  # some network file systems lock no folder
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise PipelineError(folder, None, "[folder] in use; found another run that fetches into it") from None
        yield
    finally:
        os.close(handle)


def _present_sums(path: Path) -> dict[str, str]:
    """Return the list of an earlier run; empty if there is none or it is malformed."""
    try:
        return parse_sums(read_text(path), path)
    except PipelineError:
        return {}


def _fetch_sums(url: str, path: Path, progress: Progress) -> dict[str, str]:
    """Fetch the current list; it grows while a dump is made."""
    partial = download(url, path, progress, _SUMS_LIMIT)
    try:
        sums = parse_sums(read_text(partial.path), partial.path)
    except PipelineError:
        partial.discard()
        raise
    partial.keep()
    return sums


def _check_sums(path: Path, names: tuple[str, ...], sums: Mapping[str, str], pins: Mapping[str, str]) -> None:
    for name in names:
        if name not in sums:
            reason = (
                f"[sha1] {name} not listed; found {len(sums)} other files: the dump is not finished, or has other names"
            )
            raise PipelineError(path, None, reason)
        if pins.get(name, sums[name]) != sums[name]:
            reason = f"[sha1] {name} is not the file you named; found {sums[name]}, expected {pins[name]}"
            raise PipelineError(path, None, reason)


def _fetch_file(url: str, path: Path, sha1: str, progress: Progress) -> Digests:
    partial = download(url, path, progress)
    digests = _digests(partial.path, progress)
    if digests.sha1 != sha1:
        bad = set_aside(partial.path, path)
        partial.discard()
        reason = f"not the file of {url}; found {digests.sha1}, expected {sha1}; the next run fetches it again"
        raise PipelineError(bad, None, f"[sha1] {reason}")
    partial.keep()
    return digests


def _digests(path: Path, progress: Progress) -> Digests:
    return digests_of(path, lambda done, size: progress.show(f"{path.name} (check)", done, size))
