"""SHA256SUMS as coreutils' ``sha256sum -c`` reads it."""

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path

from .errors import PipelineError
from .files import lines_of, read_bytes, read_text

CHECKSUMS = "SHA256SUMS"
_LINE = re.compile(r"([0-9a-f]{64}) [ *](.+)")


def checksums_of(files: Mapping[str, bytes]) -> str:
    """Return one line a file, sorted by name."""
    return "".join(f"{hashlib.sha256(files[name]).hexdigest()}  {name}\n" for name in sorted(files))


def verify_checksums(directory: Path) -> list[str]:
    """Return what is wrong with a release folder, a line a file; nothing if it is whole.

    Raises:
        PipelineError: there are no checksums, or they are malformed or point out of the folder.
    """
    path = directory / CHECKSUMS
    lines = lines_of(read_text(path))
    if not lines:
        raise PipelineError(path, 1, "[checksum] no line; expected one for each file of the release")
    wrong = []
    listed = {CHECKSUMS}
    for number, line in enumerate(lines, 1):
        match = _LINE.fullmatch(line)
        if match is None:
            raise PipelineError(
                path, number, f"[checksum] malformed; found {line!r}, expected a sha256, two blanks, a name"
            )
        expected, name = match.groups()
        file = directory / name
        try:
            inside, present = file.resolve().is_relative_to(directory.resolve()), file.is_file()
        except (OSError, RuntimeError) as error:  # a name too long; a ring of links
            raise PipelineError(path, number, f"[name] cannot be followed; {error}") from error
        if not inside:
            raise PipelineError(path, number, f"[name] leaves the release; found {name!r}")
        listed.add(name)
        if not present:
            wrong.append(f"{file}: [checksum] missing file")
        elif (found := hashlib.sha256(read_bytes(file)).hexdigest()) != expected:
            wrong.append(f"{file}: [checksum] the file has changed; found {found[:12]}…, expected {expected[:12]}…")
    for file in sorted(directory.rglob("*")):
        if file.is_file() and file.relative_to(directory).as_posix() not in listed:
            wrong.append(f"{file}: [checksum] not listed in {CHECKSUMS}")
    return wrong
