"""The manifest of a build: what was released, by which rules and parsers."""

import hashlib
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

from .. import __version__
from ..core.checksums import CHECKSUMS
from ..core.errors import PipelineError, shown
from ..core.files import from_json, lines_of, parse_jsonl, read_bytes, read_text
from ..core.rules import rules_digest

MANIFEST = "MANIFEST.json"
#: The file of a release that says where each row comes from.
PROVENANCE = "provenance.jsonl"


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
    its rules must be those of today. It has the checksum of each file of the release, and the provenance of the release its rules and
    parsers. A release without a manifest, or not named there, has no such line.
    """
    path = release.parent.parent / MANIFEST if len(release.parts) > 2 else release.resolve().parent.parent / MANIFEST
    if not path.is_file():
        return []
    try:
        content = from_json(read_text(path))
        parsers = {str(parser) for names in content.get("parsers", {}).values() for parser in names}
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
    reason = _first_difference(release, content["files"], rules, parsers)
    if reason and not mismatches:
        mismatches.append(f"{path}: [manifest] not of the release {release}; {reason}; run make build")
    return mismatches


def _first_difference(release: Path, digests: Mapping[str, str], rules: str, parsers: Collection[str]) -> str:
    """Return where a manifest differs from the files of a release, or from the rules and parsers of its provenance."""
    name = release.resolve().name
    files = {line.partition("  ")[2]: line[:64] for line in lines_of(read_text(release / CHECKSUMS))}
    files[CHECKSUMS] = hashlib.sha256(read_bytes(release / CHECKSUMS)).hexdigest()
    listed = {file: digest for file, digest in digests.items() if file.startswith(f"{name}/")}
    for file, digest in {f"{name}/{file}": digest for file, digest in files.items()}.items():
        if (other := listed.pop(file, None)) != digest:
            return f"found {shown(other)} for {file}, expected {shown(digest)}"
    if listed:
        return f"found {shown(next(iter(listed)))}, expected no such file"
    path = release / PROVENANCE
    for line, row in parse_jsonl(read_text(path), path) if path.exists() else ():
        if row.get("rules") != rules:
            return f"found {shown(rules)}, expected {shown(row.get('rules'))} as in {PROVENANCE}:{line}"
        if others := [parser for parser in row.get("parsers") or () if parser not in parsers]:
            return f"found no parser {shown(others[0])}, expected it as in {PROVENANCE}:{line}"
    return ""
