"""Checksums: SHA256SUMS as coreutils' ``sha256sum -c`` reads it, and digests of large files."""

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from .errors import PipelineError, shown
from .files import decode, lines_of, read_bytes, read_text

CHECKSUMS = "SHA256SUMS"
_LINE = re.compile(r"([0-9a-f]{64}) [ *](.+)")
#: What is in a column of readings besides words and digests: the marks of a target, and ratings or nothing.
_MARKS, _RATING = re.compile(r"[\[\]【】Ø\s]"), re.compile(r"\s*\d{0,2}\s*")
#: Bytes read at once.
_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class Digests:
    """Size of a file in bytes, its SHA-1 (which Wikimedia publishes) and its SHA-256 (which cannot be forged)."""

    size: int
    sha1: str
    sha256: str


def checksums_of(files: Mapping[str, bytes]) -> str:
    """Return SHA256SUMS: one line for each file, sorted by name."""
    return "".join(f"{hashlib.sha256(files[name]).hexdigest()}  {name}\n" for name in sorted(files))


def digest_of(text: str) -> str:
    """Return the first 16 hexadecimal digits of the SHA-256 of a text in UTF-8, by which patches and readings know it.

    >>> digest_of("他")
    '8b7b91e0001c6971'
    """
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def is_of_other_words(cells: Mapping[str, str], forms: Collection[str]) -> bool:
    """Tell whether a row of a table of readings is of a text or a zero form that is none of `forms`.

    Its columns ``text`` and ``zero`` hold what was read, or the digest of it (`digest_of`); a row without them, or with ratings there, is
    of the words of today. The brackets of a target and Ø are no words.

    >>> is_of_other_words({"text": digest_of("他"), "zero": ""}, ["他"]), is_of_other_words({"text": digest_of("它")}, ["他"])
    (False, True)
    >>> is_of_other_words({"text": "[他]"}, ["他"]), is_of_other_words({"zero": "5"}, ["他"])
    (False, False)
    """
    read = {_MARKS.sub("", cell) for column in ("text", "zero") if not _RATING.fullmatch(cell := cells.get(column, ""))}
    return not read <= {*(_MARKS.sub("", form) for form in forms), *map(digest_of, forms)}


def _listed(text: str, path: Path) -> list[tuple[int, str, str]]:
    """Return line number, sha256 and name for each line of a SHA256SUMS."""
    lines = lines_of(text)
    if not lines:
        raise PipelineError(path, 1, "[checksum] empty file; expected a line for each file of the release")
    listed = []
    for number, line in enumerate(lines, 1):
        match = _LINE.fullmatch(line)
        if match is None:
            raise PipelineError(
                path, number, f"[checksum] malformed; found {shown(line)}, expected a sha256, two blanks and a name"
            )
        listed.append((number, match[1], match[2]))
    return listed


def listed_names(directory: Path) -> set[str]:
    """Return the names of the files that the SHA256SUMS of a folder lists; raises `PipelineError` if it is missing or malformed."""
    path = directory / CHECKSUMS
    return {name for _, _, name in _listed(read_text(path), path)}


def checksum_faults(directory: Path) -> list[tuple[str, str]]:
    """Return (name, reason) for each file of a release folder that is missing, changed, not listed or listed twice.

    Raises:
        PipelineError: SHA256SUMS is missing or malformed, or names a file outside the folder.
    """
    path = directory / CHECKSUMS
    files: dict[str, bytes] = {}
    listed = _listed(read_text(path), path)
    for number, _, name in listed:
        file = directory / name
        try:
            inside, exists = file.resolve().is_relative_to(directory.resolve()), file.is_file()
        except (OSError, RuntimeError) as error:  # a name that is too long, or a loop of links
            raise PipelineError(path, number, f"[name] cannot be resolved; {error}") from error
        if not inside:
            raise PipelineError(path, number, f"[name] leaves the release; found {shown(name)}")
        if exists:
            files[name] = read_bytes(file)
    present = {file.relative_to(directory).as_posix() for file in directory.rglob("*") if file.is_file()}
    return _differences(listed, files, present)


def verify_archive(path: Path, files: Mapping[str, bytes]) -> list[str]:
    """Return a line for each file of a release in an archive that is missing, changed or not listed.

    Args:
        files: its files by name, all in one folder.
    """
    root = next((name.removesuffix(CHECKSUMS) for name in files if name.endswith(f"/{CHECKSUMS}")), "")
    if f"{root}{CHECKSUMS}" not in files:
        raise PipelineError(path, None, f"[checksum] not a release; found no {CHECKSUMS} in the archive")
    listed = _listed(decode(files[f"{root}{CHECKSUMS}"], path), path / root / CHECKSUMS)
    inside = {name.removeprefix(root): data for name, data in files.items()}
    faults = _differences(listed, inside, set(inside))
    return [f"{path / root / name}: [checksum] {reason}" for name, reason in faults]


def _differences(
    listed: Sequence[tuple[int, str, str]], files: Mapping[str, bytes], present: Collection[str]
) -> list[tuple[str, str]]:
    """Compare the checksums with the contents of files, and the names with all that are present."""
    wrong = []
    for _, expected, name in listed:
        if name not in files:
            wrong.append((name, "missing file"))
        elif (actual := hashlib.sha256(files[name]).hexdigest()) != expected:
            wrong.append((name, f"the file has changed; found {actual[:12]}…, expected {expected[:12]}…"))
    times = Counter(name for _, _, name in listed)
    wrong += [(name, f"listed {count} times in {CHECKSUMS}") for name, count in times.items() if count > 1]
    known = {CHECKSUMS, *times}
    return wrong + [(name, f"not listed in {CHECKSUMS}") for name in sorted(set(present) - known)]


def is_as_recorded(folder: Path, records: Path) -> bool:
    """Tell whether a folder holds exactly what is on record of it.

    Hidden files do not count. A file that was written twice has two records, of which one must be that of today.

    Args:
        records: a folder of lists (``*.made``) as ``sha256sum`` prints them, with paths as the working directory sees them.
    """
    known: dict[Path, set[str]] = {}
    for path in sorted(records.glob("*.made")):
        for _, digest, name in _listed(read_text(path), path):
            known.setdefault(Path(name), set()).add(digest)
    inside = [path for path in folder.rglob("*") if path.is_file()]
    files = [path for path in inside if not any(part.startswith(".") for part in path.relative_to(folder).parts)]
    missing = {path for path in known if path.is_relative_to(folder)} - set(files)
    return not missing and all(hashlib.sha256(path.read_bytes()).hexdigest() in known.get(path, ()) for path in files)


def digests_of(path: Path, show: Callable[[int, int], None]) -> Digests:
    """Return the digests of a file, read block by block; `show` receives the bytes done and the bytes in total."""
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
