"""Write the table of docs/commands.md from the help of the commands: `python -m tools.commands_page`."""

import re
from pathlib import Path
from typing import Any

import typer.main

from pipeline.cli import COMMANDS, application

PAGE = Path(__file__).resolve().parent.parent / "docs" / "commands.md"
_TABLE = re.compile(r"(?<=\|---\|---\|\n)(?:\|.*\n)+")


def page(text: str) -> str:
    """Return the text of the page with its table written again: one row for each command, in the order of the help."""
    root: Any = typer.main.get_command(application())
    rows = []
    for name in COMMANDS:
        command = root
        for word in name.split():
            command = command.commands[word]
        words = ["winoforge", name]
        for parameter in command.params:
            words += _shown(parameter)
        summary = command.help.split("\n\n")[0].replace("\n", " ").rstrip(".")
        rows.append(f"| `{' '.join(words)}` | {summary} |\n")
    return _TABLE.sub(lambda _: "".join(rows), text, count=1)


def _shown(parameter: Any) -> list[str]:
    """Return an argument or a required option as it is typed, nothing for another option."""
    if parameter.param_type_name == "argument":
        shown = (parameter.metavar or parameter.name).upper() + ("…" if parameter.nargs == -1 else "")
        return [shown if parameter.required else f"[{shown}]"]
    option = parameter.opts[0]
    return [option, option.removeprefix("--").upper()] if parameter.required else []


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
