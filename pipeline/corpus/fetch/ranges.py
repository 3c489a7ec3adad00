"""What a server's answer says of the part of a file that it sends (RFC 9110, sections 13.1.5 and 14)."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from ...core.errors import PipelineError
from .http import Interrupted

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


class Changed(Interrupted):
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
