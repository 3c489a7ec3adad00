"""Push a study: each list becomes a project on the server. Pushing again changes nothing that is up to date."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from ...core.errors import PipelineError, plural
from ...core.servers import Retries, TemporaryFailure
from ..model.study import PLACE, Study, Task, list_title
from .client import Client
from .remote import OVERLAP, RemoteProject, RemoteTask, mark_of, project_description, same_json

_LINE = f'<Header value="${PLACE}" size="5"/>'
#: The beginning of a labelling config: comments, the first View, its style.
_HEAD = re.compile(r"\s*(?:<!--.*?-->\s*)*<View[^>]*>(?:\s*<Style>.*?</Style>)?", re.DOTALL)


def placed_config(study: Study) -> str:
    """Return the labelling config of a study with the line that shows the place; unchanged if it does not begin with a View."""
    config = study.config.strip()
    head = _HEAD.match(config)
    return config if head is None else f"{head[0]}\n  {_LINE}{config[head.end() :]}"


def placed_data(task: Task, size: int) -> dict[str, Any]:
    """Return the data of a task with its place in a list of `size` tasks.

    >>> placed_data(Task("a/1/003", "1", 3, "main", ("x",), ((),), (None,), {"text": "…"}), 138)
    {'text': '…', 'place': '3 / 138'}
    """
    return {**task.data, PLACE: f"{task.position} / {size}"}


def without_place(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the data of a task on the server as the study has them."""
    return {name: value for name, value in data.items() if name != PLACE}


# --- what to change ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Plan:
    """The changes to make in a project, and the differences that only a person can settle.

    Attributes:
        settings: settings of the project to change.
        update: data to replace, by the number of the task on the server.
        remove: numbers of duplicate tasks that no rater has worked on.
        open: numbers of tasks that the server would take from the queue too early.
        add: data of the tasks to send, in order.
        findings: differences that stay, one line each.
        refused: whether raters have worked on something else than the study; then the plan changes nothing.
    """

    settings: Mapping[str, Any]
    update: Mapping[int, Mapping[str, Any]]
    remove: tuple[int, ...]
    open: tuple[int, ...]
    add: tuple[Mapping[str, Any], ...]
    findings: tuple[str, ...]
    refused: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to change."""
        return not (self.settings or self.update or self.remove or self.open or self.add)

    def __str__(self) -> str:
        changes = {"to update": self.update, "to remove": self.remove, "to open": self.open, "to add": self.add}
        counts = [f"{plural(len(tasks), 'task')} {change}" for change, tasks in changes.items() if tasks]
        return ", ".join([f"{key} to set" for key in self.settings] + counts) or "nothing to do"


def project_settings(study: Study, name: str, *, places: bool = True) -> dict[str, Any]:
    """Return the settings of the project of a list; with `places`, the page of each task shows its place in the list.

    See `list_title` for its error.

    With more than one annotation per task, the server first hands out tasks that others have done, in random order. So the
    project asks for one annotation, and each task allows many (`OVERLAP`): every rater then gets the order of the list.
    """
    # The server strips blanks at both ends.
    return {
        "title": list_title(study.title, name),
        "description": project_description(study, name),
        "label_config": placed_config(study) if places else study.config.strip(),
        "expert_instruction": study.instruction.strip(),
        "show_instruction": bool(study.instruction),
        "sampling": "Sequential sampling",
        "maximum_annotations": 1,
        "show_skip_button": True,
        "enable_empty_annotation": False,
        "show_collab_predictions": False,
    }


def plan_changes(
    study: Study, name: str, tasks: Sequence[Task], project: RemoteProject, remote_tasks: Sequence[RemoteTask]
) -> Plan:
    """Return the changes that bring a project up to date with its list.

    Tasks that a rater has worked on stay as they are. If one of them differs from the study, or if raters have seen another
    labelling config, the plan changes nothing: half of the list would be of one layout and half of another, so that neither its
    balance nor its order would hold.
    """
    by_key = {task.key: task for task in tasks}
    chosen, duplicates, worked_twice = _without_duplicates(remote_tasks)
    touched = [remote for remote in remote_tasks if remote.touched]
    # A list that an early version sent without places stays without them once raters have begun.
    places = not touched or _LINE in str(project.settings["label_config"])
    # People may edit the description, and it holds the version that made the project: only its mark counts.
    settings = {
        key: value
        for key, value in project_settings(study, name, places=places).items()
        if key != "description" and project.settings[key] != value
    }
    data = {task.key: placed_data(task, len(tasks)) if places else task.data for task in tasks}
    kept = [f"{project.title}: [{key}] changed after raters started; kept as it is" for key in settings if touched]
    conflicts = _conflicts(by_key, project, touched)
    if conflicts or (touched and "label_config" in settings):
        return _refusal(*conflicts, *kept)
    findings = [f"{project.title}: {key}: [task] worked on in two copies; expected one" for key in worked_twice]
    findings += [
        f"{project.title}: task {remote.id}: [task] not in the study; found {repr(remote.key) if remote.key else 'no key'}"
        for remote in chosen
        if remote.key not in by_key
    ]
    known = [remote for remote in chosen if remote.key in by_key]
    findings += _wrong_order(project, known, by_key)
    keys = {remote.key for remote in known}
    return Plan(
        settings={} if touched else settings,
        update={
            remote.id: data[remote.key]
            for remote in known
            if not remote.touched and not same_json(remote.data, data[remote.key])
        },
        remove=tuple(duplicates),
        open=tuple(remote.id for remote in known if remote.overlap < OVERLAP),
        add=tuple(data[task.key] for task in tasks if task.key not in keys),
        findings=(*findings, *kept),
    )


def _refusal(*findings: str) -> Plan:
    """Return the plan that changes nothing."""
    return Plan({}, {}, (), (), (), findings, refused=True)


def _conflicts(by_key: Mapping[str, Task], project: RemoteProject, touched: Iterable[RemoteTask]) -> list[str]:
    """Return a line for each task that a rater has worked on and that is not the study's."""
    conflicts = []
    for remote in touched:
        task = by_key.get(remote.key)
        place = f"{project.title}: {remote.key}"
        shown = without_place(remote.data)
        if task is not None and not same_json(shown, task.data):
            conflicts.append(f"{place}: {_changed_data(shown, task.data)}")
        elif task is None and remote.key:
            conflicts.append(f"{place}: [task] not in the study; found a task that a rater has worked on")
    return conflicts


def _without_duplicates(remote_tasks: Iterable[RemoteTask]) -> tuple[list[RemoteTask], list[int], list[str]]:
    """Return the tasks in the server's order, the duplicates to remove, and the keys with work in several copies.

    A duplicate comes from an import that the server completed although its response was lost.
    """
    by_key: dict[str, list[RemoteTask]] = {}
    for remote in sorted(remote_tasks, key=lambda remote: remote.id):
        by_key.setdefault(remote.key or f"#{remote.id}", []).append(remote)
    chosen, duplicates, worked_twice = [], [], []
    for key, copies in by_key.items():
        touched = [copy for copy in copies if copy.touched]
        kept = (touched or copies)[0]
        chosen.append(kept)
        duplicates += [copy.id for copy in copies if copy is not kept and not copy.touched]
        if len(touched) > 1:
            worked_twice.append(key)
    return sorted(chosen, key=lambda remote: remote.id), sorted(duplicates), worked_twice


def _changed_data(remote: Mapping[str, Any], expected: Mapping[str, Any]) -> str:
    fields = sorted(key for key in remote.keys() | expected.keys() if not same_json(remote.get(key), expected.get(key)))
    return f"[data] changed after a rater started, kept as it is; found another {', '.join(fields)}"


def _wrong_order(project: RemoteProject, known: Sequence[RemoteTask], by_key: Mapping[str, Task]) -> list[str]:
    """Return a finding about the tasks that raters get after a later one of the list, if there are any."""
    late: list[str] = []
    last = by_key[known[0].key] if known else None
    after = ""
    for remote in known:
        task = by_key[remote.key]
        if last is not None and task.position < last.position:
            after = after or last.key
            late.append(task.key)
        else:
            last = task
    if not late:
        return []
    others = f" and {plural(len(late) - 1, 'other')}" if len(late) > 1 else ""
    reason = "raters get it" if len(late) == 1 else "raters get them"
    return [
        f"{project.title}: {late[0]}{others}: [order] {reason} after {after}; a task that was deleted on the server and sent "
        "again comes last"
    ]


# --- carry it out -----------------------------------------------------------------------------------------------------

#: Maximum number of times that a plan is carried out; after that, the server does not keep the changes.
MAX_ROUNDS = 5


@dataclass(frozen=True, slots=True)
class PushReport:
    """What a push changed in the project of a list.

    Attributes:
        plan: the changes, and the differences that stay.
        there: number of the list's tasks that were there before.
        created: whether the project was made.
    """

    name: str
    title: str
    plan: Plan
    there: int
    created: bool = False

    @property
    def changed(self) -> bool:
        """Whether the push changed anything on the server."""
        return self.created or not self.plan.is_empty


def find_project(study: Study, name: str, client: Client) -> RemoteProject | None:
    """Return the project of a list; None if there is none.

    Raises:
        PipelineError: several projects are marked as this list.
    """
    projects = [
        project
        for project in client.projects()
        if (mark := project.mark) and (mark.study, mark.list) == (study.id, name)
    ]
    if len(projects) > 1:
        numbers = ", ".join(str(project.id) for project in projects)
        reason = (
            f"[project] not unique; found projects {numbers} marked as list {name} of {study.id}, expected one: "
            "delete those without annotations"
        )
        raise PipelineError(None, None, reason)
    return projects[0] if projects else None


def stray_projects(study: Study, client: Client) -> list[str]:
    """Return a line for each project marked as a list that the study does not have; `pull` does not read it."""
    return [
        f"{project.title}: [list] marked as list {mark.list} of {study.id}, which has no such list; not pulled"
        for project in client.projects()
        if (mark := project.mark) and mark.study == study.id and mark.list not in study.lists
    ]


def exposure_warnings(study: Study, client: Client) -> list[str]:
    """Return a line for each direction in which raters can see what they must not: every account sees every project.

    One line names the studies whose raters could see the answers or judgements that this study shows, another one the studies whose
    answers or judgements the raters of this study could see. Studies in another language do not count.
    """
    own = mark_of(study, "")
    marks = [mark for project in client.projects() if (mark := project.mark)]
    exposed = sorted({mark.study for mark in marks if own.reveals(mark)})
    exposing = sorted({mark.study for mark in marks if mark.reveals(own)})
    shows = "right answers or earlier judgements"
    pairs = (
        (f"{study.id} shows {shows}, which raters of {', '.join(exposed)} can see", exposed),
        (f"raters of {study.id} can see {shows}, which {', '.join(exposing)} shows", exposing),
    )
    return [
        f"warning: {reason}, because every account of a server sees all projects: use another server, or pull {', '.join(others)} "
        "and delete the projects first"
        for reason, others in pairs
        if others
    ]


def push_study(study: Study, tasks: Sequence[Task], client: Client) -> list[PushReport]:
    """Bring the projects of all lists up to date and return what changed in each.

    All lists are read before anything is changed. If raters have worked on another layout of one of them, none is changed: the
    lists of a study are balanced against each other.

    Raises:
        PipelineError: the server refuses, or fails for too long.
    """
    lists = {name: [task for task in tasks if task.list == name] for name in study.lists}
    states = {name: _read_state(study, name, lists[name], client) for name in lists}
    refused = [name for name, state in states.items() if state is not None and state.plan.refused]
    if not refused:
        return [push_list(study, name, lists[name], client, states[name]) for name in lists]
    found = {name: state for name, state in states.items() if state is not None}
    reason = (
        f"{study.title}: [layout] raters have worked on another layout of list {', '.join(refused)}; nothing was changed: push "
        "the folder that they work on, or lay this one out under another id"
    )
    findings = {name: state.plan.findings for name, state in found.items()}
    findings[next(reversed(found))] += (reason,)
    return [
        PushReport(name, state.project.title, _refusal(*findings[name]), state.there) for name, state in found.items()
    ]


@dataclass(frozen=True, slots=True)
class _State:
    """The project of a list as it was read, how many of the list's tasks it has, and what to change in it."""

    project: RemoteProject
    there: int
    plan: Plan


def _read_state(study: Study, name: str, tasks: Sequence[Task], client: Client) -> _State | None:
    """Return the state of the project of a list; None if there is no project."""
    project = find_project(study, name, client)
    if project is None:
        return None
    remote_tasks = client.tasks(project.id)
    there = len({task.key for task in tasks} & {remote.key for remote in remote_tasks})
    return _State(project, there, plan_changes(study, name, tasks, project, remote_tasks))


def push_list(
    study: Study, name: str, tasks: Sequence[Task], client: Client, state: _State | None = None
) -> PushReport:
    """Bring the project of a list up to date and return what changed.

    No write is repeated blindly: after a failure the project is read again and only the missing changes are made. So the next
    run completes one that was interrupted at any moment. `state` is the project as it was just read; None to read it.
    """
    retries = Retries(client.progress)
    first: _State | None = None
    created = accepted = False
    rounds = 0
    removed: tuple[int, ...] = ()
    while True:
        try:
            state = state or _read_state(study, name, tasks, client)
            if state is None:
                if accepted:
                    reason = f"[server] project of list {name} is not kept; found none after the server accepted it"
                    raise PipelineError(None, None, reason)
                created = True
                client.create_project(project_settings(study, name))
                accepted = True
                continue
            first = first or state
            if state.plan.is_empty:
                left = state.plan
                done = replace(first.plan, remove=removed, findings=left.findings, refused=left.refused)
                return PushReport(name, state.project.title, done, first.there, created)
            if rounds == MAX_ROUNDS:
                reason = f"[server] changes are not kept; found {state.plan} after {plural(rounds, 'attempt')}"
                raise PipelineError(None, None, reason)
            _carry_out(state.plan, state.project, client, retries)
            rounds += 1
            removed += state.plan.remove
        except TemporaryFailure as error:
            retries.wait(error)
        state = None


def _carry_out(plan: Plan, project: RemoteProject, client: Client, retries: Retries) -> None:
    # Settings first: the server validates tasks against the labelling config.
    if plan.settings:
        client.update_project(project.id, plan.settings)
        retries.reset()
    steps = [
        *(partial(client.replace_data, number, data) for number, data in plan.update.items()),
        *(partial(client.delete_task, number) for number in plan.remove),
        *(partial(client.open_task, number) for number in plan.open),
        *(partial(client.add_task, project.id, data) for data in plan.add),
    ]
    for done, step in enumerate(steps, 1):
        step()
        client.progress.show(project.title, done, len(steps))
        retries.reset()
