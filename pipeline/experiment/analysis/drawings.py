"""The pictures of an analysis, each a function from figures to a `Picture`."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ...evaluation.cloze.measures import Measure
from ...evaluation.report.drawings.bars import bar_chart
from ...evaluation.report.picture import COLOURS, Boxes, Circle, Line, Picture, Shape, Text, legend
from .analysis import Analysis
from .items import ItemFigures
from .judgements import place_of
from .models import main_measure
from .tables import pronoun, votes

#: Size of a scatter plot.
_SIZE = 320
#: Colours of votes: right, the other antecedent, neither.
_RIGHT, _OTHER, _NEITHER = COLOURS[0], COLOURS[4], COLOURS[1]
#: Colour of items whose majority is wrong (the paper's Figure 2 has them red), of ties, of others.
_WRONG, _TIE, _FINE = "#c00000", "#E69F00", "#0072B2"


def pictures(analysis: Analysis) -> dict[str, Picture]:
    """Return the pictures by name, in the order of the page; those of simulated people say so in their titles."""
    figures = analysis.figures["kept"]
    drawn = {"votes": votes_by_item(analysis.items)}
    for name, values in figures["by"].items():
        if len(values) > 1:
            drawn[f"accuracy-by-{name}"] = _bars(name, values, figures["models"], analysis.items)
    if figures["deciles"]["rt"]:
        drawn["deciles"] = deciles_chart(figures["deciles"])
    measure = main_measure(figures["models"])
    for number, model in enumerate(dict.fromkeys(entry["model"] for entry in figures["models"]), 1):
        if measure:
            drawn[f"agreement-{number}"] = scatter(analysis, model, measure, "agreement", "confidence")
            drawn[f"accuracy-{number}"] = scatter(analysis, model, measure, "accuracy", "target")
    mark = "Simulated: " if analysis.figures["simulated"] else ""
    return {name: replace(picture, title=mark + picture.title) for name, picture in drawn.items()}


def votes_by_item(items: Sequence[ItemFigures]) -> Picture:
    """Return a column for each item, fewest right answers first: shares of right answers, of the other antecedent, of neither."""
    ordered = sorted(items, key=lambda entry: (entry.accuracy, entry.item.id))
    wide, high = max(3.0, min(12.0, 900 / max(1, len(ordered)))), 180.0
    shapes = _scale(wide * len(ordered), high)
    for column, entry in enumerate(ordered):
        neither = next((gender for gender in entry.votes if place_of(entry.item, gender) == "neither"), None)
        stray = entry.votes[neither] / entry.vote.raters if neither else 0.0
        at, title = high, f"{entry.item.id}: {votes(entry)}"
        for share, colour in ((entry.accuracy, _RIGHT), (1 - entry.accuracy - stray, _OTHER), (stray, _NEITHER)):
            at -= high * share
            if share > 1e-9:
                shapes.append(Boxes([(column * wide, at, wide - 0.5, high * share)], colour, title))
    names, bottom = legend(
        (("right", _RIGHT), ("the other antecedent", _OTHER), ("neither antecedent", _NEITHER)), 0, high + 12, 900
    )
    return Picture(
        "Answers to each item, fewest right ones first",
        -48,
        -10,
        wide * len(ordered) + 60,
        bottom + 12,
        [*shapes, *names],
    )


def _scale(width: float, height: float) -> list[Shape]:
    shapes: list[Shape] = []
    for tick in (0, 25, 50, 75, 100):
        y = height * (100 - tick) / 100
        shapes += [Line([(0, y), (width, y)]), Text(-6, y + 4, f"{tick} %", "end")]
    return shapes


def _bars(
    trait: str, values: Mapping[str, Any], models: Sequence[Mapping[str, Any]], items: Sequence[ItemFigures]
) -> Picture:
    measure = main_measure([dict(entry) for entry in models])
    shown = [entry for entry in models if entry["measure"] == measure]
    rows = []
    for value, estimates in values.items():
        bars = {"people": estimates["individual"], "majority of people": estimates["majority"]}
        bars |= {
            f"{entry['model']}, {measure}": entry["by"][trait][value] for entry in shown if value in entry["by"][trait]
        }
        rows.append({"value": value, "items": estimates["majority"]["n"] + estimates["tied"], "models": bars})
    return bar_chart(rows, f"Accuracy by {trait} ({len(items)} items)")


def deciles_chart(deciles: Mapping[str, Sequence[Mapping[str, Any]]]) -> Picture:
    """Return accuracy in each tenth of the answers by response time and by confidence."""
    width, height = 420.0, 180.0
    shapes = _scale(width, height)
    names = {"rt": "response time, fastest first", "confidence": "confidence, lowest first"}
    for number, (key, label) in enumerate(names.items()):
        points = [
            (width * (tenth + 0.5) / 10, height * (1 - entry["value"])) for tenth, entry in enumerate(deciles[key])
        ]
        shapes.append(Line(points, COLOURS[number], 2))
        for (x, y), entry in zip(points, deciles[key], strict=True):
            bounds = f"{entry['lowest']:g} to {entry['highest']:g}"
            shapes.append(Circle(x, y, 3.5, COLOURS[number], title=f"{label}: {bounds}, {100 * entry['value']:.1f} %"))
    shapes += [Text(width * (tenth + 0.5) / 10, height + 16, str(tenth + 1), "middle") for tenth in range(10)]
    keys, bottom = legend(
        [(label, COLOURS[number]) for number, label in enumerate(names.values())], 0, height + 28, width
    )
    return Picture("Accuracy by tenth of the answers", -48, -10, width + 60, bottom + 12, [*shapes, *keys])


def scatter(analysis: Analysis, model: str, measure: Measure, human: str, confidence: str) -> Picture:
    """Return a point for each item: a figure of people across, a confidence of a model up (Figure 2 with agreement and confidence).

    Args:
        analysis: the analysis.
        model: the model.
        measure: its measure.
        human: attribute of `ItemFigures`, a share.
        confidence: attribute of `ClozeAnswer`: ``confidence`` in the given answer, ``target`` in the gold one.
    """
    answers = {result.item.id: result.answers[measure] for result in analysis.results
               if result.model == model and measure in result.answers}  # fmt: skip
    shapes = _scale(_SIZE, _SIZE)
    for tick in (0, 25, 50, 75, 100):
        x = _SIZE * tick / 100
        shapes += [Line([(x, 0), (x, _SIZE)]), Text(x, _SIZE + 16, f"{tick} %", "middle")]
    for entry in sorted(analysis.items, key=lambda entry: entry.right is False):
        if entry.item.id in answers:
            colour = {True: _FINE, False: _WRONG, None: _TIE}[entry.right]
            value = min(1.0, float(getattr(answers[entry.item.id], confidence)))
            title = f"{entry.item.id}: {votes(entry)}; expected {pronoun(entry.item, entry.item.gender)}; {value:.3f}"
            shapes.append(Circle(_SIZE * float(getattr(entry, human)), _SIZE * (1 - value), 4, colour, 0.7, title))
    across = {"agreement": "agreement: share of the most frequent answer", "accuracy": "accuracy of people"}[human]
    up = {"confidence": "Confidence in the given answer", "target": "Confidence in the gold answer"}[confidence]
    shapes.append(Text(_SIZE / 2, _SIZE + 34, across, "middle"))
    names, bottom = legend(
        (("majority right", _FINE), ("majority wrong", _WRONG), ("tie", _TIE)), 0, _SIZE + 44, _SIZE + 60
    )
    return Picture(
        f"{up} by {human} of people: {model}, {measure}", -48, -10, _SIZE + 90, bottom + 12, [*shapes, *names]
    )
