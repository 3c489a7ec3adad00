"""Fetch a dump from Wikimedia or a mirror: verified by its list of digests, continued where it was cut off, with a record."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

import requests
import urllib3
from requests.adapters import HTTPAdapter

from .. import __version__
from ..core.checksums import Digests, digests_of
from ..core.convert import read_records, write_records
from ..core.errors import PipelineError
from ..core.files import read_text, write_text
from ..core.servers import Progress
from .dumps import ORIGIN, Dump, parse_sums

#: Seconds to connect, and seconds of silence after which an attempt has failed.
TIMEOUT = (15.0, 60.0)
#: How a request is repeated that a server does not answer, or answers with a status that may pass: after 0, 2, 4, 8 and 16 seconds,
#: or after what the server asks for, a minute at most.
RETRY = urllib3.Retry(
    total=5,
    backoff_factor=1,
    status_forcelist=(408, 425, 429, 500, 502, 503, 504),
    retry_after_max=60,
    raise_on_status=False,
)
#: What the two packages raise where a connection fails.
_FAILURES = (requests.RequestException, urllib3.exceptions.HTTPError)
_LATER = "run the same command again later, it continues from there"
#: What to do about a dump that is not there.
_NO_DUMP = f"Wikimedia keeps a dump for some months and takes days to make one; see {ORIGIN}/ or use an older mirror"
#: Number of bytes read at once.
_CHUNK = 1 << 16


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
    return {row.name: row for _, row in read_records(path, FetchedFile)} if path.exists() else {}


def fetch(
    dump: Dump, folder: Path, mirror: str, sums_server: str, pins: Mapping[str, str], progress: Progress
) -> list[FetchedFile]:
    """Fetch the index, the dump itself and the list of digests; a file gets its final name once its digest is verified.

    No server is asked if all files are there and agree with the list beside them.

    Args:
        folder: the folder, created if it is missing.
        mirror: the server of the files, with Wikimedia's layout.
        sums_server: the server of the list of digests, so that a mirror need not vouch for itself.
        pins: SHA-1 by file name, known from elsewhere; the list must have the same.

    Returns:
        The rows of the record, sorted by name.

    Raises:
        PipelineError: a file cannot be fetched (see `download`), or does not have its digest.
    """
    files, sums_path, record = (dump.index, dump.articles), folder / dump.sums, folder / dump.record
    present = {file: digests(folder / file, progress) for file in files if (folder / file).is_file()}
    sums = parse_sums(read_text(sums_path), sums_path) if sums_path.exists() else {}
    rows = read_record(record)

    def keep(file: str, digests: Digests, url: str | None) -> None:
        old = rows.get(file)
        if url is None and old is not None and old.sha256 == digests.sha256:
            url = old.url
        rows[file] = FetchedFile(file, digests.size, digests.sha1, digests.sha256, url)
        write_records(record, (rows[file] for file in sorted(rows)))

    with open_session() as session:
        url = None
        if any(file not in present or present[file].sha1 != sums.get(file) for file in files):
            url = dump.url(sums_server, dump.sums)
            text = _fetch_text(session, url)
            sums = parse_sums(text, sums_path)
            write_text(sums_path, text)
        _require_sums(sums_path, files, sums, pins)
        keep(dump.sums, digests(sums_path, progress), url)
        for file in files:
            if file not in present:
                url = dump.url(mirror, file)
                keep(file, fetch_file(session, url, folder / file, "sha1", sums[file], progress, _NO_DUMP), url)
            elif present[file].sha1 == sums[file]:
                keep(file, present[file], None)
            else:
                reason = f"not the file of the dump; found {present[file].sha1}, expected {sums[file]}"
                raise PipelineError(folder / file, None, f"[sha1] {reason}; move it away and run again")
    return [rows[file] for file in sorted(rows)]


def _require_sums(path: Path, files: tuple[str, ...], sums: Mapping[str, str], pins: Mapping[str, str]) -> None:
    """Refuse a list that lacks a file, or has another digest for it than the user knows from elsewhere."""
    for file in files:
        if file not in sums:
            reason = f"{file} not listed; found {len(sums)} other files: the dump is not finished, or has other names"
            raise PipelineError(path, None, f"[sha1] {reason}")
        if pins.get(file, sums[file]) != sums[file]:
            reason = f"[sha1] {file} is not the file you named; found {sums[file]}, expected {pins[file]}"
            raise PipelineError(path, None, reason)


def digests(path: Path, progress: Progress) -> Digests:
    """Return the digests of a file; `progress` shows how far that is."""
    return digests_of(path, lambda done, size: progress.show(f"{path.name} (check)", done, size))


# --- downloads --------------------------------------------------------------------------------------------------------


def open_session() -> requests.Session:
    """Return a session that repeats failed requests; files come unpacked, so that their offsets are those of the file."""
    session = requests.Session()
    session.headers.update({"User-Agent": f"winoforge/{__version__}", "Accept-Encoding": "identity"})
    for scheme in ("http://", "https://"):
        session.mount(scheme, HTTPAdapter(max_retries=RETRY))
    return session


def _fetch_text(session: requests.Session, url: str) -> str:
    try:
        with _response(session, url, {}, _NO_DUMP) as response:
            return response.text
    except _FAILURES as error:
        raise _unreachable(url, error) from error


def fetch_file(
    session: requests.Session,
    url: str,
    path: Path,
    algorithm: Literal["sha1", "sha256"],
    expected: str,
    progress: Progress,
    way_out: str,
) -> Digests:
    """Download a file; give it its name if it has the expected digest, else delete it.

    Raises:
        PipelineError: see `download`; or the file has another digest.
    """
    part = path.with_name(f"{path.name}.part")
    download(session, url, part, progress, way_out)
    found = digests(part, progress)
    digest = found.sha1 if algorithm == "sha1" else found.sha256
    if digest != expected:
        part.unlink()
        reason = f"[{algorithm}] not the expected file; found {digest} at {url}, expected {expected}"
        raise PipelineError(None, None, f"{reason}; deleted, the next run fetches it again")
    part.replace(path)
    return found


def download(session: requests.Session, url: str, part: Path, progress: Progress, way_out: str = "") -> None:
    """Download a file, behind the bytes that an earlier run left in `part`; it is not verified yet.

    A connection that is cut off is opened again as long as each one brings new bytes.

    Args:
        way_out: what to do if the server has no such file, for the message.

    Raises:
        PipelineError: the server cannot be reached, refuses the file, or sends nothing more; the disk is full. The bytes are kept.
    """
    try:
        part.parent.mkdir(parents=True, exist_ok=True)
        while True:
            size = part.stat().st_size if part.exists() else 0
            try:
                _download_rest(session, url, part, size, progress, way_out)
                return
            except _FAILURES as error:
                received = part.stat().st_size if part.exists() else 0
                if received <= size:
                    raise _unreachable(url, error) from error
                progress.tell(f"{url}: the connection was cut off; continuing behind {received} bytes")
    except OSError as error:
        reason = f"[file] cannot be written; {error.strerror or error}; the bytes here are kept, run the command again"
        raise PipelineError(part, None, reason) from error


def _download_rest(
    session: requests.Session, url: str, part: Path, size: int, progress: Progress, way_out: str
) -> None:
    with _response(session, url, {"Range": f"bytes={size}-"} if size else {}, way_out) as response:
        if response.status_code == 416:  # there is nothing behind the part; its digest tells whether it is the file
            return
        start = response.headers.get("Content-Range", "").partition("-")[0]
        done = size if response.status_code == 206 and start == f"bytes {size}" else 0
        total = done + int(response.headers.get("Content-Length", 0))
        with part.open("ab" if done else "wb") as stream:
            # read1 returns what has arrived; read would lose it where the connection is cut off
            while chunk := response.raw.read1(_CHUNK, decode_content=False):
                stream.write(chunk)
                done += len(chunk)
                progress.show(part.stem, done, total)
            stream.flush()
            os.fsync(stream.fileno())  # before it gets its final name


@contextmanager
def _response(
    session: requests.Session, url: str, headers: Mapping[str, str], way_out: str
) -> Iterator[requests.Response]:
    """Yield the answer of a server, of which the body is not read yet.

    Raises:
        PipelineError: it refuses the file, or redirects from https to http, where anybody could answer.
    """
    with session.get(url, headers=dict(headers), stream=True, timeout=TIMEOUT) as response:
        visited = [hop.url for hop in (*response.history, response)]
        if urlsplit(url).scheme == "https" and any(urlsplit(address).scheme != "https" for address in visited):
            raise PipelineError(None, None, f"[redirect] not allowed; found {visited[-1]} from {url}, expected https")
        if response.status_code in (404, 410):
            reason = f"[url] no such file; found status {response.status_code} at {url}"
            raise PipelineError(None, None, f"{reason}; {way_out}")
        if response.status_code not in (200, 206, 416):
            reason = f"[server] no file; found status {response.status_code} at {url}, expected 200"
            raise PipelineError(None, None, f"{reason}; {_LATER}")
        yield response


def _unreachable(url: str, error: Exception) -> PipelineError:
    """Return the error of a server that does not answer, with the cause around which packages have wrapped others."""
    cause: BaseException = error
    for _ in range(9):  # causes can form a ring
        cause = cause.__cause__ or cause.__context__ or cause
    found = " ".join(str(cause).split()) or type(cause).__name__
    reason = f"[server] cannot be reached; found {found}, expected {url}; {_LATER}"
    return PipelineError(None, None, reason)
