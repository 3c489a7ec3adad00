"""The suite `study`: what must be true of a study folder before it is pushed."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ...core.errors import PipelineError, shown
from ...core.validation.rows import list_of, text_of
from ...core.validation.suite import Suite, Value, rows_with
from ..design.config import TAGS, check_config
from ..model.design import Control
from .contract import CONTRACT
from .designed import DESIGNED
from .lists import LISTS
from .rows import data_of, screen_of, studies
from .shown import SHOWN
from .tasks import TASKS
from .texts import TEXTS


def instruction_present(value: Value) -> str:
    """The study has an instruction for annotators."""
    return "" if text_of(value["study"], "instruction").strip() else "found no instruction"


def lists_match_tasks(value: Value) -> str:
    """The lists of the study are those of its tasks."""
    expected, present = list_of(value["study"], "lists", str), list(value["lists"])
    return (
        "" if expected == present else f"found tasks in the lists {', '.join(present)}, expected {', '.join(expected)}"
    )


def config_fits(value: Value) -> str:
    """The labelling config has every control of the study, and shows only what is in the data of the tasks."""
    study = value["study"]
    for row in list_of(study, "controls", dict):
        if text_of(row, "kind") not in TAGS:
            return f"found a control of the kind {shown(row.get('kind'))}, expected one of {', '.join(TAGS)}"
    screen, tasks = screen_of(study), [task for tasks in value["lists"].values() for task in tasks]
    controls = {
        text_of(row, "name") + ("" if screen == 1 else f"-{number + 1}"): _control(row)
        for row in list_of(study, "controls", dict)
        for number in range(screen)
    }
    data: Mapping[str, Any] = next(filter(None, map(data_of, tasks)), {})
    try:
        check_config(text_of(study, "config"), Path("study.json"), controls, data)
    except PipelineError as error:
        return f"found {error.reason}"
    return ""


def _control(row: Mapping[str, Any]) -> Control:
    kind: Any = text_of(row, "kind")
    choices = tuple(list_of(row, "choices", str))
    low, high = (number if type(number) is int else 0 for number in (row.get("low", 1), row.get("high", 5)))
    return Control(text_of(row, "name"), kind, bool(row.get("required")), choices, low, high)


STUDY = Suite("study", "studies to be pushed (build/annotation/STUDY)", studies, {
    **CONTRACT,
    "instruction-present": rows_with("lists", instruction_present),
    "lists-match-tasks": rows_with("lists", lists_match_tasks),
    "config-fits": rows_with("lists", config_fits),
    **LISTS,
    **SHOWN,
    **TASKS,
    **TEXTS,
    **DESIGNED,
}, may_be_empty=True)  # fmt: skip
