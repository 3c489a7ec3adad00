"""One request for a file, or for the rest of it, to a server of dumps."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import version as package_version
from urllib.parse import urljoin, urlsplit

import requests
import urllib3

from ... import __version__
from ...core.errors import PipelineError
from ...core.servers.retry import TemporaryFailure, is_temporary, retry_after
from .dump_files import ORIGIN

#: Maximum number of redirects.
REDIRECTS = 5
#: Seconds to connect, and seconds of silence, after which an attempt has failed.
TIMEOUT = (15.0, 60.0)
#: Number of bytes read at once.
_CHUNK = 1 << 16
#: The content must not be packed: a packed body would have other offsets than the file.
_HEADERS = {
    "User-Agent": f"winoforge/{__version__} python-requests/{package_version('requests')}",
    "Accept-Encoding": "identity",
}
_STRONG_ETAG = re.compile(r'"[\x21\x23-\x7e]{1,200}"')
_HTTP_DATE = re.compile(r"[A-Za-z]{3}, [0-9A-Za-z :]{20,30}")
_LENGTH = re.compile(r"[0-9]{1,15}")
_RANGE = re.compile(r"bytes ([0-9]{1,15})-([0-9]{1,15})/([0-9]{1,15})")


@dataclass(frozen=True, slots=True)
class Version:
    """A version of a file on a server: its size in bytes, with its ETag or else its date of change, if it has one."""

    size: int
    validator: str | None


class FileChanged(TemporaryFailure):
    """The server has another version than the one of which a part is here."""


class Session(requests.Session):
    """A session that neither follows redirects nor reads their bodies; `request_file` checks where they lead."""

    def get_redirect_target(self, resp: requests.Response) -> str | None:  # noqa: ARG002 - the package's signature
        """Return None."""
        return None


def request_file(session: Session, url: str, offset: int, version: Version | None) -> requests.Response:
    """Request a file from `offset` on, following at most `REDIRECTS` redirects; the body is not read yet.

    Args:
        session: the session.
        url: http or https.
        offset: the first byte wanted; with 0 all of the file.
        version: the version of which the bytes before `offset` are a part.

    Returns:
        A response of status 200, 206 or 416.

    Raises:
        TemporaryFailure: no answer, or a temporary refusal (see `is_temporary`).
        PipelineError: any other status, a redirect that is not allowed, a certificate that is not valid.
    """
    at, headers = url, _HEADERS | range_headers(offset, version)
    for _ in range(REDIRECTS + 1):
        response = _get(session, at, headers)
        if response.status_code in (200, 206, 416):
            return response
        response.close()
        if response.status_code not in (301, 302, 303, 307, 308):
            raise _refusal(response, at)
        at = redirect_target(at, response.headers.get("Location", ""))
    reason = f"[redirect] too many redirects; found {REDIRECTS + 1} from {url}, expected {REDIRECTS} at most"
    raise PipelineError(None, None, reason)


def range_headers(offset: int, version: Version | None) -> dict[str, str]:
    """Return the headers that request a file from `offset` on, if it still has that version."""
    if not offset or version is None:
        return {}
    condition = {"If-Range": version.validator} if version.validator else {}
    return {"Range": f"bytes={offset}-"} | condition


def redirect_target(url: str, location: str) -> str:
    """Return the address to which a redirect leads.

    Raises:
        PipelineError: it leads nowhere, to a scheme other than http and https, or from https to http.
    """
    allowed = ("https",) if urlsplit(url).scheme == "https" else ("http", "https")
    try:
        target = urljoin(url, location) if location else ""
        fits = urlsplit(target).scheme in allowed and bool(urlsplit(target).hostname)
    except ValueError:
        fits = False
    if not fits:
        reason = f"[redirect] not allowed; found {location!r} from {url}, expected {' or '.join(allowed)}"
        raise PipelineError(None, None, reason)
    return target


def _get(session: Session, url: str, headers: Mapping[str, str]) -> requests.Response:
    try:
        return session.get(url, headers=headers, stream=True, allow_redirects=False, timeout=TIMEOUT)
    except requests.exceptions.SSLError as error:
        if "CERTIFICATE_VERIFY_FAILED" in str(error):
            reason = f"[certificate] not valid; found {_cause(error)}, expected {url} to prove its identity"
            raise PipelineError(None, None, reason) from error
        raise TemporaryFailure(_cause(error)) from error
    except (requests.ConnectionError, requests.Timeout) as error:
        raise TemporaryFailure(_cause(error)) from error
    except (requests.RequestException, ValueError) as error:
        raise PipelineError(None, None, f"[url] cannot be requested; found {url}: {_cause(error)}") from error


def _refusal(response: requests.Response, url: str) -> Exception:
    status = response.status_code
    if is_temporary(status):
        return TemporaryFailure(f"status {status}", retry_after(response.headers))
    if status in (404, 410):
        why = f"Wikimedia keeps a dump for some months and takes days to make one; see {ORIGIN}/ or use an older mirror"
        return PipelineError(None, None, f"[url] no such file; found status {status} at {url}; {why}")
    return PipelineError(None, None, f"[status] refused; found {status} at {url}, expected 200")


def _cause(error: BaseException) -> str:
    """Return in one line the error of the system around which packages have wrapped others."""
    chain = [error]
    while (inner := chain[-1].__cause__ or chain[-1].__context__) and inner not in chain:  # causes can form a ring
        chain.append(inner)
    return " ".join(str(chain[-1]).split()) or type(chain[-1]).__name__


def read_body(response: requests.Response) -> Iterator[bytes]:
    """Yield the body in chunks.

    Raises:
        TemporaryFailure: it ends before its length.
    """
    try:
        yield from response.raw.stream(_CHUNK, decode_content=False)
    except (urllib3.exceptions.HTTPError, OSError) as error:
        raise TemporaryFailure(_cause(error)) from error


def body_start(status: int, headers: Mapping[str, str], offset: int, version: Version | None) -> tuple[int, Version]:
    """Return the byte at which a body begins, and the version of the file.

    Args:
        status: 200, 206 or 416.
        headers: the headers; the case of their names does not matter.
        offset: the first byte requested, 0 for all of the file.
        version: the version of which the bytes before `offset` are a part.

    Raises:
        FileChanged: the server has another version now.
        PipelineError: the body is not what was requested, or the server does not say how long it is.
    """
    if status == 416:
        raise FileChanged(f"the server has no byte {offset}")
    if status == 200:
        length = headers.get("Content-Length", "")
        if not _LENGTH.fullmatch(length):
            reason = f"unknown length; found {length!r}, expected a Content-Length: a truncated file would look whole"
            raise PipelineError(None, None, f"[length] {reason}")
        return 0, Version(int(length), validator_of(headers))
    content_range = headers.get("Content-Range", "")
    match = _RANGE.fullmatch(content_range)
    first, last, size = map(int, match.groups()) if match else (-1, -1, -1)
    if version is None or not offset or first != offset or not first <= last < size:
        expected = f"'bytes {offset}-…'" if offset else "all of the file, with status 200"
        reason = f"[range] not the range requested; found {content_range!r}, expected {expected}"
        raise PipelineError(None, None, reason)
    if size != version.size:
        raise FileChanged(f"the file has {size} bytes now, it had {version.size}")
    if version.validator and (now := validator_of(headers)) and now != version.validator:
        raise FileChanged("the file has changed on the server")
    return offset, version


def validator_of(headers: Mapping[str, str]) -> str | None:
    """Return what distinguishes versions of a file: a strong ETag, because If-Range takes no weak one, or else a date.

    A malformed header is ignored: it is sent back with every later request, which `requests` refuses if it holds a line end.
    """
    etag, date = headers.get("ETag", ""), headers.get("Last-Modified", "")
    if _STRONG_ETAG.fullmatch(etag):
        return etag
    return date if _HTTP_DATE.fullmatch(date) else None
