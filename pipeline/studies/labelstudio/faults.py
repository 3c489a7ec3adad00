"""What a failed call means: worth another attempt, or the user's to mend."""

import email.utils
from collections.abc import Mapping
from datetime import UTC, datetime
from http import HTTPStatus

from ...core.errors import PipelineError
from ...core.retry import Interrupted
from ...core.secrets import Secret

_AGAIN = frozenset({408, 425, 429})
_QUOTED = 160


def answered(
    url: str, token: Secret, status: int | None, headers: Mapping[str, str], body: object
) -> Interrupted | PipelineError:
    """Return what an answer that is no success means.

    Args:
        url: of the server.
        token: with which it was asked, to be left out.
        status: of the answer.
        headers: its headers.
        body: what it says, as the SDK tells it.
    """
    said = _said(body, token)
    if status in _AGAIN or (status is not None and status >= HTTPStatus.INTERNAL_SERVER_ERROR):
        return Interrupted(f"{url}: status {status}{said}", _retry_after(headers))
    if status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
        reason = (
            f"[{token.variable}] refused by {url}; found status {status}{said}, expected a token that is valid there"
        )
        return PipelineError(None, None, reason)
    if status is not None and HTTPStatus.MULTIPLE_CHOICES <= status < HTTPStatus.BAD_REQUEST:
        reason = f"[url] {url} sends elsewhere; found status {status}, expected the address that answers by itself"
        return PipelineError(None, None, reason)
    return PipelineError(None, None, f"[server] {url} refuses; found status {status}{said}, expected success")


def lost(url: str, error: Exception) -> Interrupted:
    """Return what a connection means that failed: whether the server got the request is not known."""
    return Interrupted(f"{url}: {type(error).__name__}")


def strange(url: str, error: Exception) -> PipelineError:
    """Return what an answer means that the SDK, or we, cannot make anything of."""
    reason = f"[server] {url} answers like no Label Studio; found {type(error).__name__} in what it says"
    return PipelineError(None, None, reason)


def _said(body: object, token: Secret) -> str:
    """Return the server's own words in brackets, if it has any: one line, short, and never the token."""
    words = body.get("detail") if isinstance(body, Mapping) else None
    if isinstance(body, Mapping) and body.get("validation_errors"):
        words = body["validation_errors"]
    if not words:
        return ""
    line = " ".join(str(words).replace(token.value, "…").split())
    line = "".join(one if one.isprintable() else "�" for one in line)
    return f" ({line[:_QUOTED]}{'…' * (len(line) > _QUOTED)})"


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds that a server asks to wait (RFC 9110, 10.2.3): a number of them, or a date."""
    told = next((value for key, value in headers.items() if key.lower() == "retry-after"), "").strip()
    if told.isascii() and told.isdigit():
        return float(told[:9])
    try:
        moment = email.utils.parsedate_to_datetime(told)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())
