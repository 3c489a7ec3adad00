"""The number of windows of N consecutive words that hold a term, or two terms."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .counts import Counts

Numbers = npt.NDArray[np.int64]
#: A place before any place.
_BEFORE_ALL = -(2**62)


@dataclass(frozen=True, slots=True)
class Occurrences:
    """The places of terms in documents.

    Attributes:
        lengths: the number of words of each document.
        documents: the number of the document of each occurrence, ascending.
        places: the number of the first word of each occurrence in its document, ascending within a document.
        terms: the number of the term of each occurrence.
        sizes: the number of words of each occurrence; one number if it is the same for all.
    """

    lengths: Numbers
    documents: Numbers
    places: Numbers
    terms: Numbers
    sizes: Numbers | int = 1


def windows_of(lengths: Numbers, size: int) -> Numbers:
    """Return the number of windows of each document: all runs of `size` words; a shorter document is one window, an empty one none.

    >>> windows_of(np.array([12, 3, 0]), 10).tolist()
    [3, 1, 0]
    """
    return np.where(lengths > 0, np.maximum(lengths - size + 1, 1), 0)


def count_windows(occurrences: Occurrences, names: Sequence[str], size: int) -> Counts:
    """Count the windows of documents, without a loop over windows.

    A window holds an occurrence if it holds all its words. It is counted for a term at its first occurrence of that term: if this has
    n words from p on, the window begins after the occurrence before p, at p at the latest, at p + n - size at the earliest,
    and within the document. It is counted for two terms at its first occurrences of both, which bound its beginning in the same
    way. So each window is counted once, and only occurrences near each other are compared.

    Args:
        occurrences: the places of the terms.
        names: the terms, by their number.
        size: the number of words of a window, 1 or more.
    """
    # a window larger than the longest document holds no more, but its size may be too large to add
    size = min(size, max(int(occurrences.lengths.max(initial=0)), 1))
    windows = windows_of(occurrences.lengths, size)
    begins = np.cumsum(occurrences.lengths + size) - (
        occurrences.lengths + size
    )  # no window reaches into the next document
    first = begins[occurrences.documents]
    last = first + windows[occurrences.documents] - 1
    places, terms = occurrences.places + first, occurrences.terms
    before = np.maximum(_previous(places, terms), first - 1)
    # one less than the first place where a window may begin whose first occurrence of the term is this one
    after = np.maximum(before, places + occurrences.sizes - 1 - size)
    sums = np.zeros(len(names), dtype=np.int64)
    np.add.at(sums, terms, np.maximum(np.minimum(places, last) - after, 0))
    counts = Counts(int(windows.sum()))
    counts.terms.update({names[term]: int(sums[term]) for term in np.flatnonzero(sums).tolist()})
    for low, high, count in _joint_windows(places, terms, after, last, size, len(names)):
        first_name, second_name = sorted((names[low], names[high]))
        counts.pairs[first_name, second_name] = count
    return counts


def _previous(places: Numbers, terms: Numbers) -> Numbers:
    """Return the place of the previous occurrence of the same term, for each occurrence."""
    order = np.lexsort((places, terms))
    previous = np.full(places.size, _BEFORE_ALL)
    same = terms[order[1:]] == terms[order[:-1]]
    previous[order[1:][same]] = places[order[:-1][same]]
    return previous


def _joint_windows(
    places: Numbers, terms: Numbers, after: Numbers, last: Numbers, size: int, terms_count: int
) -> list[tuple[int, int, int]]:
    """Return the numbers of two terms, the lesser first, with the number of windows that hold both, for each two that meet."""
    keys, windows = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.int64)]
    for step in range(
        1, places.size
    ):  # terms that are substrings may begin at one place, so more than `size` may be near
        near = np.flatnonzero(places[step:] - places[:-step] < size)
        if not near.size:
            break
        far = near + step
        both = np.minimum(places[near], last[near]) - np.maximum(after[near], after[far])
        kept = (both > 0) & (terms[near] != terms[far])
        one_term, other_term = terms[near[kept]], terms[far[kept]]
        keys.append(np.minimum(one_term, other_term) * terms_count + np.maximum(one_term, other_term))
        windows.append(both[kept])
    unique, index = np.unique(np.concatenate(keys), return_inverse=True)
    sums = np.zeros(unique.size, dtype=np.int64)
    np.add.at(sums, index, np.concatenate(windows))
    return [(*divmod(key, terms_count), count) for key, count in zip(unique.tolist(), sums.tolist(), strict=True)]
