"""The manifest of a build: what was released, by which rules and parsers."""

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from .. import __version__
from ..core.checksums import CHECKSUMS
from ..core.errors import PipelineError
from ..core.files import from_json, read_bytes, read_text
from ..core.rules import rules_digest

MANIFEST = "MANIFEST.json"


def manifest(releases: Path, locks: Iterable[Path]) -> dict[str, Any]:
    """Return the manifest of a build.

    Returns:
        ``winoforge``, our version; ``rules``, the digest of the rules; ``parsers`` of each parse lock; and ``files``, the
        SHA-256 of each released file by its name below `releases`. Archives are left out: their bytes change every time.

    Raises:
        PipelineError: no folder below `releases` is a release.
    """
    from ..language.parsing.lock import read_lock  # `verify` needs no parser

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


def manifest_mismatches(release: Path) -> list[str]:
    """Return a line for each way in which a release folder is not the one in the manifest of its build.

    The manifest of ``build/release/NAME`` is ``build/MANIFEST.json``. Its digest of SHA256SUMS stands for the whole release, and
    its rules must be those of today. A release without a manifest, or not named there, has no such line.
    """
    path = release.parent.parent / MANIFEST if len(release.parts) > 2 else release.resolve().parent.parent / MANIFEST
    if not path.is_file():
        return []
    try:
        content = from_json(read_text(path))
        rules, named = str(content["rules"]), content["files"].get(f"{release.resolve().name}/{CHECKSUMS}")
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise PipelineError(path, None, f"[manifest] not a manifest; {error}; run make build") from error
    if named is None:
        return []
    mismatches = []
    actual = hashlib.sha256(read_bytes(release / CHECKSUMS)).hexdigest()
    if actual != named:
        digests = f"found {actual[:12]}… for {CHECKSUMS}, expected {named[:12]}…"
        mismatches.append(f"{release}: [manifest] not the release in {path}; {digests}; run make build")
    if rules != (today := rules_digest()):
        digests = f"found {today[:19]}… today, expected {rules[:19]}…"
        mismatches.append(f"{path}: [rules] the rules have changed since the release; {digests}; run make build")
    return mismatches
