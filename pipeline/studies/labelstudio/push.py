"""Push: each list of a study becomes a project on the server, and stays the same however often it is pushed."""

from collections.abc import Sequence
from dataclasses import dataclass

from ...core.errors import PipelineError
from ...core.retry import Retries, TemporaryFailure
from ..study import Study, Task
from .client import Client
from .plan import Plan, plan, settings_of
from .remote import Project, marked

#: So many tasks go in one request, which the server takes whole or not at all.
CHUNK = 100
#: A plan that is carried out twice and comes back is not kept by the server.
_ROUNDS = 5


@dataclass(frozen=True, slots=True)
class PushReport:
    """What a push found and did.

    Attributes:
        title: of the project.
        created: whether it was made.
        there: how many tasks of the list the project had.
        added: how many were sent.
        updated: how many, which nobody had worked on, got other data.
        removed: how many copies of others, which nobody had worked on, were deleted.
        settings: the settings that were changed.
        findings: see `Plan`.
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
        """Whether the server was told anything."""
        return bool(self.created or self.added or self.updated or self.removed or self.settings)


def project_of(study: Study, name: str, client: Client) -> Project | None:
    """Return the project of a list, None where there is none yet.

    Raises:
        PipelineError: there are two.
    """
    found = [
        project
        for project in client.projects()
        if marked(str(project.settings["description"] or "")) == (study.id, name)
    ]
    if len(found) > 1:
        numbers = ", ".join(str(project.id) for project in found)
        reason = (
            f"[project] not unique; found the projects {numbers} marked as list {name} of {study.id}, "
            "expected one: delete what nobody has worked in"
        )
        raise PipelineError(None, None, reason)
    return found[0] if found else None


def strays(study: Study, client: Client) -> list[str]:
    """Return a line on each project of the study whose list it does not have, or no longer has: nobody reads what is said there."""
    found = []
    for project in client.projects():
        whose = marked(str(project.settings["description"] or ""))
        if whose is not None and whose[0] == study.id and whose[1] not in study.lists:
            found.append(
                f"{project.title}: [list] is marked as list {whose[1]} of {study.id}, which has none of this name; what is said in it "
                "is not pulled"
            )
    return found


def push_list(study: Study, name: str, tasks: Sequence[Task], client: Client) -> PushReport:
    """Bring the project of a list to what the study says, and return what that took.

    Nothing is repeated blindly: after a failure the server is looked at again, and what is missing is sent. So a run
    that died at any moment is gone on with by the next.

    Args:
        study: the study.
        name: of the list.
        tasks: of the list, in order.
        client: of the server.

    Raises:
        PipelineError: the server refuses, or fails for too long.
    """
    settings = settings_of(study, name)
    patience = Retries(client.watch)
    first: Plan | None = None
    created = False
    rounds = removed = 0
    while True:
        project = project_of(study, name, client)
        try:
            if project is None:
                created = True
                client.create(settings)
            else:
                planned = plan(study, name, tasks, project, client.posted(project.id))
                first = first or planned
                if planned.idle:
                    return PushReport(
                        title=project.title,
                        created=created,
                        there=len(tasks) - len(first.add),
                        added=len(first.add),
                        updated=len(first.update),
                        removed=removed,
                        settings=tuple(first.settings),
                        findings=planned.findings,
                    )
                if rounds == _ROUNDS:
                    reason = f"[server] does not keep what it is told; found {planned} after {rounds} attempts"
                    raise PipelineError(None, None, reason)
                _carry_out(planned, project, client, patience)
                rounds += 1
                removed += len(planned.remove)
        except TemporaryFailure as error:
            patience.wait(error)


def _carry_out(planned: Plan, project: Project, client: Client, patience: Retries) -> None:
    # The settings first: the server holds tasks against the configuration.
    if planned.settings:
        client.configure(project.id, planned.settings)
        patience.reset()
    for number, data in planned.update.items():
        client.replace(number, data)
        patience.reset()
    for number in planned.remove:
        client.remove(number)
        patience.reset()
    for number in planned.open:
        client.open(number)
        patience.reset()
    for start in range(0, len(planned.add), CHUNK):
        client.send(project.id, [task.data for task in planned.add[start : start + CHUNK]])
        patience.reset()
