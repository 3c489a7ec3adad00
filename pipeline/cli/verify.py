"""Verify a release against its checksums."""

from pathlib import Path
from typing import Annotated

from ..core.archives import archived_files
from ..core.checksums import CHECKSUMS, verify_archive, verify_checksums
from ..core.errors import plural
from ..core.files import lines_of, read_text
from ..release.manifest import manifest_mismatches
from .parameters import arg
from .report import Report


def command(
    release: Annotated[Path, arg("RELEASE", "Release folder (build/release/NAME) or archive (NAME.zip).")],
) -> Report:
    """Verify a release against its checksums and the manifest of its build.

    Exit status 1 if a file is missing, changed or not listed. A folder
    build/release/NAME must also be the release that build/MANIFEST.json
    names, made with the rules of today.
    """
    report = Report()
    if release.suffix == ".zip":
        files = archived_files(release)
        mismatches, count = verify_archive(release, files), len(files) - 1
    else:
        mismatches, count = verify_checksums(release), len(lines_of(read_text(release / CHECKSUMS)))
        mismatches = mismatches or manifest_mismatches(release)
    report.findings += mismatches
    report.figures["files"] = count
    if not mismatches:
        report.add(f"{release}: {plural(count, 'file')} as released")
    return report
