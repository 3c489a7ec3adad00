"""Measure the effort of a computation by what it does, not by seconds."""

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any


def operations(run: Callable[[], object]) -> int:
    """Return how many operations of Python's virtual machine a call takes; what C functions do counts as one each."""
    count = 0

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal count
        frame.f_trace_opcodes = True
        frame.f_trace_lines = False
        count += event == "opcode"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        run()
    finally:
        sys.settrace(before)
    return count
