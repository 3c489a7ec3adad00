"""How a command declares what it takes: an argument, an option, an option that names an output.

Each returns what Typer reads from `Annotated`: ``items: Annotated[Path, arg("ITEMS", "The items (JSON Lines).")]``.
"""

from typing import Any

import typer

#: The help of an output starts with this word.
OUTPUT = "Output:"


def arg(metavar: str, text: str) -> Any:
    """Return an argument: its name in the help and in messages, and its help."""
    return typer.Argument(metavar=metavar, help=text)


def opt(text: str, *names: str, **limits: Any) -> Any:
    """Return an option with its help.

    Args:
        text: the help.
        names: ``--name`` where it is not that of the parameter; a flag has one, so that no ``--no-name`` is made.
        limits: `min`, `max` and `metavar`, as Typer knows them.
    """
    return typer.Option(*names, help=text, **limits)


def output(text: str, *names: str, **limits: Any) -> Any:
    """Return the option of an output: a command may write there, and it is none of its inputs. See `opt`."""
    return opt(f"{OUTPUT} {text}", *names, **limits)
