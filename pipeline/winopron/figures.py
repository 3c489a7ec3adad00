"""Figures of accuracy by case and pronoun set (WinoPron, Figure 3) and of pronominal bias (Figure 5)."""

import io
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..core.errors import PipelineError
from ..core.packages import require_packages
from ..language.pronouns import PronounTable
from .bias import Bias, bias_by_form
from .performance import Performance, Response, performance

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: Okabe and Ito's palette, safe for colour-blind readers, with a marker for each colour for print in black and white.
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
_MARKS = "os^DvPX"
#: The responses of each system, by its name.
ResponsesBySystem = Mapping[str, Sequence[Response]]


def draw_figures(systems: ResponsesBySystem, table: PronounTable) -> dict[str, bytes]:
    """Return the figures ``accuracy`` and ``bias`` as SVG and PNG, by file name; the same responses give the same bytes.

    Raises:
        PipelineError: more systems than colours, no responses, or no package matplotlib.
    """
    if len(systems) > len(_COLOURS):
        raise PipelineError(
            None, None, f"[predictions] too many systems; found {len(systems)}, expected at most {len(_COLOURS)}"
        )
    if not any(systems.values()):
        raise PipelineError(None, None, "[predictions] nothing to draw; found no responses")
    require_packages("figures", "matplotlib")
    import matplotlib as mpl

    with mpl.rc_context({"svg.hashsalt": "winoforge", "font.family": "DejaVu Sans", "font.size": 9}):
        figures = {"accuracy": _accuracy(systems, table), "bias": _bias(systems, table)}
        return {
            f"{name}.{suffix}": _render(figure, suffix) for name, figure in figures.items() for suffix in ("svg", "png")
        }


def _render(figure: "Figure", suffix: str) -> bytes:
    sink = io.BytesIO()
    undated = {"svg": {"Date": None, "Creator": None}, "png": {"Software": None}}
    figure.savefig(sink, format=suffix, dpi=200, bbox_inches="tight", metadata=undated[suffix])
    return sink.getvalue()


def _forms(systems: ResponsesBySystem, table: PronounTable) -> dict[str, list[str]]:
    """Return by case the pronoun sets with a response of any system, in the table's order."""
    seen = {(row.case, row.pronouns) for rows in systems.values() for row in rows}
    by_case = {
        case: [pronouns.name for pronouns in table.sets if (case, pronouns.name) in seen]
        for case in table.placeholders.values()
    }
    return {case: names for case, names in by_case.items() if names}


def _panels(forms: Mapping[str, Sequence[str]], table: PronounTable, label: str) -> tuple["Figure", dict[str, "Axes"]]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(1 + 0.55 * sum(map(len, forms.values())) + 0.4 * len(forms), 3))
    widths = [len(names) for names in forms.values()]
    axes: Any = figure.subplots(1, len(forms), sharey=True, squeeze=False, gridspec_kw={"width_ratios": widths})[0]
    words = {pronouns.name: pronouns.forms for pronouns in table.sets}
    for axis, (case, names) in zip(axes, forms.items(), strict=True):
        axis.set_title(case)
        axis.set_xticks(range(len(names)), [words[name][case] for name in names])
        axis.set_xlim(-0.6, len(names) - 0.4)
        axis.grid(axis="y", linewidth=0.4)
        axis.set_axisbelow(True)
    axes[0].set_ylabel(label)
    return figure, dict(zip(forms, axes, strict=True))


def _legend(figure: "Figure", axis: "Axes", names: Sequence[str]) -> None:
    handles, labels = axis.get_legend_handles_labels()
    known = dict(zip(labels, handles, strict=True))
    figure.legend(
        [known[name] for name in names if name in known],
        [name for name in names if name in known],
        loc="upper center",
        bbox_to_anchor=(0.5, 0.02),
        ncols=min(4, len(names)),
        frameon=False,
    )


def _accuracy(systems: ResponsesBySystem, table: PronounTable) -> "Figure":
    forms = _forms(systems, table)
    figure, axes = _panels(forms, table, "accuracy (%)")
    step = 0.7 / len(systems)
    for number, (system, rows) in enumerate(systems.items()):
        for case, names in forms.items():
            for place, name in enumerate(names):
                score = performance(row for row in rows if row.case == case and row.pronouns == name)
                at = place + step * (number - (len(systems) - 1) / 2)
                _point(axes[case], at, score, system, number)
    for axis in axes.values():
        axis.axhline(50, color="0.4", linewidth=0.8, linestyle="--", label="chance")
        axis.set_ylim(0, 104)
    _legend(figure, next(iter(axes.values())), [*systems, "chance"])
    return figure


def _point(axis: "Axes", at: float, score: Performance, system: str, number: int) -> None:
    if score.accuracy is None:
        return
    low, high = score.accuracy_interval or (score.accuracy, score.accuracy)
    axis.errorbar(
        [at],
        [100 * score.accuracy],
        yerr=[[100 * max(0.0, score.accuracy - low)], [100 * max(0.0, high - score.accuracy)]],
        fmt=_MARKS[number],
        color=_COLOURS[number],
        markersize=4,
        capsize=2,
        linewidth=1,
        label=system,
    )


def _bias(systems: ResponsesBySystem, table: PronounTable) -> "Figure":
    forms = _forms(systems, table)
    figure, axes = _panels(forms, table, "negative   |   positive bias (%)")
    width = 0.8 / len(systems)
    largest = 0.0
    for number, (system, rows) in enumerate(systems.items()):
        biases = bias_by_form(rows)
        for case, names in forms.items():
            for place, name in enumerate(names):
                at = place + width * (number - (len(systems) - 1) / 2)
                bars = _bars(axes[case], at, biases.get((case, name)), width, number)
                largest = max(largest, *bars)
        axes[next(iter(forms))].bar([0], [0], color=_COLOURS[number], label=system)
    limit = 1.15 * largest or 1.0
    for axis in axes.values():
        axis.axhline(0, color="black", linewidth=0.8)
        axis.set_ylim(-limit, limit)
    axes[next(iter(forms))].yaxis.set_major_formatter(lambda value, _: f"{abs(value):g}")
    _legend(figure, axes[next(iter(forms))], list(systems))
    return figure


def _bars(axis: "Axes", at: float, bias: Bias | None, width: float, number: int) -> tuple[float, float]:
    """Draw both shares of the resolvable pairs, or n/a if they are undefined; return them in percent."""
    if bias is None or bias.positive_share is None or bias.negative_share is None:
        label = axis.annotate("n/a", (at, 0), xytext=(0, 3), textcoords="offset points", fontsize=6)
        label.set(ha="center", va="bottom", rotation=90, color=_COLOURS[number])
        return 0.0, 0.0
    positive, negative = 100 * bias.positive_share, 100 * bias.negative_share
    axis.bar([at], [positive], width=width, color=_COLOURS[number])
    axis.bar([at], [-negative], width=width, color=_COLOURS[number], alpha=0.55, hatch="///", edgecolor="white")
    return positive, negative
