"""Checks of what raters will read: sentences that say something, no sentence twice, and nothing that tells the answers.

They find what is wrong with a design, its guideline, its practice and its records, so they read the study as its design lays it out.
"""

from collections.abc import Callable, Iterator, Mapping
from html import unescape
from typing import Any

from ...core.errors import plural, shown
from ...core.validation.suite import Check, Value, described, rows_with
from ...language.pronoun_classes import GAP
from ...language.text_checks import (
    check_blanks,
    check_composed,
    check_invisible,
    check_marks,
    check_placeholders,
    check_quotations,
    check_script,
    has_words,
)
from ...winograd.zero_forms import ZERO
from ..design.fields import BLANK, FORM_PARTS
from ..model.design import Design, shows_answers
from ..model.study import Task

#: The fields of a record that show its sentence.
_SENTENCES = ("text", "text_zero", "text_dropped", "marked", "blanked", "gap", "oracle")
#: The fields of a record that a task must not leave empty.
_FILLED = (*_SENTENCES, "question", "reference", "translation")
#: Those of them that a record without a target leaves empty.
_OF_TARGET = ("text_zero", "text_dropped", "marked", "blanked", "gap", "question")
#: The fields that two records may share although their sentences differ, or that only practice has.
_BESIDES = ("explanation", "right", "wrong", "own", "doubt", "rule", "class", "message")
#: The fields of a record that are in the language of the study, and may have no marks of ours.
_PLAIN = (
    *("text", "text_zero", "text_dropped", "question", "entity", "hypothesis", "candidates", "explanation"),
    *("right", "wrong", "own"),
    *FORM_PARTS,
)
#: The fields in the language of the study.
_IN_LANGUAGE = (*_PLAIN, "marked", "blanked", "gap", "pronoun", "context", "oracle")
#: Line feeds and tabs lay out a guideline, a config and what a system wrote.
_LAYOUT = str.maketrans("\n\t", "  ")
#: Minimum length of a text that counts as a sentence in the instruction.
_SENTENCE = 6
#: Minimum number of main records in which something must go with the answer: in fewer it may be chance.
_TELLING = 20
#: Maximum number of values that something which tells the answer has.
_FEW = 4
#: Minimum number of main records of which all right candidates must be marked.
_MARKED = 10


def _records(design: Design, task: Task) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the place of each record on the screen of a task, and what is shown of it by the names of the design."""
    for place in range(len(task.items)):
        end = "" if design.screen == 1 else f"_{place + 1}"
        yield place, {name: task.data[f"{name}{end}"] for name in design.show}


def _main(value: Value) -> Iterator[tuple[Task, int, dict[str, Any]]]:
    """Yield each main record: its task, its place there, and what is shown of it."""
    for task in value["layout"].tasks:
        if task.phase == "main":
            yield from ((task, place, content) for place, content in _records(value["design"], task))


def _texts(value: Value, content: Mapping[str, Any], fields: tuple[str, ...]) -> Iterator[str]:
    """Yield the texts in what is shown of a record that are such fields, those of options among them."""
    show = value["design"].show
    for name, text in content.items():
        if show[name] in fields:
            yield from [text] if isinstance(text, str) else (option["value"] for option in text)


def instruction_present(value: Value) -> str:
    """The study has an instruction for annotators."""
    return "" if has_words(value["layout"].study.instruction) else "found no instruction"


def sentence_shown(value: Value) -> str:
    """A task shows a sentence, its target as designed (as Ø, in brackets, as a blank), and in main tasks its question."""
    task, design = value["task"], value["design"]
    for place, content in _records(design, task):
        untargeted = task.items[place].partition("/")[0] in value["untargeted"]
        for name, field in design.show.items():
            without_target = untargeted and field in _OF_TARGET
            if field not in _FILLED or without_target or (field == "question" and task.phase != "main"):
                continue
            text, marks = content[name], _marks(design, field)
            if not has_words(text) or not all(mark in text for mark in marks):
                return f"found {shown(text)} in {name}, expected {' and '.join(['words', *marks])}"
    return ""


def _marks(design: Design, field: str) -> tuple[str, ...]:
    """Return what shows the target in a field."""
    brackets = ("【", "】") if design.lang.startswith("zh") else ("[", "]")
    return {"text_zero": (ZERO,), "blanked": (BLANK,), "gap": (GAP,), "marked": brackets}.get(field, ())


def shown_once(value: Value) -> str:
    """No two records of a list look the same; only translations of one sentence on a screen may."""
    design = value["design"]
    places: dict[object, tuple[str, str]] = {}
    for task in value["layout"].tasks:
        for place, content in _records(value["design"], task):
            same = frozenset(
                (name, repr(text if isinstance(text, str) else sorted(option["value"] for option in text)))
                for name, text in content.items()
                if design.show[name] not in _BESIDES
            )
            before, key = places.setdefault((task.list, same), (task.items[place], task.key))
            together = design.lists.scheme == "rotated" and key == task.key
            if before != task.items[place] and not together:
                return (
                    f"found {task.items[place]} with the texts of {before} in list {task.list}, expected different ones"
                )
    return ""


def practice_apart(value: Value) -> str:
    """No sentence of practice is in a main task."""
    practice = {
        text: task.key
        for task in value["layout"].tasks
        if task.phase == "practice"
        for _, content in _records(value["design"], task)
        for text in _texts(value, content, _SENTENCES)
    }
    for task, _, content in _main(value):
        for text in _texts(value, content, _SENTENCES):
            if text in practice:
                return f"found the sentence of {practice[text]} in {task.key}, expected another one"
    return ""


def examples_apart(value: Value) -> str:
    """The instruction has no sentence of a main task."""
    instruction = unescape(value["layout"].study.instruction)
    for task, _, content in _main(value):
        for text in _texts(value, content, _SENTENCES):
            if len(text) >= _SENTENCE and text in instruction:
                return f"found the sentence of {task.key}, expected other examples"
    return ""


def gold_not_inferable(value: Value) -> str:
    """Nothing goes with the right answer in all main tasks: no text with a few values, no place of the right candidate."""
    if shows_answers(value["design"]):
        return ""
    answers: dict[str, list[tuple[str, str, str]]] = {}
    places = []
    for task, place, content in _main(value):
        gold, order, entity = task.gold[place], task.options[place], task.items[place].partition("/")[2]
        expected = str(gold) == entity if entity else gold
        for name, feature in content.items():
            answers.setdefault(name, []).append((repr(feature), repr(gold), repr(expected)))
        if gold in order and len(order) > 1:
            places.append(order.index(gold))
    for name, rows in answers.items():
        if len(rows) >= _TELLING and any(_tells({(feature, row[kind]) for feature, *row in rows}) for kind in (0, 1)):
            return f"found that {name} tells the answer in {plural(len(rows), 'record')}"
    if len(places) >= _TELLING and len(set(places)) == 1:
        return f"found the right candidate at place {places[0] + 1} in all {plural(len(places), 'record')}"
    return ""


def _tells(pairs: set[tuple[str, str]]) -> bool:
    """Return whether each of a few values goes with one answer, and not all with the same."""
    values, answers = {value for value, _ in pairs}, {answer for _, answer in pairs}
    return len(pairs) == len(values) <= _FEW and len(answers) > 1


def gold_unmarked(value: Value) -> str:
    """Nothing marks the right candidates of main tasks: no character that only they have, no sentence that names them again."""
    records = [] if shows_answers(value["design"]) else list(_choices(value))
    if len(records) < _MARKED:
        return ""
    common = set(records[0][0]).intersection(*(right for right, _, _ in records))
    common -= {character for _, wrong, _ in records for text in wrong for character in text}
    if common:
        return f"found {shown(min(common))} in all {plural(len(records), 'right candidate')} and in no other"
    if all(text.count(right) > max(map(text.count, wrong)) for right, wrong, text in records):
        return f"found the right candidate more often than others in all {plural(len(records), 'sentence')}"
    return ""


def _choices(value: Value) -> Iterator[tuple[str, list[str], str]]:
    """Yield of each main record that shows its candidates the right one, the others, and the sentence."""
    for task, place, content in _main(value):
        gold, order = task.gold[place], task.options[place]
        texts = list(_texts(value, content, ("candidates",)))
        if gold in order and len(texts) == len(order) > 1:
            right = texts.pop(order.index(gold))
            yield right, texts, " ".join(_texts(value, content, _SENTENCES))


def _all_texts(value: Value) -> Iterator[str]:
    """Yield all texts of a task, or those that all tasks share."""
    if "task" not in value:
        study = value["layout"].study
        yield from (study.title, *study.lists, study.instruction.translate(_LAYOUT), study.config.translate(_LAYOUT))
        return
    for _, content in _records(value["design"], value["task"]):
        for name, text in content.items():
            if not isinstance(text, str):
                yield from (option["value"] for option in text)
            else:
                yield text.translate(_LAYOUT) if value["design"].show[name] == "trace" else text


def _in_language(fields: tuple[str, ...], check: Callable[[Iterator[str], str], str]) -> Check:
    """Return the check of the texts of a task that show these fields, in the language of the study."""

    def check_task(value: Value) -> str:
        texts = (
            text for _, content in _records(value["design"], value["task"]) for text in _texts(value, content, fields)
        )
        return check(texts, value["design"].lang)

    return check_task


def _of_study(check: Check) -> Check:
    """Return the check for the row of a study that can be laid out again."""
    return rows_with("files", rows_with("layout", check))


def _of_task(check: Check) -> Check:
    """Return the check for the row of a designed task."""
    return described(check.__doc__ or "", lambda value: check(value) if value.get("task") else "")


def _of_texts(check: Callable[[Iterator[str]], str], expectation: str) -> Check:
    """Return the check for all texts of a study or of a task."""
    return described(
        expectation, lambda value: check(_all_texts(value)) if value.get("task") or "layout" in value else ""
    )


#: The checks of what raters read.
SHOWN: Mapping[str, Check] = {
    "instruction-present": _of_study(instruction_present),
    "sentence-shown": _of_task(sentence_shown),
    "shown-once": _of_study(shown_once),
    "practice-apart": _of_study(practice_apart),
    "examples-apart": _of_study(examples_apart),
    "gold-not-inferable": _of_study(gold_not_inferable),
    "gold-unmarked": _of_study(gold_unmarked),
    "no-invisible-character": _of_texts(check_invisible, "No invisible character."),
    "composed-unicode": _of_texts(check_composed, "Unicode's composed form (NFC)."),
    **{
        name: _of_task(described(expectation, _in_language(fields, check)))
        for name, expectation, fields, check in (
            ("single-blanks", "Single blanks, none at the ends.", _IN_LANGUAGE, check_blanks),
            ("full-width-marks", "Chinese has full-width marks and half-width letters.", _IN_LANGUAGE, check_marks),
            ("simplified-script", "Chinese is in simplified script.", _IN_LANGUAGE, check_script),
            (
                "closed-quotations",
                "Quotation marks and brackets close.",
                _IN_LANGUAGE,
                lambda texts, _: check_quotations(texts),
            ),
            ("no-placeholder", "No placeholder is left.", _PLAIN, lambda texts, _: check_placeholders(texts)),
        )
    },
}
