"""Downloads that continue where they were cut off."""

import contextlib
import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from itertools import count
from pathlib import Path

from ...core.errors import PipelineError
from ...core.files import from_json, read_text, to_json, write_text
from ...core.servers.retry import Progress, Retries, TemporaryFailure
from .http import FileChanged, Session, Version, body_start, read_body, request_file

#: Number of new bytes that reset the count of failures: a long download survives many failures, and still ends.
_NEW_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class PartialFile:
    """The part of a file downloaded so far, in ``NAME.part``, with a note of its version beside it."""

    final: Path

    @property
    def path(self) -> Path:
        """The file with the bytes."""
        return self.final.with_name(f"{self.final.name}.part")

    @property
    def note(self) -> Path:
        """The file with their version."""
        return self.final.with_name(f"{self.final.name}.part.json")

    def size(self) -> int:
        """Return the number of bytes downloaded."""
        return self.path.stat().st_size if self.path.exists() else 0

    def version(self) -> Version | None:
        """Return the version of which the bytes are a part; None if it is unknown, so that they are useless."""
        try:
            version = Version(**from_json(read_text(self.note)))
        except (PipelineError, ValueError, TypeError):
            return None
        valid = type(version.size) is int and isinstance(version.validator, str | None)
        return version if valid and version.size >= self.size() else None

    def begin(self, version: Version) -> None:
        """Delete the bytes, then note the version of the next ones; in this order the note never describes other bytes."""
        with writing(self.path):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.path.write_bytes(b"")
        write_text(self.note, to_json(asdict(version)) + "\n")

    def add(self, chunks: Iterable[bytes], version: Version, show: Callable[[int, int], None]) -> None:
        """Append bytes.

        Raises:
            PipelineError: the disk has too little space, or there are more bytes than the version has.
        """
        size = self.size()
        with writing(self.path), self.path.open("ab") as stream:
            free, missing = shutil.disk_usage(self.path.parent).free, version.size - size
            if free < missing:
                raise PipelineError(self.path, None, f"[disk] not enough space; found {free} bytes, expected {missing}")
            for chunk in chunks:
                size += len(chunk)
                if size > version.size:
                    reason = f"[length] more bytes than announced; found {size}, expected {version.size}"
                    raise PipelineError(self.path, None, reason)
                stream.write(chunk)
                show(size, version.size)
            stream.flush()
            os.fsync(stream.fileno())

    def keep(self) -> None:
        """Give the file its final name."""
        with writing(self.final):
            self.path.replace(self.final)
            self.note.unlink(missing_ok=True)

    def discard(self) -> None:
        """Delete the bytes."""
        with writing(self.path):
            self.path.unlink(missing_ok=True)
            self.note.unlink(missing_ok=True)


def set_aside(path: Path, final: Path) -> Path:
    """Rename a bad file to the first free of ``NAME.bad``, ``NAME.bad2``, …, because it may be the only copy of something."""
    names = (final.with_name(f"{final.name}.bad{number if number > 1 else ''}") for number in count(1))
    free = next(name for name in names if not name.exists())
    with writing(path):
        path.replace(free)
    return free


@contextlib.contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn an error of the system while writing into a `PipelineError`."""
    try:
        yield
    except OSError as error:
        reason = f"[file] cannot be written; {error.strerror or error}; the bytes here are kept, run the command again"
        raise PipelineError(path, None, reason) from error


def download(url: str, final: Path, progress: Progress, limit: int = sys.maxsize) -> PartialFile:
    """Download a file completely; it is neither verified nor has its final name.

    Args:
        url: http or https.
        final: the final name of the file; a part of it beside that name is continued.
        progress: callbacks.
        limit: the maximum size in bytes.

    Raises:
        PipelineError: something that no other attempt mends, or too many attempts failed. What was downloaded is kept.
    """
    partial = PartialFile(Path(os.path.realpath(final)))  # beside the target of a link, so that it can be renamed
    retries, mark = Retries(progress), partial.size()
    with Session() as session:
        while True:
            try:
                _download_rest(session, url, partial, progress, limit)
                return partial
            except TemporaryFailure as error:
                size = partial.size()
                if size >= mark + _NEW_BYTES:
                    retries.reset()
                    mark = size
                retries.wait(TemporaryFailure(f"{url}: {error}; {size} bytes are in {partial.path}", error.wait))


def _download_rest(session: Session, url: str, partial: PartialFile, progress: Progress, limit: int) -> None:
    """Make one attempt."""
    version = partial.version()
    offset = partial.size() if version else 0
    if version and offset == version.size > 0:
        return
    with contextlib.closing(request_file(session, url, offset, version)) as response:
        try:
            start, current = body_start(response.status_code, response.headers, offset, version)
        except FileChanged as error:
            partial.discard()
            raise TemporaryFailure(f"{error}; the part of the old one was deleted") from error
        if current.size > limit:
            reason = f"[length] too long; found {current.size} bytes at {url}, expected {limit} at most"
            raise PipelineError(None, None, reason)
        if not start:
            if offset:
                why = "cannot resume" if current == version else "has another version now"
                progress.tell(f"{url}: the server {why}; starting again, {offset} bytes deleted")
            partial.begin(current)
        partial.add(read_body(response), current, lambda done, size: progress.show(partial.final.name, done, size))
    if partial.size() < current.size:
        raise TemporaryFailure("the server sent less than the whole file")
