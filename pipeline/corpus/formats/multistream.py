"""The index of a dump in many bzip2 streams: where each begins."""

import re
from collections.abc import Iterator
from pathlib import Path

from .bzip2 import STREAM
from .content import content, is_packed
from .damage import Damage
from .shard import Shard
from .stream import opened, pieces, read, size_of

#: ``617:12:苹果``: where the stream begins, the page's number, its title.
_ENTRY = re.compile(rb"(\d{1,18}):\d+:")
_LIMIT = 1 << 16
_MARK = 10


def index_beside(path: Path) -> Path | None:
    """Return the index of a dump, if it is beside it.

    Its name differs from that of the dump as in
    ``zhwiki-20251101-pages-articles-multistream1.xml-p1p187712.bz2`` and ``…-multistream-index1.txt-p1p187712.bz2``.
    """
    before, multistream, after = path.name.rpartition("-multistream")
    beside = path.with_name(f"{before}-multistream-index{after.replace('.xml', '.txt', 1)}")
    return beside if multistream and beside.is_file() else None


def multistream_shards(path: Path, end: int, size: int, damage: Damage, index: Path | None) -> list[Shard]:
    """Return the shards of a dump of `end` bytes: groups of streams if it has an index, else one.

    An entry that points where no stream begins is damage, and ends no shard: nothing of the dump is lost by it.
    """
    index = index or index_beside(path)
    starts = [0]
    if index is not None and is_packed(path):
        with opened(path) as dump:
            for place, start in _entries(index, damage):
                if start < end and start - starts[-1] < size:
                    continue
                mark = b""
                if start < end:  # an offset may be more than the system can seek to
                    dump.seek(start)
                    mark = read(dump, path, _MARK)
                if STREAM.match(mark):
                    starts.append(start)
                else:
                    found = f"{mark!r} at byte {start}" if mark else f"byte {start} of a dump of {end} bytes"
                    damage(
                        index, place, f"[index] no stream begins there; found {found}, expected the beginning of one"
                    )
    return [Shard(path, "wikimedia-xml", start, stop) for start, stop in zip(starts, [*starts[1:], end], strict=True)]


def _entries(index: Path, damage: Damage) -> Iterator[tuple[int, int]]:
    """Yield where an entry stands, in the file as it is packed, with where it points; one for each run of entries that point alike."""
    source = content(index, 0, size_of(index), damage)
    before = None
    for piece in pieces(source, b"\n", _LIMIT):
        if not piece.length:
            continue
        place, _ = source.place(piece.offset)
        entry = _ENTRY.match(piece.data or b"")
        if entry is None:
            found = bytes((piece.data or b"")[:60])
            damage(
                index,
                place,
                f"[index] no entry; found {found!r}, expected a number, a colon, a number, a colon, a title",
            )
        elif (start := int(entry[1])) != before:
            before = start
            yield place, start
