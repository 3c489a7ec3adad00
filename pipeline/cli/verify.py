"""Verify a release against its checksums."""

from pathlib import Path
from typing import Annotated

import typer

from ..core.archives import archived_files
from ..core.checksums import CHECKSUMS, verify_archive, verify_checksums
from ..core.files import lines_of, read_text


def command(
    release: Annotated[
        Path, typer.Argument(help="Release folder (build/release/NAME) or archive (NAME.zip).", show_default=False)
    ],
) -> None:
    """Verify a release against its checksums; exit 1 if a file is missing, changed or not listed."""
    if release.suffix == ".zip":
        files = archived_files(release)
        mismatches, count = verify_archive(release, files), len(files) - 1
    else:
        mismatches, count = verify_checksums(release), len(lines_of(read_text(release / CHECKSUMS)))
    for line in mismatches:
        typer.echo(line, err=True)
    if mismatches:
        raise typer.Exit(1)
    typer.echo(f"{release}: {count} files as released")
