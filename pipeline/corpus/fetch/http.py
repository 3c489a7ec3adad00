"""One request to a server of dumps."""

import re
import time
from collections.abc import Iterator, Mapping
from email.utils import parsedate_to_datetime
from importlib.metadata import version
from urllib.parse import urljoin, urlsplit

import requests
import urllib3

from ... import __version__
from ...core.errors import PipelineError
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


class Interrupted(Exception):  # noqa: N818 - no error yet: another attempt may mend it
    """What another attempt may mend; `wait` is how many seconds the server asks for, if it does."""

    def __init__(self, reason: str, wait: float | None = None) -> None:
        super().__init__(reason)
        self.wait = wait


class Session(requests.Session):
    """Follows no redirect, nor reads its body: `ask` decides where it may lead."""

    def get_redirect_target(self, resp: requests.Response) -> str | None:  # noqa: ARG002 - the package's signature
        """Return None, whatever the server says."""
        return None


def ask(session: Session, url: str, headers: Mapping[str, str]) -> requests.Response:
    """Return the answer, its body not yet read, after at most `REDIRECTS` redirects: its status is 200, 206 or 416.

    Raises:
        Interrupted: no answer, or one that says to come again (408, 429, 5xx).
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
    """Yield the body as it comes over the line; one that ends before its length is `Interrupted`."""
    try:
        yield from response.raw.stream(_CHUNK, decode_content=False)
    except (urllib3.exceptions.HTTPError, OSError) as error:
        raise Interrupted(_why(error)) from error


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


def retry_after(value: str | None, now: float) -> float | None:
    """Return how many seconds from `now` (of the epoch) a server asks to wait (RFC 9110, section 10.2.3), if it does.

    >>> retry_after("120", 0.0), retry_after("Thu, 01 Jan 1970 00:01:30 GMT", 60.0), retry_after("soon", 0.0)
    (120.0, 30.0, None)
    """
    if value is None:
        return None
    if re.fullmatch(r"[0-9]{1,9}", value.strip()):
        return float(value)
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - now)
    except (ValueError, OverflowError):
        return None


def _get(session: Session, url: str, headers: Mapping[str, str]) -> requests.Response:
    try:
        return session.get(url, headers={**_HEADERS, **headers}, stream=True, allow_redirects=False, timeout=TIMEOUT)
    except requests.exceptions.SSLError as error:
        if "CERTIFICATE_VERIFY_FAILED" in str(error):
            reason = f"[certificate] does not hold; found {_why(error)}, expected {url} to prove who it is"
            raise PipelineError(None, None, reason) from error
        raise Interrupted(_why(error)) from error
    except (requests.ConnectionError, requests.Timeout) as error:
        raise Interrupted(_why(error)) from error
    except (requests.RequestException, ValueError) as error:
        raise PipelineError(None, None, f"[url] cannot be asked for; found {url}: {_why(error)}") from error


def _refusal(response: requests.Response, url: str) -> Exception:
    status = response.status_code
    if status in (408, 429) or status >= 500:
        return Interrupted(f"status {status}", retry_after(response.headers.get("Retry-After"), time.time()))
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
