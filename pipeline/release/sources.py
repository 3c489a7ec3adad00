"""SOURCES.toml: what a collection was made from."""

import hashlib
import tomllib
from dataclasses import dataclass
from pathlib import Path

from ..core.errors import PipelineError
from ..core.files import read_bytes, read_text

_SOURCE_FIELDS = ("title", "origin", "licence", "file")


@dataclass(frozen=True, slots=True)
class Source:
    """An entry of SOURCES.toml: what a collection was made from.

    `sha256` is the file's today; a captured input declares it, and then it must not change. `unchecked` says what no human
    has checked; `canary` is a line by which a release is recognized where it must not be, in training data.
    """

    title: str
    origin: str
    licence: str
    file: str
    sha256: str
    unchecked: str = ""
    canary: str = ""


def read_source(path: Path, name: str) -> Source:
    """Return the entry ``[name]`` of a SOURCES.toml.

    Raises:
        PipelineError: no TOML, no such entry, a missing field, or a file that is not the one declared.
    """
    try:
        table = tomllib.loads(read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise PipelineError(path, None, f"[toml] not TOML; {error}") from error
    entry = table.get(name)
    if not isinstance(entry, dict):
        raise PipelineError(
            path, None, f"[{name}] no such source; found {', '.join(table) or 'none'}, expected a table [{name}]"
        )
    for field in _SOURCE_FIELDS:
        if not isinstance(entry.get(field), str):
            raise PipelineError(
                path, None, f"[{name}.{field}] missing field; found {entry.get(field)!r}, expected text"
            )
    found = hashlib.sha256(read_bytes(Path(entry["file"]))).hexdigest()
    if entry.get("sha256", found) != found:
        raise PipelineError(
            path, None, f"[{name}.sha256] the file has changed; found {found}, expected {entry['sha256']}"
        )
    remarks = {field: str(entry.get(field, "")).strip() for field in ("unchecked", "canary")}
    return Source(**{field: entry[field] for field in _SOURCE_FIELDS}, sha256=found, **remarks)
