"""Serve an experiment in a laboratory."""

from pathlib import Path
from typing import Annotated

import typer

from ...core.errors import PipelineError, plural
from ...core.files import read_text
from ...core.packages import require_packages
from ...core.servers.addresses import server_address
from ...experiment.browser.store import DATABASE, Store
from ...experiment.browser.trials import read_experiment
from ..parameters import arg, opt
from ..report import Report

#: The page of an experiment.
PAGE = "index.html"


def command(
    folder: Annotated[Path, arg("DIR", "Folder of the experiment that `experiment build` wrote.")],
    data: Annotated[Path, opt(f"Folder of the results, {DATABASE}; the server goes on with what is there.")],
    host: Annotated[str, opt("Address to listen on. Default: this machine alone.")] = "127.0.0.1",
    port: Annotated[int, opt("Port to listen on; 0 stands for a free one.", min=0, max=65535)] = 8000,
    origin: Annotated[str, opt("Address under which a proxy publishes the server, such as https://lab.example.")] = "",
    check: Annotated[bool, opt("Check the experiment and the results, print the counts, and exit.", "--check")] = False,
) -> Report:
    """Serve the page of an experiment, assign its lists and store the records, until Ctrl-C or SIGTERM.

    A new session gets the list with the fewest completed sessions. A record
    that was acknowledged survives a crash. No address and no time is stored.
    The page /progress shows the counts, on this machine alone.
    """
    public = _origin(origin)
    if data.resolve() == folder.resolve():
        raise PipelineError(data, None, "[data] the folder of the experiment; expected another folder for the results")
    experiment, page = read_experiment(folder), read_text(folder / PAGE)
    report = Report()
    if not check:
        require_packages("experiment", "starlette", "uvicorn")
        from ...experiment.browser import server

        listening = server.listen(host, port)
    store = Store(data, experiment)
    if not check:
        private = server.is_private(listening)
        if not private:
            typer.echo(
                f"warning: {host} can be reached from other machines, without encryption; a laboratory's own network only, "
                "or behind a proxy with HTTPS",
                err=True,
            )
        typer.echo(f"serving {folder} at {server.address_of(listening)}; end with Ctrl-C", err=True)
        server.serve(server.application(page, experiment, store, loopback=private, public=public), listening)
    counts = store.counts()
    store.close()
    report.add(
        f"{store.path}: {plural(counts.begun, 'session')} begun, {counts.completed} completed, {counts.withdrawn} withdrawn, "
        f"{plural(counts.records, 'record')}",
        begun=counts.begun,
        completed=counts.completed,
        withdrawn=counts.withdrawn,
        records=counts.records,
    )
    lists = ", ".join(f"{number}: {done}" for number, done in counts.lists.items())
    report.add(f"completed sessions by list: {lists}", lists=[*counts.lists.values()])
    return report


def _origin(text: str) -> str:
    """Return the origin that browsers give for an address; empty for an empty text."""
    if not text:
        return ""
    address = server_address(text, "origin").lower()
    if address.count("/") != 2:
        raise PipelineError(None, None, f"[origin] found {address}, expected http(s)://host without a path")
    return address
