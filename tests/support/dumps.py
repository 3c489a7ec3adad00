"""Dumps as Wikimedia makes them, of pages that the tests write."""

import bz2
from collections.abc import Sequence
from pathlib import Path
from xml.sax.saxutils import escape

HEAD = (
    '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="zh">\n'
    "  <siteinfo>\n    <sitename>Wikipedia</sitename>\n    <namespaces>\n"
    '      <namespace key="0" case="first-letter" />\n    </namespaces>\n  </siteinfo>\n'
)
TAIL = "</mediawiki>\n"


def page(title: str, text: str, namespace: int = 0, redirect: str = "") -> str:
    """Return the element of a page."""
    mark = f'    <redirect title="{redirect}" />\n' if redirect else ""
    return (
        f"  <page>\n    <title>{escape(title)}</title>\n    <ns>{namespace}</ns>\n    <id>7</id>\n{mark}"
        "    <revision>\n      <id>70</id>\n      <contributor>\n        <username>某人</username>\n      </contributor>\n"
        f'      <text bytes="{len(text.encode())}" xml:space="preserve">{escape(text)}</text>\n'
        "    </revision>\n  </page>\n"
    )


def write_plain(path: Path, pages: Sequence[str]) -> Path:
    """Write a dump, packed in one stream if its name ends in .bz2."""
    data = (HEAD + "".join(pages) + TAIL).encode()
    path.write_bytes(bz2.compress(data) if path.suffix == ".bz2" else data)
    return path


def write_multistream(folder: Path, pages: Sequence[str], together: int = 2) -> tuple[Path, Path, list[int]]:
    """Write a dump with its index: a stream for the head, one for every `together` pages, one for the tail.

    Returns the paths of both and the offsets of the streams.
    """
    contents = [HEAD, *("".join(pages[start : start + together]) for start in range(0, len(pages), together)), TAIL]
    streams = [bz2.compress(content.encode()) for content in contents]
    starts = [sum(map(len, streams[:number])) for number in range(len(streams))]
    dump = folder / "zhwiki-20251101-pages-articles-multistream.xml.bz2"
    dump.write_bytes(b"".join(streams))
    lines = [f"{starts[1 + number // together]}:{number}:某:{number}\n" for number in range(len(pages))]
    index = folder / "zhwiki-20251101-pages-articles-multistream-index.txt.bz2"
    index.write_bytes(bz2.compress("".join(lines).encode()))
    return dump, index, starts
