"""Operators: words that keep a clause from being true although its text is (省得, 以为, if), from rules/grammar."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Literal

import msgspec

from ...core.convert import Text, Words, read_yaml
from ...core.errors import shown
from ...core.model import Span
from ...core.rules import RULES
from ..segmentation import cut

_CLAUSE_MARKS = "，；：,;:"
#: The end of a sentence, with what closes it; English titles (Dr. Adams) end none.
_SENTENCE_END = re.compile(r"[。！？\n]+[”’」』]*|(?<!\bDr)(?<!\bMr)(?<!\bMrs)(?<!\bMs)[.!?]+[\"'”’)]*(?=\s|$)")


@dataclass(frozen=True, slots=True)
class OperatorCase:
    """An example of an operator: a text with its target in brackets, a question, and the statement about a candidate."""

    text: Text
    question: Text
    candidate: Text
    statement: Text


class Operator(msgspec.Struct, frozen=True, rename={"not_after": "not-after"}):
    """One group of words of rules/grammar/operators-zh.yaml, which explains the fields."""

    words: Words
    place: Literal["opens", "touches", "ends", "begins"]
    reach: Literal["clause", "sentence"]
    keeps: Literal["clause", "before", "after", "sentence"]
    because: Text
    cases: Annotated[tuple[OperatorCase, ...], msgspec.Meta(min_length=1, description="a list of cases, at least one")]
    follows: bool = False
    holder: bool = False
    not_after: Text = ""
    stops: Words = ()

    def __post_init__(self) -> None:
        cases = [(case.text, case.candidate) for case in self.cases]
        if twice := next((case for case in self.cases if cases.count((case.text, case.candidate)) > 1), None):
            raise ValueError(
                f"[cases] not unique; found {shown(twice.text)} with {shown(twice.candidate)} twice, expected it once"
            )


@dataclass(frozen=True, slots=True)
class Governed:
    """A clause under an operator: the `word` at `place`, and the part of the text that a statement of the clause keeps."""

    operator: Operator
    word: str
    place: Span
    kept: Span


@cache
def operators(lang: str) -> Mapping[str, Operator]:
    """Return the operators of a language by name, in the order of its file; none if it has no file."""
    path = RULES / "grammar" / f"operators-{lang}.yaml"
    if not path.exists():
        return {}
    return read_yaml(path, dict[Text, Operator])


def governed(text: str, target: Span, lang: str) -> Governed | None:
    """Return the operator that keeps the target's clause from being true, the widest if there are several; None if there is none."""
    sentence = sentence_at(text, target)
    clauses = clauses_of(text, sentence)
    own = next((at for at, clause in enumerate(clauses) if target.start <= clause.end), len(clauses) - 1)
    fits = _whole_words(text, sentence) if lang == "zh" else _letters(text)
    governors = [
        Governed(operator, text[place.start : place.end], place, _kept(operator, place, clauses, own))
        for operator in operators(lang).values()
        for place in _places(operator, text, target, clauses, own)
        if fits(place) and not _stopped(operator, text[place.end : target.start])
    ]
    return max(governors, key=lambda entry: (entry.kept.end - entry.kept.start, -entry.place.start), default=None)


def _stopped(operator: Operator, between: str) -> bool:
    """Return whether a word between the operator and the target ends its reach: feared the dog because it was big."""
    return any(re.search(rf"(?<![A-Za-z]){re.escape(word)}(?![A-Za-z])", between) for word in operator.stops)


def sentence_at(text: str, place: Span) -> Span:
    """Return the sentence around a place, without the blank before it and with the mark at its end."""
    ends = [match.end() for match in _SENTENCE_END.finditer(text)]
    start = max((end for end in ends if end <= place.start), default=0)
    while start < place.start and text[start].isspace():
        start += 1
    return Span(start, min((end for end in ends if end > place.end), default=len(text)))


def clauses_of(text: str, sentence: Span) -> list[Span]:
    """Return the clauses of a sentence without the marks between them and at their end."""
    marks = [at for at in range(sentence.start, sentence.end) if text[at] in _CLAUSE_MARKS]
    starts = [sentence.start, *(at + 1 for at in marks)]
    end = sentence.end
    while end > starts[-1] and not text[end - 1].isalnum() and text[end - 1] not in "”’」』\"'":
        end -= 1
    return [
        Span(start + len(text[start:stop]) - len(text[start:stop].lstrip()), stop)
        for start, stop in zip(starts, [*marks, end], strict=True)
    ]


def _places(operator: Operator, text: str, target: Span, clauses: list[Span], own: int) -> Iterator[Span]:
    """Yield the places of an operator's words from which it governs the target's clause."""
    clause = clauses[own]
    for word in sorted(operator.words, key=len, reverse=True):
        if operator.place == "touches":
            head = text[clause.start : target.start].rstrip()
            start = clause.start + len(head) - len(word)
            if head.lower().endswith(word) and not text[:start].rstrip().endswith(tuple(operator.not_after) or "\0"):
                yield Span(start, start + len(word))
        elif operator.place == "begins":
            if own == 1 and clauses[0].of(text).lower().startswith(f"{word} "):
                yield Span(clauses[0].start, clauses[0].start + len(word))
        elif operator.place == "ends":
            for earlier in clauses[:own] if operator.reach == "sentence" else clauses[max(own - 1, 0) : own]:
                if earlier.of(text).endswith(word):
                    yield Span(earlier.end - len(word), earlier.end)
        else:
            first = clauses[0].start if operator.reach == "sentence" else clause.start
            yield from _before(word, text, first, target, follows=operator.follows)


def _before(word: str, text: str, first: int, target: Span, *, follows: bool) -> Iterator[Span]:
    """Yield the places of a word between `first` and the target, and the one directly after the target if it `follows`."""
    for match in re.finditer(re.escape(word), text[first : target.start], re.IGNORECASE):
        yield Span(first + match.start(), first + match.end())
    if follows and text.startswith(word, target.end):
        yield Span(target.end, target.end + len(word))


def _kept(operator: Operator, place: Span, clauses: list[Span], own: int) -> Span:
    """Return the part of the text that a statement under an operator keeps."""
    at = next(number for number, clause in enumerate(clauses) if place.start <= clause.end)
    behind = operator.keeps == "after" and operator.reach == "sentence" and at == len(clauses) - 1  # …, 除非他来
    first = 0 if behind or operator.keeps in ("before", "sentence") else at
    last = len(clauses) - 1 if operator.keeps in ("after", "sentence") else own
    return Span(clauses[first].start, clauses[last].end)


def _whole_words(text: str, sentence: Span) -> Callable[[Span], bool]:
    """Return whether a place of a Chinese sentence begins and ends where words do: 以为 does not in 可以|为."""
    edges, end = {sentence.start}, sentence.start
    for word in cut(sentence.of(text)):
        start = text.index(word, end)
        end = start + len(word)
        edges |= {start, end}
    return lambda place: {place.start, place.end} <= edges


def _letters(text: str) -> Callable[[Span], bool]:
    """Return whether a place of a text in letters begins and ends where words do."""
    return lambda place: (
        not text[: place.start][-1:].isalnum() and not text[place.end :][:1].isalnum() and text[place.end :][:1] != "’"
    )
