"""Find the anaphor that a question asks about, by aligning the question with the text.

A schema's question repeats the clause of the anaphor with a question word in its place (什么太大了？ for …它太大了。). So
the words on both sides of the question word are aligned with the text on both sides of every place that could hold the
anaphor: pronouns that can answer the question word, other anaphoric expressions (那儿, 这个名字), and the places between two
words, where a zero may stand. The best place is returned if it is clearly the best; nothing is guessed.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from ..core.model import Span
from .questions import QuestionTable
from .segmentation import first_word

_CLAUSE_END = frozenset("，。；！？：,.;!?:\n")
_QUESTION_END = re.compile(r"[\s？?。.！!]+$")
#: Units that are compared: a run of letters or digits of an alphabetic script, else one character.
_UNIT = re.compile(r"[^\W\u2e80-\U0003ffff]+|\S")
#: A word of a language with blanks; elisions and compounds are one word (don't, celui-ci).
_WORD = re.compile(r"\w+(?:['’-]\w+)*")
_BLANK = re.compile(r"\s+")
#: Cost of a unit of the text that the question omits (因为他[非常]心烦 - 谁心烦？).
_SKIP = 0.08
#: Cost of a clause boundary between two aligned characters.
_BOUNDARY = 0.8
#: How many characters of the text the alignment takes on each side of a place.
_WINDOW = 64
#: Lead that a zero needs over the best overt place, because adverbs may stand between a pronoun and its predicate.
_ZERO_MARGIN = 0.25
#: Score that is enough by itself, and score that is enough if no other place has half of it (1: all of the question).
_SURE, _CLEAR = 0.5, 0.25
#: Minimum lead over the second-best place.
_LEAD = 0.05


@dataclass(frozen=True, slots=True)
class Place:
    """The place of the anaphor, and what stands there."""

    span: Span
    kind: Literal["pronoun", "zero", "expression"]


@dataclass(frozen=True, slots=True)
class Undecided:
    """The reason why no place was chosen."""

    reason: str


@dataclass(frozen=True, slots=True)
class _Slot:
    """The question's words before and after the question word, and the pronouns that may replace it."""

    left: str
    right: str
    answers: frozenset[str]
    expressions: bool


def units(text: str) -> list[str]:
    """Return the units of a text in lower case: words of an alphabetic script, else characters.

    >>> units("Joe要搬出 the House")
    ['joe', '要', '搬', '出', 'the', 'house']
    """
    return _UNIT.findall(text.casefold())


def aligned(pattern: Sequence[str], text: Sequence[str]) -> float:
    """Return how many units of `pattern` occur in `text` in order, minus the cost of the units between them.

    The first one must be in the first clause of `text`. The best of several alignments counts.

    >>> aligned("心烦", "非常心烦。")
    1.84
    >>> aligned("心烦", "走了，心烦。")
    0.0
    """
    unreachable = float("-inf")
    start_cost: list[float] = []
    cost = 0.0
    for unit in text:
        start_cost.append(cost)
        cost = unreachable if unit in _CLAUSE_END else cost - _SKIP
    reach = [unreachable] * len(text)  # best gain of the pattern so far whose last aligned unit is text[j]
    for wanted in pattern:
        row = list(reach)
        carried = unreachable  # best of reach[k] for k < j, minus the cost of text[k + 1 : j]
        for j, unit in enumerate(text):
            if unit == wanted:
                row[j] = max(row[j], 1 + max(carried, start_cost[j]))
            carried = max(carried - (_BOUNDARY if unit in _CLAUSE_END else _SKIP), reach[j])
        reach = row
    return round(max([0.0, *reach]), 6)


def _score(text: str, span: Span, slot: _Slot) -> float:
    before, after = units(text[max(0, span.start - _WINDOW) : span.start]), units(text[span.end : span.end + _WINDOW])
    left, right = units(slot.left), units(slot.right)
    gain = aligned(left[::-1], before[::-1]) + aligned(right, after)
    return gain / max(1, len(left) + len(right))


def _slots(question: str, table: QuestionTable) -> list[_Slot]:
    stem = _QUESTION_END.sub("", question).strip()
    question_words: dict[int, tuple[int, frozenset[str]]] = {}
    for kind in table.question_words:
        for match in kind.words.finditer(stem):
            if not any(start <= match.start() < end for start, (end, _) in question_words.items()):
                question_words[match.start()] = (match.end(), kind.answered_by)
    if question_words:
        return [
            _Slot(
                left=_bare(stem[:start], table),
                right=table.particles.sub("", _bare(stem[end:], table)),
                answers=answers,
                expressions=answers != table.pronouns,
            )
            for start, (end, answers) in sorted(question_words.items())
        ]
    snippet = table.anaphors(stem)  # PWS gives some languages the clause itself: "they feared violence"
    if snippet:
        first = snippet[0]
        return [_Slot(stem[: first.start], stem[first.end :], frozenset({first.of(stem).lower()}), expressions=False)]
    return [_Slot("", stem, table.pronouns, expressions=False)]  # the question word was lost: a bare predicate


def _bare(context: str, table: QuestionTable) -> str:
    for kind in table.question_words:
        context = kind.words.sub("", context)
    return context


def _identified(text: str, slot: _Slot, table: QuestionTable) -> Place | None:
    """Return the description that a question asks to identify: 这个傻瓜 for 谁是那个傻瓜？."""
    copula = table.copula.match(slot.right)
    asked = copula and table.proform.match(slot.right, copula.end())
    if slot.left or not asked or not (noun := slot.right[asked.end() :]):
        return None
    for match in table.proform.finditer(text):
        if text.startswith(noun, match.end()):
            return Place(Span(match.start(), match.end() + len(noun)), "expression")
    return None


def _clause_start(text: str, place: int, table: QuestionTable) -> int:
    """Return the place of a subject zero before `place`: after the clause boundary and the connectives."""
    start = place
    while start and text[start - 1] not in _CLAUSE_END and text[start - 1] not in '“”"':
        start -= 1
    while start < place and text[start].isspace():
        start += 1
    while (match := table.connectives.match(text, start)) and match.end() <= place:
        start = match.end()
    return start


def _overt(text: str, slot: _Slot, table: QuestionTable) -> Iterator[Place]:
    for span in table.anaphors(text):
        if span.of(text).lower() in slot.answers:
            yield Place(span, "pronoun")
    if slot.expressions:
        for match in table.proform.finditer(text):
            yield Place(Span(*match.span()), "expression")


def _whole(text: str, place: Place, table: QuestionTable) -> Place:
    """Return an expression extended by the noun of its determiner: 这个 in 这个名字 becomes 这个名字."""
    if place.kind != "expression" or not table.determiner.fullmatch(place.span.of(text)):
        return place
    after = text[place.span.end :]
    noun = first_word(after) if after[:1].isalpha() else ""
    return Place(Span(place.span.start, place.span.end + len(noun)), "expression")


def _gaps(text: str, table: QuestionTable) -> dict[int, int]:
    """Return the places of zeros: between any two characters, or at word boundaries in a language with blanks.

    A key is a place where the question may match the text, its value the place of the zero: before the next word, but for a
    place after a verbal prefix before the whole word (Ki tévedt el? matches el|tévedt).
    """
    gaps = {place: place for place in range(len(text) + 1)}
    if not table.segmented:
        return gaps
    for blank in _BLANK.finditer(text):
        gaps |= dict.fromkeys(range(blank.start(), blank.end()), blank.end())
    for word in _WORD.finditer(text):
        prefix = table.prefix.match(text, word.start(), word.end())
        for place in range(word.start() + 1, word.end()):
            del gaps[place]
        if prefix and prefix.end() < word.end():
            gaps[prefix.end()] = word.start()
    return gaps


def _zero(text: str, slot: _Slot, table: QuestionTable) -> tuple[float, Place]:
    """Return the place between two words where the question matches best, with its score."""
    gaps = _gaps(text, table)
    score, negative = max((_score(text, Span(place, place), slot), -place) for place in gaps)
    place = gaps[-negative]
    if not slot.left:
        place = _clause_start(text, place, table)
    return score, Place(Span(place, place), "zero")


def locate(text: str, question: str, candidates: Sequence[str], table: QuestionTable) -> Place | Undecided:
    """Return the place in `text` that `question` asks about, or why it is undecided; candidates are as the text writes them."""
    slots = _slots(question, table)
    pronouns = table.anaphors(text)
    if len(slots) > 1 and len(pronouns) > 1:
        return Undecided(f"two equally good targets; the question {question!r} asks for {len(slots)} places at once")
    for slot in slots:
        if place := _identified(text, slot, table):
            return place
    ranked = sorted(
        ((_score(text, place.span, slot), place) for slot in slots for place in _overt(text, slot, table)),
        key=lambda scored: (-scored[0], scored[1].span),
    )
    overt_score = ranked[0][0] if ranked else 0.0
    zeros = [_zero(text, slot, table) for slot in slots]
    zero_score, zero_place = max(zeros, key=lambda scored: scored[0])
    if zero_score >= _SURE and zero_score > overt_score + _ZERO_MARGIN:
        start = zero_place.span.start
        at_zero = (name for name in candidates if not slots[0].left and name and text.startswith(name, start))
        if (candidate := next(at_zero, None)) is None:
            return zero_place
        if text.count(candidate) > 1:  # its only mention is the antecedent, not the anaphor
            return Place(Span(start, start + len(candidate)), "expression")
    if ranked and overt_score >= _CLEAR:
        rival = max((score for score, place in ranked if place.span != ranked[0][1].span), default=0.0)
        if overt_score - rival >= _LEAD and (overt_score >= _SURE or rival <= overt_score / 2):
            return _whole(text, ranked[0][1], table)
        return Undecided(f"two equally good targets; the question {question!r} fits both")
    answerable = [span for span in pronouns if any(span.of(text).lower() in slot.answers for slot in slots)]
    if len(answerable) == 1:  # nothing else can be meant
        return Place(answerable[0], "pronoun")
    number = f"{len(answerable)} pronouns" if answerable else "no pronoun"
    return Undecided(f"no clause of the text fits the question {question!r}; found {number} that could answer it")
