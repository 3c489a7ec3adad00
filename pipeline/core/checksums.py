"""SHA256SUMS as coreutils' ``sha256sum -c`` reads it."""

import hashlib
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from .errors import PipelineError
from .files import decode, lines_of, read_bytes, read_text

CHECKSUMS = "SHA256SUMS"
_LINE = re.compile(r"([0-9a-f]{64}) [ *](.+)")


def checksums_of(files: Mapping[str, bytes]) -> str:
    """Return one line a file, sorted by name."""
    return "".join(f"{hashlib.sha256(files[name]).hexdigest()}  {name}\n" for name in sorted(files))


def _listed(text: str, path: Path) -> list[tuple[int, str, str]]:
    """Return line number, sha256 and name for each line of a SHA256SUMS."""
    lines = lines_of(text)
    if not lines:
        raise PipelineError(path, 1, "[checksum] no line; expected one for each file of the release")
    listed = []
    for number, line in enumerate(lines, 1):
        match = _LINE.fullmatch(line)
        if match is None:
            raise PipelineError(
                path, number, f"[checksum] malformed; found {line!r}, expected a sha256, two blanks, a name"
            )
        listed.append((number, match[1], match[2]))
    return listed


def verify_checksums(directory: Path) -> list[str]:
    """Return what is wrong with a release folder, a line a file; nothing if it is whole.

    Raises:
        PipelineError: there are no checksums, or they are malformed or point out of the folder.
    """
    path = directory / CHECKSUMS
    files: dict[str, bytes] = {}
    listed = _listed(read_text(path), path)
    for number, _, name in listed:
        file = directory / name
        try:
            inside, present = file.resolve().is_relative_to(directory.resolve()), file.is_file()
        except (OSError, RuntimeError) as error:  # a name too long; a ring of links
            raise PipelineError(path, number, f"[name] cannot be followed; {error}") from error
        if not inside:
            raise PipelineError(path, number, f"[name] leaves the release; found {name!r}")
        if present:
            files[name] = read_bytes(file)
    there = {file.relative_to(directory).as_posix() for file in directory.rglob("*") if file.is_file()}
    return _differences(directory, listed, files, there)


def verify_archive(path: Path, files: Mapping[str, bytes]) -> list[str]:
    """Return what is wrong with the release in an archive, a line a file; nothing if it is whole.

    Args:
        path: the archive, for messages.
        files: what is in it by name, all below one folder.

    Raises:
        PipelineError: there are no checksums, or they are malformed.
    """
    root = next((name.removesuffix(CHECKSUMS) for name in files if name.endswith(f"/{CHECKSUMS}")), "")
    if f"{root}{CHECKSUMS}" not in files:
        raise PipelineError(path, None, f"[checksum] no release; found no {CHECKSUMS} in it")
    listed = _listed(decode(files[f"{root}{CHECKSUMS}"], path), path / root / CHECKSUMS)
    inside = {name.removeprefix(root): data for name, data in files.items()}
    return _differences(path / root, listed, inside, set(inside))


def _differences(
    place: Path, listed: Sequence[tuple[int, str, str]], files: Mapping[str, bytes], there: Collection[str]
) -> list[str]:
    """Compare the checksums with the files that can be read, and their names with those that are there."""
    wrong = []
    for _, expected, name in listed:
        if name not in files:
            wrong.append(f"{place / name}: [checksum] missing file")
        elif (found := hashlib.sha256(files[name]).hexdigest()) != expected:
            wrong.append(
                f"{place / name}: [checksum] the file has changed; found {found[:12]}…, expected {expected[:12]}…"
            )
    known = {CHECKSUMS} | {name for _, _, name in listed}
    return wrong + [f"{place / name}: [checksum] not listed in {CHECKSUMS}" for name in sorted(set(there) - known)]


_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class Digests:
    """The size of a file in bytes, with its SHA-1, which Wikimedia publishes, and SHA-256, which nobody can forge yet."""

    size: int
    sha1: str
    sha256: str


def digests_of(path: Path, show: Callable[[int, int], None]) -> Digests:
    """Return the digests of a file, read block by block; `show` is told how many bytes are done, and of how many."""
    sha1, sha256, done = hashlib.sha1(usedforsecurity=False), hashlib.sha256(), 0
    try:
        size = path.stat().st_size
        with path.open("rb") as stream:
            while block := stream.read(_BLOCK):
                sha1.update(block)
                sha256.update(block)
                done += len(block)
                show(done, size)
    except OSError as error:
        raise PipelineError(path, None, f"[file] cannot be read; {error.strerror or error}") from error
    return Digests(done, sha1.hexdigest(), sha256.hexdigest())
