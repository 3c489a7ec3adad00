"""Digests of files too large for memory."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from .errors import PipelineError

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
