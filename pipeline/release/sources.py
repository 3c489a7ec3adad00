"""Read SOURCES.toml, which says what each collection was made from."""

import hashlib
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..core.errors import PipelineError, shown
from ..core.files import read_bytes, read_text
from ..core.hints import known_names

#: Where a repository describes its collections, and has the texts of their licences.
SOURCES, LICENCES = Path("raw/SOURCES.toml"), Path("raw/licences")
#: The page that says how to release a collection.
_PAGE = "docs/collections.md"
_FIELDS = ("title", "origin", "licence", "file")
_OPTIONAL = ("sha256", "unchecked", "canary", "reading", "fillers", "profile")


@dataclass(frozen=True, slots=True)
class Source:
    """An entry of SOURCES.toml.

    Attributes:
        title: title of the collection.
        origin: who made the file, and when.
        licence: identifier of the licence, such as CC-BY-4.0.
        file: path of the source file.
        sha256: current checksum of the file; an entry that declares one fixes it.
        unchecked: what no human has checked.
        reading: path of a table with the last reading of each item (see `readings`); empty if there is none.
        fillers: path of the fillers of cloze items (see `pipeline.winograd.fillers`); empty if there are none.
        profile: profile of the collection (rules/validation/profiles.yaml); empty if the items tell it.
        canary: a line that identifies the release in training data, where it must not be.
    """

    title: str
    origin: str
    licence: str
    file: str
    sha256: str
    unchecked: str = ""
    canary: str = ""
    reading: str = ""
    fillers: str = ""
    profile: str = ""


def declared_source(release: Path, name: str) -> Source | None:
    """Return what a SOURCES.toml says of a release: that beside ``build/``, or that of the current folder.

    There is none if neither has an entry for it, or if the source file is missing.

    Args:
        release: the folder of the release, such as ``build/release/NAME``.
        name: the name of the collection.

    Raises:
        PipelineError: see `read_source`.
    """
    root = release.resolve().parent.parent.parent
    for folder in (root, Path()):
        path = folder / SOURCES
        entry = _entries(path).get(name) if path.is_file() else None
        if isinstance(entry, dict) and (folder / str(entry.get("file"))).is_file():
            return read_source(path, name, folder)
    return None


def licence_file(release: Path, licence: str) -> Path | None:
    """Return the file of a licence's text in the folder of licences beside ``build/``, or in that of the current folder."""
    for folder in (release.resolve().parent.parent.parent, Path()):
        if (path := folder / LICENCES / f"{licence}.txt").is_file():
            return path
    return None


def _entries(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(read_text(path))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        problem = "nested too deeply" if isinstance(error, RecursionError) else error
        raise PipelineError(path, None, f"[toml] not TOML; {problem}") from error


def read_source(path: Path, name: str, root: Path = Path()) -> Source:
    """Return the entry ``[name]`` of a SOURCES.toml; the paths in it are relative to `root`.

    Raises:
        PipelineError: not TOML, no such entry, a missing or unknown field, a field that is no text, or a file with another checksum
            than declared.
    """
    if not path.exists():
        reason = (
            "missing; run in the root of the repository, or describe your collections in a file of your own and give it"
        )
        raise PipelineError(path, None, f"[sources] {reason} with --sources ({_PAGE})")
    table = _entries(path)
    entry = table.get(name)
    if not isinstance(entry, dict):
        reason = f"[{name}] unknown source; found {', '.join(table) or 'none'}, expected a table [{name}] with {', '.join(_FIELDS)}"
        reason += f", here or in another file given with --sources ({_PAGE})"
        raise PipelineError(path, None, reason)
    for field in _FIELDS:
        if not isinstance(entry.get(field), str):
            reason = f"[{name}.{field}] missing field; found {shown(entry.get(field))}, expected text"
            raise PipelineError(path, None, reason)
    for field, value in entry.items():
        if field not in (*_FIELDS, *_OPTIONAL):
            raise PipelineError(
                path, None, f"[{name}.{field}] unknown field; {known_names(field, [*_FIELDS, *_OPTIONAL])}"
            )
        if not isinstance(value, str):
            raise PipelineError(path, None, f"[{name}.{field}] wrong kind; found {shown(value)}, expected text")
    digest = hashlib.sha256(read_bytes(root / entry["file"])).hexdigest()
    if entry.get("sha256", digest) != digest:
        reason = f"[{name}.sha256] file has changed; found {digest}, expected {entry['sha256']}"
        raise PipelineError(path, None, reason)
    remarks = {field: entry.get(field, "").strip() for field in _OPTIONAL if field != "sha256"}
    return Source(**{field: entry[field] for field in _FIELDS}, sha256=digest, **remarks)
