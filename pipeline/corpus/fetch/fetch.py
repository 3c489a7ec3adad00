"""A dump of Wikimedia's, brought into a folder."""

import contextlib
import fcntl
import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from ...core.checksums import Digests, digests_of
from ...core.errors import PipelineError
from ...core.files import parse_jsonl, read_text, write_jsonl
from ...core.retry import Progress
from .download import download, put_aside, writing
from .dump_files import Dump, parse_sums

_KINDS = {"name": str, "size": int, "sha1": str, "sha256": str, "url": str}


@dataclass(frozen=True, slots=True)
class Fetched:
    """A file that is whole; `url` is None where another hand than ours put it there."""

    name: str
    size: int
    sha1: str
    sha256: str
    url: str | None


def read_record(path: Path) -> dict[str, Fetched]:
    """Return the rows of a record by name; none where there is no record yet.

    Raises:
        PipelineError: at a line that is no row.
    """
    rows = {}
    if path.exists():
        for number, value in parse_jsonl(read_text(path), path):
            kinds = {key: type(cell) for key, cell in value.items()}
            if kinds not in (_KINDS, {**_KINDS, "url": type(None)}):
                expected = ", ".join(_KINDS)
                raise PipelineError(path, number, f"[record] no row; found {', '.join(value)}, expected {expected}")
            rows[value["name"]] = Fetched(**value)
    return rows


def noted(rows: Mapping[str, Fetched], name: str, found: Digests, url: str | None) -> dict[str, Fetched]:
    """Return the rows with that of a file that has these digests.

    Args:
        rows: what was noted before.
        name: the file's.
        found: its digests.
        url: where it was fetched from just now; None if it was there, so that its old row says it, if it fits.
    """
    old = rows.get(name)
    if url is None and old is not None and old.sha256 == found.sha256:
        url = old.url
    return {**rows, name: Fetched(name, found.size, found.sha1, found.sha256, url)}


def write_record(path: Path, rows: Mapping[str, Fetched]) -> None:
    """Write the rows, sorted by name."""
    write_jsonl(path, (asdict(rows[name]) for name in sorted(rows)))


#: Many times what the largest wiki's list has.
_SUMS_LIMIT = 1 << 24


@dataclass(frozen=True, slots=True)
class Servers:
    """Where the files come from, with where the list of their digests does: a mirror need not vouch for itself."""

    files: str
    sums: str


def fetch(dump: Dump, folder: Path, servers: Servers, pins: Mapping[str, str], watch: Progress) -> list[Fetched]:
    """Bring the index, the dump itself and the list of digests into `folder`; return what is there, sorted by name.

    A file under its final name has the digest of the list, and that of `pins` if it is named there. No server is
    asked if all is there already and agrees with the list kept beside it.

    Args:
        dump: which.
        folder: is made if need be.
        servers: laid out as Wikimedia's.
        pins: SHA-1 by name, known from elsewhere; the list must have the same.
        watch: hears how it goes.

    Raises:
        PipelineError: it cannot be had, or not as the digests say; see `download`.
    """
    with _alone_in(folder):
        names = (dump.index, dump.articles)
        there = {name: _digests(folder / name, watch) for name in names if (folder / name).is_file()}
        sums, sums_url = _kept_sums(folder / dump.sums), None
        if any(name not in there or there[name].sha1 != sums.get(name) for name in names):
            sums_url = dump.url(servers.sums, dump.sums)
            sums = _fetched_sums(sums_url, folder / dump.sums, watch)
        _check(folder / dump.sums, names, sums, pins)
        rows = noted(read_record(folder / dump.record), dump.sums, _digests(folder / dump.sums, watch), sums_url)
        for name in names:
            found, url = there.get(name), None
            if found is None or found.sha1 != sums[name]:
                if found is not None:
                    _out_of_the_way(folder / name, found.sha1, sums[name], watch)
                url = dump.url(servers.files, name)
                found = _fetched(url, folder / name, sums[name], watch)
            rows = noted(rows, name, found, url)
            # After each file, since the next may fail, and later nobody knows where this one came from.
            write_record(folder / dump.record, rows)
        return [rows[name] for name in sorted(rows)]


@contextlib.contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """Keep a second run out of the folder: both would write into the same part. The lock ends with the process."""
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        handle = os.open(folder, os.O_RDONLY)
    try:
        # Some network file systems lock no folder; one user alone is no worse off there.
        with contextlib.suppress(OSError):
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise PipelineError(folder, None, "[folder] in use; found another run that fetches into it") from None
        yield
    finally:
        os.close(handle)


def _kept_sums(path: Path) -> dict[str, str]:
    """Return the list of an earlier run; nothing where there is none of use."""
    try:
        return parse_sums(read_text(path), path)
    except PipelineError:
        return {}


def _fetched_sums(url: str, path: Path, watch: Progress) -> dict[str, str]:
    """Return the list as the server has it now: it grows while a dump is made."""
    partial = download(url, path, watch, _SUMS_LIMIT)
    try:
        sums = parse_sums(read_text(partial.path), partial.path)
    except PipelineError:
        partial.discard()
        raise
    partial.keep()
    return sums


def _check(path: Path, names: tuple[str, ...], sums: Mapping[str, str], pins: Mapping[str, str]) -> None:
    for name in names:
        if name not in sums:
            reason = f"[sha1] no {name} listed; found {len(sums)} other files: the dump is not finished, or differently named"
            raise PipelineError(path, None, reason)
        if pins.get(name, sums[name]) != sums[name]:
            raise PipelineError(
                path, None, f"[sha1] {name} is not the one you named; found {sums[name]}, expected {pins[name]}"
            )


def _fetched(url: str, path: Path, sha1: str, watch: Progress) -> Digests:
    partial = download(url, path, watch)
    found = _digests(partial.path, watch)
    if found.sha1 != sha1:
        bad = partial.put_aside()
        reason = f"[sha1] not the file of {url}; found {found.sha1}, expected {sha1}; put aside here, the next run begins anew"
        raise PipelineError(bad, None, reason)
    partial.keep()
    return found


def _out_of_the_way(path: Path, found: str, expected: str, watch: Progress) -> None:
    with writing(path):
        bad = put_aside(path, path)
    watch.tell(
        f"{path}: [sha1] not the dump's; found {found}, expected {expected}; put aside as {bad.name}, fetched anew"
    )


def _digests(path: Path, watch: Progress) -> Digests:
    return digests_of(path, lambda done, size: watch.show(f"{path.name} (check)", done, size))
