"""Where the sentences of a Chinese text begin and end, and which words they are made of."""

import re
from collections.abc import Iterable

from ...core.model import Span
from ..questions import question_table
from ..segmentation import cut

# A sentence ends after its closing marks and quotes, or at a blank between two Chinese characters.
_END = re.compile(r"[。！？!?…]+[”’」』）)\"']*|(?<=[\u2e80-\uffef])\s+(?=[\u2e80-\uffef])|\n+")


def sentences(text: str) -> list[Span]:
    """Return the sentences of `text` as spans without blanks at their ends; together they hold every character but blanks.

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
    """Return the sentence of `text` that holds `target`; the whole text if the target crosses a boundary."""
    for span in sentences(text):
        if span.start <= target.start and target.end <= span.end:
            return span
    return Span(0, len(text))


def words(sentence: str, fixed: Iterable[Span] = ()) -> list[str]:
    """Return Jieba's words of a sentence; every third-person pronoun, and every span in `fixed`, is a word of its own."""
    spans = list(fixed)
    for pronoun in question_table("zh").anaphors(sentence):
        if all(pronoun.end <= span.start or span.end <= pronoun.start for span in spans):
            spans.append(pronoun)
    found: list[str] = []
    place = 0
    for span in sorted(spans):
        found += cut(sentence[place : span.start])
        found.append(span.of(sentence))
        place = span.end
    return found + cut(sentence[place:])
