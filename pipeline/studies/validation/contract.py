"""The contract of a study folder: its files, and the keys, types and ranges of study.json and tasks.jsonl."""

import re
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

from ...core.errors import shown
from ...core.records import field_of, text_field, texts_field
from ...core.validation.suite import Check, Value, rows_with
from ...language.text_checks import has_words
from ..design.snapshot import control_from_json, lists_from_json
from ..model.criteria import criteria_from_json
from ..model.design import CODED, Control
from ..model.remarks import REMARKS
from ..model.study import PHASES, Study, Task, list_title
from .rows import JUDGEMENTS, MAX_SCREEN, data_of

#: What the commands of `annotate` write into the folder of a study or of an export.
_FILES = (
    "study.json",
    "tasks.jsonl",
    JUDGEMENTS,
    REMARKS,
    "figures.json",
    "items.tsv",
    "index.html",
    "report",
    "export",
)
_STUDY_KEYS = [{"shows_answers": "told"}.get(field.name, field.name) for field in fields(Study)]
_TASK_KEYS = [field.name for field in fields(Task)]
_ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_LIST = re.compile(r"[\w-]+")
_LANG = re.compile(r"[a-z]{2,3}(?:-[A-Za-z0-9]+)*")


def known_files(value: Value) -> str:
    """The folder has no other files than those that design, pull and agree write."""
    unknown = [name for name in value["files"] if name not in _FILES]
    return f"found {shown(unknown[0])}, expected only {', '.join(_FILES)}" if unknown else ""


def study_contract(value: Value) -> str:
    """A study has its fields, in their order, each of its type and in its range."""
    study = value["study"]
    if list(study) != _STUDY_KEYS:
        return f"found the fields {shown(', '.join(study))}, expected {', '.join(_STUDY_KEYS)}"
    return _problem(_check_study, study)


def contract(value: Value) -> str:
    """A task has its fields, in their order, and nothing else, each of its type and in its range."""
    if value["keys"] != _TASK_KEYS:
        return f"found {shown(', '.join(value['keys']))}, expected {', '.join(_TASK_KEYS)}"
    return _problem(_check_task, value["task"])


def _problem(check: Callable[[Mapping[str, Any]], None], row: Mapping[str, Any]) -> str:
    try:
        check(row)
    except ValueError as error:
        return str(error)
    return ""


def _check_study(study: Mapping[str, Any]) -> None:
    for name, pattern, expected in (("id", _ID, "small letters, digits and hyphens"), ("lang", _LANG, "a language")):
        if not pattern.fullmatch(text_field(study, name)):
            raise ValueError(f"[{name}] found {shown(study[name])}, expected {expected}")
    for name in ("title", "instruction", "config"):
        if not has_words(text_field(study, name)):
            raise ValueError(f"[{name}] found {shown(study[name])}, expected words")
    field_of(study, "told", bool, "true or false")
    if not 1 <= field_of(study, "screen", int, "a number of records") <= MAX_SCREEN:
        raise ValueError(f"[screen] found {study['screen']}, expected 1 to {MAX_SCREEN}")
    lists = _lists(study)
    controls = [control_from_json(row) for row in field_of(study, "controls", list, "controls")]
    if not controls or len({control.name for control in controls}) < len(controls):
        raise ValueError(f"[controls] found {len(controls)}, expected at least one, with different names")
    for control in controls:
        _check_control(control)
    layout = lists_from_json(field_of(study, "layout", dict, "how records are divided into lists"))
    criteria_from_json(study["criteria"])
    if layout.scheme != "raters" and layout.projects != len(lists):
        raise ValueError(
            f"[layout] found {len(lists)} lists, expected {layout.projects}: the count, doubled if mirrored"
        )


def _lists(study: Mapping[str, Any]) -> tuple[str, ...]:
    lists = texts_field(study, "lists")
    if not lists or len(set(lists)) < len(lists) or not all(map(_LIST.fullmatch, lists)):
        raise ValueError(f"[lists] found {shown(list(lists))}, expected different names of letters, digits and hyphens")
    for name in lists:
        list_title(study["title"], name)
    return lists


def _check_control(control: Control) -> None:
    if not re.fullmatch(r"[a-z][\w-]*", control.name):
        raise ValueError(f"[name] found a control {shown(control.name)}, expected letters, digits and hyphens")
    if (control.kind in CODED) != (len(control.choices) > 1) or len(set(control.choices)) < len(control.choices):
        reason = f"found {shown(list(control.choices))} for {control.name} of the kind {control.kind}"
        raise ValueError(
            f"[choices] {reason}, expected two or more for the kinds {' and '.join(CODED)}, none for others"
        )
    if control.low >= control.high:
        raise ValueError(f"[low] found ratings from {control.low} to {control.high}, expected the lower first")


def _check_task(task: Mapping[str, Any]) -> None:
    for name in ("key", "list"):
        text_field(task, name)
    if task["phase"] not in PHASES:
        raise ValueError(f"[phase] found {shown(task['phase'])}, expected one of {', '.join(PHASES)}")
    if field_of(task, "position", int, "a place in the list") < 1:
        raise ValueError(f"[position] found {task['position']}, expected 1 or more")
    if not all(texts_field(task, "items")):
        raise ValueError("[items] found an empty id, expected the id of a record")
    for order in field_of(task, "options", list, "an order of candidates for each record"):
        if not isinstance(order, list) or not all(type(number) is int and number >= 0 for number in order):
            raise ValueError(f"[options] found {shown(order)}, expected the numbers of candidates")
    for answer in field_of(task, "gold", list, "an answer for each record"):
        if answer is not None and (type(answer) is not int or answer < 0):
            raise ValueError(f"[gold] found {shown(answer)}, expected the number of a candidate, or null")
    field_of(task, "data", dict, "what a rater sees")


def plain_data(value: Value) -> str:
    """What the server gets of a task is texts and lists of options; only options of practice are marked as right or wrong."""
    allowed = {"value", "alias", "hotkey"} if value["task"].get("phase") == "practice" else {"value", "hotkey"}
    for name, content in data_of(value["task"]).items():
        if not isinstance(content, str) and not _are_options(content, allowed):
            return f"found {shown(content)} in {name}, expected text or options"
    return ""


def _are_options(content: object, allowed: set[str]) -> bool:
    """Return whether something is a list of options, as Label Studio takes them, with these keys alone."""
    return isinstance(content, list) and all(
        isinstance(option, dict)
        and "value" in option
        and option.keys() <= allowed
        and all(isinstance(text, str) for text in option.values())
        for option in content
    )


def judgements_fit(value: Value) -> str:
    """Judgements in the folder are answers to its tasks."""
    return str(value["judgements"])


#: The checks of the contract.
CONTRACT: Mapping[str, Check] = {
    "known-files": rows_with("lists", known_files),
    "study-contract": rows_with("lists", study_contract),
    "contract": rows_with("task", contract),
    "plain-data": rows_with("task", plain_data),
    "judgements-fit": rows_with("judgements", judgements_fit),
}
