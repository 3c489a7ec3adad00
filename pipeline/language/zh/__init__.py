"""Chinese: Jieba's words and tags, UDPipe's and Stanza's trees; a zero leaves nothing but its pronoun out."""

import re
from collections.abc import Iterable, Iterator

from ...core.model import Span
from ..grammar import Grammar
from ..language import Language, words_around
from ..questions import question_table
from ..segmentation import TAGS, cut, tag_of
from . import grammar

#: The end of a sentence: final punctuation with closing quotes, a blank between two Chinese characters, or a line end.
_END = re.compile(r"[。！？!?…]+[”’」』）)\"']*|(?<=[\u2e80-\uffef])\s+(?=[\u2e80-\uffef])|\n+")


def sentence_ends(text: str) -> Iterator[int]:
    """Yield the places where a sentence ends.

    >>> [span.of("“走吗？”她问。他不走") for span in CHINESE.sentences("“走吗？”她问。他不走")]
    ['“走吗？”', '她问。', '他不走']
    """
    return (match.end() for match in _END.finditer(text))


def words(sentence: str, fixed: Iterable[Span] = ()) -> list[str]:
    """Return Jieba's words of a sentence, with every third-person pronoun and every span in `fixed` as one word."""
    return words_around(sentence, fixed, question_table("zh").anaphors(sentence), cut)


CHINESE = Language(
    "zh",
    spaced=False,
    ends=sentence_ends,
    words=words,
    tag=tag_of,
    tags=TAGS,
    parsers=("stanza", "udpipe"),
    grammar=Grammar(
        lambda item, index, _: grammar.substitute(item, index),
        lambda item, index, _: grammar.hypothesis(item, index),
        grammar.reported,
    ),
)
