"""Read GGUF files faster with transformers: the tests of models spend most of their time there."""

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest


def read_gguf_once(patch: pytest.MonkeyPatch) -> None:
    """Let transformers read a GGUF file once in a process, and make its table of names once.

    It would read it for tokenizer, configuration and weights each, in each module of tests. SmolLM2 takes 6.4 seconds of computing so,
    and 3.0 from its second time on.
    """
    import gguf

    for name, function in _cached().items():
        patch.setattr(gguf, name, function)


@cache
def _cached() -> dict[str, Callable[..., Any]]:
    """Return what reads a file, and what makes the table of names, as they remember their results until the process ends."""
    import gguf

    return {name: cache(getattr(gguf, name)) for name in ("GGUFReader", "get_tensor_name_map")}
