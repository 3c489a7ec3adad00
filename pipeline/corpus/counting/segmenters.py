"""The tools that convert documents to simplified script and cut them into tokens."""

import importlib.util
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version

from ...core.errors import PipelineError

_INSTALL = "pip install --editable '.[corpus]'"


@dataclass(frozen=True, slots=True)
class Backend:
    """How text is converted to simplified script and cut into tokens, and by which packages, as ``name==version``."""

    name: str
    convert: Callable[[str], str]
    cut: Callable[[str], list[str]]
    packages: tuple[str, ...] = ()


def _versions(*names: str) -> tuple[str, ...]:
    return tuple(f"{name}=={version(name)}" for name in names)


@cache
def reference() -> Backend:
    """Return the tools of Mandarinograd (LREC 2020, section 4.2): OpenCC, here in Python, and Jieba."""
    import jieba
    from opencc import OpenCC

    jieba.setLogLevel(60)
    packages = _versions("opencc-python-reimplemented", "jieba")
    return Backend("reference", OpenCC("t2s").convert, jieba.Tokenizer().lcut, packages)


@cache
def fast() -> Backend:
    """Return the same in Rust; docs/association.md tells how far they differ.

    Raises:
        PipelineError: they are not installed.
    """
    for name in ("opencc_pyo3", "rjieba"):
        if importlib.util.find_spec(name) is None:
            raise PipelineError(None, None, f"[backend] the package {name} is not installed; run {_INSTALL}")
    import opencc_pyo3
    import rjieba

    return Backend("fast", opencc_pyo3.OpenCC("t2s").convert, rjieba.cut, _versions("opencc_pyo3", "rjieba"))


BACKENDS: Mapping[str, Callable[[], Backend]] = {"reference": reference, "fast": fast}
