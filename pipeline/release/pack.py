"""Write releases and the manifest of a build."""

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from .. import __version__
from ..core.checksums import CHECKSUMS, listed_names
from ..core.errors import PipelineError, shown
from ..core.files import read_bytes
from ..core.outputs import is_temporary, remove, require_writable, write_bytes
from ..core.rules import rules_digest
from ..language.parsing.lock import read_lock
from . import winograd as zero_forms
from . import winopron as occupation_templates
from .sources import Source


def manifest(releases: Path, locks: Iterable[Path]) -> dict[str, Any]:
    """Return the manifest of a build.

    Returns:
        ``winoforge``, our version; ``rules``, the digest of the rules; ``parsers`` of each parse lock; and ``files``, the
        SHA-256 of each released file by its name below `releases`. Archives are left out: their bytes change every time.

    Raises:
        PipelineError: no folder below `releases` is a release.
    """
    folders = sorted(path.parent for path in releases.glob(f"*/{CHECKSUMS}"))
    files = [path for folder in folders for path in sorted(folder.rglob("*")) if path.is_file()]
    if not files:
        reason = "[releases] no releases in the folder; expected folders such as build/release/zh below it"
        raise PipelineError(releases, None, reason)
    return {
        "winoforge": __version__,
        "rules": rules_digest(),
        "parsers": {lock.as_posix(): read_lock(lock).parsers for lock in sorted(locks)},
        "files": {
            path.relative_to(releases).as_posix(): hashlib.sha256(read_bytes(path)).hexdigest() for path in files
        },
    }


def release_files(directory: Path, source: Source, licence_text: str) -> dict[str, bytes]:
    """Return the files of a release by name, made from the files of a build.

    Raises:
        PipelineError: the build has neither zero forms nor sentences of templates, or one of its files is missing or malformed.
    """
    if (directory / "zero.jsonl").exists():
        return zero_forms.release_files(directory, source, licence_text)
    if (directory / "double.jsonl").exists():
        return occupation_templates.release_files(directory, source, licence_text)
    reason = "nothing to release; expected zero.jsonl (winoforge zero) or double.jsonl (winoforge instantiate)"
    raise PipelineError(directory, None, f"[build] {reason}")


def write_release(target: Path, files: Mapping[str, bytes]) -> None:
    """Write a release so that its folder holds these files only.

    Files of an earlier release that this one lacks are deleted. The checksums are deleted before anything is written, and written
    last: a release that was interrupted has none.

    Raises:
        PipelineError: the folder holds a file of somebody else, or a file cannot be written.
    """
    present = {path.relative_to(target).as_posix(): path for path in target.rglob("*") if not path.is_dir()}
    old = {name for name in present if name not in files}
    earlier = listed_names(target) if CHECKSUMS in present else set()
    if others := sorted(name for name in old - earlier if not is_temporary(present[name])):
        reason = (
            f"found {shown(others[0])}, expected a release or an empty folder; move the file or choose another --out"
        )
        raise PipelineError(target, None, f"[out] the folder holds other files, which a release would delete; {reason}")
    for name in files:
        require_writable(target / name)
    for name in sorted(old):
        remove(present[name])
    remove(target / CHECKSUMS)
    for name, data in files.items():
        write_bytes(target / name, data)
