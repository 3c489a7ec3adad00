"""Write docs/commands.md from the help of the commands: `python -m tools.commands_page`."""

from pathlib import Path
from typing import Any

import typer.main

from pipeline.cli import COMMANDS, application

PAGE = Path(__file__).resolve().parent.parent / "docs" / "commands.md"
_HEAD = """# The commands

`make` runs them in order; each also works alone. `winoforge COMMAND --help` lists all options. Required options are shown here.
This page is generated from the help texts: `python -m tools.commands_page`.

Every command has `-h`, `--quiet` (only findings and errors) and `--json` (the figures of the report as one object, with the findings if
there are any); `winoforge --version` prints the version, `winoforge --install-completion` teaches your shell the commands.

| command | what it does |
|---|---|
"""


def page() -> str:
    """Return the page: one row for each command, in the order of the help."""
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
    return _HEAD + "".join(rows)


def _shown(parameter: Any) -> list[str]:
    """Return an argument or a required option as it is typed, nothing for another option."""
    if parameter.param_type_name == "argument":
        shown = (parameter.metavar or parameter.name).upper() + ("…" if parameter.nargs == -1 else "")
        return [shown if parameter.required else f"[{shown}]"]
    option = parameter.opts[0]
    return [option, option.removeprefix("--").upper()] if parameter.required else []


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
