"""Word alignments in Pharaoh format: a line a sentence, links such as ``0-0 1-2`` from source to target, counted from 0.

In an alignment by hand, ``1p2`` is a possible link, as the gold alignments of SimAlign and awesome-align have it; the others are sure.
"""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from ...core.errors import PipelineError, plural, shown
from ...core.files import lines_of, read_text

_LINK = re.compile(r"(?P<source>[0-9]{1,6})(?P<kind>[-p])(?P<target>[0-9]{1,6})", re.ASCII)


class Link(NamedTuple):
    """A link between a word of the source and one of the target, both counted from 0."""

    source: int
    target: int
    sure: bool = True


#: The links of a sentence, in the order of their file.
Links = tuple[Link, ...]


def parse_links(line: str, *, possible: bool = False) -> Links:
    """Return the links of a line.

    >>> parse_links("0-0 1p2", possible=True)
    (Link(source=0, target=0, sure=True), Link(source=1, target=2, sure=False))

    Args:
        line: links, separated by blanks; nothing for a sentence without one.
        possible: accept possible links.

    Raises:
        ValueError: the first word that is no link.
    """
    links = []
    for word in line.split():
        match = _LINK.fullmatch(word)
        if match is None or (match["kind"] == "p" and not possible):
            expected = "source-target such as 0-0" + (", or a possible one such as 1p2" if possible else "")
            raise ValueError(f"[link] not a link; found {shown(word)}, expected {expected}")
        links.append(Link(int(match["source"]), int(match["target"]), match["kind"] == "-"))
    return tuple(links)


def read_links(path: Path, *, possible: bool = False) -> list[Links]:
    """Return the links of each line of a file.

    Raises:
        PipelineError: with the line of the first word that is no link.
    """
    alignment = []
    for number, line in enumerate(lines_of(read_text(path)), 1):
        try:
            alignment.append(parse_links(line, possible=possible))
        except ValueError as error:
            raise PipelineError(path, number, str(error)) from error
    return alignment


def written(alignment: Iterable[Links]) -> str:
    """Return an alignment as a file, as `read_links` reads it."""
    lines = (
        " ".join(f"{link.source}{'-' if link.sure else 'p'}{link.target}" for link in links) for links in alignment
    )
    return "".join(f"{line}\n" for line in lines)


def inside(links: Links, source: Sequence[str], target: Sequence[str]) -> tuple[Links, list[str]]:
    """Return the links between words of a sentence, and a reason for each other link.

    >>> inside((Link(0, 0), Link(0, 2)), ["他"], ["he"])
    ((Link(source=0, target=0, sure=True),), ['[link] outside the sentence; found 0-2, expected 1 word and 1 word'])
    """
    kept = tuple(link for link in links if link.source < len(source) and link.target < len(target))
    sizes = f"{plural(len(source), 'word')} and {plural(len(target), 'word')}"
    return kept, [
        f"[link] outside the sentence; found {link.source}-{link.target}, expected {sizes}"
        for link in links
        if link not in kept
    ]
