"""Validate artifacts by their Great Expectations suites: exit 1 where an expectation is not met."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from ..core.files import write_text
from ..core.invisible import visible
from ..core.validation.engine import validate
from ..core.validation.page import pages
from ..core.validation.suite import Validation
from ..release.gate import BUILD, SUITES, planned

#: So many ids stand in a line; the docs have them all.
_NAMED = 8


def lines_of(validation: Validation) -> Iterator[str]:
    """Yield a line for each expectation that is not met: its first place, how many rows, their ids, and the first reason."""
    for check, failures in validation.failed().items():
        first = failures[0]
        names = list(dict.fromkeys(failure.row.id for failure in failures))
        shown = ", ".join(names[:_NAMED]) + (f" and {len(names) - _NAMED} more" if len(names) > _NAMED else "")
        yield _one_line(
            f"{first.row.path}:{first.row.line}: [{validation.suite.name}/{check}] {len(failures)} of {validation.rows}: {shown}; "
            f"{first.row.id}: {first.reason}"
        )


def _one_line(text: str) -> str:
    """Return a line as a terminal may show it: what nobody can see is written out, and no line end is in it."""
    return visible(" ".join(text.splitlines()))


def command(
    suite: Annotated[
        str,
        typer.Argument(help=f"{BUILD}, or of {', '.join(SUITES)}: one, or several with commas.", show_default=False),
    ],
    files: Annotated[list[Path], typer.Argument(help="Artifacts of that kind, or build folders.", show_default=False)],
    docs: Annotated[
        Path | None, typer.Option(help="A folder for pages on every expectation, readable offline.", show_default=False)
    ] = None,
    timings: Annotated[bool, typer.Option("--timings", help="Tell how long each suite took.")] = False,
) -> None:
    """Validate artifacts: one line for each expectation that is not met, with the ids of the rows; then exit 1."""
    validations = [(validate(one, paths), paths) for one, paths in planned(suite, files)]
    for validation, paths in validations:
        for line in lines_of(validation):
            typer.echo(line, err=True)
        met = len(validation.suite.expectations) - len(validation.failed())
        took = f"; {validation.seconds:.2f} s" if timings else ""
        where = ", ".join(map(str, paths))
        typer.echo(
            f"{where}: {validation.suite.name}: {met} of {len(validation.suite.expectations)} expectations met "
            f"by {validation.rows} rows{took}"
        )
    if docs is not None:
        for name, page in pages(validations).items():
            write_text(docs / name, page)
        typer.echo(f"{docs / 'index.html'}: {len(validations)} validations")
    if any(validation.failures for validation, _ in validations):
        raise typer.Exit(1)
