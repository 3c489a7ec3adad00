"""Documents of which each is a line: plain text, JSON Lines."""

from collections.abc import Iterator
from typing import BinaryIO

from ...core.files import from_json
from .damage import Damage
from .shard import Shard
from .stream import CHUNK, opened, pieces, read

#: A longer line is damage: it would have to be held to be read.
LIMIT = 16 << 20
_BOM = b"\xef\xbb\xbf"


def text_documents(shard: Shard, damage: Damage, limit: int = LIMIT) -> Iterator[str]:
    """Yield each line that is not blank; damage is one that is not UTF-8, has a NUL, or is longer than `limit` bytes."""
    for _, line in _lines(shard, damage, limit):
        yield line


def json_documents(shard: Shard, damage: Damage, limit: int = LIMIT) -> Iterator[str]:
    """Yield the `text` of each object, where it is not blank; damage is what `text_documents` says, and what is no such object."""
    for offset, line in _lines(shard, damage, limit):
        try:
            value = from_json(line)
        except ValueError as error:
            damage(shard.path, offset, f"[json] not JSON; {error}")
            continue
        text = value.get("text") if isinstance(value, dict) else None
        if not isinstance(value, dict):
            damage(shard.path, offset, f"[json] wrong kind; found {type(value).__name__}, expected an object")
        elif not isinstance(text, str):
            found = (
                f"found {type(text).__name__}"
                if "text" in value
                else f"found the keys {', '.join(map(repr, value))[:80]}"
            )
            damage(shard.path, offset, f"[text] no text; {found}, expected a string")
        elif text.strip():
            yield text


def _lines(shard: Shard, damage: Damage, limit: int) -> Iterator[tuple[int, str]]:
    with opened(shard.path) as stream:
        begin = _first_line(stream, shard)
        if begin >= shard.end:  # a line that began before runs past the shard
            return
        chunks = iter(lambda: read(stream, shard.path), b"")
        for piece in pieces(chunks, b"\n", limit, begin):
            if piece.offset >= shard.end:
                return
            if piece.data is None:
                reason = f"[line] too long; found {piece.length} bytes, expected at most {limit}"
                damage(shard.path, piece.offset, reason)
            elif (line := _decoded(piece.data, piece.offset, shard, damage)).strip():
                yield piece.offset, line


def _first_line(stream: BinaryIO, shard: Shard) -> int:
    """Return where the first line begins that begins in the shard, with the stream there; its end or later if none does."""
    if not shard.start:
        return 0
    begin = stream.seek(shard.start - 1)
    while begin < shard.end:
        part = stream.readline(CHUNK)
        begin += len(part)
        if part.endswith(b"\n"):
            break
        if not part:
            return shard.end
    return begin


def _decoded(data: bytearray, offset: int, shard: Shard, damage: Damage) -> str:
    """Return the text of a line, or none where it is damaged."""
    if offset == 0 and data.startswith(_BOM):
        data, offset = data[len(_BOM) :], len(_BOM)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        reason = f"[encoding] not UTF-8; found byte 0x{data[error.start]:02x}, expected UTF-8 text"
        damage(shard.path, offset + error.start, reason)
        return ""
    if (nul := data.find(b"\0")) >= 0:
        damage(shard.path, offset + nul, "[encoding] not a text; found a NUL, expected UTF-8 text")
        return ""
    return text.removesuffix("\r")
