"""Pack built collections into releases: JSON Lines, Parquet, dataset card, licence, checksums; for zero forms also provenance."""

import hashlib
import os
from pathlib import Path
from typing import Annotated

from ..core.archives import PASSWORD, encrypt
from ..core.checksums import CHECKSUMS
from ..core.errors import PipelineError, plural
from ..core.files import read_text
from ..core.outputs import write_bytes
from ..release.gate import findings
from ..release.pack import release_files, write_release
from ..release.people import EXPORTS
from ..release.sources import LICENCES, SOURCES, read_source
from .parameters import arg, opt, output
from .report import Report, Writes


def command(
    directories: Annotated[list[Path], arg("BUILD", "Built collections (build/NAME).")],
    out: Annotated[Path, output("folder of the releases."), Writes()] = Path("build/release"),
    sources: Annotated[Path, opt("Sources and licences of the collections (TOML).")] = SOURCES,
    licences: Annotated[Path, opt("Folder of the licence texts (NAME.txt).")] = LICENCES,
    exports: Annotated[
        Path, opt("Exports of studies, a folder each; what people judged stands on the card.")
    ] = EXPORTS,
    archive: Annotated[
        bool,
        opt(f"Also write each release as NAME.zip, encrypted (AES-256) with the password in {PASSWORD}.", "--archive"),
    ] = False,
) -> Report:
    """Pack built collections into releases.

    A release is a folder with data files (JSON Lines, Parquet), dataset card,
    licence and checksums. Nothing is packed if a file of a collection fails
    a suite of `validate build`: the findings are printed, exit 1.
    """
    report = Report()
    password = os.environ.get(PASSWORD, "")
    if archive and not password:
        raise PipelineError(None, None, f"[password] missing password; an archive needs one, expected it in {PASSWORD}")
    if twice := [path for path in directories if [other.name for other in directories].count(path.name) > 1]:
        reason = f"two releases of the same name; found {twice[0]} and {twice[1]}, expected one of them at a time"
        raise PipelineError(None, None, f"[out] {reason}")
    for directory in directories:
        if not directory.is_dir():
            raise PipelineError(directory, None, "[build] not a folder; expected a build folder such as build/zh")
    entries = [read_source(sources, directory.name) for directory in directories]
    report.findings = [
        line
        for directory, source in zip(directories, entries, strict=True)
        for line in findings(directory, source.profile)
    ]
    if report.findings:
        return report
    for directory, source in zip(directories, entries, strict=True):
        files = release_files(directory, source, read_text(licences / f"{source.licence}.txt"), exports)
        target = out / directory.name
        write_release(target, files)
        digest = hashlib.sha256(files[CHECKSUMS]).hexdigest()
        report.add(f"{target}: {plural(len(files), 'file')}, sha256 of the checksums {digest[:12]}")
        report.figures[directory.name] = {"files": len(files), "sha256": digest}
        if archive:
            path = out / f"{directory.name}.zip"
            write_bytes(path, encrypt({f"{directory.name}/{name}": data for name, data in files.items()}, password))
            report.add(f"{path}: {plural(len(files), 'file')}, encrypted")
    return report
