"""Password-protected zip archives: read in memory, never unpacked; releases are encrypted into them."""

import io
import os
import re
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path

import pyzipper

from .errors import PipelineError
from .files import decode, read_text

PASSWORD = "WINOFORGE_ARCHIVE_PASSWORD"  # noqa: S105 - the name of the variable
#: The earliest time of an entry that the format allows; the same for all, so that no entry has a time of its own.
_NO_TIME = (1980, 1, 1, 0, 0, 0)


def passwords(path: Path) -> Iterator[str]:
    """Yield candidate passwords: the one of the environment, then each word in backticks of a README beside or above it."""
    if PASSWORD in os.environ:
        yield os.environ[PASSWORD]
    for folder in path.resolve().parents[:2]:
        if (folder / "README.md").is_file():
            yield from re.findall(r"`([^`\s]+)`", read_text(folder / "README.md"))


def archived_files(path: Path, suffixes: tuple[str, ...] = ("",)) -> dict[str, bytes]:
    """Return the files of a zip archive whose names end with one of the suffixes, by name in the order of the archive.

    Raises:
        PipelineError: the file is not a zip archive, is damaged, or none of the `passwords` opens it.
    """
    try:
        with pyzipper.AESZipFile(path) as archive:
            wanted = [entry for entry in archive.infolist() if entry.filename.endswith(suffixes)]
            return {entry.filename: _opened(archive, entry, path) for entry in wanted if not entry.is_dir()}
    except OSError as error:
        raise PipelineError(path, None, f"[file] cannot be read; {error.strerror or error}") from error
    except (pyzipper.BadZipFile, NotImplementedError, zlib.error, EOFError) as error:
        raise PipelineError(path, None, f"[zip] not a readable archive; {error}") from error


def archived_texts(path: Path, suffixes: tuple[str, ...]) -> dict[str, str]:
    """Return the files of `archived_files` as text."""
    return {name: decode(data, path) for name, data in archived_files(path, suffixes).items()}


def _opened(archive: pyzipper.AESZipFile, entry: pyzipper.ZipInfo, path: Path) -> bytes:
    if not entry.flag_bits & 1:
        return bytes(archive.read(entry))
    for password in passwords(path):
        try:
            return bytes(archive.read(entry, password.encode()))
        except (RuntimeError, pyzipper.BadZipFile, zlib.error):  # wrong; one wrong password in 256 shows as damage only
            continue
    if PASSWORD in os.environ:
        reason = f"the password in {PASSWORD} does not open {entry.filename!r}; set the archive's own"
    else:
        reason = (
            f"no password opens {entry.filename!r}; set {PASSWORD}, or put the README that has it beside the archive"
        )
    raise PipelineError(path, None, f"[password] {reason}")


def encrypt(files: Mapping[str, bytes], password: str) -> bytes:
    """Return a zip archive of the files, encrypted with AES-256 as WinZip does; names stay readable.

    The salt is random, so the bytes of the archive differ from call to call.
    """
    sink = io.BytesIO()
    with pyzipper.AESZipFile(sink, "w", compression=pyzipper.ZIP_DEFLATED, encryption=pyzipper.WZ_AES) as archive:
        archive.setpassword(password.encode())
        for name, data in files.items():
            entry = archive.zipinfo_cls(name, _NO_TIME)
            entry.compress_type = pyzipper.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data)
    return sink.getvalue()
