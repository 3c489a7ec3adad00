"""The extras of pyproject.toml and what each adds; refuse to go on without the packages of one."""

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from .errors import PipelineError

#: The root of a clone; of an installed package a folder without pyproject.toml.
ROOT = Path(__file__).resolve().parents[2]
#: What needs the packages of each extra; `winoforge doctor` prints it.
EXTRAS: Mapping[str, str] = {
    "parse": "`parse --backend udpipe`: UDPipe with its model, which `make build` installs where a parse is missing",
    "stanza": "`parse --backend stanza`: a second opinion; brings torch",
    "japanese": "`parse --backend ginza`: Sudachi's words and GiNZA's trees of Japanese; their dictionary has 210 MB",
    "train": "`make parser-model`: train our compact model for Stanza again",
    "figures": "`evaluate report`, `experiment analyse`, `winopron figures`: drawings",
    "coref": "`winopron export --format spanbert`",
    "corpus": "`corpus fetch`, `corpus count --backend fast`, bzip2 in threads",
    "spark": "`corpus count --engine spark`; needs Java besides",
    "annotate": "`annotate push`, `annotate pull`: Label Studio's client, the keyring",
    "zp": "`zp align`, `zp metrics`, `zp report`, and so `make build`",
    "evaluate": "`evaluate run`, `evaluate diagnose`, `winopron ask`: models behind a server with an OpenAI interface",
    "local": "`evaluate score`, `evaluate cloze`, `evaluate run gguf:…`: models on this machine",
    "harness": "the tasks of a release in lm-evaluation-harness",
    "verify": "`verify`: the programs besides pandas that load a release",
    "translate": "`translate`: DeepL's client",
    "experiment": "`experiment serve`, `experiment analyse`: a server for a laboratory, mixed models",
    "docs": "`make docs`: Sphinx",
    "dev": "`make test`, `make check`, `make fuzz`",
}


def install_command(extra: str = "") -> str:
    """Return the command that installs the packages of an extra, of none those that every command needs."""
    flag, package = ("--editable ", ".") if (ROOT / "pyproject.toml").exists() else ("", "winoforge")
    return f"pip install {flag}'{package}[{extra}]'" if extra else f"pip install {flag}{package}"


def require_packages(extra: str, *names: str) -> None:
    """Refuse to go on without packages.

    Raises:
        PipelineError: a package is not installed; the message says how to install it.
    """
    lacking = [name for name in names if not is_importable(name)]
    if lacking:
        reason = f"[{extra}] {' and '.join(lacking)} not installed; run {install_command(extra)}"
        raise PipelineError(None, None, reason)


def is_importable(name: str) -> bool:
    """Return whether a module is there, without importing it."""
    parent = name.rpartition(".")[0]
    try:
        return (not parent or is_importable(parent)) and find_spec(name) is not None
    except ImportError:  # something forbids the import
        return False


@contextmanager
def hidden(*names: str) -> Iterator[None]:
    """Let imports of packages fail for a while, as if they were not installed; what is loaded already stays.

    For libraries that load other ones for seconds wherever they are installed, and do without.
    """
    modules: dict[str, Any] = sys.modules
    absent = [name for name in names if name not in modules]
    modules |= dict.fromkeys(absent)
    try:
        yield
    finally:
        for name in absent:
            del modules[name]
