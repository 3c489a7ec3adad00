"""The geometry of the drawings of the report, as the template writes them in SVG."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

#: Okabe and Ito's palette, safe for colour-blind readers, without black and yellow; more systems begin anew.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
#: Height of a chart of bars in pixels, and width of a bar.
HEIGHT, BAR = 180, 22
#: Size of a row of the heatmap, and its width if no column gets narrower than two pixels.
ROW, WIDTH = 20, 960
#: What a cell of the heatmap shows.
State = Literal["right", "wrong", "unparsed"]


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar of a chart: the accuracy of a system on some items. `low` and `high` are the y of its interval, None without one."""

    x: float
    y: float
    colour: str
    low: float | None
    high: float | None
    label: str


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart of bars: its width, its bars, the middle x and the label of each group, the colour of each system."""

    width: int
    bars: Sequence[Bar]
    groups: Sequence[tuple[float, str]]
    legend: Sequence[tuple[str, str]]


def bar_chart(breakdown: Sequence[Mapping[str, Any]]) -> Chart:
    """Return the chart of a breakdown: a group of bars for each value, a bar for each system, 0 at the bottom, 1 at the top.

    Args:
        breakdown: see `figures.figures`.
    """
    models = list(dict.fromkeys(model for entry in breakdown for model in entry["models"]))
    colours = {model: COLOURS[number % len(COLOURS)] for number, model in enumerate(models)}
    bars, groups, x = list[Bar](), list[tuple[float, str]](), BAR / 2
    for entry in breakdown:
        start = x
        for model, estimate in entry["models"].items():
            if estimate["value"] is not None:
                low, high = map(_up, estimate["interval"]) if estimate["interval"] else (None, None)
                label = f"{model}, {entry['value']}: {100 * estimate['value']:.1f} %, {estimate['n']} answers"
                bars.append(Bar(x, _up(estimate["value"]), colours[model], low, high, label))
            x += BAR
        x = max(x, start + 4 * BAR)
        groups.append(((start + x) / 2, f"{entry['value']} ({entry['items']})"))
        x += BAR
    return Chart(round(x), bars, groups, list(colours.items()))


def _up(share: float) -> float:
    return round(HEIGHT * (1 - share), 1)


@dataclass(frozen=True, slots=True)
class Heatmap:
    """The heatmap: the width of a cell and of all, the label of each row with its cells as one SVG path by state, the columns' items."""

    cell: float
    width: float
    rows: Sequence[tuple[str, Mapping[State, str]]]
    items: Sequence[str]

    @property
    def height(self) -> int:
        """The height of all rows."""
        return ROW * len(self.rows)


def heatmap(rows: Sequence[tuple[str, Mapping[str, State]]], items: Sequence[str]) -> Heatmap:
    """Return the heatmap of items (columns) by runs (rows); a cell without an answer is empty.

    Args:
        rows: the label of each run with the state of each item that it answered.
        items: the items in the order of the columns.

    >>> heatmap([("a", {"x": "right", "y": "wrong"})], ["x", "y"]).rows[0][1]["right"]
    'M0 1h8v18h-8z'
    """
    cell = max(2.0, min(8.0, WIDTH // max(1, len(items))))
    drawn = []
    for number, (label, states) in enumerate(rows):
        paths: dict[State, str] = {"right": "", "wrong": "", "unparsed": ""}
        for column, item in enumerate(items):
            if item in states:
                paths[states[item]] += f"M{column * cell:g} {number * ROW + 1}h{cell:g}v{ROW - 2}h-{cell:g}z"
        drawn.append((label, paths))
    return Heatmap(cell, cell * len(items), drawn, list(items))


@dataclass(frozen=True, slots=True)
class Column:
    """A column of an UpSet plot: a set of systems with the number of items. `dots` are the y of all systems, filled if in the set."""

    x: float
    top: float
    count: int
    dots: Sequence[tuple[float, bool]]
    line: tuple[float, float]
    label: str


@dataclass(frozen=True, slots=True)
class UpSet:
    """An UpSet plot (Lex et al. 2014): its size, the foot of the bars, the y of each system, the columns by size of their set."""

    width: int
    height: int
    base: int
    models: Sequence[tuple[float, str]]
    columns: Sequence[Column]


def upset(overlap: Sequence[Mapping[str, Any]], models: Sequence[str]) -> UpSet:
    """Return the UpSet plot of items that exactly the systems of a set have wrong in most modes; empty sets are left out."""
    base = HEIGHT // 2
    places = {model: base + ROW * (number + 1) - ROW / 2 + 4 for number, model in enumerate(models)}
    rows = [row for row in overlap if row["most"]]
    tallest = max((row["most"] for row in rows), default=1)
    columns = []
    for number, row in enumerate(rows):
        inside = [places[model] for model in row["models"]]
        columns.append(
            Column(
                x=BAR * (number + 0.5),
                top=round(base * (1 - row["most"] / tallest), 1),
                count=row["most"],
                dots=[(y, model in row["models"]) for model, y in places.items()],
                line=(min(inside), max(inside)),
                label=f"{' + '.join(row['models'])}: {row['most']}",
            )
        )
    return UpSet(
        BAR * len(rows), base + ROW * len(models) + 4, base, [(y, model) for model, y in places.items()], columns
    )
