"""Jieba's words of Chinese text, and the class that its dictionary gives a word."""

import functools
from typing import Any


@functools.cache
def _jieba() -> Any:
    import jieba  # takes most of a second, which only Chinese text is worth

    jieba.setLogLevel(60)
    return jieba.Tokenizer()


@functools.cache
def _tags() -> dict[str, str]:
    from jieba import posseg

    return dict(posseg.POSTokenizer(_jieba()).word_tag_tab)


def cut(text: str) -> list[str]:
    """Return the words of `text`, without the blanks between them."""
    return [word for piece in text.split() for word in _jieba().cut(piece)]


def tag_of(word: str) -> str:
    """Return the part of speech that Jieba's dictionary gives a word (ICTCLAS letters, ``v`` for a verb), ``x`` if none."""
    return _tags().get(word, "x")
