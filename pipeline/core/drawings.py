"""Drawings by matplotlib: as elements of a page, whose letters are text, and as files, whose letters are outlines."""

import io
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup, escape

from .errors import PipelineError, shown
from .packages import require_packages

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: Okabe and Ito's palette, safe for colour-blind readers, without black and yellow, then the same darker; more series begin anew.
COLOURS = (
    "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9",
    "#00466E", "#823A00", "#005F45", "#7D4A67", "#8C6100", "#346C8C",
)  # fmt: skip
#: Fonts with Chinese glyphs, in the order in which they are preferred.
_CHINESE = (
    "Noto Sans CJK SC", "Noto Sans SC", "Source Han Sans SC", "Source Han Sans CN", "PingFang SC", "Microsoft YaHei",
    "WenQuanYi Micro Hei", "WenQuanYi Zen Hei", "SimHei", "Heiti SC", "Arial Unicode MS", "Droid Sans Fallback",
)  # fmt: skip
#: Files in which such fonts come: matplotlib's list of fonts is older than a font that was installed after it was made.
FONT_FILES = re.compile(r"CJK|NotoSansSC|SourceHan|PingFang|msyh|wqy|simhei|STHeiti|DroidSansFallback", re.IGNORECASE)
#: Ids of groups, which nothing refers to, and which would be there once for each drawing of a page.
_GROUP_ID = re.compile(r' id="[\w.]+_\d+"')
#: A link as matplotlib writes it, which would open another window.
_LINK = re.compile(r'<a xlink:href="([^"]*)" target="_blank">')
#: Black in the style of an element.
_BLACK = re.compile(r'((?:style="|; )(?:fill|stroke): )#000000(?=[;"])')


@contextmanager
def drawing_style(name: str = "", letters: str = "none") -> Iterator[None]:
    """Set how matplotlib draws and saves within a block; every drawing is made and saved in one.

    It raises `PipelineError` without matplotlib.

    Args:
        name: of the drawing: ids within its SVG depend on it, so that those of two drawings of a page differ.
        letters: ``none`` for letters as text, which a browser shows in a font of its own; ``path`` for outlines.
    """
    require_packages("figures", "matplotlib")
    import matplotlib as mpl

    families = [*_families(), "sans-serif"] if letters == "none" else _families()
    settings: dict[Any, Any] = {"svg.hashsalt": f"winoforge {name}", "svg.fonttype": letters, "font.size": 9}
    look = {
        "font.family": families,
        "font.sans-serif": ["DejaVu Sans"],
        "legend.facecolor": "none",
        "text.parse_math": False,
        "axes.axisbelow": True,
    }
    with mpl.rc_context(settings | look), warnings.catch_warnings():
        warnings.filterwarnings(
            "ignore", "Glyph .* missing from font"
        )  # a reader's browser has others; files refuse it
        yield


def error_lengths(estimates: Sequence[tuple[float, Sequence[float] | None]]) -> list[list[float]]:
    """Return how far the limits of values, each with its interval, are below and above them; an unknown interval has no length.

    >>> error_lengths([(0.5, (0.25, 1.0)), (0.5, None)])
    [[0.25, 0.0], [0.5, 0.0]]
    """
    limits = [(value, *(interval or (value, value))) for value, interval in estimates]
    return [[max(0.0, value - low) for value, low, _ in limits], [max(0.0, high - value) for value, _, high in limits]]


def inline_svg(figure: "Figure", name: str, targets: Mapping[str, str] | None = None) -> Markup:
    """Return a drawing as an element of a page, labelled by its title (``suptitle``).

    It has no ground, and its black is the colour of the page's text, light on a dark page. A drawing with links is a group of them, not an
    image; keys skip them, since the page lists what they lead to.

    Args:
        targets: what each link leads to, by address.
    """
    text = _saved(figure, "svg", name, letters="none").decode()
    element = _BLACK.sub(r"\1currentColor", _GROUP_ID.sub("", text[text.index("<svg") :]))
    role = "group" if targets else "img"
    label = f'<svg role="{role}" aria-label="{escape(figure.get_suptitle())}" fill="currentColor"'

    def link(found: re.Match[str]) -> str:
        return f'<a tabindex="-1" href="{found[1]}" aria-label="{escape((targets or {})[found[1]])}">'

    return Markup(_LINK.sub(link, element.replace("<svg", label, 1)))  # noqa: S704 - matplotlib escapes texts


def figure_files(drawings: Mapping[str, "Figure"]) -> dict[str, bytes]:
    """Return each drawing as SVG and as PNG, by file name; the same drawings and fonts give the same bytes.

    Raises:
        PipelineError: no font has a character of a drawing.
    """
    for figure in drawings.values():
        _require_glyphs(figure)
    return {
        f"{name}.{suffix}": _saved(figure, suffix, name, letters="path")
        for name, figure in drawings.items()
        for suffix in ("svg", "png")
    }


def _saved(figure: "Figure", suffix: str, name: str, letters: str) -> bytes:
    sink = io.BytesIO()
    undated: dict[str, dict[str, Any]] = {"svg": {"Date": None, "Creator": None}, "png": {"Software": None}}
    with drawing_style(name, letters):
        figure.savefig(
            sink,
            format=suffix,
            dpi=150,
            bbox_inches="tight",
            metadata=undated[suffix],
            transparent=letters == "none",
        )
    return sink.getvalue()


@cache
def _families() -> list[str]:
    """Return the fonts that are there, Latin first."""
    from matplotlib import font_manager

    known = {entry.name for entry in font_manager.fontManager.ttflist}
    if known.isdisjoint(_CHINESE):
        for path in sorted(font_manager.findSystemFonts()):
            if FONT_FILES.search(Path(path).name):
                font_manager.fontManager.addfont(path)
        known = {entry.name for entry in font_manager.fontManager.ttflist}
    return ["DejaVu Sans", *(name for name in _CHINESE if name in known)]


def _require_glyphs(figure: "Figure") -> None:
    """Refuse to draw boxes in place of characters."""
    from matplotlib import font_manager
    from matplotlib.text import Text

    paths = [font_manager.findfont(font_manager.FontProperties(family=[family])) for family in _families()]
    fonts = [font_manager.get_font(path) for path in paths]
    texts = {artist.get_text() for artist in figure.findobj(Text) if isinstance(artist, Text)}
    for text in sorted(texts):
        for character in text:
            if character != "\n" and not any(font.get_char_index(ord(character)) for font in fonts):
                reason = f"no font has {character!r} of {shown(text)}; found the fonts {', '.join(_families())}"
                expected = "expected one with Chinese glyphs, such as Debian's fonts-noto-cjk"
                raise PipelineError(None, None, f"[figures] {reason}, {expected}")
