"""Reliability diagrams: accuracy by confidence."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..picture import COLOURS, Boxes, Circle, Line, Picture, Shape, Text, short
from ..words import percent

#: Side of the square of a diagram, room for a diagram, height of the bars below it, diagrams in a row.
_SIDE, _ROOM, _BARS, _ACROSS = 180, 276, 40, 4
#: Characters of a name for which a diagram has room.
_NAME = 30


def reliability(rows: Sequence[Mapping[str, Any]], title: str) -> Picture:
    """Return a diagram for each run (DeGroot and Fienberg 1983): a point with its interval for each bin, the number of items below it.

    Args:
        rows: see `measures.calibration.calibration`.
        title: what is drawn.
    """
    high = _SIDE + _BARS + 104
    shapes: list[Shape] = []
    for number, row in enumerate(rows):
        down, across = divmod(number, _ACROSS)
        shapes += _moved(_diagram(row), _ROOM * across, high * down)
    across, down = min(len(rows), _ACROSS), -(-len(rows) // _ACROSS)
    return Picture(title, -48, -60, _ROOM * across + 8, high * down, shapes)


def _diagram(row: Mapping[str, Any]) -> Iterable[Shape]:
    yield Text(-40, -46, short(row["model"], _NAME), bold=True)
    yield Text(-40, -30, short(row["mode"], _NAME), bold=True)
    about = f"{row['form']}, {row['order']}, n = {row['n']}"
    yield Text(-40, -14, f"{about}, error {percent(row['error'])}", colour="soft")
    for tick in (0, 50, 100):
        at = _SIDE * tick / 100
        yield Line([(0, _SIDE - at), (_SIDE, _SIDE - at)])
        yield Line([(at, 0), (at, _SIDE)])
        yield Text(-6, _SIDE - at + 4, f"{tick} %", "end")
        yield Text(at, _SIDE + _BARS + 20, f"{tick} %", "middle")
    yield Line([(0, _SIDE), (_SIDE, 0)], "soft", dashed=True)
    tallest = max(bin_["accuracy"]["n"] for bin_ in row["bins"])
    for bin_ in row["bins"]:
        estimate, x = bin_["accuracy"], _SIDE * bin_["confidence"]
        tall, left = _BARS * estimate["n"] / tallest, _SIDE * bin_["low"]
        label = (
            f"confidence {percent(bin_['confidence'])}, accuracy {percent(estimate['value'])}, {estimate['n']} items"
        )
        box = (left + 1, _SIDE + 4 + _BARS - tall, _SIDE * (bin_["high"] - bin_["low"]) - 2, tall)
        yield Boxes([box], "right", label)
        if estimate["interval"]:
            yield Line([(x, _SIDE * (1 - limit)) for limit in estimate["interval"]], COLOURS[0], 2)
        yield Circle(x, _SIDE * (1 - estimate["value"]), 4, COLOURS[0], title=label)


def _moved(shapes: Iterable[Shape], right: float, down: float) -> Iterable[Shape]:
    for shape in shapes:
        match shape:
            case Boxes():
                boxes = [(x + right, y + down, wide, high) for x, y, wide, high in shape.boxes]
                yield Boxes(boxes, shape.fill, shape.title)
            case Line():
                points = [(x + right, y + down) for x, y in shape.points]
                yield Line(points, shape.stroke, shape.width, shape.dashed)
            case Circle():
                yield Circle(shape.x + right, shape.y + down, shape.radius, shape.fill, shape.opacity, shape.title)
            case Text():
                yield Text(shape.x + right, shape.y + down, shape.text, shape.anchor, shape.colour, shape.bold)
