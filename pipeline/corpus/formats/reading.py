"""What the readers of all formats share: shards, documents that cannot be read, a stream of bytes split at a separator."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from stat import S_IFIFO, S_ISDIR, S_ISREG
from typing import Any, BinaryIO, Literal, NoReturn

from ...core.errors import PipelineError
from ...core.outputs import is_stdin

#: The names that ``--format`` takes.
FormatName = Literal["text", "jsonl", "parquet", "wikimedia-xml", "wikiextractor", "cirrus"]
#: The field that holds the text of a document, unless the user names another.
TEXT_FIELD = "text"
#: Number of bytes read at once.
CHUNK = 1 << 18
#: Maximum number of reports kept: a hostile file could have millions.
_REPORTS = 10

#: Characters that show nothing, also within words: soft hyphens, marks of width zero, of direction and of glyph variants.
INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\U000e0000-\U000e0fff]"
)

#: Called with a file, the byte at which a document of it is damaged, and ``[field] reason; found X, expected Y``.
#: If it returns, the reader continues with the next document. A file that is damaged as a whole is always an error.
DamageHandler = Callable[[Path, int, str], None]
#: Counts the documents that a reader leaves out because they are no running text, by what they are.
LeftOut = Counter[str]
OTHER_NAMESPACES, NOT_WIKITEXT = "pages of other namespaces", "pages that are not wikitext"
WIKITEXT = "wikitext"


@dataclass(frozen=True, slots=True, order=True)
class Shard:
    """The part of a corpus file that one process reads.

    A line belongs to the shard in which it begins.
    """

    path: Path
    format: FormatName
    start: int  # its first byte, or its first row group of Parquet. In a multistream dump a stream begins there
    end: int  # the byte or row group behind it
    field: str = TEXT_FIELD  # the field that holds the text of a document; a dot leads into objects


@dataclass(frozen=True, slots=True)
class Document:
    """A document whose markup is not removed yet."""

    source: str  # its text with its markup
    #: Returns its text without markup, empty if nothing is shown.
    text: Callable[[], str]


def field_text(value: Any, field: str) -> str | None:
    r"""Return the text of a field, or the texts of a list as lines; None if anything else is there.

    Args:
        field: the name of the field, perhaps with dots in it; otherwise a dot leads into an object, or the objects of a list.

    Raises:
        UnicodeDecodeError: it holds bytes that are not UTF-8.

    >>> field_text({"turns": [{"a.b": "甲"}, {"a.b": "乙"}]}, "turns.a.b")
    '甲\n乙'
    """
    if isinstance(value, list):
        texts = [field_text(part, field) for part in value]
        return None if None in texts else "\n".join(filter(None, texts))
    if not field:
        return value.decode() if isinstance(value, bytes) else value if isinstance(value, str) else None
    if not isinstance(value, dict):
        return None
    if field in value:
        return field_text(value[field], "")
    heads = (field[:dot] for dot, character in enumerate(field) if character == ".")
    head = next((head for head in heads if head in value), None)
    return None if head is None else field_text(value[head], field[len(head) + 1 :])


def refuse(path: Path, offset: int, reason: str) -> NoReturn:
    """Stop reading.

    Raises:
        PipelineError: always.
    """
    raise _damage_error(path, offset, reason)


@dataclass(slots=True)
class SkippedDamage:
    """A damage handler that counts damaged documents, keeps the first reports and lets the reader continue."""

    count: int = 0
    reports: list[str] = field(default_factory=list)

    def __call__(self, path: Path, offset: int, reason: str) -> None:
        """Count a damaged document."""
        self.count += 1
        if len(self.reports) < _REPORTS:
            self.reports.append(str(_damage_error(path, offset, reason)))

    def add(self, other: "SkippedDamage") -> None:
        """Add the damage that another reader skipped."""
        self.count += other.count
        self.reports = (self.reports + other.reports)[:_REPORTS]


def _damage_error(path: Path, offset: int, reason: str) -> PipelineError:
    return PipelineError(path, None, f"{reason} (byte {offset})")


# --- files ------------------------------------------------------------------------------------------------------------


def open_file(path: Path) -> BinaryIO:
    """Open a regular file for reading.

    Raises:
        PipelineError: it cannot be opened, or is a pipe or a device: files are read more than once.
    """
    try:
        mode = S_IFIFO if is_stdin(path) else path.stat().st_mode
        if not (S_ISREG(mode) or S_ISDIR(mode)):
            reason = "[file] not a regular file; found a pipe or a device, expected a file on a disk"
            raise PipelineError(path, None, reason)
        return path.open("rb")
    except OSError as error:
        raise _unreadable(path, error) from error


def read_chunk(stream: BinaryIO, path: Path, size: int = CHUNK) -> bytes:
    """Read at most `size` bytes; a failing disk is a `PipelineError`."""
    try:
        return stream.read(size)
    except OSError as error:
        raise _unreadable(path, error) from error


def file_size(path: Path) -> int:
    """Return the size of a file in bytes."""
    with open_file(path) as stream:
        return stream.seek(0, 2)


def _unreadable(path: Path, error: OSError) -> PipelineError:
    return PipelineError(path, None, f"[file] cannot be read; {error.strerror or error}")


# --- pieces of a stream -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Piece:
    """The bytes before a separator, or behind the last one."""

    offset: int  # the byte of the stream at which it begins
    length: int  # its size in bytes, without the separator
    data: bytearray | None  # its bytes; None if it is longer than the limit
    ended: bool  # whether a separator follows


def split_stream(chunks: Iterable[bytes], separator: bytes, limit: int, offset: int = 0) -> Iterator[Piece]:
    r"""Split a stream at a separator, without holding more of it than one piece.

    Args:
        limit: the maximum size in bytes of a piece that is held; of a longer one only the length is known.
        offset: the byte of the stream at which the chunks begin.

    Yields:
        The pieces in order. The last one has no separator behind it and may be empty.

    >>> [(piece.offset, bytes(piece.data or b"long")) for piece in split_stream([b"a\nb", b"cd\n", b"e"], b"\n", 2)]
    [(0, b'a'), (2, b'long'), (6, b'e')]
    """
    held = bytearray()
    dropped = searched = 0  # of the current piece: bytes dropped; bytes held in which no separator begins
    for chunk in chunks:
        held += chunk
        begin = 0
        while (end := held.find(separator, searched)) >= 0:
            length = dropped + end - begin
            yield Piece(offset, length, held[begin:end] if length <= limit else None, ended=True)
            offset += length + len(separator)
            dropped = 0
            begin = searched = end + len(separator)
        del held[:begin]
        if dropped or len(held) > limit + len(separator):  # keep what may be the beginning of a separator
            excess = max(len(held) - len(separator) + 1, 0)
            dropped += excess
            del held[:excess]
        searched = max(len(held) - len(separator) + 1, 0)
    length = dropped + len(held)
    yield Piece(offset, length, held if length <= limit else None, ended=False)
