"""Push a study: each list becomes a project on the server. Pushing again changes nothing that is up to date."""

from collections.abc import Sequence
from dataclasses import dataclass

from ...core.errors import PipelineError, plural
from ...core.servers.retry import Retries, TemporaryFailure
from ..study import Study, Task
from .client import Client
from .plan import Plan, plan_changes, project_settings
from .remote import RemoteProject

#: Number of tasks in one request, which the server imports as a whole or not at all.
CHUNK = 100
#: Maximum number of times that a plan is carried out; after that, the server does not keep the changes.
MAX_ROUNDS = 5


@dataclass(frozen=True, slots=True)
class PushReport:
    """What a push changed in the project of a list.

    Attributes:
        title: the title of the project.
        created: whether the push created the project.
        there: number of the list's tasks that were there before.
        added: number of tasks sent.
        updated: number of tasks with new data.
        removed: number of duplicates deleted.
        settings: the settings changed.
        findings: differences that stay, one line each (see `Plan`).
    """

    title: str
    created: bool
    there: int
    added: int
    updated: int
    removed: int
    settings: tuple[str, ...]
    findings: tuple[str, ...]

    @property
    def changed(self) -> bool:
        """Whether the push changed anything on the server."""
        return bool(self.created or self.added or self.updated or self.removed or self.settings)


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


def push_list(study: Study, name: str, tasks: Sequence[Task], client: Client) -> PushReport:
    """Bring the project of a list up to date and return what changed.

    No write is repeated blindly: after a failure the project is read again and only the missing changes are made. So the next
    run completes one that was interrupted at any moment.

    Args:
        study: the study.
        name: the name of the list.
        tasks: the tasks of the list, in order.
        client: a client of the server.

    Raises:
        PipelineError: the server refuses, or fails for too long.
    """
    settings = project_settings(study, name)
    retries = Retries(client.progress)
    first: Plan | None = None
    created = False
    rounds = removed = 0
    while True:
        project = find_project(study, name, client)
        try:
            if project is None:
                created = True
                client.create_project(settings)
                continue
            plan = plan_changes(study, name, tasks, project, client.tasks(project.id))
            first = first or plan
            if plan.is_empty:
                return PushReport(
                    title=project.title,
                    created=created,
                    there=len(tasks) - len(first.add),
                    added=len(first.add),
                    updated=len(first.update),
                    removed=removed,
                    settings=tuple(first.settings),
                    findings=plan.findings,
                )
            if rounds == MAX_ROUNDS:
                reason = f"[server] changes are not kept; found {plan} after {plural(rounds, 'attempt')}"
                raise PipelineError(None, None, reason)
            _carry_out(plan, project, client, retries)
            rounds += 1
            removed += len(plan.remove)
        except TemporaryFailure as error:
            retries.wait(error)


def _carry_out(plan: Plan, project: RemoteProject, client: Client, retries: Retries) -> None:
    # Settings first: the server validates tasks against the labelling config.
    if plan.settings:
        client.update_project(project.id, plan.settings)
        retries.reset()
    for number, data in plan.update.items():
        client.replace_data(number, data)
        retries.reset()
    for number in plan.remove:
        client.delete_task(number)
        retries.reset()
    for number in plan.open:
        client.open_task(number)
        retries.reset()
    for start in range(0, len(plan.add), CHUNK):
        client.add_tasks(project.id, [task.data for task in plan.add[start : start + CHUNK]])
        retries.reset()
