"""Work on hostile input that must end: stopped when it takes far longer than any machine needs for the work done well."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

#: Processor seconds: what is tried takes one or two of them on a slow machine, and the square of its length minutes or hours.
HANGING = 30


@contextmanager
def stopped_when_hanging() -> Iterator[None]:
    """Raise `AssertionError` in the body when it has taken `HANGING` seconds of processor time."""

    def stop(signum: int, frame: FrameType | None) -> None:
        raise AssertionError(f"not ended after {HANGING} s of processor time")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, HANGING)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
