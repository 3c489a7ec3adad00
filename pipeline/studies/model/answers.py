"""The judgements of a study, joined with the tasks that they answer."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...core.errors import PipelineError, shown
from ...statistics.ratings import Category
from .codes import are_codes
from .design import Control
from .judgements import MAX_LEAD_TIME, Answer, Judgement, numbered_judgements
from .study import Study, Task


@dataclass(frozen=True, slots=True)
class TaskJudgement:
    """A judgement with its task.

    Attributes:
        judgement: what the rater answered.
        task: the task.
        place: the place of the item on the task's screen, from 0.
    """

    judgement: Judgement
    task: Task
    place: int

    @property
    def item(self) -> str:
        """The id of the item, the same in all tasks that show it."""
        return self.judgement.item

    @property
    def rater(self) -> str:
        """The rater's pseudonym."""
        return self.judgement.rater

    @property
    def answers(self) -> Mapping[str, Answer]:
        """The answers by control."""
        return self.judgement.answers

    @property
    def skipped(self) -> bool:
        """Whether the rater skipped the task."""
        return self.judgement.skipped

    @property
    def gold(self) -> int | None:
        """The number of the right candidate; None where there is none."""
        return self.task.gold[self.place]


def shown_fields(study: Study, task: Task, place: int) -> dict[str, Any]:
    """Return what a task showed of the item at a place (from 0) on its screen, by the names in the design's ``show``."""
    data = {name: value for name, value in task.data.items() if name not in ("study", "task")}
    if study.screen == 1:
        return data
    end = f"_{place + 1}"
    return {name.removesuffix(end): value for name, value in data.items() if name.endswith(end)}


def read_answers(path: Path, study: Study, tasks: Sequence[Task]) -> list[TaskJudgement]:
    """Return the judgements of an export with their tasks, in the order of the file.

    Raises:
        PipelineError: a judgement is malformed or does not fit a task of the study.
    """
    by_key = {task.key: task for task in tasks}
    controls = {control.name: control for control in study.controls}
    joined = []
    for line, judgement in numbered_judgements(path):
        try:
            task = _task_of(judgement, study, by_key)
            place = task.items.index(judgement.item)
            for name, answer in judgement.answers.items():
                _check(name, answer, controls, task.options[place])
            _require_answers(judgement, controls)
        except ValueError as error:
            raise PipelineError(path, line, str(error)) from error
        joined.append(TaskJudgement(judgement, task, place))
    return joined


def _task_of(judgement: Judgement, study: Study, tasks: Mapping[str, Task]) -> Task:
    if judgement.study != study.id:
        raise ValueError(f"[study] another study; found {shown(judgement.study)}, expected {shown(study.id)}")
    if judgement.task not in tasks:
        raise ValueError(
            f"[task] unknown task; found {shown(judgement.task)}, expected one of the study's {len(tasks)}"
        )
    task = tasks[judgement.task]
    for name in ("list", "phase"):
        if getattr(judgement, name) != getattr(task, name):
            actual, expected = shown(getattr(judgement, name)), shown(getattr(task, name))
            raise ValueError(f"[{name}] not the {name} of task {task.key}; found {actual}, expected {expected}")
    if judgement.item not in task.items:
        raise ValueError(
            f"[item] not in the task; found {shown(judgement.item)}, expected one of {', '.join(task.items)}"
        )
    if judgement.lead_time is not None and not 0 <= judgement.lead_time <= MAX_LEAD_TIME:
        raise ValueError(
            f"[lead_time] impossible time; found {judgement.lead_time!r}, expected 0 to {MAX_LEAD_TIME} seconds"
        )
    return task


def _check(name: str, answer: Answer, controls: Mapping[str, Control], options: Sequence[int]) -> None:
    if name not in controls:
        raise ValueError(f"[answers] unknown control; found {shown(name)}, expected one of {', '.join(controls)}")
    control = controls[name]
    given = shown(answer) + (", a text" if control.kind == "rating" and isinstance(answer, str) else "")
    allowed: Mapping[str, tuple[bool, str]] = {
        "candidate": (answer in options, f"one of {', '.join(map(str, options))}"),
        "choice": (answer in control.choices, f"one of {', '.join(control.choices)}"),
        "choices": (are_codes(answer, control.choices), f"some of {', '.join(control.choices)}"),
        "rating": (
            isinstance(answer, int) and control.low <= answer <= control.high,
            f"a number, {control.low} to {control.high}",
        ),
        "text": (isinstance(answer, str), "text"),
        "labelled": (isinstance(answer, str), "text"),
    }
    fits, expected = allowed[control.kind]
    if not fits:
        raise ValueError(f"[{name}] wrong answer; found {given}, expected {expected}")


def _require_answers(judgement: Judgement, controls: Mapping[str, Control]) -> None:
    """Raise `ValueError` if a judgement lacks a required answer; `annotate pull` refuses such ones."""
    for control in () if judgement.skipped else controls.values():
        if control.required and control.name not in judgement.answers:
            reason = f"answer missing; found {', '.join(sorted(judgement.answers)) or 'none'} of {judgement.rater}"
            raise ValueError(f"[{control.name}] {reason}, expected an answer to each required question")


def first_answers(judgements: Iterable[TaskJudgement]) -> list[TaskJudgement]:
    """Return the judgements that count: of main tasks, not skipped, of each rater the first of an item by the key of its task."""
    first: dict[tuple[str, str], TaskJudgement] = {}
    for judgement in sorted(judgements, key=lambda judgement: (judgement.task.key, judgement.place, judgement.rater)):
        if judgement.task.phase == "main" and not judgement.skipped:
            first.setdefault((judgement.item, judgement.rater), judgement)
    return list(first.values())


def answers_by_item(judgements: Iterable[TaskJudgement], control: str) -> dict[str, dict[str, Category]]:
    """Return the answers to one control by item and rater, ordered by their names: the table for measures of agreement.

    Where a rater answered an item several times, the last of `judgements` counts.
    """
    table: dict[str, dict[str, Category]] = {}
    for judgement in sorted(judgements, key=lambda judgement: (judgement.item, judgement.rater)):
        if control in judgement.answers:
            table.setdefault(judgement.item, {})[judgement.rater] = judgement.answers[control]
    return table


def schema_of(item: str) -> str:
    """Return the schema of an item from its id, which is the schema, a hyphen and the version.

    >>> schema_of("zh-0001-a"), schema_of("zh-0001-b/1"), schema_of("x")
    ('zh-0001', 'zh-0001', 'x')
    """
    head, _, _ = item.rpartition("-")
    return head or item
