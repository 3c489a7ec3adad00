"""Pieces: what a task may show of a record."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...core.model import Finding, Record
from ...language.pronouns import CASES, pronoun_table
from ...winograd.zero_forms import ZERO, zero_form

#: Stands for the target where it is to be filled in.
BLANK = "____"


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyRecord:
    """One thing that raters are asked about: a record, and what is known of it beside.

    Attributes:
        record: the record.
        finding: why it was rejected.
        pronouns: the pronoun set of a filled template, or its forms in a practice record.
        entity: the number of the candidate asked about ("does the pronoun refer to X"); None where all candidates are.
        own: the number of the candidate that the rater chose before.
        doubt: why it is judged again.
        explanation: why the answer of a practice record is right.
    """

    record: Record
    finding: Finding | None = None
    pronouns: str = ""
    entity: int | None = None
    own: int | None = None
    doubt: str = ""
    explanation: str = ""

    @property
    def id(self) -> str:
        """The id under which it is judged: the record's, with the number of the entity behind it."""
        return self.record.id if self.entity is None else f"{self.record.id}/{self.entity}"

    @property
    def expected(self) -> int | None:
        """What a rater should say: the number of a candidate, or 1 and 0 for yes and no where one entity is asked about."""
        if self.entity is None or self.record.answer is None:
            return self.record.answer
        return int(self.entity == self.record.answer)


def _candidate(asked: StudyRecord, number: int | None) -> str:
    return "" if number is None else asked.record.candidates[number]


def _pronoun(asked: StudyRecord) -> str:
    target = asked.record.target
    return "" if target is None else target.of(asked.record.text)


def _in_place(asked: StudyRecord, words: str) -> str:
    text, target = asked.record.text, asked.record.target
    return text if target is None else f"{text[: target.start]}{words}{text[target.end :]}"


def _marked(asked: StudyRecord) -> str:
    opening, closing = "【】" if asked.record.lang.startswith("zh") else "[]"
    return _in_place(asked, f"{opening}{_pronoun(asked) or ZERO}{closing}")


def _zero(asked: StudyRecord) -> str:
    target = asked.record.target
    return "" if target is None else zero_form(asked.record.text, target).text_zero


def _dropped(asked: StudyRecord) -> str:
    target = asked.record.target
    return "" if target is None else zero_form(asked.record.text, target).text_dropped


def _forms(asked: StudyRecord) -> str:
    """Return the distinct forms of a set in the order of cases; practice records tell them themselves."""
    sets = {one.name: one for one in pronoun_table(asked.record.lang).sets} if asked.pronouns else {}
    if asked.pronouns not in sets:
        return asked.pronouns
    return " / ".join(dict.fromkeys(sets[asked.pronouns].forms[case] for case in CASES))


def _wrong(asked: StudyRecord) -> str:
    """Return the candidates that are not the answer."""
    answer = asked.record.answer
    others = (name for number, name in enumerate(asked.record.candidates) if number != answer)
    return "" if answer is None else " / ".join(others)


#: The pieces that are plain text. What a record does not have is the empty text.
_TEXTS: Mapping[str, Callable[[StudyRecord], str]] = {
    "text": lambda asked: asked.record.text,
    "text_zero": _zero,
    "text_dropped": _dropped,
    "marked": _marked,
    "blanked": lambda asked: _in_place(asked, BLANK),
    "pronoun": _pronoun,
    "pronouns": _forms,
    "question": lambda asked: asked.record.question,
    "entity": lambda asked: _candidate(asked, asked.entity),
    "rule": lambda asked: asked.finding.rule if asked.finding else "",
    "class": lambda asked: asked.finding.exclusion if asked.finding else "",
    "message": lambda asked: asked.finding.message if asked.finding else "",
    "own": lambda asked: _candidate(asked, asked.own),
    "doubt": lambda asked: asked.doubt,
    "explanation": lambda asked: asked.explanation,
}
#: The pieces that tell the answer: empty where it is still to be given.
_ANSWERS: Mapping[str, Callable[[StudyRecord], str]] = {
    "right": lambda asked: _candidate(asked, asked.record.answer),
    "wrong": _wrong,
}
#: The names of all pieces.
FIELDS = frozenset({*_TEXTS, *_ANSWERS, "candidates"})


def field_value(name: str, asked: StudyRecord, options: Sequence[int], *, show_answer: bool) -> Any:
    """Return what a task shows: a text, or for ``candidates`` the list from which Label Studio's Choices take their options.

    Texts are plain and go to ``<Text>`` or ``<Header>``, which show them as they are; nothing is escaped.

    Args:
        name: one of `FIELDS`.
        asked: the record with what is known of it.
        options: the numbers of its candidates in the order in which they are shown.
        show_answer: whether the rater may know the answer: in practice, and where it was given before.
    """
    if name == "candidates":
        return [{"value": asked.record.candidates[number]} for number in options]
    if name in _ANSWERS:
        return _ANSWERS[name](asked) if show_answer else ""
    return _TEXTS[name](asked)
