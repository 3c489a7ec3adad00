"""List what was built: the sha256 of every released file, the versions of parsers and rules."""

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

import typer

from .. import __version__
from ..core.checksums import CHECKSUMS
from ..core.errors import PipelineError
from ..core.files import read_bytes, write_text
from ..core.rules import rules_digest
from ..language.parsing.lock import read_lock


def manifest(releases: Path, locks: Iterable[Path]) -> dict[str, Any]:
    """Return the manifest: `files` by name below `releases`, `parsers` by lock, the digest of the rules, our version.

    Raises:
        PipelineError: no folder below `releases` is a release.
    """
    folders = sorted(path.parent for path in releases.glob(f"*/{CHECKSUMS}"))  # an archive's bytes are not reproducible
    files = [path for folder in folders for path in sorted(folder.rglob("*")) if path.is_file()]
    if not files:
        reason = "[releases] found no released file, expected the folder that releases are in"
        raise PipelineError(releases, None, reason)
    return {
        "winoforge": __version__,
        "rules": rules_digest(),
        "parsers": {lock.as_posix(): read_lock(lock).parsers for lock in sorted(locks)},
        "files": {
            path.relative_to(releases).as_posix(): hashlib.sha256(read_bytes(path)).hexdigest() for path in files
        },
    }


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
