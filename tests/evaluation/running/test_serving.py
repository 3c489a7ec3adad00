"""A real model in a process of its own, which ends with its block and with its parent."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from pipeline.evaluation.asking import ask
from pipeline.evaluation.gguf import has_template, served
from tests.support.models import smollm

PARENT = """
import sys, time
from pathlib import Path
from pipeline.evaluation.gguf import served
with served(Path(sys.argv[1])) as address:
    print(address, flush=True)
    time.sleep(600)
"""


def ended(address: str) -> bool:
    """Tell whether a server ends within some seconds."""
    for _ in range(100):
        try:
            urlopen(f"{address}/models", timeout=5).close()
        except (URLError, ConnectionError):
            return True
        time.sleep(0.05)
    return False


def test_a_real_model_answers_and_its_server_ends(tmp_path: Path) -> None:
    model = smollm()
    with pytest.raises(RuntimeError, match="stop"), served(model) as address:
        name, base = f"openai-api/local/{model.stem}", address
        (reply,) = ask(["What is the capital of France? One word."], name, tmp_path / "a", base_url=base)
        raise RuntimeError("stop")
    assert "Paris" in reply.text
    assert reply.prompt_tokens is not None and reply.prompt_tokens > 10
    assert reply.answer_tokens is not None and 0 < reply.answer_tokens <= 128
    assert ended(address)


def test_the_server_ends_with_a_killed_parent() -> None:
    with subprocess.Popen([sys.executable, "-c", PARENT, str(smollm())], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        os.kill(process.pid, signal.SIGKILL)
    assert ended(address)


def test_a_base_model_has_no_template(tmp_path: Path) -> None:
    assert has_template(smollm())
    base = tmp_path / "base.gguf"
    base.write_bytes(b"GGUF")
    assert not has_template(base)
