"""Write the manifest of a build."""

import json
from pathlib import Path
from typing import Annotated

import typer

from ..core.files import write_text
from ..release.pack import manifest


def command(
    releases: Annotated[Path, typer.Argument(help="Folder of the releases.", show_default=False)],
    parses: Annotated[list[Path], typer.Option(help="Parse lock; repeat for several.", show_default=False)],
    out: Annotated[Path, typer.Option(help="Output: the manifest (JSON).", show_default=False)],
) -> None:
    """Write the manifest of a build: checksums of released files, versions of parsers and rules."""
    content = manifest(releases, parses)
    write_text(out, json.dumps(content, ensure_ascii=False, indent=2) + "\n")
    typer.echo(f"{out}: {len(content['files'])} released files")
