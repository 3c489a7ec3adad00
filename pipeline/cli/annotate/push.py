"""Push a study to Label Studio."""

from pathlib import Path
from typing import Annotated

import typer

from ...core.errors import plural
from ...core.invisible import one_line
from ...core.servers.retry import Progress
from ...core.servers.secrets import access_token
from ...studies.labelstudio.client import connected
from ...studies.labelstudio.plan import project_title
from ...studies.labelstudio.push import PushReport, push_list, stray_projects
from ...studies.study import read_study
from ..report import Report


def summary(pushed: PushReport) -> str:
    """Return one line on what a push changed in the project of a list."""
    counts = {"added": pushed.added, "updated": pushed.updated, "copies removed": pushed.removed}
    changes = ["project made"] if pushed.created else []
    changes += [f"{count} {change}" for change, count in counts.items() if count]
    changes += [f"set {', '.join(pushed.settings)}"] if pushed.settings else []
    return f"{pushed.title}: {plural(pushed.there, 'task')} there, {', '.join(changes) or 'nothing to do'}"


def command(
    folder: Annotated[Path, typer.Argument(metavar="STUDY", help="Folder of the study that `annotate design` wrote.")],
    url: Annotated[str, typer.Option(help="Address of the server.")] = "http://127.0.0.1:8080",
) -> Report:
    """Create or update the Label Studio project of each list; exit 1 if a project still differs.

    Reads the API token from WINOFORGE_LABEL_STUDIO_TOKEN or the keyring.
    Never changes a task that somebody has worked on.
    """
    report = Report()
    projects = report.figures["projects"] = {}
    study, tasks = read_study(folder)
    for name in study.lists:
        project_title(study, name)  # before anything is sent
    with connected(url, access_token(), Progress(lambda line: typer.echo(one_line(line), err=True))) as client:
        for name in study.lists:
            pushed = push_list(study, name, [task for task in tasks if task.list == name], client)
            report.findings += pushed.findings
            report.add(summary(pushed))
            projects[name] = {"tasks": pushed.there, "added": pushed.added, "updated": pushed.updated}
        report.findings += stray_projects(study, client)
    return report
