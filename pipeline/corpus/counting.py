"""The terms of a document, found in its words or in its characters."""

import re
from dataclasses import dataclass

import numpy as np

from ..errors import PipelineError
from .text import Backend, words_among
from .windows import Occurrences


@dataclass(frozen=True, slots=True)
class Question:
    """What is counted: the terms, in windows of `size` words, or of `size` characters, in which a term is a substring.

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


def occurrences(document: str, question: Question, backend: Backend) -> Occurrences:
    """Return where a document has the terms."""
    text = backend.convert(document)
    if question.characters:
        return _in_characters(text, question)
    tokens = backend.cut(text)
    numbers = {term: number for number, term in enumerate(question.terms)}
    found = np.array([at for at, token in enumerate(tokens) if token in numbers], dtype=np.int64)
    words = words_among(tokens, text)
    found = found[words[found]]
    places = np.cumsum(words) - 1  # the number of each word among the words
    terms = np.array([numbers[tokens[at]] for at in found.tolist()], dtype=np.int64)
    return Occurrences(places[found], terms, int(words.sum()))


def _in_characters(text: str, question: Question) -> Occurrences:
    """Return where the letters and digits of a text have the terms for substrings; each of them is a word."""
    squeezed = "".join(filter(str.isalnum, text))
    found = sorted(
        (match.start(), number)
        for number, term in enumerate(question.terms)
        for match in re.finditer(f"(?={re.escape(term)})", squeezed)
    )
    places, terms = np.array(found, dtype=np.int64).reshape(-1, 2).T
    return Occurrences(places, terms, len(squeezed))
