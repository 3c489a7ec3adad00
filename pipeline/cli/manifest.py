"""Write the manifest of a build."""

import json
from pathlib import Path
from typing import Annotated

from ..core.files import write_text
from ..core.outputs import require_distinct
from ..release.manifest import manifest
from .parameters import arg, opt, output
from .report import Report


def command(
    releases: Annotated[Path, arg("RELEASES", "Folder of the releases.")],
    parses: Annotated[list[Path], opt("Parse lock; repeat for several.", metavar="<path>")],
    out: Annotated[Path, output("the manifest (JSON).")],
) -> Report:
    """Write the manifest of a build: checksums of released files, versions of parsers and rules."""
    report = Report()
    content = manifest(releases, parses)
    require_distinct({"--out": out}, {"RELEASES": [releases / name for name in content["files"]]})
    write_text(out, json.dumps(content, ensure_ascii=False, indent=2) + "\n")
    report.add(f"{out}: {len(content['files'])} released files", files=len(content["files"]))
    return report
