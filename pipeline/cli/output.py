"""What several commands print or take."""

import os
import sys
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import typer

from ..core.invisible import one_line
from ..core.model import Record, label_counts
from ..core.servers import Progress

_T = TypeVar("_T")


def tracked(steps: Collection[_T], label: str, *, quiet: bool) -> Iterator[_T]:
    """Yield the steps of a stage; on a terminal, show meanwhile on standard error how many of them are done."""
    if quiet or not on_terminal():
        yield from steps
        return
    from rich.console import Console  # loads for a tenth of a second, and only a terminal needs it
    from rich.progress import track

    yield from track(steps, label, console=Console(stderr=True), transient=True)


@contextmanager
def counted(label: str, *, quiet: bool) -> Iterator[Callable[[int, int], None]]:
    """Yield a function that takes what is done and what there is in all, and shows both on standard error if that is a terminal."""
    if quiet or not on_terminal():
        yield lambda _done, _total: None
        return
    from rich.console import Console  # loads for a tenth of a second, and only a terminal needs it
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(label)
        yield lambda done, total: progress.update(task, completed=done, total=total)


@contextmanager
def server_progress(*, quiet: bool, in_bytes: bool = False) -> Iterator[Progress]:
    """Yield callbacks that print lines on standard error and, if that is a terminal, show there how far the current part is.

    Args:
        in_bytes: show bytes and their speed, not numbers of things.
    """
    if quiet or not on_terminal():
        yield Progress(lambda line: typer.echo(one_line(line), err=True))
        return
    from rich import progress as rich
    from rich.console import Console

    columns = (rich.DownloadColumn(), rich.TransferSpeedColumn()) if in_bytes else (rich.MofNCompleteColumn(),)
    console = Console(stderr=True)
    with rich.Progress(
        rich.TextColumn("{task.description}", markup=False),
        rich.BarColumn(),
        *columns,
        rich.TimeRemainingColumn(),
        console=console,
    ) as bar:
        task = bar.add_task("", total=None)
        current = ("", 0)

        def show(name: str, done: int, total: int) -> None:
            nonlocal current
            if (name, total) != current:
                current = (name, total)
                bar.reset(task, description=name, total=total)
            bar.update(task, completed=done, total=total)

        yield Progress(
            lambda line: console.print(one_line(line), markup=False, highlight=False, soft_wrap=True), show=show
        )


def on_terminal() -> bool:
    """Return whether standard error is a terminal that can show progress."""
    return sys.stderr is not None and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"


def balance(records: Iterable[Record]) -> str:
    """Return how often each candidate is the right answer, and whether that is balanced.

    >>> balance([])
    'right answers A 0, B 0 (balanced)'
    """
    counts = label_counts(records)
    state = "balanced" if len(set(counts.values())) == 1 else "not balanced"
    return f"right answers {', '.join(f'{letter} {count}' for letter, count in counts.items())} ({state})"
