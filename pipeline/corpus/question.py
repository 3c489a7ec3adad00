"""What is counted: terms, in windows."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from ..errors import PipelineError

Codes = npt.NDArray[np.uint32]
#: How many code points there are.
CODES = 0x110000


@dataclass(frozen=True)
class Question:
    """The terms, in windows of `size` words, or of `size` characters, in which a term is a substring.

    The substrings are the variant of Mandarinograd (LREC 2020, note 12): a term stands where its first character does.
    """

    terms: tuple[str, ...]
    size: int
    characters: bool = False

    def __post_init__(self) -> None:
        if self.size < 1:
            raise PipelineError(None, None, f"[window] found {self.size}, expected 1 or more")
        if len(set(self.terms)) < len(self.terms) or not all(self.terms):
            raise PipelineError(None, None, "[terms] empty, or given twice")

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each term that has a letter or digit; others are no words."""
        return {term: number for number, term in enumerate(self.terms) if any(map(str.isalnum, term))}

    @cached_property
    def initials(self) -> npt.NDArray[np.bool_]:
        """Of each code point, whether a term begins with it."""
        return _table(term[0] for term in self.numbers)

    @cached_property
    def _lone(self) -> npt.NDArray[np.bool_]:
        return _table(term for term in self.numbers if len(term) == 1)

    @cached_property
    def _beginnings(self) -> npt.NDArray[np.int64]:
        longer = [(ord(term[0]), ord(term[1])) for term in self.numbers if len(term) > 1]
        return _both(*np.array(longer, dtype=np.int64).reshape(-1, 2).T)

    def may_begin(self, codes: Codes) -> npt.NDArray[np.int64]:
        """Return where in a text a term may stand, by its first two characters; it stands nowhere else."""
        places = np.flatnonzero(self.initials[codes])
        first = codes[places]
        second = np.append(codes, 0)[places + 1]
        return places[self._lone[first] | np.isin(_both(first, second), self._beginnings)]


def _table(characters: Iterable[str]) -> npt.NDArray[np.bool_]:
    table = np.zeros(CODES, dtype=bool)
    table[[ord(character) for character in characters]] = True
    return table


def _both(first: npt.NDArray[Any], second: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """Return each two code points as one number."""
    both: npt.NDArray[np.int64] = first.astype(np.int64) * CODES + second
    return both
