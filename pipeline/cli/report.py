"""What a command reports, and how it is printed: as lines, as JSON, or not at all."""

import inspect
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import typer

from ..core.files import require_distinct

Quiet = Annotated[
    bool, typer.Option("--quiet", "-q", help="Print no report and no progress, only findings and errors.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print the report as JSON.")]
#: The options of every command.
_COMMON = {"quiet": Quiet, "as_json": AsJson}
#: The help of an output starts with this word.
_OUTPUT = "Output:"
_STANDARD_OUTPUT = Path("-")


@dataclass
class Report:
    """The report of a command: lines for people, the same figures for programs.

    Attributes:
        lines: what is printed on standard output.
        figures: what `--json` prints instead, as one object.
        findings: lines for standard error; with one of them, the command ends with exit status 1.
        notes: lines for standard error that do not change the exit status.
    """

    lines: list[str] = field(default_factory=list)
    figures: dict[str, Any] = field(default_factory=dict)
    findings: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def add(self, line: str, **figures: Any) -> None:
        """Add a line with the figures that it shows."""
        self.lines.append(line)
        self.figures |= figures

    def show(self, *, quiet: bool, as_json: bool, err: bool) -> None:
        """Print the report.

        Args:
            quiet: print the notes and the findings only.
            as_json: print the figures and the findings as one object in place of the lines.
            err: print the report on standard error too, since the data go to standard output.
        """
        for line in (*self.notes, *self.findings):
            typer.echo(line, err=True)
        if quiet:
            return
        found = {"findings": self.findings} if self.findings else {}
        text = json.dumps(self.figures | found, ensure_ascii=False, allow_nan=False, indent=2)
        for line in [text] if as_json else self.lines:
            typer.echo(line, err=err)


def runnable(command: Callable[..., Report]) -> Callable[..., None]:
    """Return a command as the command line runs it: with the options of every command, printing the report that it returns.

    Outputs, the parameters whose help starts with "Output:", must differ from each other and from the inputs. A command that
    shows progress has the parameter `quiet` itself.
    """
    signature = inspect.signature(command, eval_str=True)
    outputs = [name for name, parameter in signature.parameters.items() if _is_output(parameter)]
    added = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=False, annotation=annotation)
        for name, annotation in _COMMON.items()
        if name not in signature.parameters
    ]

    def run(**values: Any) -> None:
        shown = {name: values[name] for name in _COMMON}
        for parameter in added:
            del values[parameter.name]
        paths = {name: _paths(value) for name, value in values.items()}
        require_distinct({_option(name): path for name in outputs for path in paths[name]})
        report = command(**values)
        to_standard_output = any(_STANDARD_OUTPUT in paths[name] for name in outputs)
        report.show(**shown, err=to_standard_output)
        if report.findings:
            raise typer.Exit(1)

    run.__doc__ = command.__doc__
    run.__annotations__ = {
        parameter.name: parameter.annotation for parameter in (*signature.parameters.values(), *added)
    }
    run.__signature__ = signature.replace(  # type: ignore[attr-defined]
        parameters=[*signature.parameters.values(), *added], return_annotation=None
    )
    return run


def _is_output(parameter: inspect.Parameter) -> bool:
    described = getattr(parameter.annotation, "__metadata__", ())
    return any((getattr(entry, "help", "") or "").startswith(_OUTPUT) for entry in described)


def _paths(value: object) -> list[Path]:
    values = value if isinstance(value, list) else [value]
    return [path for path in values if isinstance(path, Path)]


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"
