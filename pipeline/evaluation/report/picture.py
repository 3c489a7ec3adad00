"""Pictures as lists of shapes, and how a page shows them as SVG."""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from markupsafe import Markup, escape

from ...core.invisible import one_line

#: Colours by their role in files; a page has variables of the same names, which follow its scheme.
ROLES: Mapping[str, str] = {
    "paper": "#ffffff",
    "ink": "#1d2126",
    "soft": "#59626c",
    "line": "#d5dae0",
    "right": "#9cc3e6",
    "wrong": "#b2402f",
    "unparsed": "#e0a000",
}
#: Okabe and Ito's palette, safe for colour-blind readers, without black and yellow, then the same darker; more systems begin anew.
COLOURS = (
    "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9",
    "#00466E", "#823A00", "#005F45", "#7D4A67", "#8C6100", "#346C8C",
)  # fmt: skip
#: Size of letters in pixels.
SIZE = 12
#: Maximum length of a name in a picture; longer ones lose their middle.
_NAME = 60
Anchor = Literal["start", "middle", "end"]


@dataclass(frozen=True, slots=True)
class Boxes:
    """Filled rectangles of one colour, each as x, y, width and height."""

    boxes: Sequence[tuple[float, float, float, float]]
    fill: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """A line through points."""

    points: Sequence[tuple[float, float]]
    stroke: str = "line"
    width: float = 1.0
    dashed: bool = False


@dataclass(frozen=True, slots=True)
class Circle:
    """A filled circle."""

    x: float
    y: float
    radius: float
    fill: str
    opacity: float = 1.0
    title: str = ""


@dataclass(frozen=True, slots=True)
class Text:
    """A line of text whose baseline is at y."""

    x: float
    y: float
    text: str
    anchor: Anchor = "start"
    colour: str = "ink"
    bold: bool = False


Shape = Boxes | Line | Circle | Text


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture: what it shows, where its left and upper edges are, its size, its shapes from back to front; all in pixels."""

    title: str
    left: float
    top: float
    width: float
    height: float
    shapes: Sequence[Shape]


def text_width(text: str) -> float:
    """Return about how wide a text is in pixels; a Chinese character is as wide as high.

    >>> text_width("因为"), text_width("ab") > text_width("因")
    (24, True)
    """
    return sum(SIZE if unicodedata.east_asian_width(character) in "WF" else 0.63 * SIZE for character in text)


def short(name: str, most: int = _NAME) -> str:
    """Return a name without its middle if it has more characters than `most`.

    >>> len(short("x" * 90)), short("gpt-4"), short("abcdefgh", 6)
    (60, 'gpt-4', 'abc…gh')
    """
    return name if len(name) <= most else f"{name[: most // 2]}…{name[-(most // 2 - 1) :]}"


def legend(names: Iterable[tuple[str, str]], x: float, y: float, width: float) -> tuple[list[Shape], float]:
    """Return boxes with their names in rows of at most `width`, and the y below them.

    Args:
        names: name and colour.
        x: left edge.
        y: upper edge.
        width: of the rows; a longer name has a row of its own.
    """
    shapes: list[Shape] = []
    at, row = x, y
    for name, colour in names:
        label = short(name)
        wide = 18 + text_width(label) + 16
        if at > x and at + wide > x + width:
            at, row = x, row + 20
        shapes += [Boxes([(at, row, 12, 12)], colour), Text(at + 18, row + 10.5, label)]
        at += wide
    return shapes, row + 20


def svg(picture: Picture, overlay: str = "") -> Markup:
    """Return a picture as an SVG element for a page that defines the variables of `ROLES`.

    Args:
        picture: what is drawn; its texts are escaped.
        overlay: more elements on top, safe already.
    """
    body = "".join(map(_element, picture.shapes))
    box = " ".join(map(_number, (picture.left, picture.top, picture.width, picture.height)))
    size = f'width="{_number(picture.width)}" height="{_number(picture.height)}"'
    return Markup(  # noqa: S704 - each text in it went through _text
        f'<svg viewBox="{box}" {size} role="img" aria-label="{_text(picture.title)}">{body}{overlay}</svg>'
    )


def _element(shape: Shape) -> str:
    match shape:
        case Boxes():
            path = "".join(
                f"M{_number(x)} {_number(y)}h{_number(wide)}v{_number(high)}h-{_number(wide)}z"
                for x, y, wide, high in shape.boxes
            )
            return f'<path d="{path}" fill="{_colour(shape.fill)}">{_title(shape.title)}</path>' if path else ""
        case Line():
            path = "L".join(f"{_number(x)} {_number(y)}" for x, y in shape.points)
            dash = ' stroke-dasharray="4"' if shape.dashed else ""
            return f'<path d="M{path}" fill="none" stroke="{_colour(shape.stroke)}" stroke-width="{_number(shape.width)}"{dash}/>'
        case Circle():
            opacity = f' fill-opacity="{_number(shape.opacity)}"' if shape.opacity < 1 else ""
            place = f'cx="{_number(shape.x)}" cy="{_number(shape.y)}" r="{_number(shape.radius)}"'
            return f'<circle {place} fill="{_colour(shape.fill)}"{opacity}>{_title(shape.title)}</circle>'
        case Text():
            anchor = "" if shape.anchor == "start" else f' text-anchor="{shape.anchor}"'
            bold = ' font-weight="600"' if shape.bold else ""
            place = f'x="{_number(shape.x)}" y="{_number(shape.y)}"'
            return f'<text {place}{anchor}{bold} fill="{_colour(shape.colour)}">{_text(shape.text)}</text>'


def _title(text: str) -> str:
    return f"<title>{_text(text)}</title>" if text else ""


def _text(text: str) -> str:
    return str(escape(one_line(text)))


def _colour(name: str) -> str:
    return f"var(--{name})" if name in ROLES else name


def _number(value: float) -> str:
    return f"{round(value, 2) + 0.0:.10g}"
