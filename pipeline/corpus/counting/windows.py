"""The places of terms in documents, counted in words or in characters, and the number of windows that hold a term, or two.

Many documents are handled at once, as the lines of one text, so that the work for each is small. A text is divided into clauses, and a
clause is segmented only when its words are needed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from .counts import Counts
from .script import simplify
from .segmenters import Backend
from .terms import CODES, Flags, Numbers, TermQuery, codes_of

#: A place before any place.
_BEFORE_ALL = -(2**62)
#: Ends a document.
END = "\n"
#: The characters that end a clause. No segmenter joins anything to one of them, so clauses are cut alike alone and together.
STOPS = END + " ，。！？；：、…—“”‘’「」『』（）《》〈〉【】,!?;:()[]\"'"
#: Number of characters of a word, about: this many are cut for each word that is missing.
_CHARACTERS = 2


@dataclass(frozen=True, slots=True)
class Occurrences:
    """The places of terms in documents."""

    lengths: Numbers  # the number of words of each document
    documents: Numbers  # the number of the document of each occurrence, ascending
    places: Numbers  # the number of the first word of each occurrence in its document, ascending within a document
    terms: Numbers  # the number of the term of each occurrence
    sizes: Numbers | int = 1  # the number of words of each occurrence; one number if it is the same for all


def occurrences(documents: Sequence[str], query: TermQuery, backend: Backend, *, passages: bool = False) -> Occurrences:
    """Return the places of the terms in documents.

    Args:
        passages: whether only the text near terms is segmented. Then two places may be nearer to each other than they are, and a
            document may be shorter, but only where both distances are a window or more (see `_cut_near`): the windows that hold
            terms are the same, the number of all windows is not.
    """
    # A blank and a NUL are joined to nothing, so neither changes how the rest is converted and cut. No term has a NUL.
    lines = (" ".join(document.replace("\0", " ").split()) for document in documents)
    text = simplify("".join(line + END for line in lines), query.names)
    if query.characters:
        return _in_characters(text, query)
    clauses = Clauses(text, query, backend)
    if passages:
        _cut_near(clauses, query.size)
    else:
        clauses.cut(~clauses.known)
    return clauses.occurrences()


def _in_characters(text: str, query: TermQuery) -> Occurrences:
    """Return the places of the terms as substrings; each letter or digit is a word, and a term has as many words."""
    codes = codes_of(text)
    flags, ends = alphanumeric()[codes], codes == ord(END)
    before: Numbers = np.cumsum(flags) - flags  # number of words before each character
    begins = np.append(0, before[ends])  # of each document, and of what would follow the last
    terms = query.numbers
    sizes = sorted({len(term) for term in terms})
    matches = [
        (place, number)
        for place in query.may_begin(codes).tolist()
        for size in sizes
        if (number := terms.get(text[place : place + size])) is not None
    ]
    places, numbers = np.array(sorted(matches), dtype=np.int64).reshape(-1, 2).T
    documents = (np.cumsum(ends) - ends)[places]
    words = np.array([sum(map(str.isalnum, term)) for term in query.terms], dtype=np.int64)
    return Occurrences(np.diff(begins), documents, before[places] - begins[documents], numbers, words[numbers])


# --- clauses ----------------------------------------------------------------------------------------------------------


@cache
def alphanumeric() -> Flags:
    """Return for each code point whether it is a letter or a digit."""
    return np.strings.isalnum(np.arange(CODES, dtype=np.uint32).view("U1"))


@cache
def _stops() -> Flags:
    table = np.zeros(CODES, dtype=bool)
    table[[ord(character) for character in STOPS]] = True
    return table


class Clauses:
    """The clauses of a text in which each document ends in `END`, each segmented on demand.

    Attributes:
        starts: the first character of each clause in the text.
        documents: the number of the document of each clause.
        words: the number of words of each clause. Of one that is not cut, the minimum: one, if it has a letter or digit.
        known: whether that is the exact number.
    """

    def __init__(self, text: str, query: TermQuery, backend: Backend) -> None:
        self._codes = codes_of(text)
        self._query, self._backend = query, backend
        bounds = np.append(0, np.flatnonzero(_stops()[self._codes]) + 1)
        self.starts, self._sizes = bounds[:-1], np.diff(bounds)
        ends = self._codes[bounds[1:] - 1] == ord(END)
        self.documents = np.cumsum(ends) - ends
        lettered = np.add.reduceat(alphanumeric()[self._codes], self.starts) > 0 if ends.size else ends
        self.words = lettered.astype(np.int64)
        self.known = ~lettered
        self._matches: list[tuple[Numbers, Numbers, Numbers]] = []

    def candidates(self) -> Flags:
        """Return which clauses may have a term; the others have none."""
        near = np.zeros(self.words.size, dtype=bool)
        near[np.searchsorted(self.starts, self._query.may_begin(self._codes), side="right") - 1] = True
        return near

    def cut(self, wanted: Flags) -> None:
        """Segment clauses, unless they are known."""
        wanted = wanted & ~self.known
        chosen = np.flatnonzero(wanted)
        codes = self._codes[np.repeat(wanted, self._sizes)]
        clause = np.repeat(chosen, self._sizes[chosen])  # of each character
        tokens = self._backend.cut(codes.tobytes().decode("utf-32-le", "surrogatepass"))
        lengths = np.fromiter(map(len, tokens), dtype=np.int64, count=len(tokens))
        heads = np.cumsum(lengths) - lengths
        clause = clause[heads]  # of each token
        first = codes[heads]
        is_word = alphanumeric()[first]
        for token in np.flatnonzero(~is_word & (lengths > 1)).tolist():
            is_word[token] = any(map(str.isalnum, tokens[token]))
        words = np.bincount(clause[is_word], minlength=self.words.size)
        self.words[chosen] = words[chosen]
        self.known[chosen] = True
        second = np.where(lengths > 1, np.append(codes, 0)[heads + 1], 0)
        matches, terms = self._query.match_tokens(tokens, first, second, lengths)
        places = (np.cumsum(is_word) - 1)[matches] - (np.cumsum(words) - words)[clause[matches]]
        self._matches.append((clause[matches], places, terms))

    def matches(self) -> tuple[Numbers, Numbers, Numbers]:
        """Return the terms in the clauses cut so far, in order: number of the clause, of the word in it, of the term."""
        clause, places, terms = (np.concatenate(column) for column in zip(*self._matches, strict=True))
        order = np.lexsort((places, clause))
        return clause[order], places[order], terms[order]

    def occurrences(self) -> Occurrences:
        """Return the places of the terms; a clause that is not cut counts with its minimum of words."""
        clause, places, terms = self.matches()
        lengths = np.bincount(self.documents, weights=self.words).astype(np.int64)
        documents = self.documents[clause]
        before = (np.cumsum(self.words) - self.words)[clause] - (np.cumsum(lengths) - lengths)[documents]
        return Occurrences(lengths, documents, before + places, terms)


# --- passages ---------------------------------------------------------------------------------------------------------


def _cut_near(clauses: Clauses, size: int) -> None:
    """Cut the clauses that may have a term, then the text between occurrences that may share a window.

    The number of windows that hold a term, or two, depends on the distance in words of each occurrence from the one before it, of any
    term, and of the first and the last from the ends of their document. A distance of `size` or more need not be exact.
    A clause with a letter or digit has at least one word. So the text between two occurrences is cut only until it is known to
    have `size` words, or how many it has.
    """
    clauses.cut(clauses.candidates())
    begins, ends, words = _gaps(clauses)
    while True:
        before = np.append(0, np.cumsum(clauses.words))
        unknown = np.append(0, np.cumsum(~clauses.known))
        missing = size - (before[ends] - before[begins] + words)
        undecided = (missing > 0) & (unknown[ends] > unknown[begins])
        if not undecided.any():
            return
        begins, ends, words, missing = (column[undecided] for column in (begins, ends, words, missing))
        first = np.flatnonzero(~clauses.known)[unknown[begins]]
        last = np.searchsorted(clauses.starts, clauses.starts[first] + _CHARACTERS * missing)
        marks = np.zeros(clauses.words.size + 1, dtype=np.int64)
        np.add.at(marks, first, 1)
        np.subtract.at(marks, np.clip(last, first + 1, ends), 1)
        clauses.cut(np.cumsum(marks)[:-1] > 0)


def _gaps(clauses: Clauses) -> tuple[Numbers, Numbers, Numbers]:
    """Return the gaps between neighbours among the occurrences and the ends of their documents.

    Returns:
        For each gap the clause of the first neighbour, that of the second, and how many more words the second has before it in its
        clause than the first in its own.
    """
    clause, places, _ = clauses.matches()
    bounds = np.append(0, np.flatnonzero(np.diff(clauses.documents, append=-1)) + 1)
    documents = np.unique(clauses.documents[clause])
    zeros = np.zeros(documents.size, dtype=np.int64)
    columns = (
        (documents, zeros, bounds[documents], zeros),
        (clauses.documents[clause], np.ones_like(clause), clause, places),
        (documents, zeros + 2, bounds[documents + 1], zeros),
    )
    document, kind, at, words = (np.concatenate(column) for column in zip(*columns, strict=True))
    order = np.lexsort((words, at, kind, document))
    document, at, words = document[order], at[order], words[order]
    kept = (document[1:] == document[:-1]) & (at[1:] > at[:-1])
    return at[:-1][kept], at[1:][kept], np.diff(words)[kept]


# --- windows -----------------------------------------------------------------------------------------------------------


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
