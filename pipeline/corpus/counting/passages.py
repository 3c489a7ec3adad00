"""Cut no more of documents than counting the windows that hold terms needs."""

import numpy as np

from .clauses import Clauses
from .windows import Numbers

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
