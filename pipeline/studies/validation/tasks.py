"""Tasks of a study: what must hold of each."""

from collections.abc import Mapping
from typing import Any

from ...core.validation.rows import list_of, text_of
from ...core.validation.suite import Check, Value
from .rows import of, screen_of

FIELDS = ["key", "list", "position", "phase", "items", "options", "gold", "data"]


def contract(value: Value) -> str:
    """A task has its fields, in their order, and nothing else."""
    return "" if value["keys"] == FIELDS else f"found {', '.join(value['keys'])}, expected {', '.join(FIELDS)}"


def key_of_place(value: Value) -> str:
    """The key is STUDY/LIST/POSITION, and the data tell the key and the study."""
    task, study = value["task"], value["study"]["id"]
    position = task.get("position")
    expected = f"{study}/{text_of(task, 'list')}/{position if isinstance(position, int) else 0:03}"
    data = task.get("data")
    told = (data.get("study"), data.get("task")) if isinstance(data, dict) else (None, None)
    if (task.get("key"), *told) != (expected, study, expected):
        return f"found the key {task.get('key')} and in the data {told[1]} of {told[0]}, expected {expected}"
    return ""


def full_screen(value: Value) -> str:
    """A task has an id, an order of candidates and an answer, perhaps unknown, for each record of a full screen."""
    found = [len(list_of(value["task"], name, object)) for name in ("items", "options", "gold")]
    expected = screen_of(value["study"])
    return "" if set(found) == {expected} else f"found {found} ids, orders, answers, expected {expected} of each"


def options_are_candidates(value: Value) -> str:
    """The orders have each candidate once, among them the right one; they are empty where none are shown."""
    task = value["task"]
    for options, gold in zip(list_of(task, "options", list), list_of(task, "gold", object), strict=False):
        if options and (
            sorted(map(repr, options)) != list(map(repr, range(len(options)))) or gold not in (None, *options)
        ):
            return f"found the order {options} with the answer {gold!r}"
    return ""


def _shown(task: Mapping[str, Any]) -> list[list[str]]:
    """Return the options that a task shows, field by field."""
    data = task.get("data")
    lists = [one for one in data.values() if isinstance(one, list)] if isinstance(data, dict) else []
    return [[text_of(entry, "value") if isinstance(entry, dict) else "" for entry in one] for one in lists]


def options_shown(value: Value) -> str:
    """What is shown to choose from are as many different texts as candidates, none empty: an answer is told by its text."""
    task = value["task"]
    shown, orders = _shown(task), [one for one in list_of(task, "options", list) if one]
    if len(shown) != len(orders):
        return f"found {len(shown)} fields with options for {len(orders)} records"
    for texts, order in zip(shown, orders, strict=True):
        if len(set(texts)) != len(order) or len(texts) != len(order) or "" in texts:
            return f"found the options {' | '.join(texts)} for {len(order)} candidates"
    return ""


def gold_untold(value: Value) -> str:
    """No field of a main task is the right candidate alone, unless raters answered before."""
    task = value["task"]
    if value["study"].get("told") is True or task.get("phase") != "main" or not isinstance(task.get("data"), dict):
        return ""
    golds = list_of(task, "gold", object)
    for texts, order, gold in zip(_shown(task), list_of(task, "options", list), golds, strict=False):
        right = dict(zip(map(str, order), texts, strict=False)).get(str(gold))
        for name, told in task["data"].items():
            if right and told == right:
                return f"found the right answer {told!r} in {name}"
    return ""


def same_fields(value: Value) -> str:
    """The data have the same fields in all tasks, each a text or a list of options."""
    data = value["task"].get("data")
    found = data if isinstance(data, dict) else {}
    if sorted(found) != sorted(value["fields"]):
        return f"found the fields {', '.join(sorted(found))}, expected {', '.join(sorted(value['fields']))}"
    other = [name for name, told in found.items() if not isinstance(told, str | list)]
    return f"found {found[other[0]]!r} in {other[0]}, expected text or options" if other else ""


#: The checks of tasks.
TASKS: Mapping[str, Check] = {
    name: of("task", check)
    for name, check in {
        "contract": contract,
        "key-of-place": key_of_place,
        "full-screen": full_screen,
        "options-are-candidates": options_are_candidates,
        "options-shown": options_shown,
        "gold-untold": gold_untold,
        "same-fields": same_fields,
    }.items()
}
