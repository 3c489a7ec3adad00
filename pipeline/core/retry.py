"""How long to wait for a server that fails."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from .errors import PipelineError

#: Seconds before the second attempt, the third, and so on; after the last there is none.
WAITS = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0)
#: What a server asks for beyond this is left to the user.
LONGEST = 120.0


class TemporaryFailure(Exception):  # noqa: N818 - no error yet: another attempt may mend it
    """A call failed in a way that another attempt may mend.

    Args:
        reason: what happened.
        wait: the seconds that the server asks for.
    """

    def __init__(self, reason: str, wait: float | None = None) -> None:
        super().__init__(reason)
        self.wait = wait


@dataclass(frozen=True, slots=True)
class Progress:
    """Who is told how it goes.

    Args:
        tell: takes a line for the user.
        pause: waits so many seconds.
    """

    tell: Callable[[str], None]
    pause: Callable[[float], None] = time.sleep


class Retries:
    """Counts the failures in a row."""

    def __init__(self, watch: Progress) -> None:
        self._watch = watch
        self._failures = 0

    def moved(self) -> None:
        """Forget the failures: something was done since."""
        self._failures = 0

    def wait(self, error: TemporaryFailure) -> None:
        """Wait until the next attempt.

        Raises:
            PipelineError: there were too many, or the server asks for more than `LONGEST`.
        """
        self._failures += 1
        again = "nothing is lost, run the same command again later"
        if self._failures > len(WAITS):
            reason = f"[server] given up after {self._failures} attempts; found {error}, {again}"
            raise PipelineError(None, None, reason)
        seconds = max(WAITS[self._failures - 1], error.wait or 0.0)
        if seconds > LONGEST:
            reason = f"[server] asks to wait {seconds:g} s; found {error}, {again}"
            raise PipelineError(None, None, reason)
        self._watch.tell(f"{error}; next attempt in {seconds:g} s")
        self._watch.pause(seconds)
