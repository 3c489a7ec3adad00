"""How a command declares what it takes: an argument, an option, an option that names an output.

Each returns what Typer reads from `Annotated`: ``items: Annotated[Path, arg("ITEMS", "The items (JSON Lines).")]``.
"""

from pathlib import Path
from typing import Annotated, Any

import typer

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
