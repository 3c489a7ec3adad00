"""How many windows of N consecutive words hold a term, and how many hold two."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.int64]
Pair = tuple[str, str]
_NONE = -(2**62)


@dataclass(frozen=True, slots=True)
class Occurrences:
    """Where a document of `length` words has terms: their places, in order, and the numbers of the terms there."""

    places: Numbers
    terms: Numbers
    length: int


@dataclass(slots=True)
class Counts:
    """The windows of a corpus: all, those that hold a term, those that hold both terms of a pair (in sorted order)."""

    windows: int = 0
    terms: Counter[str] = field(default_factory=Counter)
    pairs: Counter[Pair] = field(default_factory=Counter)

    def add(self, other: "Counts") -> None:
        """Add the counts of other documents."""
        self.windows += other.windows
        self.terms.update(other.terms)
        self.pairs.update(other.pairs)


def window_count(length: int, size: int) -> int:
    """Return how many windows a document of so many words has: all runs of `size` words; a shorter one is one, none has none.

    >>> window_count(12, 10), window_count(3, 10), window_count(0, 10)
    (3, 1, 0)
    """
    return max(length - size + 1, 1) if length else 0


def count_windows(documents: Iterable[Occurrences], names: Sequence[str], size: int) -> Counts:
    """Return the counts over documents, without a loop over windows.

    A window is counted for a term at its first occurrence p in it: it begins after the occurrence before p, at most at p, at
    least at p - size + 1, and in the document. It is counted for two terms at their first occurrences p and q in it, which
    bound its beginning in the same way. So each window is counted once, and only occurrences that are near each other meet.

    Args:
        documents: the occurrences of each.
        names: the terms by their numbers.
        size: how many words a window has.
    """
    counts = Counts()
    parts: list[tuple[Numbers, Numbers, Numbers, Numbers]] = []
    offset = 0
    for document in documents:
        windows = window_count(document.length, size)
        counts.windows += windows
        if document.places.size:
            first = np.full(document.places.size, offset)
            parts.append((document.places + offset, document.terms, first, first + windows - 1))
        offset += document.length + size  # no window reaches into the next document
    if not parts:
        return counts
    places, terms, first, last = (np.concatenate(column) for column in zip(*parts, strict=True))
    before = np.maximum(_previous(places, terms), first - 1)
    # the first place where a window may begin that has this occurrence for its first one of the term, less one
    single = np.minimum(places, last) - np.maximum(before, places - size)
    sums = np.bincount(terms, weights=np.maximum(single, 0), minlength=len(names)).astype(np.int64)
    counts.terms.update({names[term]: int(sums[term]) for term in np.flatnonzero(sums).tolist()})
    for key, both in _pairs(places, terms, before, last, size, len(names)).items():
        one, other = sorted((names[key // len(names)], names[key % len(names)]))
        counts.pairs[one, other] += both
    return counts


def _previous(places: Numbers, terms: Numbers) -> Numbers:
    """Return for each occurrence the place of the one before it of the same term, or a place before all."""
    order = np.lexsort((places, terms))
    found = np.full(places.size, _NONE)
    same = terms[order[1:]] == terms[order[:-1]]
    found[order[1:][same]] = places[order[:-1][same]]
    return found


def _pairs(places: Numbers, terms: Numbers, before: Numbers, last: Numbers, size: int, count: int) -> dict[int, int]:
    """Return the windows that hold two terms, by the number of the lesser times `count` plus that of the greater."""
    sums: dict[int, int] = {}
    for step in range(1, places.size):  # substrings may begin at one place, so that more than `size` are near
        near = np.flatnonzero(places[step:] - places[:-step] < size)
        if not near.size:
            break
        one, other = near, near + step
        different = terms[one] != terms[other]
        one, other = one[different], other[different]
        begin = np.maximum(np.maximum(before[one], before[other]), places[other] - size)
        both = np.minimum(places[one], last[one]) - begin
        kept = both > 0
        low, high = np.minimum(terms[one], terms[other]), np.maximum(terms[one], terms[other])
        keys, where = np.unique(low[kept] * count + high[kept], return_inverse=True)
        totals = np.bincount(where, weights=both[kept], minlength=keys.size).astype(np.int64)
        for key, number in zip(keys.tolist(), totals.tolist(), strict=True):
            sums[key] = sums.get(key, 0) + number
    return sums
