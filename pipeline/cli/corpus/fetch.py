"""Download a dump of Wikimedia's."""

import contextlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated

import typer

from ...core.addresses import server_address
from ...corpus.fetch.dump_files import ORIGIN, Dump, sha1_of


@contextlib.contextmanager
def _bars() -> Iterator[tuple[Callable[[str], None], Callable[[str, int, int], None]]]:
    """Yield what tells a line on standard error, with what shows there how far a file is, if that is a terminal."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        DownloadColumn,
        Progress,
        TaskID,
        TextColumn,
        TimeRemainingColumn,
        TransferSpeedColumn,
    )

    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
    )
    tasks: dict[str, TaskID] = {}
    with Progress(*columns, console=console, disable=not sys.stderr.isatty()) as progress:

        def tell(line: str) -> None:
            console.print(line, markup=False, highlight=False, soft_wrap=True)

        def show(what: str, done: int, total: int) -> None:
            if what not in tasks:
                for old in progress.task_ids:
                    progress.remove_task(old)
                tasks.clear()
                tasks[what] = progress.add_task(what, total=total, completed=done)
            progress.update(tasks[what], completed=done, total=total)

        yield tell, show


def command(
    wiki: Annotated[str, typer.Argument(help="As Wikimedia names it: zhwiki.", show_default=False)],
    date: Annotated[str, typer.Argument(help="The day of the dump: 20261101.", show_default=False)],
    out: Annotated[Path, typer.Option(help="The folder that the files go to.", show_default=False)],
    mirror: Annotated[str, typer.Option(help="The server that the files are taken from.")] = ORIGIN,
    sums: Annotated[
        str,
        typer.Option(help="The server that the digests are taken from. A mirror's own guard against damage only."),
    ] = ORIGIN,
    sha1: Annotated[
        str | None, typer.Option(help="The dump's SHA-1, if you know it from elsewhere.", show_default=False)
    ] = None,
    index_sha1: Annotated[str | None, typer.Option(help="The index's.", show_default=False)] = None,
) -> None:
    """Download a dump of Wikimedia's with its index, verified; a run that was cut off goes on."""
    dump = Dump(wiki, date)
    files, digests = server_address(mirror, "mirror"), server_address(sums, "sums")
    given = ((dump.articles, sha1, "sha1"), (dump.index, index_sha1, "index-sha1"))
    pins = {name: sha1_of(text, option) for name, text, option in given if text is not None}
    from ...core.retry import Progress
    from ...corpus.fetch.fetch import Servers, fetch

    with _bars() as (tell, show):
        rows = fetch(dump, out, Servers(files, digests), pins, Progress(tell, show=show))
    for row in rows:
        typer.echo(f"{out / row.name}: {row.size} bytes, sha1 {row.sha1}, sha256 {row.sha256}")
