"""Files that WikiExtractor writes: ``<doc id="…" url="…" title="…">``, the title, a blank line, the text, ``</doc>``."""

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

from ...core.recognition import is_table
from .lines import LIMIT, check_text, decode_line
from .packing import Content
from .reading import DamageHandler, LeftOut, Shard, file_size, refuse, split_stream

_BEGIN = re.compile(r"<doc\b[^\n]*>")
_TITLE = re.compile(r'\btitle="([^\n]*)"')
_END = b"</doc>"
#: Number of lines by which annotated words are recognised.
_ROWS = 5


def extractor_ranges(path: Path, _size: int, _index: Path | None, _field: str) -> list[tuple[int, int]]:
    """Take a file as one shard: WikiExtractor divides its output itself."""
    check_text(path)
    return [(0, file_size(path))] if file_size(path) else []


def extractor_documents(shard: Shard, damage: DamageHandler, _left_out: LeftOut) -> Iterator[str]:
    """Yield the text of each article without its title; damage is an article that cannot be read, or that is too long.

    Raises:
        PipelineError: text stands outside of an article, the file breaks off in one, or it has a word a line with its annotations.
    """
    for piece in split_stream(Content(shard.path, shard.start, shard.end), _END, LIMIT):
        if piece.data is None:
            damage(shard.path, piece.offset, f"[doc] too long; found {piece.length} bytes, expected at most {LIMIT}")
            continue
        document = decode_line(piece.data, piece.offset, shard, damage).strip()
        if not document and (piece.data.strip() or not piece.ended):
            continue
        head, *lines = document.split("\n")
        begin = _BEGIN.fullmatch(head.strip())
        if begin is None or not piece.ended or any(map(_BEGIN.fullmatch, lines)):
            found = "no end" if begin else repr(head[:60])
            refuse(
                shard.path, piece.offset, f"[doc] no whole article; found {found}, expected <doc …> and {_END.decode()}"
            )
        if is_table(lines[:_ROWS]):
            refuse(shard.path, piece.offset, "[doc] not running text; found a table, expected the text of an article")
        title = _TITLE.search(head)
        if text := _article(lines, unescape(title[1]) if title else ""):
            yield text


def _article(lines: list[str], title: str) -> str:
    """Return the text of an article; its first line repeats the title, which is no running text."""
    texts = [text for line in lines if (text := unescape(line).strip())]
    return "\n".join(texts[1:] if texts and texts[0] == title.strip() else texts)
