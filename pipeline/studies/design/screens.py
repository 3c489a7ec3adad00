"""Screens: the tasks of a list."""

from collections.abc import Sequence
from typing import Any

from ...core.errors import PipelineError
from ..study import Task
from .design import Design
from .fields import Asked, piece


def field_name(design: Design, name: str, number: int) -> str:
    """Return the name in the data of a field of the record at `number` (from 0) on the screen."""
    return name if design.screen == 1 else f"{name}_{number + 1}"


def screens(
    design: Design,
    name: str,
    phase: str,
    records: Sequence[Asked],
    orders: Sequence[tuple[int, ...]],
    position: int,
    *,
    told: bool,
) -> list[Task]:
    """Return the tasks of one phase of a list, each with as many records as the design's screen has.

    Args:
        design: names what they show.
        name: of the list.
        phase: ``practice`` or ``main``.
        records: in their order.
        orders: for each the numbers of its candidates as they are shown.
        position: of the first task.
        told: whether raters may know the answers.

    Raises:
        PipelineError: two candidates of a record read the same, or the last screen would be short: the config is one for all
            screens, and asks for each control.
    """
    size = design.screen
    if rest := len(records) % size:
        reason = f"found {len(records)} {phase} records in list {name}, expected a multiple of {size}"
        reason += f", such as {len(records) - rest}: a screen asks about all its records"
        raise PipelineError(design.path, design.lines.get("screen"), f"[screen] {reason}")
    shows = "candidates" in design.show.values()
    for asked in records:
        names = asked.record.candidates
        if shows and len(set(names)) < len(names):
            reason = f"found {' | '.join(names)} of {asked.id}, expected different texts: an answer is told by its text"
            raise PipelineError(design.records, None, f"[candidates] {reason}")
    tasks = []
    for at, start in enumerate(range(0, len(records), size), position):
        screen = records[start : start + size]
        options = tuple(orders[start : start + size]) if shows else ((),) * size
        key = f"{design.id}/{name}/{at:03}"
        data: dict[str, Any] = {"study": design.id, "task": key}
        for number, (asked, order) in enumerate(zip(screen, options, strict=True)):
            for field, what in design.show.items():
                data[field_name(design, field, number)] = piece(what, asked, order, told=told)
        ids, gold = tuple(asked.id for asked in screen), tuple(asked.record.answer for asked in screen)
        tasks.append(Task(key, name, at, phase, ids, options, gold, data))
    return tasks
