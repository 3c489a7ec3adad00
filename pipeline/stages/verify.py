"""Check a release against its checksums."""

from pathlib import Path
from typing import Annotated

import typer

from ..checksums import CHECKSUMS, verify_checksums
from ..files import lines_of, read_text


def command(
    directory: Annotated[Path, typer.Argument(help="A release (build/release/NAME).", show_default=False)],
) -> None:
    """Check a release against its checksums; exit 1 if a file is missing, changed or not listed."""
    wrong = verify_checksums(directory)
    for line in wrong:
        typer.echo(line, err=True)
    if wrong:
        raise typer.Exit(1)
    typer.echo(f"{directory}: {len(lines_of(read_text(directory / CHECKSUMS)))} files as released")
