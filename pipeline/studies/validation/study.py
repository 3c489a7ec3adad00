"""Studies: what must hold of the folder that is pushed to annotators."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ...core.errors import PipelineError
from ...core.validation.rows import list_of, text_of
from ...core.validation.suite import Suite, Value
from ..design.config import check_config
from ..design.design import Control
from .lists import LISTS
from .rows import of, screen_of, studies
from .tasks import TASKS


def instruction_told(value: Value) -> str:
    """Annotators are told what to do."""
    return "" if text_of(value["study"], "instruction").strip() else "found no instruction"


def lists_told(value: Value) -> str:
    """The lists of the study are those of its tasks."""
    told, found = list_of(value["study"], "lists", str), list(value["lists"])
    return "" if told == found else f"found tasks in the lists {', '.join(found)}, expected {', '.join(told)}"


def config_asks(value: Value) -> str:
    """The labelling config asks for all that the study asks, and shows what tasks have."""
    study = value["study"]
    screen, tasks = screen_of(study), [task for tasks in value["lists"].values() for task in tasks]
    controls = {
        text_of(one, "name") + ("" if screen == 1 else f"-{number + 1}"): _control(one)
        for one in list_of(study, "controls", dict)
        for number in range(screen)
    }
    data: Mapping[str, Any] = next((task["data"] for task in tasks if isinstance(task.get("data"), dict)), {})
    try:
        check_config(text_of(study, "config"), Path("study.json"), controls, data)
    except PipelineError as error:
        return f"found {error.reason}"
    return ""


def _control(told: Mapping[str, Any]) -> Control:
    kind: Any = text_of(told, "kind")
    choices = tuple(list_of(told, "choices", str))
    return Control(
        text_of(told, "name"), kind, bool(told.get("required")), choices, told.get("low", 1), told.get("high", 5)
    )


STUDY = Suite("study", "studies to be pushed (build/annotation/STUDY)", studies, {
    "instruction-told": of("lists", instruction_told),
    "lists-told": of("lists", lists_told),
    "config-asks": of("lists", config_asks),
    **LISTS,
    **TASKS,
})  # fmt: skip
