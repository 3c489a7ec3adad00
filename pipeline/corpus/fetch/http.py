"""One request to a server of dumps."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from urllib.parse import urljoin, urlsplit

import requests
import urllib3

from ... import __version__
from ...core.errors import PipelineError
from ...core.retry import TemporaryFailure, is_temporary, retry_after
from .dump_files import ORIGIN

REDIRECTS = 5
#: Seconds to connect, and seconds of silence, after which a server is given up for now.
TIMEOUT = (15.0, 60.0)
_CHUNK = 1 << 16
_HEADERS = {
    "User-Agent": f"winoforge/{__version__} python-requests/{version('requests')}",
    # A packed body would have other offsets than the file.
    "Accept-Encoding": "identity",
}


class Session(requests.Session):
    """Follows no redirect, nor reads its body: `ask` decides where it may lead."""

    def get_redirect_target(self, resp: requests.Response) -> str | None:  # noqa: ARG002 - the package's signature
        """Return None, whatever the server says."""
        return None


def ask(session: Session, url: str, headers: Mapping[str, str]) -> requests.Response:
    """Return the answer, its body not yet read, after at most `REDIRECTS` redirects: its status is 200, 206 or 416.

    Raises:
        TemporaryFailure: no answer, or a temporary refusal (see `is_temporary`).
        PipelineError: any other status, a redirect to where none may lead, a certificate that does not hold.
    """
    at = url
    for _ in range(REDIRECTS + 1):
        response = _get(session, at, headers)
        if response.status_code in (200, 206, 416):
            return response
        response.close()
        if response.status_code not in (301, 302, 303, 307, 308):
            raise _refusal(response, at)
        at = redirected(at, response.headers.get("Location", ""))
    raise PipelineError(
        None, None, f"[redirect] too many; found {REDIRECTS + 1} from {url}, expected {REDIRECTS} at most"
    )


def body(response: requests.Response) -> Iterator[bytes]:
    """Yield the body as it comes over the line; one that ends before its length is `TemporaryFailure`."""
    try:
        yield from response.raw.stream(_CHUNK, decode_content=False)
    except (urllib3.exceptions.HTTPError, OSError) as error:
        raise TemporaryFailure(_why(error)) from error


def redirected(url: str, location: str) -> str:
    """Return where a redirect leads.

    Raises:
        PipelineError: to nowhere, to another scheme than http and https, or from https to http.
    """
    try:
        target = urljoin(url, location) if location else ""
        parts = urlsplit(target)
        allowed = ("https",) if urlsplit(url).scheme == "https" else ("http", "https")
        fit = parts.scheme in allowed and bool(parts.hostname)
    except ValueError:
        fit = False
    if not fit:
        scheme = urlsplit(url).scheme
        expected = "https" if scheme == "https" else "http or https"
        raise PipelineError(None, None, f"[redirect] refused; found {location!r} from {url}, expected {expected}")
    return target


def _get(session: Session, url: str, headers: Mapping[str, str]) -> requests.Response:
    try:
        return session.get(url, headers={**_HEADERS, **headers}, stream=True, allow_redirects=False, timeout=TIMEOUT)
    except requests.exceptions.SSLError as error:
        if "CERTIFICATE_VERIFY_FAILED" in str(error):
            reason = f"[certificate] does not hold; found {_why(error)}, expected {url} to prove who it is"
            raise PipelineError(None, None, reason) from error
        raise TemporaryFailure(_why(error)) from error
    except (requests.ConnectionError, requests.Timeout) as error:
        raise TemporaryFailure(_why(error)) from error
    except (requests.RequestException, ValueError) as error:
        raise PipelineError(None, None, f"[url] cannot be asked for; found {url}: {_why(error)}") from error


def _refusal(response: requests.Response, url: str) -> Exception:
    status = response.status_code
    if is_temporary(status):
        return TemporaryFailure(f"status {status}", retry_after(response.headers))
    if status in (404, 410):
        reason = (
            f"[url] not there; found status {status} at {url}; Wikimedia keeps a dump for some months only, and makes a new "
            f"one for days: {ORIGIN}/ shows which there are, mirrors keep older ones"
        )
        return PipelineError(None, None, reason)
    return PipelineError(None, None, f"[status] refused; found {status} at {url}, expected 200")


def _why(error: BaseException) -> str:
    """Return what the system said of an error that packages have wrapped, in one line."""
    chain = [error]
    while (inner := chain[-1].__cause__ or chain[-1].__context__) is not None and inner not in chain:
        chain.append(inner)
    said = next((one.strerror for one in reversed(chain) if isinstance(one, OSError) and one.strerror), None)
    return " ".join((said or str(chain[-1]) or type(error).__name__).split())


_STRONG = re.compile(r'"[\x21\x23-\x7e]{1,200}"')


_DATE = re.compile(r"[A-Za-z]{3}, [0-9A-Za-z :]{20,30}")


_LENGTH = re.compile(r"[0-9]{1,15}")


_RANGE = re.compile(r"bytes ([0-9]{1,15})-([0-9]{1,15})/([0-9]{1,15})")


@dataclass(frozen=True, slots=True)
class Version:
    """A file on a server as it is now: its size in bytes, with its ETag or else its date of change, if it has one."""

    size: int
    validator: str | None


@dataclass(frozen=True, slots=True)
class Body:
    """Where in which file the first byte of a body stands."""

    start: int
    version: Version


class Changed(TemporaryFailure):
    """What came so far is no part of what the server has now."""


def validator_of(headers: Mapping[str, str]) -> str | None:
    """Return what tells two versions of a file apart: a strong ETag, since If-Range takes no weak one, else a date."""
    etag, date = headers.get("ETag", ""), headers.get("Last-Modified", "")
    if _STRONG.fullmatch(etag):
        return etag
    return date if _DATE.fullmatch(date) else None


def asking(offset: int, version: Version | None) -> dict[str, str]:
    """Return the headers that ask for a file from `offset`; from 0 they ask for all of it."""
    if not offset or version is None:
        return {}
    condition = {} if version.validator is None else {"If-Range": version.validator}
    return {"Range": f"bytes={offset}-", **condition}


def answered(status: int, headers: Mapping[str, str], offset: int, version: Version | None) -> Body:
    """Return what the body is that a server sends when `offset` was asked for, of a `version` known from before.

    Args:
        status: 200, 206 or 416.
        headers: by names whose case does not matter.
        offset: the first byte that was asked for; 0 where all of the file was.
        version: what the bytes before `offset` are of.

    Raises:
        Changed: the server has another file now.
        PipelineError: it sends what nobody asked for, or does not say how much.
    """
    if status == 416:
        raise Changed(f"the server has no byte {offset}")
    if status == 200:
        length = headers.get("Content-Length", "")
        if not _LENGTH.fullmatch(length):
            reason = f"[length] not told; found {length!r}, expected a Content-Length: a file cut off would look whole"
            raise PipelineError(None, None, reason)
        return Body(0, Version(int(length), validator_of(headers)))
    found = headers.get("Content-Range", "")
    match = _RANGE.fullmatch(found)
    first, last, size = map(int, match.groups()) if match else (-1, -1, -1)
    if version is None or not offset or first != offset or not first <= last < size:
        expected = f"'bytes {offset}-…'" if offset else "all of the file, with status 200"
        raise PipelineError(None, None, f"[range] not what was asked for; found {found!r}, expected {expected}")
    if size != version.size:
        raise Changed(f"the file has {size} bytes now, it had {version.size}")
    now = validator_of(headers)
    if version.validator is not None and now is not None and now != version.validator:
        raise Changed("the file has changed on the server")
    return Body(offset, version)
