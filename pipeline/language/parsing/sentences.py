"""Sentences of a Chinese text, and their words."""

import re
from collections.abc import Iterable

from ...core.model import Span
from ..questions import question_table
from ..segmentation import cut

#: The end of a sentence: final punctuation with closing quotes, a blank between two Chinese characters, or a line end.
_END = re.compile(r"[。！？!?…]+[”’」』）)\"']*|(?<=[\u2e80-\uffef])\s+(?=[\u2e80-\uffef])|\n+")


def sentences(text: str) -> list[Span]:
    """Return the sentences of `text` as spans without blanks at their ends; together they cover all characters but blanks.

    >>> [span.of("“走吗？”她问。他不走") for span in sentences("“走吗？”她问。他不走")]
    ['“走吗？”', '她问。', '他不走']
    """
    ends = [match.end() for match in _END.finditer(text)] + [len(text)]
    spans, start = [], 0
    for end in ends:
        part = text[start:end]
        left, right = start + len(part) - len(part.lstrip()), start + len(part.rstrip())
        if left < right:
            spans.append(Span(left, right))
        start = end
    return spans


def sentence_of(text: str, target: Span) -> Span:
    """Return the sentence of `text` that contains `target`; the whole text if the target crosses a boundary."""
    for span in sentences(text):
        if span.start <= target.start and target.end <= span.end:
            return span
    return Span(0, len(text))


def words(sentence: str, fixed: Iterable[Span] = ()) -> list[str]:
    """Return Jieba's words of a sentence, with every third-person pronoun and every span in `fixed` as one word."""
    spans = list(fixed)
    for pronoun in question_table("zh").anaphors(sentence):
        if all(pronoun.end <= span.start or span.end <= pronoun.start for span in spans):
            spans.append(pronoun)
    forms: list[str] = []
    place = 0
    for span in sorted(spans):
        forms += cut(sentence[place : span.start])
        forms.append(span.of(sentence))
        place = span.end
    return forms + cut(sentence[place:])
