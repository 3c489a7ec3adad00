"""The drawings of an evaluation, each a function from figures to a `Figure` of matplotlib whose title is its ``suptitle``."""

from collections.abc import Mapping, Sequence
from math import ceil
from typing import TYPE_CHECKING, Any, Literal

from ...core.drawings import COLOURS, drawing_style, error_lengths
from ...core.invisible import one_line
from ...core.pages import percent
from ..measures.calibration import Calibration
from ..measures.comparisons import SharedErrors
from ..predictions import ORDER_WORDS, Response
from .evaluation import Evaluation
from .figures import BreakdownRow, Figures, RunFigures
from .summary import own_runs
from .tables import interval_words, short

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: Maximum number of values of a trait that are drawn.
MAX_VALUES = 12
#: What a cell of the heatmap shows, with its colour and its name in the legend.
State = Literal["right", "wrong", "unparsed"]
STATES: Mapping[State, tuple[str, str]] = {
    "right": ("#9cc3e6", "right"),
    "wrong": ("#b2402f", "wrong"),
    "unparsed": ("#e0a000", "no choice"),
}
#: Centres of the circles of a Venn diagram, whose radius is 1, by number of systems.
_CENTRES: Mapping[int, Sequence[tuple[float, float]]] = {
    2: ((-0.55, 0), (0.55, 0)),
    3: ((-0.58, 0.33), (0.58, 0.33), (0, -0.67)),
}
#: Reliability diagrams in a row.
_ACROSS = 4


def draw(evaluation: Evaluation, figures: Figures, ids: Mapping[str, str]) -> "dict[str, Figure]":
    """Return the drawings by name, in the order of the report; one without figures is left out.

    A column of the heatmap leads to the element of the page that `ids` names for its item.
    """
    form = figures.main.form
    chances = {run.chance.value for run in figures.runs}
    chance = chances.pop() if len(chances) == 1 else None
    own = own_runs(figures)
    chosen = [run for run in own if run.places.n and run.options]
    name = figures.release if figures.sample_of is None else f"a sample of {figures.release}"
    drawn: dict[str, Figure] = {}
    with drawing_style():
        drawn["systems"] = systems(figures, f"Share of right answers on {name}")
        if figures.by_form:
            drawn["forms"] = bars(figures.by_form, f"Accuracy by form on {name}", chance)
        if chosen:
            drawn["places"] = places(chosen, f"How often the option shown first is chosen on {name}")
        if figures.by_place:
            title = f"Accuracy by the place of the right option on {name}"
            drawn["accuracy-by-place"] = bars(figures.by_place, title, chance)
        if figures.calibration:
            drawn["calibration"] = reliability(figures.calibration, f"Accuracy by confidence on {name}")
        for trait, rows in figures.breakdowns.items():
            if len(rows) <= MAX_VALUES:
                drawn[f"by-{trait}"] = bars(rows, f"Accuracy by {trait} on {name}, {form} forms", chance)
        if len(evaluation.marks) > 1:
            drawn["overlap"] = overlap(figures.overlap, list(evaluation.marks), figures.overlap_items)
        title = f"Items of {name}, fewest right answers first, by system and mode: {form} forms, options {ORDER_WORDS[figures.main.order]}"
        drawn["heatmap"] = heatmap(evaluation, ranked(evaluation, figures), ids, title)
    return drawn


def ranked(evaluation: Evaluation, figures: Figures) -> list[str]:
    """Return the items, those with the fewest right answers first, those without an answer last."""
    shares = figures.item_accuracy
    return sorted((entry.item.id for entry in evaluation.items), key=lambda item_id: shares.get(item_id, 2.0))


def state(given: Response) -> State:
    """Return what a cell of the heatmap shows of an answer."""
    if given.parsed.choice is None:
        return "unparsed"
    return "right" if given.right else "wrong"


def new_drawing(
    title: str, width: float, height: float, rows: int = 1, columns: int = 1, **options: Any
) -> "tuple[Figure, Any]":
    """Return a new drawing with its title, and its axes; sizes are in inches."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    figure.suptitle(one_line(title), fontweight="bold", x=0.01, horizontalalignment="left")
    return figure, figure.subplots(rows, columns, **options)


def in_percent(axes: "Axes", *, across: bool = False) -> None:
    """Let an axis go from 0 to 100 per cent, with lines."""
    from matplotlib.ticker import PercentFormatter

    (axes.set_xlim if across else axes.set_ylim)(0, 1)
    (axes.xaxis if across else axes.yaxis).set_major_formatter(PercentFormatter(1))
    axes.grid(axis="x" if across else "y", linewidth=0.5)
    axes.spines[["top", "right"]].set_visible(False)


def systems(figures: Figures, title: str) -> "Figure":
    """Draw a row for each system and mode, best first: its accuracy in both forms, with intervals; chance, people, baselines."""
    own, main = sorted(own_runs(figures), key=lambda run: -(run.accuracy.value or 0)), figures.main
    rows = [*own, *figures.baselines]
    names = [f"{run.model}, {run.mode}" for run in own] + [run.model for run in figures.baselines]
    figure, axes = new_drawing(title, 4.8, 1.2 + 0.26 * len(rows))
    in_percent(axes, across=True)
    others = [
        (place, run)
        for place, row in enumerate(own)
        for run in figures.runs
        if (run.model, run.mode, run.order) == (row.model, row.mode, row.order) and run.form != main.form
    ]
    series = (
        (
            "overt pronoun" if main.form == "zero" else "zero",
            "s",
            COLOURS[1],
            "none",
            [(place + 0.22, run) for place, run in others],
        ),
        ("guesses", "D", "0.45", "0.45", list(enumerate(figures.baselines, len(own)))),
        ("zero" if main.form == "zero" else "overt pronoun", "o", COLOURS[0], COLOURS[0], list(enumerate(own))),
    )
    for label, marker, colour, fill, points in series:
        if points:
            values = [run.accuracy.value or 0.0 for _, run in points]
            errors = error_lengths(
                [(value, run.accuracy.interval) for value, (_, run) in zip(values, points, strict=True)]
            )
            at = [place for place, _ in points]
            axes.errorbar(
                values, at, xerr=errors, fmt=marker, color=colour, markerfacecolor=fill, markersize=5, label=label
            )
    chances = [run.chance.value for run in own]
    chance = chances[0] if len(set(chances)) == 1 else None
    for value, style, label in ((chance, "--", "chance"), (figures.people.value, ":", "people")):
        if value is not None:
            axes.axvline(value, color="black", linewidth=1, linestyle=style, label=f"{label} {percent(value)}")
    axes.set_yticks(range(len(rows)), [short(name, 30) for name in names])
    axes.set_ylim(len(rows) - 0.4, -0.6)
    figure.legend(loc="outside lower left", ncols=3, frameon=False)
    return figure


def bars(rows: Sequence[BreakdownRow], title: str, chance: float | None = None) -> "Figure":
    """Draw a group of bars for each value of a trait, a bar with its interval for each system, and a dashed line for chance."""
    models = list(dict.fromkeys(model for row in rows for model in row.models))
    labels = [one_line(f"{row.value} ({row.items})") for row in rows]
    room = [max(0.25 * len(models), 0.09 * len(label)) for label in labels]
    figure, axes = new_drawing(title, max(5.0, 1 + sum(room) + 0.3 * len(rows)), 3.2)
    in_percent(axes)
    width = 0.8 / len(models)
    for number, model in enumerate(models):
        known = [
            (place + width * (number - (len(models) - 1) / 2), estimate.value, estimate.interval)
            for place, row in enumerate(rows)
            if (estimate := row.models.get(model)) and estimate.value is not None
        ]
        at, heights = [place for place, _, _ in known], [value for _, value, _ in known]
        errors = error_lengths([(value, interval) for _, value, interval in known])
        colour = COLOURS[number % len(COLOURS)]
        axes.bar(at, heights, 0.9 * width, color=colour, yerr=errors, capsize=2, label=short(model))
    if chance is not None:
        axes.axhline(chance, color="0.4", linewidth=0.8, linestyle="--")
    axes.set_xticks(range(len(rows)), labels)
    figure.legend(loc="outside lower left", ncols=3, frameon=False)
    return figure


def places(runs: Sequence[RunFigures], title: str) -> "Figure":
    """Draw a row for each run: the share of its choices that take option A, with its interval, beside how often A is right."""
    figure, axes = new_drawing(title, 9, 1.4 + 0.3 * len(runs))
    in_percent(axes, across=True)
    rows = range(len(runs))
    first = [run.places.first or 0.0 for run in runs]
    errors = error_lengths([(share, run.places.interval) for share, run in zip(first, runs, strict=True)])
    axes.errorbar(first, rows, xerr=errors, fmt="o", color=COLOURS[1], label="chooses A, with its interval")
    axes.plot(
        [run.places.first_right or 0.0 for run in runs], rows, "|", color="black", markersize=14, label="A is right"
    )
    for row, run in zip(rows, runs, strict=True):
        text = f"{percent(run.places.first)} of {run.places.n} ({interval_words(run.places.interval)})"
        axes.text(1.02, row, text, verticalalignment="center")
    axes.set_yticks(rows, [short(str(run)) for run in runs])
    axes.set_ylim(len(runs) - 0.5, -0.5)
    figure.legend(loc="outside lower left", ncols=2, frameon=False)
    return figure


def reliability(rows: Sequence[Calibration], title: str) -> "Figure":
    """Draw a diagram for each run (DeGroot and Fienberg 1983): a point with its interval for each bin, its number of items as a bar."""
    across = min(len(rows), _ACROSS)
    down = ceil(len(rows) / across)
    figure, grid = new_drawing(title, 3 * across, 3.4 * down, down, across, squeeze=False)
    for number, axes in enumerate(grid.flat):
        if number >= len(rows):
            axes.set_visible(False)
            continue
        row = rows[number]
        in_percent(axes)
        in_percent(axes, across=True)
        axes.plot((0, 1), (0, 1), color="0.4", linewidth=0.8, linestyle="--")
        most = max(bin_.accuracy.n for bin_ in row.bins)
        shares = [0.2 * bin_.accuracy.n / most for bin_ in row.bins]
        axes.bar([(bin_.low + bin_.high) / 2 for bin_ in row.bins], shares, 0.09, color=STATES["right"][0])
        values = [bin_.accuracy.value or 0.0 for bin_ in row.bins]
        errors = error_lengths([(value, bin_.accuracy.interval) for value, bin_ in zip(values, row.bins, strict=True)])
        axes.errorbar(
            [bin_.confidence for bin_ in row.bins], values, yerr=errors, fmt="o", color=COLOURS[0], clip_on=False
        )
        about = f"{row.form}, {ORDER_WORDS[row.order]}, n = {row.n}\nerror {percent(row.error)}"
        axes.set_title(f"{short(row.model, 30)}\n{short(row.mode, 30)}\n{about}", loc="left", fontsize=8)
    return figure


def overlap(sets: Sequence[SharedErrors], models: Sequence[str], counted: int) -> "Figure":
    """Draw how many items exactly the systems of a set have wrong in any mode, of those that all systems answered (`counted`).

    Of two or three systems it is a Venn diagram, else an UpSet plot.
    """
    title = f"Errors shared by systems: wrong in any mode, of {counted} items that all of them answered"
    if len(models) in _CENTRES:
        return _venn({frozenset(row.models): row.any for row in sets}, models, counted, title)
    return _upset([row for row in sets if row.any], models, title)


def _venn(counts: Mapping[frozenset[str], int], models: Sequence[str], counted: int, title: str) -> "Figure":
    """Draw circles of one size (WSC-ZA, Figure 3): the numbers count, the areas do not."""
    from matplotlib.patches import Circle

    centres = _CENTRES[len(models)]
    figure, axes = new_drawing(title, 6.5, 4.2)
    for number, (x, y) in enumerate(centres):
        errors = sum(count for members, count in counts.items() if models[number] in members)
        axes.add_patch(Circle((x, y), 1, facecolor=COLOURS[number], alpha=0.28))
        below = number == 2
        axes.text(
            0 if below else 1.2 * x, y - 1.2 if below else y + 1.1, f"{short(models[number], 40)}: {errors}",
            horizontalalignment="center" if below else "right" if x < 0 else "left", fontweight="bold",
        )  # fmt: skip
    for code in range(1, 1 << len(models)):
        members = frozenset(name for bit, name in enumerate(models) if code >> bit & 1)
        x, y = _region([centre for centre, name in zip(centres, models, strict=True) if name in members], centres)
        axes.text(x, y, str(counts.get(members, 0)), horizontalalignment="center", verticalalignment="center")
    axes.text(
        0, -2.2, f"wrong in no system: {counted - sum(counts.values())} of {counted}", horizontalalignment="center"
    )
    axes.set(xlim=(-3.2, 3.2), ylim=(-2.3, 1.8), aspect="equal")
    axes.axis("off")
    return figure


def _region(inside: Sequence[tuple[float, float]], centres: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Return the middle of the region inside some circles and outside the others: away from the centre of those outside."""
    x, y = (sum(part) / len(inside) for part in zip(*inside, strict=True))
    middle = [sum(part) / len(centres) for part in zip(*centres, strict=True)]
    away = 1.65 if len(inside) == 1 else 1.5
    return middle[0] + away * (x - middle[0]), middle[1] + away * (y - middle[1])


def _upset(rows: Sequence[SharedErrors], models: Sequence[str], title: str) -> "Figure":
    """Draw an UpSet plot (Lex et al. 2014, IEEE TVCG 20): a column for each set that has items."""
    figure, (above, below) = new_drawing(
        title, max(5.0, 3 + 0.35 * len(rows)), 2.2 + 0.3 * len(models), 2, 1, sharex=True
    )
    columns = range(len(rows))
    above.bar_label(above.bar(columns, [row.any for row in rows], 0.7, color=COLOURS[0]))
    above.axis("off")
    for column, row in zip(columns, rows, strict=True):
        members = [models.index(model) for model in row.models]
        below.plot([column] * len(models), range(len(models)), "o", color="0.85")
        below.plot([column] * len(members), members, "o-", color=COLOURS[0])
    below.set_yticks(range(len(models)), [short(model) for model in models])
    below.set_ylim(len(models) - 0.5, -0.5)
    below.set_xticks([])
    below.spines[:].set_visible(False)
    return figure


def heatmap(evaluation: Evaluation, items: Sequence[str], ids: Mapping[str, str], title: str) -> "Figure":
    """Draw items (columns) by runs in the main form and order (rows); a cell without an answer is empty, a column leads to its item."""
    from matplotlib.patches import Patch, PathPatch, Rectangle
    from matplotlib.path import Path

    runs = {run: responses for run, responses in evaluation.runs.items() if (run.form, run.order) == evaluation.main}
    figure, axes = new_drawing(title, 3 + max(4.0, min(10.0, 0.08 * len(items))), 1.2 + 0.28 * len(runs))
    for row, responses in enumerate(runs.values()):
        for name, (colour, _) in STATES.items():
            columns = [
                at for at, item_id in enumerate(items) if item_id in responses and state(responses[item_id]) == name
            ]
            cells = [
                Path([(x, row), (x + 1, row), (x + 1, row + 0.9), (x, row + 0.9), (x, row)], closed=True)
                for x in columns
            ]
            if cells:
                axes.add_patch(PathPatch(Path.make_compound_path(*cells), facecolor=colour, linewidth=0))
    for column, item_id in enumerate(items):
        link = Rectangle((column, 0), 1, len(runs), alpha=0, linewidth=0)
        link.set_url(f"#{ids[item_id]}")
        axes.add_patch(link)
    axes.set(xlim=(0, len(items)), ylim=(len(runs), 0), xticks=[])
    axes.set_yticks([row + 0.45 for row in range(len(runs))], [short(f"{run.model}, {run.mode}") for run in runs])
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)
    legend = [Patch(color=colour, label=label) for colour, label in STATES.values()]
    figure.legend(handles=legend, loc="outside lower left", ncols=3, frameon=False)
    return figure
