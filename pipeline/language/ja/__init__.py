"""Japanese: GiNZA's words, tags and trees; a zero takes its particle with it (彼が来た: 来た)."""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from ...core.model import Span
from ...core.packages import require_packages
from ..grammar import Grammar
from ..language import Language, words_around
from ..questions import question_table
from . import grammar

#: The end of a sentence: final punctuation with closing quotes, unless the quotation goes on (「…。」と言った), or a line end.
_END = re.compile(r"[。！？!?…]+[」』）)]*(?!\s*(?:と|って|など|の|[。！？!?…」』）)]))|\n+")
#: What a zero takes with it, where its noun phrase would be left without a head: は, が, and where the sentence goes on the others.
_PARTICLE = re.compile("(?:は|が|を|に|の)?、?")


def sentence_ends(text: str) -> Iterator[int]:
    """Yield the places where a sentence ends.

    >>> [span.of("「行く。」と彼は言った。私は残る") for span in JAPANESE.sentences("「行く。」と彼は言った。私は残る")]
    ['「行く。」と彼は言った。', '私は残る']
    """
    return (match.end() for match in _END.finditer(text))


@cache
def _tokenizer() -> Any:
    require_packages("japanese", "sudachipy", "sudachidict_core")
    from ..spacy_parts import blank  # takes a second to load

    return blank("ja", config={"nlp": {"tokenizer": {"split_mode": "C"}}})


def cut(text: str) -> list[str]:
    """Return the words of a text by Sudachi's longest units (mode C), which GiNZA was trained on, without blanks."""
    return [token.text for token in _tokenizer()(text) if not token.is_space] if text.strip() else []


def words(sentence: str, fixed: Iterable[Span] = ()) -> list[str]:
    """Return Sudachi's words of a sentence, with every third-person pronoun and every span in `fixed` as one word."""
    return words_around(sentence, fixed, question_table("ja").anaphors(sentence), cut)


def omission(text: str, target: Span) -> Span:
    """Return the target with its particle and the comma behind it, which a zero cannot leave behind.

    >>> omission("彼女は、来た。", Span(0, 2)), omission("彼も来た。", Span(0, 1))
    (Span(start=0, end=4), Span(start=0, end=1))
    """
    match = _PARTICLE.match(text, target.end)
    return Span(target.start, match.end() if match else target.end)


JAPANESE = Language(
    "ja",
    spaced=False,
    ends=sentence_ends,
    words=words,
    parsers=("ginza",),
    omission=omission,
    grammar=Grammar(
        lambda item, index, _: grammar.substitute(item, index), lambda item, index, _: grammar.hypothesis(item, index)
    ),
)
