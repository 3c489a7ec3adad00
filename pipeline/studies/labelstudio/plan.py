"""What a project lacks of its list."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...core.errors import PipelineError
from ..study import Study, Task
from .remote import Project, RemoteTask, mark, same

#: With this the server gives nobody the same task twice, and refuses it to nobody else.
OVERLAP = 1000
#: The server takes no other lengths.
TITLE_LENGTHS = range(3, 51)


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be done, and what must be left to a person.

    Attributes:
        settings: of the project, to be set.
        update: data to replace, by the number of the task on the server.
        remove: numbers of tasks that are copies of others, which nobody has worked on.
        open: numbers of tasks that the server would take from the queue too early.
        add: tasks to send, in order.
        findings: what is not as the study has it and is not changed, a line each.
    """

    settings: Mapping[str, Any]
    update: Mapping[int, Mapping[str, Any]]
    remove: tuple[int, ...]
    open: tuple[int, ...]
    add: tuple[Task, ...]
    findings: tuple[str, ...]

    @property
    def idle(self) -> bool:
        """Whether nothing is to be done."""
        return not (self.settings or self.update or self.remove or self.open or self.add)

    def __str__(self) -> str:
        counts = {"to update": self.update, "to remove": self.remove, "to open": self.open, "to add": self.add}
        told = [f"{len(one)} tasks {what}" for what, one in counts.items() if one]
        return ", ".join([f"{key} to set" for key in self.settings] + told) or "nothing to do"


def title_of(study: Study, name: str) -> str:
    """Return the title of the project of a list.

    Raises:
        PipelineError: the server would not take it.
    """
    title = f"{study.title} · {name}"
    if len(title) not in TITLE_LENGTHS:
        reason = (
            f"[title] found {len(title)} characters in {title!r}, expected {TITLE_LENGTHS[0]} to {TITLE_LENGTHS[-1]}"
        )
        raise PipelineError(None, None, reason)
    return title


def settings_of(study: Study, name: str) -> dict[str, Any]:
    """Return the settings of the project of a list.

    More than one annotation a task would make the server hand out first, at random, what others have done; so the
    project asks for one, and each task for many (`OVERLAP`): everybody then has the order of the list.
    """
    # The server cuts blanks off at both ends.
    return {
        "title": title_of(study, name),
        "description": mark(study, name),
        "label_config": study.config.strip(),
        "expert_instruction": study.instruction.strip(),
        "show_instruction": bool(study.instruction),
        "sampling": "Sequential sampling",
        "maximum_annotations": 1,
        "show_skip_button": True,
        "enable_empty_annotation": False,
        "show_collab_predictions": False,
    }


def plan(study: Study, name: str, tasks: Sequence[Task], project: Project, posted: Sequence[RemoteTask]) -> Plan:
    """Return what brings a project to what its list says without touching what somebody has worked on.

    Args:
        study: the study.
        name: of the list.
        tasks: of the list, in order.
        project: as it is.
        posted: all its tasks.
    """
    title = project.title
    findings: list[str] = []
    wanted = {task.key: task for task in tasks}
    chosen, remove, copies = _without_copies(posted)
    findings += [f"{title}: {key}: [task] found twice, with work in both, expected once" for key in copies]
    update: dict[int, Mapping[str, Any]] = {}
    for one in chosen:
        task = wanted.get(one.key)
        if task is None:
            findings.append(
                f"{title}: task {one.id}: [task] found {one.key or 'none of ours'!r}, which the study lacks"
            )
        elif not same(one.data, task.data):
            if one.touched:
                changed = sorted(
                    key for key in one.data.keys() | task.data.keys() if not same(one.data.get(key), task.data.get(key))
                )
                findings.append(
                    f"{title}: {one.key}: [data] changed since it was worked on, left as it was; found another {', '.join(changed)}"
                )
            else:
                update[one.id] = task.data
    there = [one.key for one in chosen if one.key in wanted]
    order = [task.key for task in tasks if task.key in set(there)]
    for found, expected in zip(there, order, strict=True):
        if found != expected:
            findings.append(f"{title}: {found}: [order] found it where {expected} is expected")
            break
    settings = _settings(settings_of(study, name), project, any(one.touched for one in posted), findings)
    return Plan(
        settings=settings,
        update=update,
        remove=tuple(remove),
        open=tuple(one.id for one in chosen if one.key in wanted and one.overlap < OVERLAP),
        add=tuple(task for task in tasks if task.key not in set(there)),
        findings=tuple(findings),
    )


def _without_copies(posted: Iterable[RemoteTask]) -> tuple[list[RemoteTask], list[int], list[str]]:
    """Return the tasks in the order of the server, the copies that may go, and the keys with work in several.

    Copies come from an import whose answer was lost and which the server did after all.
    """
    by_key: dict[str, list[RemoteTask]] = {}
    for one in sorted(posted, key=lambda one: one.id):
        by_key.setdefault(one.key or f"#{one.id}", []).append(one)
    chosen, remove, copies = [], [], []
    for key, same_key in by_key.items():
        touched = [one for one in same_key if one.touched]
        chosen.append((touched or same_key)[0])
        remove += [one.id for one in same_key if one is not chosen[-1] and not one.touched]
        if len(touched) > 1:
            copies.append(key)
    return sorted(chosen, key=lambda one: one.id), sorted(remove), copies


def _settings(expected: Mapping[str, Any], project: Project, touched: bool, findings: list[str]) -> dict[str, Any]:
    """Return the settings to change; once there is work in the project, they become findings."""
    # The description may be edited, and tells the version that made the project: it is ours by the mark in it.
    changed = {key: value for key, value in expected.items() if key != "description" and project.settings[key] != value}
    if not touched:
        return changed
    findings += [f"{project.title}: [{key}] changed since the list was worked on, left as it was" for key in changed]
    return {}
