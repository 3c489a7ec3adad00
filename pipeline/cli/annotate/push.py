"""Push a study to Label Studio."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from ...core.retry import Progress
from ...core.secrets import access_token
from ...studies.labelstudio.client import connected
from ...studies.labelstudio.plan import title_of
from ...studies.labelstudio.push import PushReport, push_list, strays
from ...studies.study import read_study


def told(pushed: PushReport) -> str:
    """Return a line on what a push did with a list."""
    done = ["project made"] if pushed.created else []
    done += [
        f"{number} {what}"
        for number, what in (
            (pushed.added, "added"),
            (pushed.updated, "updated"),
            (pushed.removed, "copies removed"),
        )
        if number
    ]
    done += [f"set {', '.join(pushed.settings)}"] if pushed.settings else []
    return f"{pushed.title}: {pushed.there} tasks there, {', '.join(done) or 'nothing to do'}"


def findings_of(lists: Sequence[PushReport]) -> list[str]:
    """Return what a person has to look at."""
    return [finding for pushed in lists for finding in pushed.findings]


def command(
    study: Annotated[Path, typer.Argument(help="The folder of a study (build/annotation/STUDY).", show_default=False)],
    url: Annotated[str, typer.Option(help="The server.")] = "http://127.0.0.1:8080",
) -> None:
    """Make a project of each list of a study on a Label Studio server, or bring those there up to date; exit 1 if something differs.

    The API token stands in WINOFORGE_LABEL_STUDIO_TOKEN or in a keyring.
    """
    read, tasks = read_study(study)
    for name in read.lists:
        title_of(read, name)
    lists = []
    with connected(url, access_token(), Progress(lambda line: typer.echo(line, err=True))) as client:
        for name in read.lists:
            lists.append(push_list(read, name, [task for task in tasks if task.list == name], client))
            typer.echo(told(lists[-1]))
        others = strays(read, client)
    for finding in (found := findings_of(lists) + others):
        typer.echo(finding, err=True)
    if found:
        raise typer.Exit(1)
