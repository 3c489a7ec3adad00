"""Pack a built collection: JSON Lines, Parquet, a dataset card, the licence, checksums, for zero forms provenance too."""

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from ..core.archives import PASSWORD, encrypted
from ..core.checksums import CHECKSUMS
from ..core.errors import PipelineError
from ..core.files import read_text, write_bytes
from ..release import winograd as zero_forms
from ..release import winopron as occupation_templates
from ..release.sources import Source, read_source


def release_files(directory: Path, source: Source, licence_text: str) -> dict[str, bytes]:
    """Return the files of a release by name, made from the files of a build.

    Raises:
        PipelineError: the build has neither zero forms nor sentences of templates, or one of its files is malformed.
    """
    if (directory / "zero.jsonl").exists():
        return zero_forms.release_files(directory, source, licence_text)
    if (directory / "double.jsonl").exists():
        return occupation_templates.release_files(directory, source, licence_text)
    raise PipelineError(directory, None, "[build] nothing to release; found neither zero.jsonl nor double.jsonl")


def write_release(target: Path, files: Mapping[str, bytes]) -> None:
    """Make `target` hold just these files; the checksums go first and come last, so that a half-written release has none."""
    (target / CHECKSUMS).unlink(missing_ok=True)
    for path in sorted(path for path in target.rglob("*") if path.is_file()):
        if path.relative_to(target).as_posix() not in files:
            path.unlink()
    for name, data in files.items():
        write_bytes(target / name, data)


def command(
    directories: Annotated[list[Path], typer.Argument(help="Built collections (build/NAME).", show_default=False)],
    out: Annotated[Path, typer.Option(help="The folder of releases.")] = Path("build/release"),
    sources: Annotated[Path, typer.Option(help="Where the sources and their licences are listed.")] = Path(
        "raw/SOURCES.toml"
    ),
    licences: Annotated[Path, typer.Option(help="The folder of licence texts, NAME.txt each.")] = Path("raw/licences"),
    archive: Annotated[
        bool,
        typer.Option(
            "--archive",
            help=f"Besides, put each release into NAME.zip, encrypted (AES) with the password in {PASSWORD}.",
        ),
    ] = False,
) -> None:
    """Pack built collections into releases."""
    password = os.environ.get(PASSWORD, "")
    if archive and not password:
        raise PipelineError(None, None, f"[password] an archive needs one; found none, expected it in {PASSWORD}")
    for directory in directories:
        source = read_source(sources, directory.name)
        files = release_files(directory, source, read_text(licences / f"{source.licence}.txt"))
        target = out / directory.name
        write_release(target, files)
        digest = hashlib.sha256(files[CHECKSUMS]).hexdigest()
        typer.echo(f"{target}: {len(files)} files, sha256 of the checksums {digest[:12]}")
        if archive:
            path = out / f"{directory.name}.zip"
            write_bytes(path, encrypted({f"{directory.name}/{name}": data for name, data in files.items()}, password))
            typer.echo(f"{path}: {len(files)} files, encrypted")
