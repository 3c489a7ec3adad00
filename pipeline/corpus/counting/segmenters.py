"""The back ends that segment simplified text into tokens."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from typing import Literal

from ...core.packages import require_packages
from ...language.segmentation import jieba_module

#: The names that ``--backend`` takes.
BackendName = Literal["reference", "fast"]
#: A mark at which Jieba divides what rjieba does not (Wi-Fi, B.C.), unless it is the point of a number.
_DIVIDING_MARK = re.compile(r"((?!(?<=AT&)T)[a-zA-Z0-9]+\.[0-9]+)|[-_.]")
#: A mark at which both divide.
_DIVIDER = "&"
#: What rjieba joins to its neighbours and Jieba does not: Chinese characters that Jieba does not know, a number before a letter (1.0b)
#: unless it begins or ends within a word of the dictionary (AT&T, 4S店).
_ALONE = re.compile(
    "([a-zA-Z0-9](?<!AT&T)[a-zA-Z0-9]*\\.[0-9]+(?=[a-zA-Z])(?!(?<=4)[sS]店)|[\u3400-\u4dbf\u9fd6-\u9fff\uf900-\ufaff\U00020000-\U0003ffff])"
)


@dataclass(frozen=True, slots=True)
class Backend:
    """A segmenter."""

    name: BackendName
    #: Segments a text into tokens, whose lengths add up to its own. In a token without letters and digits the marks may be others.
    cut: Callable[[str], list[str]]
    packages: tuple[str, ...] = ()  # the packages that convert and segment, as ``name==version``


@cache
def reference() -> Backend:
    """Return the segmenter of Mandarinograd (LREC 2020, section 4.2), Jieba."""
    return Backend("reference", jieba_module().Tokenizer().lcut, _versions("opencc-python-reimplemented", "jieba"))


@cache
def fast() -> Backend:
    """Return Jieba in Rust, which divides words as `reference` does.

    Raises:
        PipelineError: it is not installed.
    """
    require_packages("corpus", "rjieba")
    import rjieba

    def cut(text: str) -> list[str]:
        tokens: list[str] = []
        text = _DIVIDING_MARK.sub(lambda match: match[1] or _DIVIDER, text)
        for number, part in enumerate(_ALONE.split(text)):
            tokens += [part] if number % 2 else rjieba.cut(part)
        return tokens

    return Backend("fast", cut, _versions("opencc-python-reimplemented", "rjieba"))


def is_listed(word: str) -> bool:
    """Return whether a word is in Jieba's dictionary."""
    return _dictionary().get(word, 0) > 0


@cache
def _dictionary() -> Mapping[str, int]:
    tokenizer = jieba_module().Tokenizer()
    tokenizer.initialize()
    frequencies: Mapping[str, int] = tokenizer.FREQ
    return frequencies


def _versions(*names: str) -> tuple[str, ...]:
    return tuple(f"{name}=={version(name)}" for name in names)


#: The back ends by name; each is loaded when it is called.
BACKENDS: Mapping[BackendName, Callable[[], Backend]] = {"reference": reference, "fast": fast}
