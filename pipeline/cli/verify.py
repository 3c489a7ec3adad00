"""Check a release against its checksums."""

from pathlib import Path
from typing import Annotated

import typer

from ..core.archives import archived_files
from ..core.checksums import CHECKSUMS, verify_archive, verify_checksums
from ..core.files import lines_of, read_text


def command(
    release: Annotated[
        Path, typer.Argument(help="A release (build/release/NAME), or the archive of one.", show_default=False)
    ],
) -> None:
    """Check a release against its checksums; exit 1 if a file is missing, changed or not listed."""
    if release.suffix == ".zip":
        files = archived_files(release)
        wrong, count = verify_archive(release, files), len(files) - 1
    else:
        wrong, count = verify_checksums(release), len(lines_of(read_text(release / CHECKSUMS)))
    for line in wrong:
        typer.echo(line, err=True)
    if wrong:
        raise typer.Exit(1)
    typer.echo(f"{release}: {count} files as released")
