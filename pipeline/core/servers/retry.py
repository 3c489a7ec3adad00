"""Retry what a server fails to do: which failures are temporary, how long to wait, when to give up, whom to tell.

A caller turns a failure that another attempt may overcome into a `TemporaryFailure` (see `is_temporary` and `retry_after`), catches
it around each attempt, and calls `Retries.wait`.
"""

import email.utils
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC

from ..errors import PipelineError

#: Seconds before the second attempt, the third, and so on; after the last one the command gives up.
WAITS = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0)
#: Longest wait in seconds that a server may ask for; beyond it the command ends and tells the user.
LONGEST = 300.0
#: Statuses below 500 that may be temporary: Request Timeout, Too Early, Too Many Requests.
_TEMPORARY = frozenset({408, 425, 429})


class TemporaryFailure(Exception):  # noqa: N818 - not an error yet: another attempt may succeed
    """A call failed in a way that another attempt may overcome.

    Args:
        reason: what happened.
        wait: seconds that the server asks to wait; None if it does not say.
    """

    def __init__(self, reason: str, wait: float | None = None) -> None:
        super().__init__(reason)
        self.wait = wait


def _show_nothing(name: str, done: int, total: int) -> None:
    """Ignore progress."""


@dataclass(frozen=True, slots=True)
class Progress:
    """Callbacks that report progress.

    Args:
        tell: receives a line for the user.
        pause: waits a number of seconds.
        show: receives the name of a part, such as a file, and how much of it is done and there is in all, such as bytes.
    """

    tell: Callable[[str], None]
    pause: Callable[[float], None] = time.sleep
    show: Callable[[str, int, int], None] = _show_nothing


def is_temporary(status: int) -> bool:
    """Tell whether an HTTP status is temporary: 408, 425, 429 or 5xx."""
    return status in _TEMPORARY or status >= 500


def retry_after(headers: Mapping[str, str], now: float | None = None) -> float | None:
    """Return the seconds that ``Retry-After`` asks to wait (RFC 9110, section 10.2.3).

    >>> retry_after({"retry-after": "120"}), retry_after({"Retry-After": "soon"})
    (120.0, None)
    >>> retry_after({"Retry-After": "Thu, 01 Jan 1970 00:01:30 GMT"}, now=60.0)
    30.0

    Args:
        headers: of a response; the case of the names does not matter.
        now: seconds since the epoch; None for the clock's.

    Returns:
        At least 0; None without the header, or where it is neither a number of seconds nor a date.
    """
    value = next((text for name, text in headers.items() if name.lower() == "retry-after"), "").strip()
    if re.fullmatch("[0-9]{1,9}", value):
        return float(value)
    try:
        moment = email.utils.parsedate_to_datetime(value)
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        return max(0.0, moment.timestamp() - (time.time() if now is None else now))
    except (ValueError, OverflowError):
        return None


class Retries:
    """Counts failures in a row and waits between attempts."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._failures = 0

    def reset(self) -> None:
        """Forget the failures, because something succeeded since."""
        self._failures = 0

    def wait(self, error: TemporaryFailure) -> None:
        """Report a failure and wait until the next attempt.

        Raises:
            PipelineError: too many failures in a row, or the server asks to wait longer than `LONGEST`.
        """
        self._failures += 1
        if self._failures > len(WAITS):
            reason = (
                f"[server] given up after {self._failures} attempts; found {error}; run the same command again later"
            )
            raise PipelineError(None, None, f"{reason}, it continues from there")
        seconds = max(WAITS[self._failures - 1], error.wait or 0.0)
        if seconds > LONGEST:
            reason = f"[server] asks to wait {seconds:g} s; found {error}; run the same command again after that"
            raise PipelineError(None, None, f"{reason}, it continues from there")
        self._progress.tell(f"{error}; next attempt in {seconds:g} s")
        self._progress.pause(seconds)
