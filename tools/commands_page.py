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
_FILES = """
## Files

- `-` stands for standard input where a command reads a file, and for standard output where it writes one; only data go there, the report
  goes to standard error: `winoforge ingest - --format schema-yaml --out - --skipped s.jsonl < my.yaml | winoforge zero - --out zero.jsonl`.
  A corpus is read several times and must be a file. Write a file that is named `-` with its folder, as in `"$PWD/-"`.
- A file is written as a whole or not at all: the data go to a temporary file beside it, which is then renamed. A link stays, and its
  target is written; another hard link of the file keeps the old content. A new file has the mode that the umask allows; an existing one
  keeps its mode and, if the system permits, its owner.
- Pipes and devices, such as `/dev/null` and `>(gzip > zero.jsonl.gz)`, are written into.
- Refused before anything is read: an output that is an input or another output, also through a link or another spelling; a read-only
  file; a folder without permission. `release` refuses a folder that holds other files, because it deletes what the release lacks.
- Ctrl-C and SIGTERM leave no temporary file.
- Limits, so that no file exhausts the machine: YAML has up to 2,000,000 characters and 50 levels; a zip archive up to 10,000 files that
  unpack to 512 MiB and to 250 times the archive, stored or deflated; a number is finite, and a whole one from -2^63 to below 2^63.

Exit status: 0 clean, 1 findings, 2 wrong usage or malformed input, 70 a fault of winoforge, 130 or 143 interrupted, 141 if nobody reads
standard output any more.
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
    return _HEAD + "".join(rows) + _FILES


def _shown(parameter: Any) -> list[str]:
    """Return an argument or a required option as it is typed, nothing for another option."""
    if parameter.param_type_name == "argument":
        shown = (parameter.metavar or parameter.name).upper() + ("…" if parameter.nargs == -1 else "")
        return [shown if parameter.required else f"[{shown}]"]
    option = parameter.opts[0]
    return [option, option.removeprefix("--").upper()] if parameter.required else []


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
