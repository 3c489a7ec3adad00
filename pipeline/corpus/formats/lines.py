"""Corpora with one document a line: plain text, JSON Lines, search indices of Wikimedia."""

from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator
from json import JSONDecodeError
from pathlib import Path
from typing import Any, BinaryIO

from ...core.errors import PipelineError, shown
from ...core.files import from_json
from ...core.hints import encoding_hint, signature_hint
from ...core.recognition import foreign_format
from .packing import Content, packing_of
from .reading import (
    CHUNK,
    NOT_WIKITEXT,
    OTHER_NAMESPACES,
    WIKITEXT,
    DamageHandler,
    LeftOut,
    Shard,
    field_text,
    file_size,
    open_file,
    read_chunk,
    split_stream,
)

#: Maximum size of a line in bytes; a longer one is damage, since a line is held to be read.
LIMIT = 16 << 20
#: Number of bytes that show a file of another kind.
_SIGNATURE = 8
#: Number of bytes, and of lines, by which a file is recognised.
_SAMPLE, _LINES = 1 << 16, 20
#: The byte at which a tar archive has its mark.
_TAR_PLACE = 257
_BOM = b"\xef\xbb\xbf"


def text_ranges(path: Path, size: int, index: Path | None, field: str) -> list[tuple[int, int]]:
    """Cut a file of plain text every `size` bytes; one that is packed is one shard.

    Raises:
        PipelineError: see `check_text`; or its first lines show another format, of which keys and codes would be counted as words.
    """
    lines = check_text(path)
    if fault := foreign_format(lines):
        raise PipelineError(path, 1, f"[format] not plain text; {fault}")
    return line_ranges(path, size, index, field)


def line_ranges(path: Path, size: int, _index: Path | None, _field: str) -> list[tuple[int, int]]:
    """Cut a file every `size` bytes; one that is packed is one shard.

    Raises:
        PipelineError: see `check_text`.
    """
    check_text(path)
    end = file_size(path)
    step = max(end, 1) if packing_of(path) else size
    return [(start, min(start + step, end)) for start in range(0, end, step)]


def check_text(path: Path) -> list[str]:
    """Return the first lines of a file.

    Raises:
        PipelineError: it is an archive, a PDF or the like, is not UTF-8 but UTF-16, or its lines have ends of old Macintoshs.
    """
    sample = b""
    for chunk in Content(path, 0, file_size(path)):
        sample += chunk
        if len(sample) >= _SAMPLE:
            break
    if sample.startswith(b"PAR1"):
        raise PipelineError(path, None, "[format] not text; found a Parquet file, expected --format parquet")
    if hint := signature_hint(sample[:_SIGNATURE]):
        raise PipelineError(path, None, f"[format] not text{hint}")
    if sample[_TAR_PLACE:].startswith(b"ustar"):
        raise PipelineError(path, None, "[format] not text: this is a tar archive; unpack it")
    if sample.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        raise PipelineError(path, None, f"[encoding] not UTF-8{encoding_hint(sample)}")
    if b"\r" in sample.rstrip(b"\r") and b"\n" not in sample:
        reason = "[line] no line ends; found carriage returns alone, expected line feeds (tr '\\r' '\\n' converts them)"
        raise PipelineError(path, None, reason)
    return sample.removeprefix(_BOM).decode("utf-8", "replace").split("\n")[:_LINES]


def text_documents(shard: Shard, damage: DamageHandler, _left_out: LeftOut, limit: int = LIMIT) -> Iterator[str]:
    """Yield each line that is not blank; damage is one that is not UTF-8, has a NUL, or is longer than `limit` bytes."""
    for _, line in _lines(shard, damage, limit):
        yield line


def json_documents(shard: Shard, damage: DamageHandler, _left_out: LeftOut, limit: int = LIMIT) -> Iterator[str]:
    """Yield the text of each object, unless it is blank; a line that is no such object is damage too.

    What other fields hold does not matter.
    """
    for offset, value in _objects(shard, damage, limit):
        if text := _text_of(value, offset, shard, damage):
            yield text


def cirrus_documents(shard: Shard, damage: DamageHandler, left_out: LeftOut, limit: int = LIMIT) -> Iterator[str]:
    """Yield the text of each article of a search index as Wikimedia publishes it; the lines between are its keys."""
    for offset, value in _objects(shard, damage, limit):
        if len(value) == 1 and isinstance(value.get("index"), dict):
            continue
        if value.get("namespace", 0) != 0:
            left_out[OTHER_NAMESPACES] += 1
        elif value.get("content_model", WIKITEXT) != WIKITEXT:
            left_out[NOT_WIKITEXT] += 1
        elif text := _text_of(value, offset, shard, damage):
            yield text


def _objects(shard: Shard, damage: DamageHandler, limit: int) -> Iterator[tuple[int, dict[str, Any]]]:
    for offset, line in _lines(shard, damage, limit):
        try:
            value = from_json(line, foreign=True)
        except ValueError as error:
            list_hint = " (jq -c '.[]' converts a list)" if not offset and line.startswith("[") else ""
            problem = f"{error.msg}, column {error.colno}" if isinstance(error, JSONDecodeError) else error
            damage(
                shard.path,
                offset,
                f"[json] not JSON ({problem}); found {shown(line)}, expected one object a line{list_hint}",
            )
            continue
        if isinstance(value, dict):
            yield offset, value
        else:
            reason = f"[json] wrong type; found {type(value).__name__}, expected an object"
            list_hint = " (jq -c '.[]' converts a list)" if isinstance(value, list) else ""
            damage(shard.path, offset, f"{reason}{list_hint}")


def _text_of(value: dict[str, Any], offset: int, shard: Shard, damage: DamageHandler) -> str:
    """Return the text of an object, empty if it is blank or damaged."""
    text = field_text(value, shard.field)
    if text is None:
        root = shard.field.partition(".")[0]
        content = shown(value[root]) if root in value else f"the keys {', '.join(map(repr, value))[:80]}"
        way_out = "a string" if shard.field in value else "a string; --field names another field"
        if list(value) == ["index"]:
            way_out = "--format cirrus"
        damage(shard.path, offset, f"[{shard.field}] no text; found {content}, expected {way_out}")
        return ""
    return text if text.strip() else ""


def _lines(shard: Shard, damage: DamageHandler, limit: int) -> Iterator[tuple[int, str]]:
    for offset, data in numbered_lines(shard, damage, limit):
        if (line := decode_line(data, offset, shard, damage)).strip():
            yield offset, line


def numbered_lines(shard: Shard, damage: DamageHandler, limit: int) -> Iterator[tuple[int, bytearray]]:
    """Yield the lines that begin in a shard, each with its byte of the content; one longer than `limit` is damage."""
    content = Content(shard.path, shard.start, shard.end, threads=True)
    begin, end, chunks = 0, float("inf"), iter(content)
    with open_file(shard.path) as stream:
        if not content.packing:
            begin, end = _first_line(stream, shard), shard.end
            chunks = iter(lambda: read_chunk(stream, shard.path), b"")
        if begin >= end:  # a line that begins before the shard reaches past it
            return
        for piece in split_stream(chunks, b"\n", limit, begin):
            if piece.offset >= end:
                return
            if piece.data is None:
                reason = f"[line] too long; found {piece.length} bytes, expected at most {limit}"
                damage(shard.path, piece.offset, reason)
            else:
                yield piece.offset, piece.data


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


def decode_line(data: bytearray, offset: int, shard: Shard, damage: DamageHandler) -> str:
    """Return the text of a line, empty if it is damaged."""
    if offset == 0 and data.startswith(_BOM):
        data, offset = data[len(_BOM) :], len(_BOM)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        reason = f"[encoding] not UTF-8; found byte 0x{data[error.start]:02x}, expected UTF-8 text"
        hint = encoding_hint(b"\n" + data + b"\n")  # as if alone in its file
        damage(shard.path, offset + error.start, f"{reason}{hint}")
        return ""
    if (nul := data.find(b"\0")) >= 0:
        damage(shard.path, offset + nul, "[encoding] not a text; found a NUL, expected UTF-8 text")
        return ""
    return text.removesuffix("\r")
