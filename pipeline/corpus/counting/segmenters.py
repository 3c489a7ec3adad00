"""The back ends that convert documents to simplified script and segment them into tokens."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from typing import Literal

from ...core.packages import require_packages

#: The names that ``--backend`` takes.
BackendName = Literal["reference", "fast"]


@dataclass(frozen=True, slots=True)
class Backend:
    """A converter and a segmenter."""

    name: BackendName
    convert: Callable[[str], str]  # converts text to simplified script
    cut: Callable[[str], list[str]]  # segments a text into tokens, which together are the text
    packages: tuple[str, ...] = ()  # the packages of both, as ``name==version``


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
    """Return the same tools in Rust; docs/association.md says how far they differ.

    Raises:
        PipelineError: they are not installed.
    """
    require_packages("corpus", "opencc_pyo3", "rjieba")
    import opencc_pyo3
    import rjieba

    return Backend("fast", opencc_pyo3.OpenCC("t2s").convert, rjieba.cut, _versions("opencc_pyo3", "rjieba"))


def _versions(*names: str) -> tuple[str, ...]:
    return tuple(f"{name}=={version(name)}" for name in names)


#: The back ends by name; each is loaded when it is called.
BACKENDS: Mapping[BackendName, Callable[[], Backend]] = {"reference": reference, "fast": fast}
