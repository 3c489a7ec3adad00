"""Ten sentences on the server of `make labelstudio`, to try labelling."""

import os
import secrets
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated
from unittest.mock import patch

import httpx
import typer

from pipeline.cli import application
from pipeline.core.errors import PipelineError
from pipeline.core.files import read_text
from pipeline.core.servers import KEY, TOKEN, Progress, Secret
from pipeline.studies.labelstudio.client import connected
from pipeline.studies.labelstudio.push import find_project
from pipeline.studies.model.study import read_study
from tools.labelstudio import LOOPBACK, Account, administrator

DESIGN = Path("annotation/designs/demo.yaml")
STUDY = Path("build/annotation/demo")
EXPORT = STUDY / "export"
REPORT = STUDY / "report"
LIST = "1"


def account_at(url: str, data: Path) -> Account:
    """Return the administrator of the server at `url`, whose database is in the folder `data`.

    Raises:
        PipelineError: no server answers there, or the server uses another folder.
    """
    start = "expected a server: run `make labelstudio` in another terminal, wait until it is ready"
    if not (data / "credentials.json").exists():
        raise PipelineError(data, None, f"[data] no server has run here; {start}")
    account = administrator(data, {})
    # The proxies that the environment names must not be used for loopback.
    with httpx.Client(base_url=url, trust_env=False, timeout=30) as client:
        try:
            answer = client.get("/api/current-user/whoami", headers={"Authorization": f"Token {account.token}"})
        except httpx.TransportError as error:
            raise PipelineError(None, None, f"[port] {url} does not answer; {start}") from error
    if answer.status_code != httpx.codes.OK or account.username not in answer.text:
        raise PipelineError(
            None, None, f"[port] {url} is another server; found status {answer.status_code}, expected that of {data}"
        )
    return account


def pseudonym_key_of(data: Path) -> str:
    """Return the pseudonym key of the demo, created where there is none; only the owner of the folder can read it."""
    path = data / "pseudonym-key"
    if not path.exists():
        with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=data, delete=False) as stream:  # mode 600
            stream.write(secrets.token_hex(32) + "\n")
        Path(stream.name).replace(path)
    return read_text(path).strip()


def run(arguments: list[str], environment: Mapping[str, str], *, findings: bool = False) -> None:
    """Print and run a command of winoforge; exit with its status if it fails.

    Secrets are passed in the environment only, so they are not printed. With `findings`, exit status 1 is no failure.
    """
    typer.echo(f"$ winoforge {' '.join(arguments)}")
    try:
        with patch.dict(os.environ, environment):
            application(arguments)(arguments)
    except SystemExit as ended:
        if ended.code and not (findings and ended.code == 1):
            raise


def begin(url: str, account: Account, data: Path) -> list[str]:
    """Build the study, push it, and return the next steps for the user, one line each."""
    run(["annotate", "design", str(DESIGN), "--out", str(STUDY)], {})
    run(["annotate", "push", str(STUDY), "--url", url], {TOKEN: account.token})
    study, _ = read_study(STUDY)
    with connected(url, Secret(TOKEN, account.token), Progress(typer.echo)) as client:
        project = find_project(study, LIST, client)
    if project is None:
        raise PipelineError(None, None, f"[project] found none of {study.id}, expected the one just pushed")
    return [
        "",
        f"1. Open {url}/projects/{project.id}/data ({project.title})",
        f"   Log in as {account.username}; the password is in {data.resolve() / 'credentials.json'}",
        "2. Click “Label All Tasks”. For each sentence choose whom Ø means (keys a, b), rate it from 1 to 5 and submit.",
        "3. make annotate-demo REPORT=1",
    ]


def report(url: str, account: Account, data: Path) -> list[str]:
    """Pull the judgements, write the report of the study, and return its address."""
    if not (STUDY / "study.json").exists():
        raise PipelineError(STUDY, None, "[study] missing study; expected `make annotate-demo` first")
    secrets_of_pull = {TOKEN: account.token, KEY: pseudonym_key_of(data)}
    pull = ["annotate", "pull", str(STUDY), "--url", url, "--out", str(EXPORT)]
    run([*pull, "--forget"], secrets_of_pull, findings=True)  # the project may have been deleted
    judgements = str(EXPORT / "judgements.jsonl")
    run(["annotate", "agree", str(STUDY), "--judgements", judgements, "--out", str(REPORT)], {})
    return ["", f"Open {(REPORT / 'index.html').resolve().as_uri()}"]


def main(
    data: Annotated[Path, typer.Option(help="Folder of the server's database.")] = Path(".labelstudio"),
    port: Annotated[int, typer.Option(help="Port of the server on loopback.", min=1, max=65535)] = 8080,
    pull: Annotated[
        bool, typer.Option("--report", envvar="REPORT", help="Pull the judgements and write the report.")
    ] = False,
) -> None:
    """Put ten sentences on the server of `make labelstudio`, or report on the judgements."""
    url = f"http://{LOOPBACK}:{port}"
    try:
        account = account_at(url, data)
        for line in (report if pull else begin)(url, account, data):
            typer.echo(line)
    except PipelineError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(2) from None


def program() -> None:
    """Run the demo with the arguments of the command line."""
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    app.command()(main)
    app()


if __name__ == "__main__":
    program()
