"""Checks of each task of a study."""

from collections.abc import Mapping
from typing import Any

from ...core.errors import plural, shown
from ...core.validation.rows import list_of, text_of
from ...core.validation.suite import Check, Value, rows_with
from ...language.pronoun_classes import GAP
from ...language.text_checks import has_words
from ...winograd.zero_forms import ZERO
from ..design.fields import BLANK
from ..design.layout import RESERVED
from .rows import data_name, data_of, names_of, screen_of, shows_of

#: The fields of a record that a task must not leave empty.
_FILLED = (
    "text",
    "text_zero",
    "text_dropped",
    "marked",
    "blanked",
    "gap",
    "question",
    "oracle",
    "reference",
    "translation",
)
#: Those of them that a record without a target leaves empty.
_OF_TARGET = ("text_zero", "text_dropped", "marked", "blanked", "gap", "question")


def key_matches_place(value: Value) -> str:
    """The key of a task is STUDY/LIST/POSITION, and its data have the key and the study."""
    task, study = value["task"], value["study"]["id"]
    position = task.get("position")
    expected = f"{study}/{text_of(task, 'list')}/{position if isinstance(position, int) else 0:03}"
    data = data_of(task)
    if (task.get("key"), data.get("study"), data.get("task")) != (expected, study, expected):
        present = f"the key {task.get('key')} and in the data {data.get('task')} of {data.get('study')}"
        return f"found {present}, expected {expected}"
    return ""


def full_screen(value: Value) -> str:
    """A task has an id, an order of candidates and an answer (null if unknown) for each record of a full screen."""
    lengths = [len(list_of(value["task"], name, object)) for name in ("items", "options", "gold")]
    size = screen_of(value["study"])
    return "" if set(lengths) == {size} else f"found {lengths} ids, orders, answers, expected {size} of each"


def options_are_candidates(value: Value) -> str:
    """An order of candidates has each candidate once, the right one among them; it is empty if none are shown."""
    task = value["task"]
    for options, gold in zip(list_of(task, "options", list), list_of(task, "gold", object), strict=False):
        numbers = [number for number in options if type(number) is int]
        if options and (sorted(numbers) != list(range(len(options))) or gold not in (None, *numbers)):
            return f"found the order {shown(options)} with the answer {shown(gold)}"
    return ""


def options_shown(value: Value) -> str:
    """A task shows as many options as the record has candidates; their texts differ, because results name them by text."""
    task = value["task"]
    lists, orders = _shown_options(task), [order for order in list_of(task, "options", list) if order]
    if len(lists) != len(orders):
        return f"found {plural(len(lists), 'field')} with options for {plural(len(orders), 'record')}"
    for texts, order in zip(lists, orders, strict=True):
        if len(set(texts)) != len(order) or len(texts) != len(order) or "" in texts:
            return f"found the options {' | '.join(texts)} for {len(order)} candidates"
    return ""


def gold_hidden(value: Value) -> str:
    """No field of a main task is the right candidate or names it, unless its raters answered in an earlier study."""
    task = value["task"]
    if value["study"].get("told") is True or task.get("phase") == "practice":
        return ""
    for name in names_of(value["study"], "right", "wrong"):
        if data_of(task).get(name, "") != "":
            return f"found {shown(data_of(task)[name])} in {name}, expected an empty text outside practice"
    golds = list_of(task, "gold", object)
    for texts, order, gold in zip(_shown_options(task), list_of(task, "options", list), golds, strict=False):
        right = dict(zip(map(str, order), texts, strict=False)).get(str(gold))
        for name, content in data_of(task).items():
            stray = name not in (*RESERVED, *shows_of(value["study"])) and screen_of(value["study"]) == 1
            if right and (content == right or (stray and isinstance(content, str) and right in content)):
                return f"found the right answer in {shown(content)}, which is the field {name}"
    return ""


def explained_in_practice(value: Value) -> str:
    """A practice task explains its answer; a main task explains nothing."""
    task, data = value["task"], data_of(value["task"])
    for name in names_of(value["study"], "explanation"):
        if (data.get(name, "") == "") == (task.get("phase") == "practice"):
            where = f"in a task of the phase {shown(task.get('phase'))}"
            return f"found {shown(data.get(name, ''))} in {name} {where}, expected an explanation in practice only"
    return ""


def sentence_shown(value: Value) -> str:
    """A task shows a sentence, its target as designed (as Ø, in brackets, as a blank), and in main tasks its question."""
    study, task = value["study"], value["task"]
    screen = screen_of(study)
    for number, item in enumerate(list_of(task, "items", str)[:screen]):
        for shown_as, field in shows_of(study).items():
            without_target = item.partition("/")[0] in value["untargeted"] and field in _OF_TARGET
            if field not in _FILLED or without_target or (field == "question" and task.get("phase") != "main"):
                continue
            name = data_name(shown_as, number, screen)
            text, marks = text_of(data_of(task), name), _marks(study, field)
            if not has_words(text) or not all(mark in text for mark in marks):
                return f"found {shown(text)} in {name}, expected {' and '.join(['words', *marks])}"
    return ""


def _marks(study: Mapping[str, Any], field: str) -> tuple[str, ...]:
    """Return what shows the target in a field."""
    brackets = ("【", "】") if text_of(study, "lang").startswith("zh") else ("[", "]")
    return {"text_zero": (ZERO,), "blanked": (BLANK,), "gap": (GAP,), "marked": brackets}.get(field, ())


def same_fields(value: Value) -> str:
    """The data of all tasks have the same fields in the same order, which the design names."""
    study, data = value["study"], data_of(value["task"])
    expected = value["fields"]
    if shows_of(study):
        screen = screen_of(study)
        expected = [
            *RESERVED,
            *(data_name(name, number, screen) for number in range(screen) for name in shows_of(study)),
        ]
    return f"found the fields {', '.join(data)}, expected {', '.join(expected)}" if list(data) != expected else ""


def _shown_options(task: Mapping[str, Any]) -> list[list[str]]:
    """Return the texts of the options that a task shows, field by field."""
    lists = [content for content in data_of(task).values() if isinstance(content, list)]
    return [[text_of(option, "value") if isinstance(option, dict) else "" for option in options] for options in lists]


#: The checks of tasks.
TASKS: Mapping[str, Check] = {
    name: rows_with("task", check)
    for name, check in {
        "key-matches-place": key_matches_place,
        "full-screen": full_screen,
        "options-are-candidates": options_are_candidates,
        "options-shown": options_shown,
        "gold-hidden": gold_hidden,
        "explained-in-practice": explained_in_practice,
        "sentence-shown": sentence_shown,
        "same-fields": same_fields,
    }.items()
}
