"""Push a study: each list becomes a project on the server. Pushing again changes nothing that is up to date."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ...core.errors import PipelineError, plural
from ...core.servers.retry import Retries, TemporaryFailure
from ..model.study import Study, Task
from .client import Client
from .plan import Plan, plan_changes, project_settings
from .remote import RemoteProject, mark_of

#: Maximum number of times that a plan is carried out; after that, the server does not keep the changes.
MAX_ROUNDS = 5


@dataclass(frozen=True, slots=True)
class PushReport:
    """What a push changed in the project of a list.

    Attributes:
        name: the name of the list.
        there: number of the list's tasks that were there before.
        added: number of tasks sent.
        updated: number of tasks with new data.
        opened: number of tasks that an interrupted push had left closed to further raters.
        removed: number of duplicates deleted.
        settings: the settings changed.
        findings: differences that stay, one line each (see `Plan`).
        refused: whether nothing was changed because raters have worked on something else than the study.
    """

    name: str
    title: str
    created: bool
    there: int
    added: int
    updated: int
    opened: int
    removed: int
    settings: tuple[str, ...]
    findings: tuple[str, ...]
    refused: bool = False

    @property
    def changed(self) -> bool:
        """Whether the push changed anything on the server."""
        return bool(self.created or self.added or self.updated or self.opened or self.removed or self.settings)


def find_project(study: Study, name: str, client: Client) -> RemoteProject | None:
    """Return the project of a list; None if there is none.

    Raises:
        PipelineError: several projects are marked as this list.
    """
    projects = [project for project in client.projects() if project.marked_list == (study.id, name)]
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
        f"{project.title}: [list] marked as list {project.marked_list[1]} of {study.id}, which has no such list; not pulled"
        for project in client.projects()
        if project.marked_list is not None
        and project.marked_list[0] == study.id
        and project.marked_list[1] not in study.lists
    ]


def exposure_warnings(study: Study, client: Client) -> list[str]:
    """Return a line for each direction in which raters can see what they must not: every account sees every project.

    One line names the studies whose raters could see the answers or judgements that this study shows, another one the studies whose
    answers or judgements the raters of this study could see. Studies in another language do not count.
    """
    own = mark_of(study, "")
    marks = [project.mark for project in client.projects()]
    exposed = sorted({mark.study for mark in marks if mark is not None and own.reveals(mark)})
    exposing = sorted({mark.study for mark in marks if mark is not None and mark.reveals(own)})
    shows = "right answers or earlier judgements"
    pairs = []
    if exposed:
        pairs.append((f"{study.id} shows {shows}, which raters of {', '.join(exposed)} can see", exposed))
    if exposing:
        pairs.append((f"raters of {study.id} can see {shows}, which {', '.join(exposing)} shows", exposing))
    return [
        f"warning: {reason}, because every account of a server sees all projects: use another server, or pull {', '.join(others)} "
        "and delete the projects first"
        for reason, others in pairs
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
    reports = [
        _report(name, state, Plan({}, {}, (), (), (), state.plan.findings, refused=True))
        for name, state in states.items()
        if state is not None
    ]
    reason = (
        f"{study.title}: [layout] raters have worked on another layout of list {', '.join(refused)}; nothing was changed: push "
        "the folder that they work on, or lay this one out under another id"
    )
    return [*reports[:-1], replace(reports[-1], findings=(*reports[-1].findings, reason))]


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
    rounds = removed = 0
    while True:
        try:
            state = state or _read_state(study, name, tasks, client)
            if state is None:
                if accepted:
                    reason = f"[server] project of list {name} is not kept; found none after the server accepted it"
                    raise PipelineError(None, None, reason)
                created = True
                client.create_project(project_settings(study, name, places=True))
                accepted = True
                continue
            first = first or state
            if state.plan.is_empty:
                return replace(
                    _report(name, first, first.plan),
                    title=state.project.title,
                    created=created,
                    removed=removed,
                    findings=state.plan.findings,
                    refused=state.plan.refused,
                )
            if rounds == MAX_ROUNDS:
                reason = f"[server] changes are not kept; found {state.plan} after {plural(rounds, 'attempt')}"
                raise PipelineError(None, None, reason)
            _carry_out(state.plan, state.project, client, retries)
            rounds += 1
            removed += len(state.plan.remove)
        except TemporaryFailure as error:
            retries.wait(error)
        state = None


def _report(name: str, state: _State, plan: Plan) -> PushReport:
    """Return the report of a project in which a plan was carried out, or refused."""
    return PushReport(
        name=name,
        title=state.project.title,
        created=False,
        there=state.there,
        added=len(plan.add),
        updated=len(plan.update),
        opened=len(plan.open),
        removed=len(plan.remove),
        settings=tuple(plan.settings),
        findings=plan.findings,
        refused=plan.refused,
    )


def _carry_out(plan: Plan, project: RemoteProject, client: Client, retries: Retries) -> None:
    # Settings first: the server validates tasks against the labelling config.
    if plan.settings:
        client.update_project(project.id, plan.settings)
        retries.reset()
    total = len(plan.update) + len(plan.remove) + len(plan.open) + len(plan.add)
    done = 0

    def count() -> None:
        nonlocal done
        done += 1
        client.progress.show(project.title, done, total)
        retries.reset()

    for number, data in plan.update.items():
        client.replace_data(number, data)
        count()
    for number in plan.remove:
        client.delete_task(number)
        count()
    for number in plan.open:
        client.open_task(number)
        count()
    for data in plan.add:
        client.add_task(project.id, data)
        count()
