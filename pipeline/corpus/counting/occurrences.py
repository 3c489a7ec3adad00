"""Where documents have terms, in their words or in their characters.

Documents are handled many at once, as one text in which each is a line, so that little is done for each.
"""

from collections.abc import Sequence

import numpy as np

from .clauses import END, Clauses, alphanumeric, codes_of, cut_near
from .segmenters import Backend
from .terms import TermQuery
from .windows import Numbers, Occurrences


def occurrences(
    documents: Sequence[str], question: TermQuery, backend: Backend, *, passages: bool = False
) -> Occurrences:
    """Return where documents have the terms.

    Args:
        documents: the texts.
        question: the terms; whether of words or characters.
        backend: converts and cuts.
        passages: whether only what stands near terms is cut into words. Then two places of the answer may be nearer each other
            than they are, and a document may be shorter, but only where both are a window or more (see `cut_near`): the windows
            that hold terms are the same, all windows are not.
    """
    # A blank and a NUL are joined to nothing, so neither changes how the rest is converted and cut; a NUL is no second character.
    lines = (" ".join(document.replace("\0", " ").split()) for document in documents)
    text = backend.convert("".join(line + END for line in lines))
    if question.characters:
        return _in_characters(text, question)
    clauses = Clauses(text, question, backend)
    if passages:
        cut_near(clauses, question.size)
    else:
        clauses.cut(~clauses.known)
    return clauses.occurrences()


def _in_characters(text: str, question: TermQuery) -> Occurrences:
    """Return where a text has the terms for substrings; each letter or digit is a word, and a term has as many as are in it."""
    codes = codes_of(text)
    flags, ends = alphanumeric()[codes], codes == ord(END)
    before: Numbers = np.cumsum(flags) - flags  # how many words are before each character
    begins = np.append(0, before[ends])  # of each document, and of what would follow the last
    terms = question.numbers
    sizes = sorted({len(term) for term in terms})
    found = [
        (at, number)
        for at in question.may_begin(codes).tolist()
        for size in sizes
        if (number := terms.get(text[at : at + size])) is not None
    ]
    at, numbers = np.array(sorted(found), dtype=np.int64).reshape(-1, 2).T
    documents = (np.cumsum(ends) - ends)[at]
    words = np.array([sum(map(str.isalnum, term)) for term in question.terms], dtype=np.int64)
    return Occurrences(np.diff(begins), documents, before[at] - begins[documents], numbers, words[numbers])
