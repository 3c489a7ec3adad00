"""Words of texts: of Chinese by Jieba, with their parts of speech, of English by spaCy's tokenizer."""

import functools
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from spacy.language import Language

#: The parts of speech of Jieba's dictionary.
TAGS = frozenset({
    "a", "ad", "ag", "an", "b", "c", "d", "df", "dg", "e", "f", "g", "h", "i", "j", "k", "l", "m", "mg", "mq", "n", "ng", "nr", "nrfg",
    "nrt", "ns", "nt", "nz", "o", "p", "q", "r", "rg", "rr", "rz", "s", "t", "tg", "u", "ud", "ug", "uj", "ul", "uv", "uz", "v", "vd",
    "vg", "vi", "vn", "vq", "x", "y", "z", "zg",
})  # fmt: skip
#: Maximum number of characters without a blank that the tokenizer is given at once: it takes quadratic time for them.
_LONGEST = 200


@functools.cache
def _jieba() -> Any:
    import jieba  # takes most of a second: only on first use

    jieba.setLogLevel(60)
    made = jieba.Tokenizer()
    made.initialize()
    return made


def tokenizer() -> Any:
    """Return a new tokenizer of Jieba with a dictionary of its own, which may be changed."""
    import jieba

    made, loaded = jieba.Tokenizer(), _jieba()
    made.FREQ, made.total, made.initialized = dict(loaded.FREQ), loaded.total, True
    return made


@functools.cache
def _tags() -> dict[str, str]:
    with _jieba().get_dict_file() as file:  # jieba.posseg would read it twice
        lines = file.read().decode("utf-8").split("\n")
    return {word: tag for word, _, tag in (line.strip().split(" ") for line in lines if line.strip())}


def cut(text: str) -> list[str]:
    """Return the words of `text` without the blanks."""
    return list(_words(text))


def first_word(text: str) -> str:
    """Return the first word of `text`, or an empty text; what follows its clause is not segmented."""
    return next(_words(text), "")


def _words(text: str) -> Iterator[str]:
    return (word for piece in text.split() for word in _jieba().cut(piece))


def tag_of(word: str) -> str:
    """Return the part of speech of a word in Jieba's dictionary (ICTCLAS letters, ``v`` for a verb), or ``x``."""
    return _tags().get(word, "x")


def english_words(text: str) -> list[str]:
    """Return the words and marks of a text, without blanks.

    >>> english_words("He's sure he didn't.")
    ['He', "'s", 'sure', 'he', 'did', "n't", '.']
    """
    pieces = [piece[start : start + _LONGEST] for piece in text.split() for start in range(0, len(piece), _LONGEST)]
    return [token.text for piece in pieces for token in _english().tokenizer(piece)]


@functools.cache
def _english() -> "Language":
    from .spacy_parts import blank  # takes a second to load, and only English needs it

    return blank("en")
