"""The drawings of an analysis, made by matplotlib."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ...core.drawings import COLOURS, drawing_style
from ...evaluation.cloze.results import Measure
from ...evaluation.report.drawings import bars, in_percent, new_drawing
from ...evaluation.report.figures import BreakdownRow
from ...statistics.association import Decile
from .analysis import Analysis
from .models import ModelFigures, main_measure
from .people import NEITHER, Accuracies, ItemFigures, place_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: Colours of items by whether their majority is right (the paper's Figure 2 has wrong ones red); None stands for a tie.
MAJORITY = {True: ("majority right", "#0072B2"), False: ("majority wrong", "#c00000"), None: ("tie", "#E69F00")}
#: Labels of the axes of a scatter plot, by attribute of `ItemFigures` and of `ClozeAnswer`.
_HUMAN = {"agreement": "agreement: share of the most frequent answer", "accuracy": "accuracy of people"}
_CONFIDENCE = {"confidence": "Confidence in the given answer", "target": "Confidence in the gold answer"}


def draw(analysis: Analysis) -> dict[str, "Figure"]:
    """Return the drawings by name, in the order of the page; the title of each is its ``suptitle``."""
    figures = analysis.figures.kept
    with drawing_style():
        drawings = {"votes": _votes_by_item(analysis.items)}
        measure = main_measure(figures.models)
        of_measure = [entry for entry in figures.models if entry.measure == measure]
        for trait, values in figures.by.items():
            if len(values) > 1:
                drawings[f"accuracy-by-{trait}"] = _bars(trait, values, of_measure, len(analysis.items))
        if figures.deciles["rt"]:
            drawings["deciles"] = _deciles(figures.deciles)
        for number, model in enumerate(dict.fromkeys(entry.model for entry in figures.models), 1):
            if measure:
                drawings[f"agreement-{number}"] = _scatter(analysis, model, measure, "agreement", "confidence")
                drawings[f"accuracy-{number}"] = _scatter(analysis, model, measure, "accuracy", "target")
    return drawings


def _percent_axes(title: str, width: float, height: float) -> tuple["Figure", "Axes"]:
    """Return a new drawing whose upward axis goes from 0 to 100 per cent; sizes are in inches."""
    figure, axes = new_drawing(title, width, height)
    in_percent(axes)
    return figure, axes


def _add_legend(figure: "Figure") -> None:
    figure.legend(loc="outside lower left", ncols=3, frameon=False)


def _votes_by_item(items: Sequence[ItemFigures]) -> "Figure":
    """Draw a column for each item, fewest right answers first: shares of right answers, of the other antecedent, of neither."""
    figure, axes = _percent_axes("Answers to each item, fewest right ones first", 9, 3)
    ordered = sorted(items, key=lambda entry: (entry.accuracy, entry.item.id))
    right = [entry.accuracy for entry in ordered]
    neither = [
        sum(count for gender, count in entry.votes.items() if place_of(entry.item, gender) == NEITHER)
        / entry.vote.raters
        for entry in ordered
    ]
    places = range(len(ordered))
    other = [1 - share - stray for share, stray in zip(right, neither, strict=True)]
    below = [1 - stray for stray in neither]
    axes.bar(places, right, 0.9, color=COLOURS[0], label="right")
    axes.bar(places, other, 0.9, bottom=right, color=COLOURS[4], label="the other antecedent")
    axes.bar(places, neither, 0.9, bottom=below, color=COLOURS[1], label="neither antecedent")
    axes.set_xticks([])
    axes.set_xmargin(0.01)
    _add_legend(figure)
    return figure


def _bars(trait: str, values: Mapping[str, Accuracies], models: Sequence[ModelFigures], items: int) -> "Figure":
    """Draw the accuracy of people, of their majority and of models for each value of a trait, with intervals."""
    rows = []
    for value, estimates in values.items():
        by_name = {"people": estimates.individual, "majority of people": estimates.majority}
        by_name |= {
            f"{entry.model}, {entry.measure}": entry.by[trait][value] for entry in models if value in entry.by[trait]
        }
        rows.append(BreakdownRow(value, estimates.majority.n + estimates.tied, by_name))
    return bars(rows, f"Accuracy by {trait} ({items} items)")


def _deciles(deciles: Mapping[str, Sequence[Decile]]) -> "Figure":
    """Draw the accuracy in each tenth of the answers by response time and by confidence."""
    figure, axes = _percent_axes("Accuracy by tenth of the answers", 6, 3)
    names = {"rt": "response time, fastest first", "confidence": "confidence, lowest first"}
    for number, (key, label) in enumerate(names.items()):
        values = [entry.value for entry in deciles[key]]
        axes.plot(range(1, len(values) + 1), values, marker="o", color=COLOURS[number], label=label)
    axes.set_xticks(range(1, 11))
    _add_legend(figure)
    return figure


def _scatter(analysis: Analysis, model: str, measure: Measure, human: str, confidence: str) -> "Figure":
    """Draw a point for each item: a figure of people across, a confidence of a model up (the paper's Figure 2).

    Args:
        human: attribute of `ItemFigures`, a share.
        confidence: attribute of `ClozeAnswer`: ``confidence`` in the given answer, ``target`` in the gold one.
    """
    answers = {
        result.item.id: result.answers[measure]
        for result in analysis.results
        if result.model == model and measure in result.answers
    }
    up = _CONFIDENCE[confidence]
    figure, axes = _percent_axes(f"{up} by {human} of people: {model}, {measure}", 7, 4.2)
    for right, (label, colour) in MAJORITY.items():
        points = [entry for entry in analysis.items if entry.right is right and entry.item.id in answers]
        across = [float(getattr(entry, human)) for entry in points]
        values = [min(1.0, float(getattr(answers[entry.item.id], confidence))) for entry in points]
        axes.scatter(across, values, 18, color=colour, alpha=0.7, label=label)
    in_percent(axes, across=True)
    axes.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02))
    axes.set_xlabel(_HUMAN[human])
    _add_legend(figure)
    return figure
