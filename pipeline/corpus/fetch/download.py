"""Downloads that go on where they were cut off."""

import contextlib
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ...core.errors import PipelineError
from .http import Interrupted, Session, ask, body
from .partial import Partial
from .ranges import Changed, answered, asking

#: Seconds before the second attempt, the third, and so on; after the last there is none.
WAITS = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0)
#: What a server asks for beyond this is left to the user.
LONGEST = 300.0
#: As many bytes more than ever before make a failure the first again: a long download survives many, and still ends.
_ENOUGH = 1 << 20


@dataclass(frozen=True, slots=True)
class Watch:
    """Who is told how it goes.

    Args:
        tell: takes a line for the user.
        show: takes the name of a file, how many of its bytes are done, and of how many.
        pause: waits so many seconds.
    """

    tell: Callable[[str], None]
    show: Callable[[str, int, int], None]
    pause: Callable[[float], None] = time.sleep


def download(url: str, final: Path, watch: Watch, limit: int = sys.maxsize) -> Partial:
    """Return the part that has become the whole file; it has not yet its name, nor is it verified.

    Args:
        url: http or https.
        final: the name it shall have; ``NAME.part`` beside it is gone on with.
        watch: hears of each attempt.
        limit: the largest size in bytes that is taken.

    Raises:
        PipelineError: what no other attempt mends, or too many failed. What has come is kept.
    """
    partial = Partial(final)
    failures, mark = 0, partial.size()
    with Session() as session:
        while True:
            try:
                _go_on(session, url, partial, watch, limit)
                return partial
            except Interrupted as error:
                size = partial.size()
                failures += 1
                if size >= mark + _ENOUGH:
                    failures, mark = 1, size
                wait = _wait(url, partial, error, failures)
                watch.tell(f"{url}: {error}; {size} bytes are here, next attempt in {wait:g} s")
                watch.pause(wait)


def _wait(url: str, partial: Partial, error: Interrupted, failures: int) -> float:
    """Return how long to wait before the next attempt, or raise what ends them."""
    kept = f"{partial.size()} bytes are kept in {partial.path}, and the next run goes on from there"
    if failures > len(WAITS):
        raise PipelineError(None, None, f"[network] given up after {failures} attempts; found {error} at {url}; {kept}")
    wait = max(WAITS[failures - 1], error.wait or 0.0)
    if wait > LONGEST:
        reason = f"[network] the server asks for patience; found {error} at {url}, run again in {wait:g} s; {kept}"
        raise PipelineError(None, None, reason)
    return wait


def _go_on(session: Session, url: str, partial: Partial, watch: Watch, limit: int) -> None:
    """Make one attempt at the rest."""
    version = partial.version()
    offset = partial.size() if version else 0
    if version and offset and offset == version.size:
        return
    with contextlib.closing(ask(session, url, asking(offset, version))) as response:
        try:
            found = answered(response.status_code, response.headers, offset, version)
        except Changed as error:
            partial.discard()
            raise Interrupted(f"{error}, so what had come was thrown away") from error
        if found.version.size > limit:
            reason = f"[length] too long; found {found.version.size} bytes at {url}, expected {limit} at most"
            raise PipelineError(None, None, reason)
        if not found.start:
            if offset:
                why = "does not resume" if found.version == version else "has another file now"
                watch.tell(f"{url}: the server {why}; begun again, {offset} bytes thrown away")
            partial.begin(found.version)
        partial.add(body(response), found.version, lambda done, size: watch.show(partial.final.name, done, size))
    if partial.size() < found.version.size:
        raise Interrupted("the server sent less than all")
