"""Corpora with one document a line: plain text and JSON Lines."""

from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from ...core.errors import PipelineError
from ...core.files import from_json
from ...core.hints import signature_hint
from .reading import CHUNK, DamageHandler, Shard, file_size, open_file, read_chunk, split_stream

#: Maximum size of a line in bytes; a longer one is damage, since a line is held to be read.
LIMIT = 16 << 20
#: Number of bytes that show a file of another kind.
_SIGNATURE = 8
_BOM = b"\xef\xbb\xbf"


def text_ranges(path: Path, size: int, index: Path | None) -> list[tuple[int, int]]:
    """Cut a file of plain text every `size` bytes.

    Raises:
        PipelineError: the file is an archive, a PDF or the like, or its first line shows JSON Lines, of which keys and escapes would be
            counted as words.
    """
    with open_file(path) as stream:
        first = stream.readline(LIMIT).removeprefix(_BOM)
    try:
        value = from_json(first.decode("utf-8")) if first.startswith(b"{") else None
    except ValueError:
        value = None
    if isinstance(value, dict) and isinstance(value.get("text"), str):
        reason = "[format] not plain text; found an object with the field text, expected --format jsonl, or text"
        raise PipelineError(path, 1, reason)
    return line_ranges(path, size, index)


def line_ranges(path: Path, size: int, _index: Path | None) -> list[tuple[int, int]]:
    """Cut a file every `size` bytes; raises `PipelineError` if it is an archive, a PDF or the like."""
    with open_file(path) as stream:
        hint = signature_hint(read_chunk(stream, path, _SIGNATURE))
    if hint:
        raise PipelineError(path, None, f"[format] not text{hint}")
    end = file_size(path)
    return [(start, min(start + size, end)) for start in range(0, end, size)]


def text_documents(shard: Shard, damage: DamageHandler, limit: int = LIMIT) -> Iterator[str]:
    """Yield each line that is not blank; damage is one that is not UTF-8, has a NUL, or is longer than `limit` bytes."""
    for _, line in _lines(shard, damage, limit):
        yield line


def json_documents(shard: Shard, damage: DamageHandler, limit: int = LIMIT) -> Iterator[str]:
    """Yield the field `text` of each object, unless it is blank; a line that is no such object is damage too."""
    for offset, line in _lines(shard, damage, limit):
        try:
            value = from_json(line)
        except ValueError as error:
            damage(shard.path, offset, f"[json] not JSON; {error}")
            continue
        text = value.get("text") if isinstance(value, dict) else None
        if not isinstance(value, dict):
            damage(shard.path, offset, f"[json] wrong type; found {type(value).__name__}, expected an object")
        elif not isinstance(text, str):
            content = type(text).__name__ if "text" in value else f"the keys {', '.join(map(repr, value))[:80]}"
            damage(shard.path, offset, f"[text] no text; found {content}, expected a string")
        elif text.strip():
            yield text


def _lines(shard: Shard, damage: DamageHandler, limit: int) -> Iterator[tuple[int, str]]:
    with open_file(shard.path) as stream:
        begin = _first_line(stream, shard)
        if begin >= shard.end:  # a line that begins before the shard reaches past it
            return
        chunks = iter(lambda: read_chunk(stream, shard.path), b"")
        for piece in split_stream(chunks, b"\n", limit, begin):
            if piece.offset >= shard.end:
                return
            if piece.data is None:
                reason = f"[line] too long; found {piece.length} bytes, expected at most {limit}"
                damage(shard.path, piece.offset, reason)
            elif (line := _decode(piece.data, piece.offset, shard, damage)).strip():
                yield piece.offset, line


def _first_line(stream: BinaryIO, shard: Shard) -> int:
    """Seek to the first line that begins in the shard and return its byte; the shard's end or more if there is none."""
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


def _decode(data: bytearray, offset: int, shard: Shard, damage: DamageHandler) -> str:
    """Return the text of a line, empty if it is damaged."""
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
