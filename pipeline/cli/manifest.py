"""Write the manifest of a build."""

import json
from pathlib import Path
from typing import Annotated

import typer

from ..core.files import write_text
from ..core.outputs import require_distinct
from ..release.manifest import manifest
from .report import Report


def command(
    releases: Annotated[Path, typer.Argument(metavar="RELEASES", help="Folder of the releases.", show_default=False)],
    parses: Annotated[
        list[Path], typer.Option(metavar="<path>", help="Parse lock; repeat for several.", show_default=False)
    ],
    out: Annotated[Path, typer.Option(help="Output: the manifest (JSON).", show_default=False)],
) -> Report:
    """Write the manifest of a build: checksums of released files, versions of parsers and rules."""
    report = Report()
    content = manifest(releases, parses)
    require_distinct({"--out": out}, {"RELEASES": [releases / name for name in content["files"]]})
    write_text(out, json.dumps(content, ensure_ascii=False, indent=2) + "\n")
    report.add(f"{out}: {len(content['files'])} released files", files=len(content["files"]))
    return report
