"""The kit of HTML pages, the templates of dataset cards, and how pages and lines write figures.

A page is a template that extends ``base.html.j2`` and uses the macros of ``kit.html.j2`` and the classes of ``style.css``; docs/design.md
shows one. `page_environment` renders it and `write_page` writes it.
"""

import functools
import hashlib
import os
import re
from base64 import b64encode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ..files import write_text
from ..invisible import visible
from ..rules import PACKAGE

if TYPE_CHECKING:
    from jinja2 import Environment

#: Name of the front page in a build folder.
FRONT_PAGE = "index.html"
#: Stands in a rendered page for the link to the front page.
_NO_FRONT_PAGE = "<!--front page-->"
_LINK = re.compile(r'<li><a href="(?:\.\./)*index\.html">Front page</a></li>')


@functools.cache  # an environment keeps the templates that it compiled
def page_environment() -> "Environment":
    """Return the environment of HTML pages: data is escaped and made `visible`, an unknown name is an error.

    Whole numbers are written as 1,234. It is the same for all callers, so that none may change it. Its filters are `csp_hash`, `pieces`,
    and `shown` for what is joined.
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(PACKAGE),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"csp_hash": csp_hash, "pieces": pieces, "shown": _shown}
    return environment


def write_page(path: Path, html: str) -> None:
    """Write a page, with a link to the front page if it lies in a build.

    Raises:
        PipelineError: see `write_text`.
    """
    write_text(path, html.replace(_NO_FRONT_PAGE, _front_page_link(path), 1))


def without_front_page(html: str) -> str:
    """Return a page as it was rendered, before `write_page` linked it: the same wherever it lies."""
    return _LINK.sub(_NO_FRONT_PAGE, html, count=1)


def _front_page_link(page: Path) -> str:
    """Return the link from a page to the front page of the build that it lies in, or the comment that stands for none.

    What make builds is in a folder ``build``, with a folder ``.asked`` in the folder of each collection.
    """
    folder = page.resolve().parent
    for build in (folder, *folder.parents):
        if build.name == "build" and next(build.glob("*/.asked"), None):
            address = Path(os.path.relpath(build / FRONT_PAGE, folder)).as_posix()
            return f'<li><a href="{address}">Front page</a></li>'
    return _NO_FRONT_PAGE


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a text between two ends of marked spans, with the kinds of the spans that hold it; a zero has no text."""

    text: str
    kinds: str = ""
    label: str = ""


def pieces(text: str, spans: Sequence[tuple[int, int, str, str]]) -> Iterator[Piece]:
    """Yield a text in pieces by its marked spans.

    Args:
        text: the text.
        spans: start, end, kind and label of each span; of an empty span, the place of a zero.

    >>> spans = [(0, 2, "candidate", "A"), (1, 2, "target", ""), (3, 3, "zero", "")]
    >>> [(piece.text, piece.kinds, piece.label) for piece in pieces("abc", spans)]
    [('a', 'candidate', ''), ('b', 'candidate target', 'A'), ('c', '', ''), ('', 'zero', '')]
    """
    ends = sorted({0, len(text), *(place for start, end, *_ in spans for place in (start, end))})
    for start, end in zip(ends, [*ends[1:], len(text)], strict=True):
        for first, last, kind, label in spans:
            if first == last == start:
                yield Piece("", kind, label)
        if start < end:
            over = [span for span in spans if span[0] <= start and end <= span[1]]
            kinds = " ".join(kind for _, _, kind, _ in over)
            yield Piece(text[start:end], kinds, " ".join(label for _, last, _, label in over if last == end and label))


def render_card(template: str, **values: object) -> str:
    """Return a dataset card: Markdown after the YAML that `datasets` reads. An unknown name is an error."""
    return _card_environment().get_template(template).render(**values)


@functools.cache
def _card_environment() -> "Environment":
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(PACKAGE),
        undefined=StrictUndefined,
        autoescape=False,  # noqa: S701 - Markdown, not HTML
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def _shown(value: object) -> object:
    if type(value) is int:
        return f"{value:,}"
    return visible(value) if type(value) is str else value  # Markup, a subclass, is safe already


def csp_hash(script: str) -> str:
    """Return the source expression that lets a content security policy admit an inline script."""
    return f"sha256-{b64encode(hashlib.sha256(script.encode()).digest()).decode()}"


def percent(share: float | None, digits: int = 1) -> str:
    """Return a share of 1 as a percentage; undefined is n/a.

    >>> percent(0.5), percent(0.0625, digits=2), percent(None)
    ('50.0 %', '6.25 %', 'n/a')
    """
    return "n/a" if share is None else f"{100 * share:.{digits}f} %"


def decimal(value: float | None, digits: int = 3) -> str:
    """Return a figure with a fixed number of decimals; undefined is n/a.

    >>> decimal(0.61803), decimal(None)
    ('0.618', 'n/a')
    """
    return "n/a" if value is None else f"{value:.{digits}f}"
