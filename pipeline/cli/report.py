"""What a command reports, and how it is printed: as lines, as JSON, or not at all."""

import inspect
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Annotated, Any

import typer

from ..core.files import write_text
from ..core.invisible import one_line
from ..core.outputs import is_stdout, require_distinct, require_outside, require_writable
from .parameters import OUTPUT, opt

Quiet = Annotated[bool, opt("Print no report and no progress, only findings and errors.", "--quiet", "-q")]
AsJson = Annotated[bool, opt("Print the report as JSON.", "--json")]
#: The options of every command.
_COMMON = {"quiet": Quiet, "as_json": AsJson}
#: Exit status after nobody reads standard output any more, as a shell reports a process that SIGPIPE ended.
CLOSED_PIPE = 141


@dataclass(frozen=True)
class Writes:
    """The names of the files, as patterns, that a command writes into a folder; it stands beside the option of the folder.

    `home` is the parameter whose folder may hold them, although the command reads in it: a study keeps what `agree` says of it, and
    licences may lie in the current folder.
    """

    names: tuple[str, ...] = ()
    home: str = ""


class Updates:
    """The mark beside an option whose file or folder a command reads and writes."""


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

    def add(self, line: str, **figures: Any) -> "Report":
        """Add a line with the figures that it shows, and return the report."""
        self.lines.append(line)
        self.figures |= figures
        return self

    def show(self, *, quiet: bool, as_json: bool, err: bool) -> None:
        """Print the report.

        Args:
            err: print the report on standard error too, since the data go to standard output.
        """
        for line in (*self.notes, *self.findings):
            typer.echo(one_line(line), err=True)
        if quiet:
            return
        findings = {"findings": self.findings} if self.findings else {}
        text = json.dumps(self.figures | findings, ensure_ascii=False, allow_nan=False, indent=2)
        if as_json:  # half a character, as of a file name that is not UTF-8, becomes an escape of JSON
            text = f"{text}\n".encode("utf-8", "backslashreplace").decode()
        lines = text if as_json else "".join(f"{one_line(line)}\n" for line in self.lines)
        if err:
            typer.echo(lines, err=True, nl=False)
        else:
            write_text(Path("-"), lines)


def runnable(command: Callable[..., Report]) -> Callable[..., None]:
    """Return a command as the command line runs it: with the options of every command, printing the report that it returns.

    Before a command runs, its outputs, the parameters whose help starts with "Output:", are checked: each can be written, is
    neither another output nor an input, and lies in no folder that is one. A command that shows progress has the parameter `quiet` itself.
    """
    signature = inspect.signature(command, eval_str=True)
    parameters = signature.parameters.values()
    names = {parameter.name: _name(parameter) for parameter in parameters}
    writes = {parameter.name: _writes(parameter) for parameter in parameters}
    outputs = [parameter.name for parameter in parameters if _is_output(parameter)]
    changed = [*outputs, *(parameter.name for parameter in parameters if Updates in parameter.annotation.__metadata__)]
    added = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=False, annotation=annotation)
        for name, annotation in _COMMON.items()
        if name not in names
    ]

    def run(**values: Any) -> None:
        shown = {name: values[name] for name in _COMMON}
        arguments = {name: values[name] for name in names}
        paths = {name: [path for path in _each(value) if isinstance(path, Path)] for name, value in arguments.items()}
        for name in changed:
            folder_of = writes[name]
            home = folder_of.home if folder_of else ""
            read = {names[other]: given for other, given in paths.items() if other not in (*changed, home)}
            require_outside({names[name]: paths[name]}, read)
        for name in outputs:
            for folder in paths[name] if writes[name] else ():
                require_writable(folder, folder=True)
        written = {name: [file for path in paths[name] for file in _files(path, writes[name])] for name in outputs}
        inputs = {names[name]: given for name, given in paths.items() if name not in outputs}
        require_distinct({names[name]: files for name, files in written.items()}, inputs)
        for file in chain(*written.values()):
            require_writable(file)
        try:
            report = command(**arguments)
            report.show(**shown, err=any(map(is_stdout, chain(*written.values()))))
        except BrokenPipeError:
            raise typer.Exit(CLOSED_PIPE) from None
        if report.findings:
            raise typer.Exit(1)

    complete = signature.replace(parameters=[*parameters, *added], return_annotation=None)
    run.__doc__ = command.__doc__
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in complete.parameters.values()}
    run.__signature__ = complete  # type: ignore[attr-defined]  # Typer reads it; functions have none by their type
    return run


def inputs_of(signature: inspect.Signature) -> list[str]:
    """Return the arguments and options of a command that name a file or a folder to read."""
    return [
        _name(parameter)
        for parameter in signature.parameters.values()
        if "Path" in str(parameter.annotation.__origin__) and not _is_output(parameter)
    ]


def _is_output(parameter: inspect.Parameter) -> bool:
    return bool((_info(parameter).help or "").startswith(OUTPUT))


def _info(parameter: inspect.Parameter) -> Any:
    """Return what describes a parameter to Typer: its help, its names."""
    return parameter.annotation.__metadata__[0]


def _name(parameter: inspect.Parameter) -> str:
    """Return the name by which a user knows a parameter: ITEMS or --out."""
    info = _info(parameter)
    if isinstance(info, type(typer.Argument())):
        return info.metavar or parameter.name.upper()
    declared = info.default if isinstance(info.default, str) else None  # in `Annotated`, the first name takes its place
    return declared or f"--{parameter.name.replace('_', '-')}"


def _writes(parameter: inspect.Parameter) -> Writes | None:
    """Return what a command writes into the folder that a parameter names; None if it names no folder of outputs."""
    return next((entry for entry in parameter.annotation.__metadata__ if isinstance(entry, Writes)), None)


def _each(value: object) -> Iterable[object]:
    return value if isinstance(value, list) else [value]


def _files(path: Path, writes: Writes | None) -> list[Path]:
    """Return the files that an output names: itself, or those files of a folder that are there and would be written over."""
    return [path] if writes is None else [file for name in writes.names for file in path.glob(name)]
