"""spaCy is loaded without torch, which is there for others afterwards."""

import subprocess
import sys

from tests.conftest import ROOT

CODE = """
import sys
from pipeline.language import spacy_parts
assert "torch" not in sys.modules
import torch
print(torch.ones(2).sum().item(), spacy_parts.blank("en")("Kim left.").text)
"""


def test_torch_is_not_loaded_with_spacy_and_can_be_loaded_later() -> None:
    run = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, cwd=ROOT, check=False)
    assert (run.returncode, run.stdout) == (0, "2.0 Kim left.\n"), run.stderr
