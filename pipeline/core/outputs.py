"""Where a command writes: files atomically and through links; pipes, devices and standard output directly.

Public: `write_bytes`, `written_together`, `remove`, `is_stdout`, `require_distinct`, `require_outside`, `require_writable`, `is_temporary`,
`ending_on_signals`.
"""

import contextlib
import errno
import io
import os
import re
import secrets
import signal
import stat
import sys
import threading
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from pathlib import Path
from types import FrameType
from typing import BinaryIO, NoReturn, TextIO

from .errors import PipelineError

#: What an argument or an option of a command names: a file, several files, or nothing because it is not given.
Paths = Path | Iterable[Path] | None

#: The streams of this process by the paths that name them; `-` is standard output for writers.
_STREAMS = {"-": 1, "/dev/stdout": 1, "/dev/stderr": 2}
#: Paths that name standard input for readers.
_STDIN = ("-", "/dev/stdin")
#: Maximum number of characters of a file's name in the name of its temporary file: names end at 255 bytes.
_NAME_PART = 40
#: What a release has: files that are sealed by their checksums, a card, data.
_RELEASE = ("SHA256SUMS", "README.md", "data")
_TEMPORARY = re.compile(r"\..*\.[0-9a-f]{16}\.tmp")


def is_stdin(path: Path) -> bool:
    """Tell whether a path that is read names standard input: ``-`` or /dev/stdin."""
    return str(path) in _STDIN


def is_stdout(path: Path | None) -> bool:
    """Tell whether a path that is written names standard output: ``-``, /dev/stdout or /dev/fd/1.

    >>> is_stdout(Path("-")), is_stdout(Path("a/-")), is_stdout(None)
    (True, False, False)
    """
    return path is not None and _descriptor(path) == 1


def write_bytes(path: Path, data: bytes) -> None:
    """Write `data` to a file, a pipe, a device or standard output.

    A file is written atomically: whenever the process dies, it holds either its old content or all of the new. The data goes to a
    temporary file beside it, which is flushed to disk and renamed. If `path` is a link, the link stays and its target is written. A
    new file has the mode that the umask allows; an existing file keeps its mode, and its owner where the system permits.

    Raises:
        PipelineError: the file is read-only or cannot be written.
        BrokenPipeError: nobody reads standard output any more.
    """
    descriptor = _descriptor(path)
    if descriptor is None:
        with _opened(path) as stream:
            stream.write(data)
        return
    try:
        _write_stream(descriptor, data)
    except OSError as error:
        if descriptor == 1 and isinstance(error, BrokenPipeError):
            raise
        raise _unwritable(path, error) from error


@contextlib.contextmanager
def written_together(paths: Iterable[Path]) -> Iterator[Callable[[Path, bytes], None]]:
    """Open files that are written in parts, and yield the function that appends data to one of them.

    All files are replaced when the block ends, as `write_bytes` replaces one; none is if an error ends the block.

    Raises:
        PipelineError: a file is read-only or cannot be written.
    """
    streams: dict[Path, BinaryIO] = {}

    def append(path: Path, data: bytes) -> None:
        try:
            streams[path].write(data)
        except OSError as error:
            raise _unwritable(path, error) from error

    with contextlib.ExitStack() as stack:
        for path in paths:
            streams[path] = stack.enter_context(_opened(path))
        yield append
        for stream in streams.values():  # before the first file is replaced: the disk may be full
            stream.flush()


def remove(path: Path) -> None:
    """Delete a file if it exists; raises `PipelineError` if it cannot be deleted."""
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise PipelineError(path, None, f"[file] cannot be deleted; {error.strerror or error}") from error


def is_temporary(path: Path) -> bool:
    """Tell whether a file has the name of a temporary file, which `write_bytes` leaves behind if it is killed.

    >>> is_temporary(Path("a/.f.txt.0123456789abcdef.tmp")), is_temporary(Path("a/f.tmp"))
    (True, False)
    """
    return _TEMPORARY.fullmatch(path.name) is not None


def require_writable(path: Path, *, folder: bool = False) -> None:
    """Refuse an output that cannot be written, before work is spent on it."""
    if _descriptor(path) is not None and not folder:
        return
    try:
        status = _status(path)  # fails if the path is too long, or a loop of links
        if folder:
            _require_folder(Path(os.path.realpath(path)))
        elif status is None or stat.S_ISREG(status.st_mode):
            _require_replaceable(path, status)
        elif stat.S_ISDIR(status.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    except OSError as error:
        raise _unwritable(path, error) from error


def require_distinct(outputs: Mapping[str, Paths], inputs: Mapping[str, Paths] | None = None) -> None:
    """Refuse an output that is also an input of the command, or another output: its content would be lost.

    Links and different spellings of a path are followed. Devices such as /dev/null may be given any number of times, and folders are
    not compared.
    """
    options: dict[Hashable, str] = {}
    for option, path in _each(outputs):
        key = _identity(path, _descriptor(path))
        if key is None:
            continue
        if key in options:
            both = f"{options[key]} twice" if options[key] == option else f"{options[key]} and {option}"
            raise PipelineError(None, None, f"[out] same file given twice; found {path} for {both}, expected two files")
        options[key] = option
    for name, path in _each(inputs or {}):
        key = _identity(path, 0 if is_stdin(path) else None)
        if key in options:
            reason = f"output is an input; found {path} for {name} and {options[key]}, expected another file"
            raise PipelineError(None, None, f"[out] {reason}")


def require_outside(outputs: Mapping[str, Paths], inputs: Mapping[str, Paths], *, releases: bool = False) -> None:
    """Refuse an output in a folder that the command reads, or in any release: it would become part of what it was made of.

    Links are followed; a folder may be an output too. Standard output and devices lie nowhere. With `releases`, the outputs are releases
    themselves, which are made again.
    """
    folders = [(name, path, Path(os.path.realpath(path))) for name, path in _each(inputs) if os.path.isdir(path)]  # noqa: PTH112 - false for a name that is too long
    for option, path in _each(outputs):
        if _descriptor(path) is not None:
            continue
        target = Path(os.path.realpath(path))
        around = (target, *target.parents)
        for name, given, folder in folders:
            if folder in around:
                found = f"found {path} for {option} in {given} for {name}, expected a path outside it"
                raise PipelineError(None, None, f"[out] output lies in a folder that the command reads; {found}")
        for folder in target.parents if releases else around:
            if all(os.path.exists(folder / name) for name in _RELEASE):  # noqa: PTH110 - the same
                found = f"found {path} for {option} in {folder}, expected a path outside it"
                raise PipelineError(None, None, f"[out] output lies in a release; {found}")


@contextlib.contextmanager
def ending_on_signals() -> Iterator[None]:
    """End the process on SIGTERM and SIGHUP by `SystemExit`, as an interrupt does, so that no temporary file is left behind.

    A signal that is ignored, as by nohup, stays ignored.
    """
    handled: list[signal.Signals] = []
    if threading.current_thread() is threading.main_thread():
        numbers = (signal.SIGTERM, signal.SIGHUP)
        handled += [number for number in numbers if signal.getsignal(number) is signal.SIG_DFL]
    for number in handled:
        signal.signal(number, _end)
    try:
        yield
    finally:
        for number in handled:
            signal.signal(number, signal.SIG_DFL)


def _end(number: int, _: FrameType | None) -> NoReturn:
    raise SystemExit(128 + number)  # as a shell reports a process that a signal ended


def _descriptor(path: Path) -> int | None:
    """Return the descriptor of this process that a path names, None if it names a file."""
    number = _STREAMS.get(str(path))
    if number is None and path.name.isdecimal() and os.path.realpath(path.parent) == os.path.realpath("/dev/fd"):
        number = int(path.name)
    return number


def _status(path: Path) -> os.stat_result | None:
    if path.parts[:1] == ("-",):
        raise NotADirectoryError(errno.ENOTDIR, "standard output is not a folder")
    try:
        return path.stat()
    except FileNotFoundError:
        return None


def _write_stream(descriptor: int, data: bytes) -> None:
    """Write to a stream past its buffer, in which data that cannot be written would stay until the process ends."""
    stream: TextIO | None = {1: sys.stdout, 2: sys.stderr}.get(descriptor)
    if descriptor in (1, 2):
        if stream is None:
            raise OSError(errno.EBADF, "standard output is closed" if descriptor == 1 else "standard error is closed")
        stream.flush()
        try:
            descriptor = stream.fileno()
        except io.UnsupportedOperation:  # a stream in memory has taken its place
            stream.buffer.write(data)
            return
    with os.fdopen(os.dup(descriptor), "wb") as copy:
        copy.write(data)


def _require_replaceable(path: Path, status: os.stat_result | None) -> Path:
    """Return the regular file at the end of links, and refuse it if it is read-only or its folder cannot be written."""
    target = Path(os.path.realpath(path))
    if status is not None and not status.st_mode & 0o222:  # root may write it, and should not
        reason = f"[file] read-only; found mode {stat.S_IMODE(status.st_mode):04o}, expected a file that may be changed"
        raise PipelineError(path, None, f"{reason} (chmod u+w) or another output")
    if status is not None and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    _require_folder(target.parent)
    return target


def _require_folder(folder: Path) -> None:
    """Refuse a folder that cannot be written, or cannot be made."""
    present = next(path for path in (folder, *folder.parents) if path.exists())
    if not present.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, f"{present} is not a folder")
    if not os.access(present, os.W_OK | os.X_OK):
        raise PermissionError(errno.EACCES, f"no permission to make a file in the folder {present}")


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    """Open a file that is replaced when the block ends without an error, or a device or pipe."""
    try:
        status = _status(path)
        regular = status is None or stat.S_ISREG(status.st_mode)
        with _replacement(path, status) if regular else path.open("wb") as stream:
            yield stream
    except OSError as error:
        raise _unwritable(path, error) from error


@contextlib.contextmanager
def _replacement(path: Path, status: os.stat_result | None) -> Iterator[BinaryIO]:
    """Yield a file that takes the place of another one when the block ends; after an error nothing is left of it."""
    target = _require_replaceable(path, status)
    new_folders = [folder for folder in target.parents if not folder.exists()]
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = target.with_name(f".{target.name[:_NAME_PART]}.{secrets.token_hex(8)}.tmp")
    try:
        # The data of a private file must not be readable in the temporary file either.
        mode = 0o666 if status is None else 0o600
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
        with os.fdopen(handle, "wb") as stream:
            yield stream
            stream.flush()
            if status is not None:
                with contextlib.suppress(PermissionError):
                    os.fchown(handle, status.st_uid, status.st_gid)
                os.fchmod(handle, stat.S_IMODE(status.st_mode))
            os.fsync(handle)
        temporary.replace(target)
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink()
        for folder in new_folders:
            with contextlib.suppress(OSError):  # it has files
                folder.rmdir()


def _unwritable(path: Path, error: OSError) -> PipelineError:
    return PipelineError(path, None, f"[file] cannot be written; {error.strerror or error}")


def _each(paths: Mapping[str, Paths]) -> Iterator[tuple[str, Path]]:
    for name, value in paths.items():
        for path in [value] if isinstance(value, Path) else value or ():
            yield name, path


def _identity(path: Path, descriptor: int | None) -> Hashable:
    """Return what is the same for all paths that name one file; None for a device or a folder."""
    if descriptor is not None:
        return "stream", descriptor
    try:
        status = path.stat()
    except OSError:
        return os.path.realpath(path)
    if stat.S_ISCHR(status.st_mode) or stat.S_ISDIR(status.st_mode):
        return None
    return status.st_dev, status.st_ino
