"""How many windows of N consecutive words hold a term, and how many hold two."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Numbers = npt.NDArray[np.int64]
Pair = tuple[str, str]
_NONE = -(2**62)


@dataclass(frozen=True, slots=True)
class Occurrences:
    """Where documents have terms.

    Attributes:
        lengths: of each document, how many words it has.
        documents: of each occurrence, the number of its document; in order.
        places: of each occurrence, the number of its word in its document; in order within a document.
        terms: of each occurrence, the number of its term.
        sizes: of each occurrence, how many words it has; one number where that is the same for all.
    """

    lengths: Numbers
    documents: Numbers
    places: Numbers
    terms: Numbers
    sizes: Numbers | int = 1


@dataclass(slots=True)
class Counts:
    """The windows of a corpus: all, those that hold a term, those that hold both terms of a pair (in sorted order).

    `estimated` is whether the number of all windows is an estimate; the others never are.
    """

    windows: int = 0
    terms: Counter[str] = field(default_factory=Counter)
    pairs: Counter[Pair] = field(default_factory=Counter)
    estimated: bool = False

    def add(self, other: "Counts") -> None:
        """Add the counts of other documents."""
        self.windows += other.windows
        self.terms.update(other.terms)
        self.pairs.update(other.pairs)
        self.estimated |= other.estimated


def windows_of(lengths: Numbers, size: int) -> Numbers:
    """Return how many windows documents have: all runs of `size` words; a shorter document is one, one without words none.

    >>> windows_of(np.array([12, 3, 0]), 10).tolist()
    [3, 1, 0]
    """
    return np.where(lengths > 0, np.maximum(lengths - size + 1, 1), 0)


@dataclass(slots=True)
class Tally:
    """Counts by the numbers of terms: of pairs, row by row the lesser number, column by column the greater."""

    windows: int
    terms: Numbers
    pairs: "csr_array"

    def add(self, other: "Tally") -> None:
        """Add the counts of other documents."""
        self.windows += other.windows
        self.terms += other.terms
        self.pairs = self.pairs + other.pairs

    def named(self, names: Sequence[str]) -> Counts:
        """Return the counts by the terms themselves."""
        counts = Counts(self.windows)
        counts.terms.update({names[term]: int(self.terms[term]) for term in np.flatnonzero(self.terms).tolist()})
        rank = np.argsort(np.argsort(np.array(names)))
        pairs = self.pairs.tocoo()
        one, other = pairs.coords
        swapped = rank[one] > rank[other]
        columns = (np.where(swapped, other, one), np.where(swapped, one, other), pairs.data)
        counts.pairs.update(
            {(names[one], names[other]): both for one, other, both in zip(*(c.tolist() for c in columns), strict=True)}
        )
        return counts


def tally(found: Occurrences, count: int, size: int) -> Tally:
    """Return the counts over documents, without a loop over windows.

    A window holds an occurrence if it holds all words of it. It is counted for a term at the first occurrence in it, of n words
    from p on: it begins after the occurrence before p, at most at p, at least at p + n - size, and in the document. It is counted
    for two terms at their first occurrences in it, which bound its beginning in the same way. So each window is counted once,
    and only occurrences that are near each other meet.

    Args:
        found: the occurrences in each document.
        count: how many terms there are.
        size: how many words a window has, 1 or more.
    """
    # a larger window than the longest document holds no more, but may be too large to add
    size = min(size, max(int(found.lengths.max(initial=0)), 1))
    windows = windows_of(found.lengths, size)
    begins = np.cumsum(found.lengths + size) - (found.lengths + size)  # no window reaches into the next document
    first = begins[found.documents]
    last = first + windows[found.documents] - 1
    places, terms = found.places + first, found.terms
    before = np.maximum(_previous(places, terms), first - 1)
    # the first place where a window may begin that has this occurrence for its first one of the term, less one
    after = np.maximum(before, places + found.sizes - 1 - size)
    single = np.minimum(places, last) - after
    sums = np.zeros(count, dtype=np.int64)
    np.add.at(sums, terms, np.maximum(single, 0))
    return Tally(int(windows.sum()), sums, _pairs(places, terms, after, last, size, count))


def _previous(places: Numbers, terms: Numbers) -> Numbers:
    """Return for each occurrence the place of the one before it of the same term, or a place before all."""
    order = np.lexsort((places, terms))
    found = np.full(places.size, _NONE)
    same = terms[order[1:]] == terms[order[:-1]]
    found[order[1:][same]] = places[order[:-1][same]]
    return found


def _pairs(places: Numbers, terms: Numbers, after: Numbers, last: Numbers, size: int, count: int) -> "csr_array":
    from scipy.sparse import coo_array

    met = [(np.empty(0, dtype=np.int64),) * 3]
    for step in range(1, places.size):  # substrings may begin at one place, so that more than `size` are near
        near = np.flatnonzero(places[step:] - places[:-step] < size)
        if not near.size:
            break
        one, other = near, near + step
        both = np.minimum(places[one], last[one]) - np.maximum(after[one], after[other])
        kept = (both > 0) & (terms[one] != terms[other])
        one, other = terms[one[kept]], terms[other[kept]]
        met.append((both[kept], np.minimum(one, other), np.maximum(one, other)))
    both, low, high = (np.concatenate(column) for column in zip(*met, strict=True))
    return coo_array((both, (low, high)), shape=(count, count)).tocsr()  # which sums what is at one place
