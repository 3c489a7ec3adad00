"""List what was built: the sha256 of every released file, the versions of parsers and rules."""

from pathlib import Path
from typing import Annotated

import typer

from ..core.files import write_text
from ..release.pack import manifest


def command(
    releases: Annotated[Path, typer.Argument(help="The folder of releases.", show_default=False)],
    parses: Annotated[list[Path], typer.Option(help="A parse lock.", show_default=False)],
    out: Annotated[Path, typer.Option(help="Where the manifest goes (JSON).", show_default=False)],
) -> None:
    """Write the manifest of a build."""
    import json

    made = manifest(releases, parses)
    write_text(out, json.dumps(made, ensure_ascii=False, indent=2) + "\n")
    typer.echo(f"{out}: {len(made['files'])} released files")
