"""Write the table of docs/commands.md and the list of docs/rules.md, from help texts and rules: `python -m tools.commands_page`."""

import re
from pathlib import Path
from typing import Any

import typer.main

from pipeline.cli import COMMANDS, application
from pipeline.core.files import read_text, write_text
from pipeline.core.model import Span
from pipeline.core.notation import marked
from pipeline.core.rules import RULES, languages_with_zeros
from pipeline.winograd.exclusion.rule_files import read_rules

DOCS = Path(__file__).resolve().parent.parent / "docs"
PAGE, RULES_PAGE = DOCS / "commands.md", DOCS / "rules.md"
_TABLE = re.compile(r"(?<=\|---\|---\|\n)(?:\|.*\n)+")
_RULES = re.compile(r"(?<=<!-- rules -->\n).*(?=<!-- end -->)", re.DOTALL)
#: The text of the first case in a file of cases, and the range of its target.
_CASE = re.compile(r"# text = (.+)(?:\n.+)*?\n.*Target=Yes.*TokenRange=(\d+):(\d+)")


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


def rules_page(text: str) -> str:
    """Return the text of the page with its list of rules written again: the first case that each matches and not, and why."""
    lines = []
    for rule in (
        rule for lang in reversed(languages_with_zeros()) for rule in sorted(read_rules(lang), key=lambda rule: rule.id)
    ):
        cases = f"{_case(f'{rule.id}.hit')} but not {_case(f'{rule.id}.miss')}"
        lines.append(f"- **{rule.id}** ({rule.exclusion}): {cases} {rule.because.strip()}\n")
    return _RULES.sub(lambda _: "".join(lines), text)


def _case(file: str) -> str:
    """Return the first case of a file of cases with its target in brackets."""
    match = _CASE.search(read_text(RULES / f"{file}.conllu"))
    assert match, file
    return marked(match[1], Span(int(match[2]), int(match[3])))


def _shown(parameter: Any) -> list[str]:
    """Return an argument or a required option as it is typed, nothing for another option."""
    if parameter.param_type_name == "argument":
        shown = (parameter.metavar or parameter.name).upper() + ("…" if parameter.nargs == -1 else "")
        return [shown if parameter.required else f"[{shown}]"]
    option = parameter.opts[0]
    return [option, option.removeprefix("--").upper()] if parameter.required else []


if __name__ == "__main__":
    write_text(PAGE, page(read_text(PAGE)))
    write_text(RULES_PAGE, rules_page(read_text(RULES_PAGE)))
