"""spaCy is loaded without torch, which is there for others afterwards."""

import os
import subprocess
import sys
from pathlib import Path

from tests.conftest import ROOT

CODE = """
import sys
from pipeline.language import spacy_parts
assert "torch" not in sys.modules
import torch
print(torch.loaded, spacy_parts.blank("en")("Kim left.").text)
"""


def test_torch_is_not_loaded_with_spacy_and_can_be_loaded_later(tmp_path: Path) -> None:
    (tmp_path / "torch.py").write_text("loaded = True\n", encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)])}
    run = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, env=environment, check=False)
    assert (run.returncode, run.stdout) == (0, "True Kim left.\n"), run.stderr
