"""Password-protected zip archives: read in memory, never unpacked; releases are encrypted into them."""

import io
import os
import re
import struct
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from .errors import PipelineError, shown
from .files import decode, read_bytes, read_text
from .outputs import is_stdin
from .packages import require_packages

if TYPE_CHECKING:
    import pyzipper

PASSWORD = "WINOFORGE_ARCHIVE_PASSWORD"  # noqa: S105 - the name of the variable
#: Maximum size in bytes of the files that are read from an archive: they are held in memory. A release takes a few megabytes.
MAX_SIZE = 512 << 20
#: Maximum number of members of an archive. A release has 30, a published collection fewer.
MAX_MEMBERS = 10_000
#: Maximum ratio of the unpacked size to the packed size. Text packs to a fifth, repeated rows to a fiftieth; a bomb to a thousandth.
MAX_RATIO = 250
#: Unpacked size in bytes up to which any ratio will do: a small file of one repeated line is no bomb.
_SMALL = 1 << 20
#: The method of Zstandard, which Inspect's logs have and pyzipper does not know, and the size in bytes of the header before an entry.
_ZSTANDARD, _LOCAL_HEADER = 93, 30
#: What pyzipper raises for a damaged archive, besides its own exception.
_DAMAGE = (NotImplementedError, zlib.error, EOFError, ValueError, LookupError, struct.error)
#: The earliest time of an entry that the format allows; the same for all, so that no entry has a time of its own.
_NO_TIME = (1980, 1, 1, 0, 0, 0)


def passwords(path: Path) -> Iterator[str]:
    """Yield candidate passwords: the one of the environment, then each word in backticks of a README beside or above it."""
    if PASSWORD in os.environ:
        yield os.environ[PASSWORD]
    for folder in path.resolve().parents[:2]:
        if (folder / "README.md").is_file():
            yield from re.findall(r"`([^`\s]+)`", read_text(folder / "README.md"))


def archived_files(path: Path, suffixes: tuple[str, ...] = ("",), *, rewritten: bool = False) -> dict[str, bytes]:
    """Return the files of a zip archive whose names end with one of the suffixes, by name in the order of the archive.

    Args:
        rewritten: whether its writer replaces a file by another one of its name, so that the last one counts.

    Raises:
        PipelineError: the file is not a zip archive, is damaged, unpacks to more than the limits of this module, or none of the
            `passwords` opens it.
    """
    import pyzipper  # loads a cipher for a twentieth of a second, and few commands read an archive

    try:
        with pyzipper.AESZipFile(io.BytesIO(read_bytes(path)) if is_stdin(path) else path) as archive:
            entries = archive.infolist()
            if rewritten:
                entries = list({entry.filename: entry for entry in entries}.values())
            _require_members([entry.filename for entry in entries], path)
            wanted = [entry for entry in entries if entry.filename.endswith(suffixes) and not entry.is_dir()]
            _require_size(wanted, path)
            return {entry.filename: _opened(archive, entry, path) for entry in wanted}
    except OSError as error:
        raise PipelineError(path, None, f"[file] cannot be read; {error.strerror or error}") from error
    except MemoryError as error:
        raise PipelineError(path, None, "[zip] not enough memory to unpack the archive") from error
    except (pyzipper.BadZipFile, *_DAMAGE) as error:
        raise PipelineError(path, None, f"[zip] not a readable archive; {error or type(error).__name__}") from error


def _require_members(names: Sequence[str], path: Path) -> None:
    if len(names) > MAX_MEMBERS:
        reason = (
            f"[zip] too many members; found {len(names)}, expected at most {MAX_MEMBERS}; take out the files to read"
        )
        raise PipelineError(path, None, reason)
    if len(set(names)) < len(names):  # each program would read another one of them
        name, count = Counter(names).most_common(1)[0]
        raise PipelineError(path, None, f"[zip] name not unique; found {shown(name)} {count} times, expected it once")


def _require_size(entries: "Sequence[pyzipper.ZipInfo]", path: Path) -> None:
    """Refuse files that unpack to too much, by the sizes that the archive declares; more than those is never read."""
    size, packed = (sum(getattr(entry, name) for entry in entries) for name in ("file_size", "compress_size"))
    if size > MAX_SIZE:
        reason = f"[zip] unpacks to too much; found {size} bytes, expected at most {MAX_SIZE}; unpack it by other means"
        raise PipelineError(path, None, reason)
    if size > max(_SMALL, MAX_RATIO * packed):
        reason = f"found {size} bytes from {packed}, expected at most {MAX_RATIO} times as many"
        raise PipelineError(path, None, f"[zip] unpacks to too much, as a zip bomb does; {reason}")


def archived_texts(path: Path, suffixes: tuple[str, ...], *, rewritten: bool = False) -> dict[str, str]:
    """Return the files of `archived_files` as text, without those of a file manager."""
    files = archived_files(path, suffixes, rewritten=rewritten)
    return {name: decode(data, path) for name, data in files.items() if not of_file_manager(name)}


def of_file_manager(path: str | Path) -> bool:
    """Return whether macOS or Windows put a file into a folder or an archive, beside its files.

    >>> [of_file_manager(path) for path in ("__MACOSX/a/._data.txt", "a/._data.txt", "Thumbs.db", "a/data.txt")]
    [True, True, True, False]
    """
    name = Path(path).name
    return "__MACOSX" in Path(path).parts or name.startswith("._") or name in (".DS_Store", "Thumbs.db", "desktop.ini")


def _opened(archive: "pyzipper.AESZipFile", entry: "pyzipper.ZipInfo", path: Path) -> bytes:
    import pyzipper

    if entry.compress_type == _ZSTANDARD and not entry.flag_bits & 1:
        return _zstandard(archive, entry)
    if entry.compress_type not in (pyzipper.ZIP_STORED, pyzipper.ZIP_DEFLATED):  # others unpack without bound at once
        reason = f"[zip] unsupported method; found {entry.compress_type} for {shown(entry.filename)}, expected 0 or 8 (deflate)"
        raise PipelineError(path, None, reason)
    if not entry.flag_bits & 1:
        return _read(archive, entry, None)
    for password in passwords(path):
        try:
            return _read(archive, entry, password.encode())
        except (RuntimeError, pyzipper.BadZipFile, zlib.error):  # wrong; one wrong password in 256 shows as damage only
            continue
    if PASSWORD in os.environ:
        reason = f"the password in {PASSWORD} does not open {shown(entry.filename)}; set the archive's own"
    else:
        reason = f"no password opens {shown(entry.filename)}; set {PASSWORD}, or put the README that has it beside the archive"
    raise PipelineError(path, None, f"[password] {reason}")


def _read(archive: "pyzipper.AESZipFile", entry: "pyzipper.ZipInfo", password: bytes | None) -> bytes:
    """Return the content of an entry; no more than its declared size and a byte is unpacked, so that this shows as damage."""
    with archive.open(entry, pwd=password) as stream:
        return bytes(stream.read(entry.file_size + 1))


def _zstandard(archive: "pyzipper.AESZipFile", entry: "pyzipper.ZipInfo") -> bytes:
    """Return the content of an entry that is packed with Zstandard; no more than its declared size is unpacked."""
    require_packages("evaluate", "zstandard")
    import zstandard

    archive.fp.seek(entry.header_offset)
    header = archive.fp.read(_LOCAL_HEADER)
    name, extra = struct.unpack("<HH", header[-4:])
    archive.fp.seek(name + extra, os.SEEK_CUR)
    packed = io.BytesIO(archive.fp.read(entry.compress_size))
    try:
        with zstandard.ZstdDecompressor().stream_reader(packed, read_across_frames=True) as stream:
            content = bytes(stream.read(entry.file_size + 1))
    except zstandard.ZstdError as error:
        raise ValueError(str(error)) from error
    if zlib.crc32(content) != entry.CRC:
        raise ValueError(f"bad checksum of {shown(entry.filename)}")
    return content


def encrypt(files: Mapping[str, bytes], password: str) -> bytes:
    """Return a zip archive of the files, encrypted with AES-256 as WinZip does; names stay readable.

    The salt is random, so the bytes of the archive differ from call to call.
    """
    import pyzipper

    sink = io.BytesIO()
    with pyzipper.AESZipFile(sink, "w", compression=pyzipper.ZIP_DEFLATED, encryption=pyzipper.WZ_AES) as archive:
        archive.setpassword(password.encode())
        for name, data in files.items():
            entry = archive.zipinfo_cls(name, _NO_TIME)
            entry.compress_type = pyzipper.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data)
    return sink.getvalue()
