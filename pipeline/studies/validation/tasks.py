"""Checks of each task of a study."""

from collections.abc import Mapping
from typing import Any

from ...core.errors import plural
from ...core.validation.rows import list_of, text_of
from ...core.validation.suite import Check, Value
from .rows import rows_with, screen_of

FIELDS = ["key", "list", "position", "phase", "items", "options", "gold", "data"]


def contract(value: Value) -> str:
    """A task has its fields, in their order, and nothing else."""
    return "" if value["keys"] == FIELDS else f"found {', '.join(value['keys'])}, expected {', '.join(FIELDS)}"


def key_matches_place(value: Value) -> str:
    """The key of a task is STUDY/LIST/POSITION, and its data have the key and the study."""
    task, study = value["task"], value["study"]["id"]
    position = task.get("position")
    expected = f"{study}/{text_of(task, 'list')}/{position if isinstance(position, int) else 0:03}"
    data = task["data"] if isinstance(task.get("data"), dict) else {}
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
        if options and (
            sorted(map(repr, options)) != list(map(repr, range(len(options)))) or gold not in (None, *options)
        ):
            return f"found the order {options} with the answer {gold!r}"
    return ""


def options_shown(value: Value) -> str:
    """A task shows as many options as the record has candidates; their texts differ, because results name them by text."""
    task = value["task"]
    shown, orders = _shown_options(task), [order for order in list_of(task, "options", list) if order]
    if len(shown) != len(orders):
        return f"found {plural(len(shown), 'field')} with options for {plural(len(orders), 'record')}"
    for texts, order in zip(shown, orders, strict=True):
        if len(set(texts)) != len(order) or len(texts) != len(order) or "" in texts:
            return f"found the options {' | '.join(texts)} for {len(order)} candidates"
    return ""


def gold_hidden(value: Value) -> str:
    """No field of a main task is just the right candidate, unless its raters answered in an earlier study."""
    task = value["task"]
    if value["study"].get("told") is True or task.get("phase") != "main" or not isinstance(task.get("data"), dict):
        return ""
    golds = list_of(task, "gold", object)
    for texts, order, gold in zip(_shown_options(task), list_of(task, "options", list), golds, strict=False):
        right = dict(zip(map(str, order), texts, strict=False)).get(str(gold))
        for name, shown in task["data"].items():
            if right and shown == right:
                return f"found the right answer {shown!r} in {name}"
    return ""


def same_fields(value: Value) -> str:
    """The data of all tasks have the same fields, each a text or a list of options."""
    data = value["task"]["data"] if isinstance(value["task"].get("data"), dict) else {}
    if sorted(data) != sorted(value["fields"]):
        return f"found the fields {', '.join(sorted(data))}, expected {', '.join(sorted(value['fields']))}"
    other = [name for name, content in data.items() if not isinstance(content, str | list)]
    return f"found {data[other[0]]!r} in {other[0]}, expected text or options" if other else ""


def _shown_options(task: Mapping[str, Any]) -> list[list[str]]:
    """Return the texts of the options that a task shows, field by field."""
    data = task.get("data")
    lists = [content for content in data.values() if isinstance(content, list)] if isinstance(data, dict) else []
    return [[text_of(option, "value") if isinstance(option, dict) else "" for option in options] for options in lists]


#: The checks of tasks.
TASKS: Mapping[str, Check] = {
    name: rows_with("task", check)
    for name, check in {
        "contract": contract,
        "key-matches-place": key_matches_place,
        "full-screen": full_screen,
        "options-are-candidates": options_are_candidates,
        "options-shown": options_shown,
        "gold-hidden": gold_hidden,
        "same-fields": same_fields,
    }.items()
}
