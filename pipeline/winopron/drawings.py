"""Drawings of accuracy by case and pronoun set (WinoPron, Figure 3) and of pronominal bias (Figure 5)."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..core.drawings import COLOURS, drawing_style, error_lengths
from ..core.errors import PipelineError
from ..language.pronouns import PronounTable
from .measures import Response, bias_by_form, performance

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: A marker for each system, for print in black and white.
_MARKS = "os^DvPX"
#: The responses of each system, by its name.
ResponsesBySystem = Mapping[str, Sequence[Response]]
#: The part of a drawing for each case, with the pronoun sets whose forms stand below it.
Panels = Mapping[str, "tuple[Axes, list[str]]"]


def draw(systems: ResponsesBySystem, table: PronounTable) -> dict[str, "Figure"]:
    """Return the drawings ``accuracy`` and ``bias``.

    Raises:
        PipelineError: more systems than markers, no responses, or no package matplotlib.
    """
    if len(systems) > len(_MARKS):
        reason = f"[predictions] too many systems; found {len(systems)}, expected at most {len(_MARKS)}"
        raise PipelineError(None, None, reason)
    if not any(systems.values()):
        raise PipelineError(None, None, "[predictions] nothing to draw; found no responses")
    with drawing_style():
        return {"accuracy": _accuracy(systems, table), "bias": _bias(systems, table)}


def _panels(systems: ResponsesBySystem, table: PronounTable, label: str) -> "tuple[Figure, Panels]":
    """Return a new drawing with a part for each case and a place in it for each pronoun set that any system has answered."""
    from matplotlib.figure import Figure

    seen = {(row.case, row.pronouns) for rows in systems.values() for row in rows}
    sets = {
        case: [entry for entry in table.sets if (case, entry.name) in seen]
        for case in table.placeholders.values()
        if any(case == known for known, _ in seen)
    }
    widths = [len(entries) for entries in sets.values()]
    figure = Figure(figsize=(1 + 0.55 * sum(widths) + 0.4 * len(sets), 3), layout="constrained")
    axes: Any = figure.subplots(1, len(sets), sharey=True, squeeze=False, gridspec_kw={"width_ratios": widths})[0]
    for axis, (case, entries) in zip(axes, sets.items(), strict=True):
        axis.set_title(case)
        axis.set_xticks(range(len(entries)), [entry.forms[case] for entry in entries])
        axis.set_xlim(-0.6, len(entries) - 0.4)
        axis.grid(axis="y", linewidth=0.4)
    axes[0].set_ylabel(label)
    names = ([entry.name for entry in entries] for entries in sets.values())
    return figure, dict(zip(sets, zip(axes, names, strict=True), strict=True))


def _offset(number: int, systems: ResponsesBySystem, width: float) -> float:
    """Return how far from its form a system stands, all of which take up a width."""
    return width / len(systems) * (number - (len(systems) - 1) / 2)


def _accuracy(systems: ResponsesBySystem, table: PronounTable) -> "Figure":
    figure, panels = _panels(systems, table, "accuracy (%)")
    for number, (system, rows) in enumerate(systems.items()):
        for case, (axis, names) in panels.items():
            points = []
            for place, name in enumerate(names):
                score = performance(row for row in rows if row.case == case and row.pronouns == name)
                if score.accuracy is not None:
                    interval = [100 * limit for limit in score.accuracy_interval or ()]
                    points.append((place + _offset(number, systems, 0.7), 100 * score.accuracy, interval))
            axis.errorbar(
                [at for at, _, _ in points],
                [value for _, value, _ in points],
                yerr=error_lengths([(value, interval) for _, value, interval in points]),
                fmt=_MARKS[number],
                color=COLOURS[number],
                markersize=4,
                capsize=2,
                linewidth=1,
                label=system,
            )
    for axis, _ in panels.values():
        axis.axhline(50, color="0.4", linewidth=0.8, linestyle="--", label="chance")
        axis.set_ylim(0, 104)
    _add_legend(figure, axis.get_legend_handles_labels()[0])
    return figure


def _bias(systems: ResponsesBySystem, table: PronounTable) -> "Figure":
    """Draw both shares of the resolvable pairs, the negative one below the axis, or n/a where they are undefined."""
    from matplotlib.patches import Patch

    figure, panels = _panels(systems, table, "negative   |   positive bias (%)")
    largest = 0.0
    for number, rows in enumerate(systems.values()):
        biases = bias_by_form(rows)
        for case, (axis, names) in panels.items():
            bars = []
            for place, name in enumerate(names):
                at, bias = place + _offset(number, systems, 0.8), biases.get((case, name))
                if bias is None or bias.positive_share is None or bias.negative_share is None:
                    label = axis.annotate("n/a", (at, 0), xytext=(0, 3), textcoords="offset points", fontsize=6)
                    label.set(ha="center", va="bottom", rotation=90, color=COLOURS[number])
                else:
                    bars.append((at, 100 * bias.positive_share, 100 * bias.negative_share))
            places, width = [at for at, _, _ in bars], 0.8 / len(systems)
            positive, negative = [share for _, share, _ in bars], [-share for _, _, share in bars]
            look: dict[str, Any] = {"width": width, "color": COLOURS[number]}
            axis.bar(places, positive, **look)
            axis.bar(places, negative, alpha=0.55, hatch="///", edgecolor="white", **look)
            largest = max([largest, *positive, *(-share for share in negative)])
    limit = 1.15 * largest or 1.0
    next(iter(panels.values()))[0].yaxis.set_major_formatter(lambda value, _: f"{abs(value):g}")
    for axis, _ in panels.values():
        axis.axhline(0, color="black", linewidth=0.8)
        axis.set_ylim(-limit, limit)
    _add_legend(figure, [Patch(color=colour, label=system) for colour, system in zip(COLOURS, systems, strict=False)])
    return figure


def _add_legend(figure: "Figure", handles: "Sequence[Artist]") -> None:
    figure.legend(handles=handles, loc="outside lower center", ncols=min(4, len(handles)), frameon=False)
