"""Documents as words: converted to simplified script, cut, and without the tokens that are no words."""

import importlib.util
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from ..errors import PipelineError

_INSTALL = "pip install --editable '.[corpus]'"
#: Which code points are letters or digits, as `str.isalnum` tells.
_CODES = 0x110000


@dataclass(frozen=True, slots=True)
class Backend:
    """How text is converted to simplified script and cut into tokens."""

    name: str
    convert: Callable[[str], str]
    cut: Callable[[str], list[str]]


@cache
def reference() -> Backend:
    """Return the tools of Mandarinograd (LREC 2020, section 4.2): OpenCC, here in Python, and Jieba."""
    import jieba
    from opencc import OpenCC

    jieba.setLogLevel(60)
    return Backend("reference", OpenCC("t2s").convert, jieba.Tokenizer().lcut)


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

    return Backend("fast", opencc_pyo3.OpenCC("t2s").convert, rjieba.cut)


BACKENDS: Mapping[str, Callable[[], Backend]] = {"reference": reference, "fast": fast}


@cache
def _alphanumeric() -> npt.NDArray[np.bool_]:
    return np.fromiter((chr(code).isalnum() for code in range(_CODES)), dtype=bool, count=_CODES)


def codes_of(text: str) -> npt.NDArray[np.uint32]:
    """Return the code points of a text."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)


def words_among(tokens: list[str], text: str) -> npt.NDArray[np.bool_]:
    """Return which tokens of a text have a letter or a digit; the others are no words.

    Args:
        tokens: the tokens, which joined are the text.
        text: the text.
    """
    if not tokens:
        return np.zeros(0, dtype=bool)
    lengths = np.fromiter(map(len, tokens), dtype=np.int64, count=len(tokens))
    starts = np.cumsum(lengths) - lengths
    return np.logical_or.reduceat(_alphanumeric()[codes_of(text)], starts)
