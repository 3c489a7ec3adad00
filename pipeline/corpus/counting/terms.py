"""What is counted: terms, in windows."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.errors import PipelineError
from ...core.files import lines_of, read_text
from .windows import Numbers

Codes = npt.NDArray[np.uint32]
Flags = npt.NDArray[np.bool_]
#: How many code points there are.
CODES = 0x110000
#: The largest window: longer than any document.
LARGEST = 10**9


@dataclass(frozen=True)
class TermQuery:
    """The terms, in windows of `size` words, or of `size` characters, in which a term is a substring.

    The substrings are the variant of Mandarinograd (LREC 2020, note 12). Windows of characters are of letters and digits; other
    marks are passed over. A term is a substring of the text as it stands, marks and all: 大苹，果 does not have 苹果. A window
    holds it if it holds all its letters and digits: none of one character holds 苹果.
    """

    terms: tuple[str, ...]
    size: int
    characters: bool = False

    def __post_init__(self) -> None:
        if not 1 <= self.size <= LARGEST:
            raise PipelineError(None, None, f"[window] found {self.size}, expected 1 to {LARGEST}")
        if len(set(self.terms)) < len(self.terms) or any(term.split() != [term] for term in self.terms):
            raise PipelineError(None, None, "[terms] empty, with a blank, or given twice")

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each term that has a letter or digit; others are no words."""
        return {term: number for number, term in enumerate(self.terms) if any(map(str.isalnum, term))}

    @cached_property
    def _initials(self) -> Flags:
        return _table(term[0] for term in self.numbers)

    @cached_property
    def _lone(self) -> Flags:
        return _table(term for term in self.numbers if len(term) == 1)

    @cached_property
    def _seconds(self) -> Flags:
        """Of each code point, whether it is the second of a term; a NUL is, if a term has but one."""
        return _table((term + "\0")[1] for term in self.numbers)

    @cached_property
    def _beginnings(self) -> Numbers:
        longer = [_begin(term) for term in self.numbers if len(term) > 1]
        return np.unique(_both(*np.array(longer, dtype=np.int64).reshape(-1, 2).T))

    @cached_property
    def _short(self) -> tuple[Numbers, Numbers]:
        """The terms of one or two characters, as numbers in order, and the number of the term that each is."""
        told = sorted((*_begin(term), number) for term, number in self.numbers.items() if len(term) < 3)
        first, second, numbers = np.array([*told, (CODES, 0, -1)], dtype=np.int64).T  # the last is past any
        return _both(first, second), numbers

    def may_begin(self, codes: Codes) -> Numbers:
        """Return where in a text a term may stand, by its first two characters; it stands nowhere else."""
        places = np.flatnonzero(self._initials[codes])
        first, second = codes[places], np.append(codes, 0)[places + 1]
        found = self._lone[first]
        longer = np.flatnonzero(self._seconds[second] & ~found)
        found[longer] = np.isin(_both(first[longer], second[longer]), self._beginnings)
        return places[found]

    def among(self, tokens: list[str], first: Codes, second: Codes, lengths: Numbers) -> tuple[Numbers, Numbers]:
        """Return which tokens are terms, in no order, and the number of the term that each is.

        Args:
            tokens: the tokens.
            first: the first code point of each.
            second: the second of each, or a NUL.
            lengths: how long each is.
        """
        may = np.flatnonzero(self._initials[first] & self._seconds[second])
        short, long = may[lengths[may] < 3], may[lengths[may] > 2]
        keys, numbers = self._short
        key = _both(first[short], second[short])
        at = np.searchsorted(keys, key)
        told = np.array([self.numbers.get(tokens[token], -1) for token in long.tolist()], dtype=np.int64)
        found = np.append(short, long), np.append(np.where(keys[at] == key, numbers[at], -1), told)
        return found[0][found[1] >= 0], found[1][found[1] >= 0]


def _begin(term: str) -> tuple[int, int]:
    """Return the first two code points of a term, the second a NUL where it has but one."""
    return ord(term[0]), ord((term + "\0")[1])


def _table(characters: Iterable[str]) -> Flags:
    table = np.zeros(CODES, dtype=bool)
    table[[ord(character) for character in characters]] = True
    return table


def _both(first: npt.NDArray[Any], second: npt.NDArray[Any]) -> Numbers:
    """Return each two code points as one number."""
    both: Numbers = first.astype(np.int64) * CODES + second
    return both


def read_terms(path: Path, convert: Callable[[str], str]) -> tuple[str, ...]:
    """Return the terms of a file, one a line, each once.

    Args:
        path: the file.
        convert: converts text to simplified script, as the corpus is converted.

    Raises:
        PipelineError: none, a term that has a blank in it, or one that `convert` changes, so that it would never be found.
    """
    found: dict[str, None] = {}
    for number, line in enumerate(lines_of(read_text(path)), 1):
        term = line.strip()
        if term.split() != [term]:
            if not term:
                continue
            raise PipelineError(path, number, f"[terms] no word; found {term!r}, expected a word without blanks")
        if (simplified := convert(term)) != term:
            reason = f"[terms] not in simplified script; found {term!r}, expected {simplified!r}"
            raise PipelineError(path, number, reason)
        found[term] = None
    if not found:
        raise PipelineError(path, None, "[terms] found none, expected one a line")
    return tuple(found)


def _refuse_twice(corpus: Sequence[Path]) -> None:
    """Raise a `PipelineError` at a file that is given twice, under whatever names, for it would be counted twice."""
    seen: dict[Path, Path] = {}
    for path in corpus:
        file = path.resolve()
        if file in seen:
            raise PipelineError(path, None, f"[corpus] given twice; found it as {seen[file]} too, expected it once")
        seen[file] = path
