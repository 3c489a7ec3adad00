"""Downloads that go on where they were cut off."""

import contextlib
import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from ...core.errors import PipelineError
from ...core.files import from_json, read_text, to_json, write_text
from ...core.retry import Progress, Retries, TemporaryFailure
from .http import Changed, Session, Version, answered, ask, asking, body


@dataclass(frozen=True, slots=True)
class Partial:
    """The part of a file that has come, under another name than the file will have."""

    final: Path

    @property
    def path(self) -> Path:
        """Where the bytes are."""
        return self.final.with_name(f"{self.final.name}.part")

    @property
    def note(self) -> Path:
        """Where their version is."""
        return self.final.with_name(f"{self.final.name}.part.json")

    def size(self) -> int:
        """Return how many bytes have come."""
        try:
            return self.path.stat().st_size
        except FileNotFoundError:
            return 0

    def version(self) -> Version | None:
        """Return what the bytes are a part of; None where that is not known, so that they are of no use."""
        try:
            value = from_json(read_text(self.note))
            size, validator = value["size"], value["validator"]
        except (PipelineError, ValueError, KeyError, TypeError):
            return None
        if type(size) is not int or not isinstance(validator, str | None) or size < self.size():
            return None
        return Version(size, validator)

    def begin(self, version: Version) -> None:
        """Throw away what has come, then note what comes now: in that order, no note is of other bytes."""
        with writing(self.path):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.path.write_bytes(b"")
        write_text(self.note, to_json({"size": version.size, "validator": version.validator}) + "\n")

    def add(self, chunks: Iterable[bytes], version: Version, show: Callable[[int, int], None]) -> None:
        """Append what comes.

        Raises:
            PipelineError: there is no room, or more comes than the version has.
        """
        size = self.size()
        with writing(self.path), self.path.open("ab") as stream:
            free = shutil.disk_usage(self.path.parent).free
            if free < version.size - size:
                raise PipelineError(
                    self.path, None, f"[disk] not enough room; found {free} bytes, expected {version.size - size}"
                )
            for chunk in chunks:
                size += len(chunk)
                if size > version.size:
                    raise PipelineError(
                        self.path,
                        None,
                        f"[length] more came than was told; found {size} bytes, expected {version.size}",
                    )
                stream.write(chunk)
                show(size, version.size)
            stream.flush()
            os.fsync(stream.fileno())

    def keep(self) -> None:
        """Give the file its name."""
        with writing(self.final):
            self.path.replace(self.final)
            sync_folder(self.final.parent)
            self.note.unlink(missing_ok=True)

    def discard(self) -> None:
        """Throw away what has come."""
        with writing(self.path):
            self.path.unlink(missing_ok=True)
            self.note.unlink(missing_ok=True)

    def put_aside(self) -> Path:
        """Take the bytes out of the way, so that the next run begins anew; return where they are."""
        with writing(self.path):
            self.note.unlink(missing_ok=True)
            return put_aside(self.path, self.final)


def put_aside(path: Path, final: Path) -> Path:
    """Rename a bad file to the first free of ``NAME.bad``, ``NAME.bad2``, …: it may be the only copy of something."""
    names = (final.with_name(f"{final.name}.bad{number if number > 1 else ''}") for number in count(1))
    free = next(name for name in names if not name.exists())
    path.replace(free)
    return free


@contextlib.contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn what the system refuses into a `PipelineError`."""
    try:
        yield
    except OSError as error:
        reason = f"[file] cannot be written; {error.strerror or error}; what has come is kept, and the next run goes on"
        raise PipelineError(path, None, reason) from error


def sync_folder(folder: Path) -> None:
    """Bring the names in a folder to the disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


#: New bytes that reset the count of failures: a long download survives many failures, and still ends.
_ENOUGH = 1 << 20


def download(url: str, final: Path, watch: Progress, limit: int = sys.maxsize) -> Partial:
    """Return the part that has become the whole file; it has not yet its name, nor is it verified.

    Args:
        url: http or https.
        final: the name it shall have; ``NAME.part`` beside it is gone on with.
        watch: hears of each attempt.
        limit: the largest size in bytes that is taken.

    Raises:
        PipelineError: what no other attempt mends, or too many failed. What has come is kept.
    """
    partial = Partial(final)
    retries, mark = Retries(watch), partial.size()
    with Session() as session:
        while True:
            try:
                _go_on(session, url, partial, watch, limit)
                return partial
            except TemporaryFailure as error:
                size = partial.size()
                if size >= mark + _ENOUGH:
                    retries.reset()
                    mark = size
                retries.wait(TemporaryFailure(f"{url}: {error}; {size} bytes are in {partial.path}", error.wait))


def _go_on(session: Session, url: str, partial: Partial, watch: Progress, limit: int) -> None:
    """Make one attempt at the rest."""
    version = partial.version()
    offset = partial.size() if version else 0
    if version and offset and offset == version.size:
        return
    with contextlib.closing(ask(session, url, asking(offset, version))) as response:
        try:
            found = answered(response.status_code, response.headers, offset, version)
        except Changed as error:
            partial.discard()
            raise TemporaryFailure(f"{error}, so what had come was thrown away") from error
        if found.version.size > limit:
            reason = f"[length] too long; found {found.version.size} bytes at {url}, expected {limit} at most"
            raise PipelineError(None, None, reason)
        if not found.start:
            if offset:
                why = "does not resume" if found.version == version else "has another file now"
                watch.tell(f"{url}: the server {why}; begun again, {offset} bytes thrown away")
            partial.begin(found.version)
        partial.add(body(response), found.version, lambda done, size: watch.show(partial.final.name, done, size))
    if partial.size() < found.version.size:
        raise TemporaryFailure("the server sent less than all")
