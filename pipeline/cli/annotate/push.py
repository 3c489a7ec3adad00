"""Push a study to Label Studio."""

from pathlib import Path
from typing import Annotated

import typer

from ...core.servers.retry import Progress
from ...core.servers.secrets import access_token
from ...studies.labelstudio.client import connected
from ...studies.labelstudio.plan import project_title
from ...studies.labelstudio.push import PushReport, push_list, stray_projects
from ...studies.study import read_study


def summary(report: PushReport) -> str:
    """Return one line on what a push changed in the project of a list."""
    counts = {"added": report.added, "updated": report.updated, "copies removed": report.removed}
    changes = ["project made"] if report.created else []
    changes += [f"{count} {change}" for change, count in counts.items() if count]
    changes += [f"set {', '.join(report.settings)}"] if report.settings else []
    return f"{report.title}: {report.there} tasks there, {', '.join(changes) or 'nothing to do'}"


def command(
    folder: Annotated[Path, typer.Argument(metavar="study", help="Folder of the study that `annotate design` wrote.")],
    url: Annotated[str, typer.Option(help="Address of the server.")] = "http://127.0.0.1:8080",
) -> None:
    """Create or update the Label Studio project of each list; exit 1 if a project still differs.

    Reads the API token from WINOFORGE_LABEL_STUDIO_TOKEN or the keyring.
    Never changes a task that somebody has worked on.
    """
    study, tasks = read_study(folder)
    for name in study.lists:
        project_title(study, name)  # before anything is sent
    findings: list[str] = []
    with connected(url, access_token(), Progress(lambda line: typer.echo(line, err=True))) as client:
        for name in study.lists:
            report = push_list(study, name, [task for task in tasks if task.list == name], client)
            findings += report.findings
            typer.echo(summary(report))
        findings += stray_projects(study, client)
    for finding in findings:
        typer.echo(finding, err=True)
    if findings:
        raise typer.Exit(1)
