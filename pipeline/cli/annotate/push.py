"""Push a study to Label Studio."""

from pathlib import Path
from typing import Annotated

from ...core.errors import plural
from ...core.servers.secrets import access_token
from ...studies.labelstudio.client import connected
from ...studies.labelstudio.plan import project_title
from ...studies.labelstudio.push import PushReport, exposure_warnings, push_study, stray_projects
from ...studies.model.study import read_study
from ..output import server_progress
from ..parameters import arg, opt
from ..report import Quiet, Report


def summary(pushed: PushReport) -> str:
    """Return one line on what a push changed in the project of a list."""
    if pushed.refused:
        return f"{pushed.title}: nothing changed"
    counts = {
        "added": pushed.added,
        "updated": pushed.updated,
        "opened": pushed.opened,
        "copies removed": pushed.removed,
    }
    changes = ["project made"] if pushed.created else []
    changes += [f"{count} {change}" for change, count in counts.items() if count]
    changes += [f"set {', '.join(pushed.settings)}"] if pushed.settings else []
    return f"{pushed.title}: {plural(pushed.there, 'task')} there, {', '.join(changes) or 'nothing to do'}"


def command(
    folder: Annotated[Path, arg("STUDY", "Folder of the study that `annotate design` wrote.")],
    url: Annotated[str, opt("Address of the server.")] = "http://127.0.0.1:8080",
    quiet: Quiet = False,
) -> Report:
    """Create or update the Label Studio project of each list; exit 1 if a project still differs.

    Reads the API token from WINOFORGE_LABEL_STUDIO_TOKEN or the keyring.
    Warns if its raters could see answers that another study on the server shows,
    or raters of another study those that it shows.
    Never changes a task that somebody has worked on. Changes nothing at all if
    raters have worked on another layout of the study.
    """
    report = Report()
    study, tasks = read_study(folder)
    for name in study.lists:
        project_title(study, name)  # before anything is sent
    with server_progress(quiet=quiet) as progress, connected(url, access_token(), progress) as client:
        for line in exposure_warnings(study, client):
            progress.tell(line)
        pushed = push_study(study, tasks, client)
        strays = stray_projects(study, client)
    projects = report.figures["projects"] = {}
    for entry in pushed:
        report.findings += entry.findings
        report.add(summary(entry))
        projects[entry.name] = {
            "tasks": entry.there,
            "added": entry.added,
            "updated": entry.updated,
            "opened": entry.opened,
            "refused": entry.refused,
        }
    report.findings += strays
    return report
