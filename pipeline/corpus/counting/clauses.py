"""Documents in clauses, of which each is cut when it is wanted."""

from functools import cache

import numpy as np

from .segmenters import Backend
from .terms import CODES, Codes, Flags, TermQuery
from .windows import Numbers, Occurrences

#: What ends a document.
END = "\n"
#: What ends a clause: no cutter joins anything to one of these, so that clauses are cut alike alone and together.
STOPS = END + " ，。！？；：、…—“”‘’「」『』（）《》〈〉【】,!?;:()[]\"'"


@cache
def alphanumeric() -> Flags:
    """Return of each code point whether it is a letter or a digit."""
    return np.strings.isalnum(np.arange(CODES, dtype=np.uint32).view("U1"))


@cache
def _ends() -> Flags:
    table = np.zeros(CODES, dtype=bool)
    table[[ord(character) for character in STOPS]] = True
    return table


def codes_of(text: str) -> Codes:
    """Return the code points of a text."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)


class Clauses:
    """The clauses of a text in which each document ends in `END`, and what is known of their words.

    Attributes:
        starts: where each clause starts in the text.
        documents: the number of each clause's document.
        words: how many words a clause has; of one that is not cut, the least that it may have: one, if it has a letter or digit.
        known: whether that is what it has.
    """

    def __init__(self, text: str, question: TermQuery, backend: Backend) -> None:
        self._codes = codes_of(text)
        self._question, self._backend = question, backend
        bounds = np.append(0, np.flatnonzero(_ends()[self._codes]) + 1)
        self.starts, self._sizes = bounds[:-1], np.diff(bounds)
        ends = self._codes[bounds[1:] - 1] == ord(END)
        self.documents = np.cumsum(ends) - ends
        lettered = np.add.reduceat(alphanumeric()[self._codes], self.starts) > 0 if ends.size else ends
        self.words = lettered.astype(np.int64)
        self.known = ~lettered
        self._found: list[tuple[Numbers, Numbers, Numbers]] = []

    def candidates(self) -> Flags:
        """Return which clauses may have a term; the others have none."""
        near = np.zeros(self.words.size, dtype=bool)
        near[np.searchsorted(self.starts, self._question.may_begin(self._codes), side="right") - 1] = True
        return near

    def cut(self, wanted: Flags) -> None:
        """Cut clauses, those that are not yet known."""
        wanted = wanted & ~self.known
        chosen = np.flatnonzero(wanted)
        codes = self._codes[np.repeat(wanted, self._sizes)]
        clause = np.repeat(chosen, self._sizes[chosen])  # of each character that is cut
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
        found, terms = self._question.among(tokens, first, second, lengths)
        places = (np.cumsum(is_word) - 1)[found] - (np.cumsum(words) - words)[clause[found]]
        self._found.append((clause[found], places, terms))

    def found(self) -> tuple[Numbers, Numbers, Numbers]:
        """Return the terms in the clauses that are cut, in order: clause, number of the word in it, number of the term."""
        clause, places, terms = (np.concatenate(column) for column in zip(*self._found, strict=True))
        order = np.lexsort((places, clause))
        return clause[order], places[order], terms[order]

    def occurrences(self) -> Occurrences:
        """Return where the documents have the terms, by the words that the clauses are known or counted to have."""
        clause, places, terms = self.found()
        lengths = np.bincount(self.documents, weights=self.words).astype(np.int64)
        documents = self.documents[clause]
        before = (np.cumsum(self.words) - self.words)[clause] - (np.cumsum(lengths) - lengths)[documents]
        return Occurrences(lengths, documents, before + places, terms)


#: How many characters a word has, about: so many are cut for each word that is missing.
_CHARACTERS = 2


def cut_near(clauses: Clauses, size: int) -> None:
    """Cut the clauses that may have a term, then what lies between occurrences that may be in one window.

    How many windows hold a term, or two, follows from how many words each occurrence is from the one before it, of whatever term,
    the first and the last also from the ends of their document; where that is `size` or more, it does not matter how many more.
    A clause with a letter or digit has a word at least. So what lies between two occurrences is cut only until it is known to
    have `size` words, or how many it has.

    Args:
        clauses: the documents, of which nothing is cut yet.
        size: how many words a window has.
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
    """Return what lies between each two neighbours among the occurrences and the ends of their documents.

    Returns:
        The clause with the first of them, that with the second, and how many more words the second has before it in its clause
        than the first in its own.
    """
    clause, places, _ = clauses.found()
    bounds = np.append(0, np.flatnonzero(np.diff(clauses.documents, append=-1)) + 1)
    documents = np.unique(clauses.documents[clause])
    nothing = np.zeros(documents.size, dtype=np.int64)
    columns = (
        (documents, nothing, bounds[documents], nothing),
        (clauses.documents[clause], np.ones_like(clause), clause, places),
        (documents, nothing + 2, bounds[documents + 1], nothing),
    )
    document, kind, at, words = (np.concatenate(column) for column in zip(*columns, strict=True))
    order = np.lexsort((words, at, kind, document))
    document, at, words = document[order], at[order], words[order]
    kept = (document[1:] == document[:-1]) & (at[1:] > at[:-1])
    return at[:-1][kept], at[1:][kept], np.diff(words)[kept]
