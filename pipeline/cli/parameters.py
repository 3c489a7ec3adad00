"""How a command declares what it takes: an argument, an option, an option that names an output; and what several commands print.

`arg`, `opt` and `output` return what Typer reads from `Annotated`: ``items: Annotated[Path, arg("ITEMS", "The items (JSON Lines).")]``.
"""

import os
import sys
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from ..core.invisible import one_line
from ..core.model import Record, label_counts
from ..core.servers import Progress

_T = TypeVar("_T")
#: The help of an output starts with this word.
OUTPUT = "Output:"


def arg(metavar: str, text: str) -> Any:
    """Return an argument: its name in the help and in messages, and its help."""
    return typer.Argument(metavar=metavar, help=text)


def opt(text: str, *names: str, **limits: Any) -> Any:
    """Return an option with its help.

    Args:
        names: ``--name`` where it is not that of the parameter; a flag has one, so that no ``--no-name`` is made.
        limits: `min`, `max` and `metavar`, as Typer knows them.
    """
    return typer.Option(*names, help=text, **limits)


def output(text: str, *names: str, **limits: Any) -> Any:
    """Return the option of an output: a command may write there, and it is none of its inputs. See `opt`."""
    return opt(f"{OUTPUT} {text}", *names, **limits)


#: The modes of WSC-ZA (4.1.2).
PAPER_MODES = "zero-shot,one-shot,few-shot"

# Arguments of the commands `evaluate`.
Release = Annotated[Path, arg("RELEASE", "Folder of a release, such as build/release/zh.")]
Predictions = Annotated[list[Path], opt("Predictions or responses (JSON Lines); may be repeated.")]
Sample = Annotated[
    bool,
    opt("The answers are those to a sample: count the items that any run answered, and miss no others.", "--sample"),
]
Modes = Annotated[list[str] | None, opt("Mode that counts; may be repeated. Without it, all that show whole items.")]
People = Annotated[Path | None, opt("People's answers to the same items: a table with item and accuracy (TSV).")]
Association = Annotated[Path | None, opt("Answers by association that `pmi` wrote (JSON Lines).")]
Difficulty = Annotated[
    Path | None, opt("Table that `evaluate difficulty` wrote (difficulty.tsv): how hard the items are.")
]
Demonstrations = Annotated[
    Path | None,
    opt("Examples in place of ours (YAML): their text by mode, as prompts show it, such as those that a paper prints."),
]
BaseUrl = Annotated[str, opt("Address of a server with an OpenAI interface, which ends in /v1.")]

# Options of the commands that write requests for a server elsewhere.
RequestsFile = Annotated[Path, output("requests (JSON Lines).")]
BatchModel = Annotated[str, opt("Name of the model at the server; required for OpenAI and Anthropic.")]
MaxTokens = Annotated[
    int, opt("Maximum length of an answer in tokens, with the thoughts of a model that reasons.", min=1)
]
Reasoning = Annotated[
    bool,
    opt("For a model that reasons before it answers: no temperature, which its server would refuse.", "--reasoning"),
]


# --- what several commands print --------------------------------------------------------------------------------


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
    with server_progress(quiet=quiet) as progress:
        yield partial(progress.show, label)


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
