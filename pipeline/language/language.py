"""What a language offers to the stages: the interface that each folder of a language fills."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from ..core.model import Span
from .grammar import Grammar


def _no_omission(_: str, target: Span) -> Span:
    return target


def _blank_words(sentence: str, fixed: Iterable[Span]) -> list[str]:
    return words_around(sentence, fixed, (), str.split)


@dataclass(frozen=True, slots=True)
class Language:
    """A language by its ISO 639-1 code; what it does not know is empty, and its question table, rules and words are in rules/.

    Attributes:
        spaced: whether blanks separate words, and a question follows a text after a blank.
        ends: the places where a sentence ends in a text; None without a parser.
        words: returns the words of a sentence, with each given span and each third-person pronoun as one word.
        tag: returns the part of speech of a word in a dictionary, for the XPOS of a lock; None if the parser gives it.
        tags: all values of XPOS that a rule can ask for; None where any is possible.
        parsers: the names of its back ends; the first decides.
        omission: returns what is left out with a target: the span of the target with its particle.
        grammar: makes the derived forms; None without one.
    """

    code: str
    spaced: bool = True
    ends: Callable[[str], Iterator[int]] | None = None
    words: Callable[[str, Iterable[Span]], list[str]] = _blank_words
    tag: Callable[[str], str] | None = None
    tags: frozenset[str] | None = None
    parsers: Sequence[str] = ()
    omission: Callable[[str, Span], Span] = _no_omission
    grammar: Grammar | None = None

    def sentences(self, text: str) -> list[Span]:
        """Return the sentences of `text` as spans without blanks at their ends; together they cover all characters but blanks."""
        spans, start = [], 0
        for end in (*(self.ends(text) if self.ends else ()), len(text)):
            part = text[start:end]
            left, right = start + len(part) - len(part.lstrip()), start + len(part.rstrip())
            if left < right:
                spans.append(Span(left, right))
            start = end
        return spans

    def sentence_of(self, text: str, target: Span) -> Span:
        """Return the sentence of `text` that contains `target`; the whole text if the target crosses a boundary."""
        for span in self.sentences(text):
            if span.start <= target.start and target.end <= span.end:
                return span
        return Span(0, len(text))


def words_around(
    sentence: str, fixed: Iterable[Span], pronouns: Iterable[Span], cut: Callable[[str], list[str]]
) -> list[str]:
    """Return the words of a sentence, with every span in `fixed` and every pronoun outside these as one word."""
    spans = list(fixed)
    for pronoun in pronouns:
        if all(pronoun.end <= span.start or span.end <= pronoun.start for span in spans):
            spans.append(pronoun)
    forms: list[str] = []
    place = 0
    for span in sorted(spans):
        forms += cut(sentence[place : span.start])
        forms.append(span.of(sentence))
        place = span.end
    return forms + cut(sentence[place:])
