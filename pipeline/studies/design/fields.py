"""Fields: what a task may show of a record, such as its text, the marked target or the question."""

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from ...core.invisible import visible
from ...core.model import Finding, Record, item_of
from ...language.answers.mentions import letter
from ...language.grammar import GrammarError
from ...language.languages import grammar_of
from ...language.pronoun_classes import GAP
from ...language.pronouns import CASES, pronoun_table
from ...winograd.adjudication.table import judged_answer, judged_text
from ...winograd.zero_forms import ZERO, zero_form
from ..model.answers import shown_fields
from ..model.study import Study, Task

#: What people must know before they agree to take part.
FORM_PARTS = ("purpose", "publisher", "data", "publication", "withdrawal", "payment", "contact")
#: Replaces the target in the field `blanked`.
BLANK = "____"


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """What is known of a sentence of running text and its translations.

    Attributes:
        genre: the name of its files.
        context: the sentence before it in its document; empty for the first.
        oracle: the sentence with its zeros restored, each in brackets.
        reference: its translation by people.
        systems: the systems whose translations are the record's candidates, in their order.
    """

    genre: str
    context: str
    oracle: str
    reference: str
    systems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyRecord:
    """A record that raters judge, with what is known about it.

    Attributes:
        item: the text with its target, candidates and answer.
        finding: why the rules rejected it.
        pronouns: the name of a pronoun set (filled templates), or its forms (practice records).
        entity: the number of the candidate that the task asks about ("Does the pronoun refer to X?"); None for all candidates.
        own: the number of the candidate that the rater chose in an earlier study.
        doubt: why it is judged again.
        explanation: why the answer of a practice record is right.
        passage: what is known of a sentence of running text; None for others.
        trace: the explanation of a system that is judged.
        overt: whether that system saw the overt pronoun, not the zero.
        part: what it is in the list of an experiment: ``item``, ``filler`` or ``attention``; empty in other studies.
        original: of a draft the original text, question and candidates, of a form its parts; empty for others.
        mates: the other members of its schema, if the design shows them.
    """

    item: Record
    finding: Finding | None = None
    pronouns: str = ""
    entity: int | None = None
    own: int | None = None
    doubt: str = ""
    explanation: str = ""
    passage: Passage | None = None
    trace: str = ""
    overt: bool = False
    part: str = ""
    original: tuple[str, ...] = ()
    mates: tuple[Record, ...] = ()

    def __post_init__(self) -> None:
        candidates = len(self.item.candidates)
        for name, number in (("own", self.own), ("entity", self.entity)):
            if number is not None and not 0 <= number < candidates:
                raise ValueError(f"[{name}] found {number}, expected the number of a candidate of {self.item.id}")
        if 0 < len(self.original) < 3:
            raise ValueError("[original] found one or two texts, expected text, question and candidates, or nothing")
        if self.passage and len(self.passage.systems) != candidates:
            reason = f"found {len(self.passage.systems)} systems of {candidates} translations, expected the same number"
            raise ValueError(f"[systems] {reason}")

    @property
    def id(self) -> str:
        """The id under which it is judged: the item's id, with ``/`` and the entity if the task asks about one.

        The entity is a number; of translations it is the name of the system.
        """
        if self.entity is None:
            return self.item.id
        return f"{self.item.id}/{self.passage.systems[self.entity] if self.passage else self.entity}"

    @property
    def expected(self) -> int | None:
        """The expected judgement: the number of a candidate; for one entity, 1 for yes and 0 for no."""
        if self.entity is None or self.item.answer is None:
            return self.item.answer
        return int(self.entity == self.item.answer)


def named_entities(record: StudyRecord) -> list[int]:
    """Return the numbers of the candidates that the text names, or of all if it names none: a single-entity sentence names one."""
    words = " ".join(re.findall(r"\w+", record.item.text.casefold()))
    names = [" ".join(re.findall(r"\w+", name.casefold())) for name in record.item.candidates]
    named = [number for number, name in enumerate(names) if f" {name} " in f" {words} "]
    return named or list(range(len(names)))


def _candidate(record: StudyRecord, number: int | None) -> str:
    return "" if number is None else record.item.candidates[number]


def _pronoun(item: Record) -> str:
    return "" if item.target is None else item.target.of(item.text)


def _replaced(item: Record, words: str) -> str:
    """Return the text with `words` in place of the target."""
    text, target = item.text, item.target
    return text if target is None else f"{text[: target.start]}{words}{text[target.end :]}"


def _marked(item: Record) -> str:
    opening, closing = "【】" if item.lang.startswith("zh") else "[]"
    return _replaced(item, f"{opening}{_pronoun(item) or ZERO}{closing}")


def _zero(item: Record) -> str:
    return "" if item.target is None else zero_form(item.text, item.target, item.lang).text_zero


def _dropped(item: Record) -> str:
    return "" if item.target is None else zero_form(item.text, item.target, item.lang).text_dropped


def hypothesis_of(record: Record, number: int) -> str:
    """Return the question as a statement about a candidate, which the form `nli` has too; empty if there is none."""
    item = item_of(record)
    try:
        return grammar_of(record.lang).hypothesis(item, number, ()) if item else ""
    except GrammarError:
        return ""


def _pronoun_forms(record: StudyRecord) -> str:
    """Return the distinct forms of a pronoun set, in the order of the cases."""
    sets = {pronouns.name: pronouns for pronouns in pronoun_table(record.item.lang).sets} if record.pronouns else {}
    if record.pronouns not in sets:  # the forms that a practice record lists itself
        return record.pronouns
    return " / ".join(dict.fromkeys(sets[record.pronouns].forms[case] for case in CASES))


def _wrong(record: StudyRecord) -> str:
    """Return the candidates that are not the answer."""
    answer = record.item.answer
    others = (name for number, name in enumerate(record.item.candidates) if number != answer)
    return "" if answer is None else " / ".join(others)


def _feedback(record: StudyRecord, *, yes: bool) -> str:
    """Return what follows in practice when a rater says that the entity of a question is, or is not, the right one."""
    if record.entity is None or not record.explanation:
        return ""
    mark = "✓" if yes == (record.entity == record.item.answer) else "✗"
    return f"{mark} {record.explanation}"


def _lettered(record: StudyRecord) -> str:
    """Return the candidates with the letters that systems see."""
    return "　".join(f"{letter(number)}. {name}" for number, name in enumerate(record.item.candidates))


def _form_part(record: StudyRecord, place: int) -> str:
    """Return a part of a form; empty for a record that is none."""
    return record.original[place] if len(record.original) == len(FORM_PARTS) else ""


def _shown_trace(record: StudyRecord) -> str:
    """Return what a system wrote, composed (NFC), with its line feeds and with what is invisible made visible."""
    lines = unicodedata.normalize("NFC", record.trace).splitlines()
    return "\n".join(visible(line).rstrip() for line in lines).strip()


#: The fields of plain text. A field that a record does not have is empty.
_TEXTS: Mapping[str, Callable[[StudyRecord], str]] = {
    "text": lambda record: record.item.text,
    "text_zero": lambda record: _zero(record.item),
    "seen": lambda record: _marked(record.item) if record.overt else _zero(record.item),
    "text_dropped": lambda record: _dropped(record.item),
    "marked": lambda record: _marked(record.item),
    "blanked": lambda record: _replaced(record.item, BLANK),
    "gap": lambda record: _replaced(record.item, GAP),
    "pronoun": lambda record: _pronoun(record.item),
    "pronouns": _pronoun_forms,
    "question": lambda record: record.item.question,
    "entity": lambda record: _candidate(record, record.entity),
    "translation": lambda record: _candidate(record, record.entity),
    "hypothesis": lambda record: "" if record.entity is None else hypothesis_of(record.item, record.entity),
    "context": lambda record: record.passage.context if record.passage else "",
    "oracle": lambda record: record.passage.oracle if record.passage else "",
    "reference": lambda record: record.passage.reference if record.passage else "",
    "rule": lambda record: record.finding.rule if record.finding else "",
    "class": lambda record: record.finding.exclusion if record.finding else "",
    "message": lambda record: record.finding.message if record.finding else "",
    "own": lambda record: _candidate(record, record.own),
    "doubt": lambda record: record.doubt,
    "explanation": lambda record: record.explanation,
    "if_yes": lambda record: _feedback(record, yes=True),
    "if_no": lambda record: _feedback(record, yes=False),
    "lettered": _lettered,
    "first": lambda record: _candidate(record, 0),
    "second": lambda record: _candidate(record, 1),
    "original": lambda record: record.original[0] if record.original else "",
    "original_question": lambda record: record.original[1] if record.original else "",
    "original_candidates": lambda record: " / ".join(record.original[2:]),
    "trace": _shown_trace,
    "bracketed": lambda record: judged_text(record.item),
    "mate": lambda record: " / ".join(map(_marked, record.mates)),
    **{name: partial(_form_part, place=place) for place, name in enumerate(FORM_PARTS)},
}
#: The fields that reveal the answer; empty unless the rater may know it.
_ANSWERS: Mapping[str, Callable[[StudyRecord], str]] = {
    "right": lambda record: _candidate(record, record.item.answer),
    "wrong": _wrong,
    "mate_right": lambda record: " / ".join(map(judged_answer, record.mates)),
}
#: Their names.
ANSWER_FIELDS = frozenset(_ANSWERS)
#: The fields that show what rules, raters or systems said of an item.
JUDGED_FIELDS = frozenset({"rule", "class", "message", "own", "doubt", "trace"})
#: The fields of the other members of a schema.
MATE_FIELDS = frozenset({"mate", "mate_right"})
#: The fields that raters answer about: the text in each of its forms, the question.
WORDS = frozenset({"text", "text_zero", "text_dropped", "seen", "marked", "blanked", "gap", "question"})
#: The fields that ask about one candidate at a time.
ENTITY_FIELDS = frozenset({"entity", "translation", "hypothesis"})
#: The fields of zero forms.
ZERO_FIELDS = frozenset({"text_zero", "text_dropped"})
#: The names of all fields.
FIELDS = frozenset({*_TEXTS, *_ANSWERS, "candidates"})
#: The keys that choose candidates, down the screen. Digits are for ratings and fixed choices; Label Studio uses u itself.
CANDIDATE_KEYS = "abcdefghijklmnopqrstvwxyz"


def field_value(name: str, record: StudyRecord, options: Sequence[int], *, show_answer: bool) -> Any:
    """Return what a task shows: a text, or for ``candidates`` their texts in the order of `options`, the numbers of candidates.

    Texts are plain and nothing is escaped: ``<Text>`` and ``<Header>`` show them as they are. With `show_answer` the rater may know the
    answer: in practice, and in a study about earlier judgements.
    """
    if name == "candidates":
        return [record.item.candidates[number] for number in options]
    if name in _ANSWERS:
        return _ANSWERS[name](record) if show_answer else ""
    return _TEXTS[name](record)


def shown_value(
    name: str, record: StudyRecord, order: Sequence[int], keys: Iterator[str], *, marked: bool, show_answer: bool
) -> Any:
    """Return a field as a Label Studio task holds it; ``candidates`` become options with value, alias and hotkey.

    Args:
        keys: the keys that are left on the screen; candidates without one get a free key from Label Studio.
        marked: whether each option has the alias ``right`` or ``wrong-1``, ``wrong-2`` …, by which a View of a practice task
            appears after a right or a wrong choice. Results name an option by its alias.
        show_answer: as for `field_value`.
    """
    if name != "candidates":
        return field_value(name, record, order, show_answer=show_answer)
    options, wrong = [], 0
    for number in order:
        option = {"value": record.item.candidates[number]}
        if marked and record.item.answer is not None:
            wrong += number != record.item.answer
            option["alias"] = "right" if number == record.item.answer else f"wrong-{wrong}"
        if key := next(keys, ""):
            option["hotkey"] = key
        options.append(option)
    return options


def record_texts(item: Record) -> set[str]:
    """Return the texts by which a task can show an item: as it is, with the target marked, with a zero."""
    return {item.text, _marked(item), _zero(item)} - {""}


def shows_as_is(study: Study, task: Task, place: int, record: StudyRecord) -> bool:
    """Return whether a task shows the text and the question of a record as they are now."""
    shown = shown_fields(study, task, place)
    show = (study.design or {}).get("show")
    words = {name: field for name, field in show.items() if field in WORDS} if isinstance(show, dict) else {}
    if words:
        return all(
            shown.get(name) == field_value(field, record, (), show_answer=False) for name, field in words.items()
        )
    return not record_texts(record.item).isdisjoint(value for value in shown.values() if isinstance(value, str))
