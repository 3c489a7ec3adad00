"""The terms to count, and where they may stand in a text."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.errors import PipelineError, shown
from ...core.files import lines_of, read_text
from ...core.invisible import INVISIBLE, code_point
from .counts import Counts
from .script import keeps_characters, simplify
from .segmenters import Backend, is_listed

Numbers = npt.NDArray[np.int64]
Codes = npt.NDArray[np.uint32]
Flags = npt.NDArray[np.bool_]
#: Number of code points of Unicode.
CODES = 0x110000
#: Maximum size of a window; longer than any document.
LARGEST = 10**9

#: Marks that separate words; no token has one.
_SEPARATORS = ",，、;；。！？|"


def read_terms(path: Path) -> tuple[str, ...]:
    """Read the terms of a file, one a line; each is returned once.

    Raises:
        PipelineError: there are none; or a term holds a blank, a comma or the like, has no letter or digit, or is not in simplified
            script, so that it would never be found.
    """
    terms: dict[str, None] = {}
    for number, line in enumerate(lines_of(read_text(path)), 1):
        term = line.strip()
        if term.split() != [term]:
            if not term:
                continue
            if term.startswith("{"):
                reason = f"the terms of items, as pmi takes them; found {shown(term)}, expected one word a line"
                raise PipelineError(path, number, f"[terms] {reason}: terms.txt, which ingest --terms writes")
            raise PipelineError(path, number, f"[terms] not a word; found {term!r}, expected a word without blanks")
        if mark := next((mark for mark in _SEPARATORS if mark in term), None):
            reason = (
                f"not a word; found {mark!r} in {shown(term)}, expected one word a line, without commas and the like"
            )
            raise PipelineError(path, number, f"[terms] {reason}")
        if not any(map(str.isalnum, term)):
            reason = f"[terms] not a word; found {shown(term)}, expected a word with a letter or a digit"
            raise PipelineError(path, number, reason)
        if match := INVISIBLE.search(term):
            reason = f"[terms] not a word; found {code_point(match[0])} in {shown(term)}, expected visible characters"
            raise PipelineError(path, number, reason)
        if (simplified := simplify(term)) != term and (not keeps_characters(term) or is_listed(simplified)):
            reason = f"[terms] not in simplified script; found {term!r}, expected {simplified!r}"
            raise PipelineError(path, number, reason)
        terms[term] = None
    if not terms:
        raise PipelineError(path, None, "[terms] no terms; found none, expected one a line")
    return tuple(terms)


def uncounted_phrases(terms: Iterable[str], counts: Counts, backend: Backend) -> list[str]:
    """Return the terms that were never counted and that a back end cuts into several words, in their order."""
    return [term for term in terms if not counts.terms[term] and backend.cut(term) != [term]]


@dataclass(frozen=True)
class TermQuery:
    """Terms to count in windows of `size` words, or of `size` characters, where a term is a substring.

    Substrings are the variant of Mandarinograd (LREC 2020, note 12). Windows of characters hold letters and digits; other
    characters do not count. A term is a substring of the text with its punctuation: 大苹，果 does not have 苹果. A window
    holds a term if it holds all its letters and digits: none of one character holds 苹果.
    """

    terms: tuple[str, ...]
    size: int
    characters: bool = False

    def __post_init__(self) -> None:
        if not 1 <= self.size <= LARGEST:
            raise PipelineError(None, None, f"[window] impossible size; found {self.size}, expected 1 to {LARGEST}")
        if len(set(self.terms)) < len(self.terms) or any(term.split() != [term] for term in self.terms):
            raise PipelineError(None, None, "[terms] empty, with a blank, or given twice")

    @cached_property
    def names(self) -> frozenset[str]:
        """The terms that keep their characters where the text of a corpus becomes simplified, such as 王乾."""
        return frozenset(term for term in self.terms if keeps_characters(term) and simplify(term) != term)

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each term that has a letter or digit; the others are no words."""
        return {term: number for number, term in enumerate(self.terms) if any(map(str.isalnum, term))}

    def may_begin(self, codes: Codes) -> Numbers:
        """Return the places in a text where a term may begin, by its first two characters; it begins nowhere else."""
        places = np.flatnonzero(self._initials[codes])
        first, second = codes[places], np.append(codes, 0)[places + 1]
        kept = self._lone[first]
        longer = np.flatnonzero(self._seconds[second] & ~kept)
        kept[longer] = np.isin(_pair_key(first[longer], second[longer]), self._beginnings)
        return places[kept]

    def match_tokens(self, tokens: list[str], first: Codes, second: Codes, lengths: Numbers) -> tuple[Numbers, Numbers]:
        """Return which tokens are terms, in no order, and the numbers of these terms.

        Args:
            first: the first code point of each token.
            second: the second code point of each token, or a NUL.
            lengths: the number of characters of each token.
        """
        possible = np.flatnonzero(self._initials[first] & self._seconds[second])
        short, long = possible[lengths[possible] < 3], possible[lengths[possible] > 2]
        keys, key_terms = self._short
        key = _pair_key(first[short], second[short])
        at = np.searchsorted(keys, key)
        long_terms = np.array([self.numbers.get(tokens[token], -1) for token in long.tolist()], dtype=np.int64)
        candidates = np.append(short, long)
        terms = np.append(np.where(keys[at] == key, key_terms[at], -1), long_terms)
        return candidates[terms >= 0], terms[terms >= 0]

    @cached_property
    def _initials(self) -> Flags:
        return _flags(term[0] for term in self.numbers)

    @cached_property
    def _lone(self) -> Flags:
        return _flags(term for term in self.numbers if len(term) == 1)

    @cached_property
    def _seconds(self) -> Flags:
        """For each code point, whether it is the second of a term; a NUL is, if a term has only one."""
        return _flags((term + "\0")[1] for term in self.numbers)

    @cached_property
    def _beginnings(self) -> Numbers:
        longer = [_first_two(term) for term in self.numbers if len(term) > 1]
        return np.unique(_pair_key(*np.array(longer, dtype=np.int64).reshape(-1, 2).T))

    @cached_property
    def _short(self) -> tuple[Numbers, Numbers]:
        """The keys of the terms of one or two characters, ascending, and the numbers of these terms."""
        rows = sorted((*_first_two(term), number) for term, number in self.numbers.items() if len(term) < 3)
        first, second, numbers = np.array([*rows, (CODES, 0, -1)], dtype=np.int64).T  # the last key is past any other
        return _pair_key(first, second), numbers


def codes_of(text: str) -> Codes:
    """Return the code points of a text."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)


def _first_two(term: str) -> tuple[int, int]:
    """Return the first two code points of a term, the second a NUL if it has only one."""
    return ord(term[0]), ord((term + "\0")[1])


def _flags(characters: Iterable[str]) -> Flags:
    table = np.zeros(CODES, dtype=bool)
    table[[ord(character) for character in characters]] = True
    return table


def _pair_key(first: npt.NDArray[Any], second: npt.NDArray[Any]) -> Numbers:
    """Combine each two code points into one number."""
    keys: Numbers = first.astype(np.int64) * CODES + second
    return keys
