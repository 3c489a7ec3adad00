"""The shapes of the drawings say what the figures say."""

import xml.etree.ElementTree as ET
from itertools import pairwise
from typing import Any

import pytest

from pipeline.evaluation.report.drawings.bars import BAR, HEIGHT, bar_chart
from pipeline.evaluation.report.drawings.heatmap import cell_width, heatmap
from pipeline.evaluation.report.drawings.overlap import overlap
from pipeline.evaluation.report.drawings.places import place_chart
from pipeline.evaluation.report.drawings.reliability import reliability
from pipeline.evaluation.report.picture import Boxes, Circle, Line, Picture, Text, svg


def texts(picture: Picture) -> list[str]:
    return [shape.text for shape in picture.shapes if isinstance(shape, Text)]


def circles(picture: Picture) -> list[Circle]:
    return [shape for shape in picture.shapes if isinstance(shape, Circle)]


def estimate(share: float | None, number: int = 3, interval: list[float] | None = None) -> dict[str, Any]:
    return {"value": share, "interval": interval, "n": number}


def test_bars_are_as_high_as_their_share() -> None:
    breakdown = [
        {"value": "easy", "items": 3, "models": {"a": estimate(0.75, interval=[0.5, 1]), "b": estimate(None)}},
        {"value": "hard", "items": 2, "models": {"a": estimate(0), "b": estimate(1)}},
    ]
    drawn = bar_chart(breakdown, "t", 0.5)
    bars = [shape for shape in drawn.shapes if isinstance(shape, Boxes) and shape.title]
    assert [bar.boxes[0][1:] for bar in bars] == [
        (HEIGHT / 4, BAR - 4, 0.75 * HEIGHT), (HEIGHT, BAR - 4, 0), (0, BAR - 4, HEIGHT),
    ]  # fmt: skip
    assert next(bar.title for bar in bars) == "a, easy: 75.0 %, 3 answers"
    assert bars[0].fill == bars[1].fill != bars[2].fill
    assert [text for text in texts(drawn) if "(" in text] == ["easy (3)", "hard (2)"]
    whiskers = [shape for shape in drawn.shapes if isinstance(shape, Line) and shape.stroke == "ink"]
    assert [[y for _, y in line.points] for line in whiskers] == [[HEIGHT / 2, 0]]
    (dashed,) = [shape for shape in drawn.shapes if isinstance(shape, Line) and shape.dashed]
    assert {y for _, y in dashed.points} == {HEIGHT / 2}


def test_labels_of_groups_do_not_overlap() -> None:
    values = ("a candidate not in the text", "first", "是这样的一个很长的关联词语")
    drawn = bar_chart([{"value": name, "items": 99, "models": {"m": estimate(1)}} for name in values], "t")
    groups = [shape for shape in drawn.shapes if isinstance(shape, Text) and shape.anchor == "middle"]
    gaps = [second.x - first.x for first, second in pairwise(groups)]
    # half of each label: 32 letters of at least 6 pixels; 13 characters of 12
    assert gaps[0] > 32 * 3
    assert gaps[1] > 13 * 6


def test_a_cell_of_the_heatmap_stands_in_row_and_column() -> None:
    drawn = heatmap([("r", {"b": "right"}), ("s", {"a": "wrong", "b": "unparsed"})], ["a", "b"], "t")
    cells = {shape.fill: shape.boxes for shape in drawn.shapes if isinstance(shape, Boxes) and shape.boxes[0][2] == 8}
    assert cells == {"right": [(8, 1, 8, 18)], "wrong": [(0, 21, 8, 18)], "unparsed": [(8, 21, 8, 18)]}
    assert cell_width(2000) == 2
    assert heatmap([], ["a"], "t").shapes


SETS = [
    {"models": ["a", "b", "c"], "most": 19},
    {"models": ["a", "c"], "most": 37},
    {"models": ["a"], "most": 7},
    {"models": ["c"], "most": 1},
]


def test_a_venn_diagram_of_three_has_each_number_in_its_region() -> None:
    drawn = overlap(SETS, ["a", "b", "c"], 100)
    assert drawn is not None
    around = circles(drawn)
    # a 19 + 37 + 7, b 19, c 19 + 37 + 1
    assert [circle.title for circle in around] == ["a: 63", "b: 19", "c: 57"]
    numbers = [shape for shape in drawn.shapes if isinstance(shape, Text) and shape.text.isdigit()]
    inside = {
        "".join(
            circle.title[0]
            for circle in around
            if (circle.x - shape.x) ** 2 + (circle.y - shape.y + 4) ** 2 < circle.radius**2
        ): shape.text
        for shape in numbers
    }
    assert inside == {"abc": "19", "ac": "37", "a": "7", "c": "1", "b": "0", "ab": "0", "bc": "0"}
    assert "wrong in no system: 36 of 100" in texts(drawn)


def test_a_venn_diagram_of_two_has_each_number_in_its_region() -> None:
    drawn = overlap([{"models": ["a", "b"], "most": 3}, {"models": ["b"], "most": 2}], ["a", "b"], 9)
    assert drawn is not None
    left, right = circles(drawn)
    only_a, only_b, both = [shape for shape in drawn.shapes if isinstance(shape, Text) and shape.text.isdigit()]
    assert (only_a.text, both.text, only_b.text) == ("0", "3", "2")
    assert only_a.x < right.x - right.radius < both.x < left.x + left.radius < only_b.x
    assert overlap([], ["a"], 9) is None


def test_a_column_of_the_upset_plot_joins_its_systems() -> None:
    sets = [{"models": ["a", "c"], "most": 2}, {"models": ["b"], "most": 0}, {"models": ["c"], "most": 4}]
    drawn = overlap(sets, ["a", "b", "c", "d"], 9)
    assert drawn is not None
    bars = [shape for shape in drawn.shapes if isinstance(shape, Boxes)]
    assert [bar.title for bar in bars] == ["a + c: 2", "c: 4"]
    assert bars[1].boxes[0][3] == 2 * bars[0].boxes[0][3]
    dots = circles(drawn)
    y = [circle.y for circle in dots[:4]]
    joins = [shape.points for shape in drawn.shapes if isinstance(shape, Line)]
    assert [[at for _, at in points] for points in joins] == [[y[0], y[2]], [y[2], y[2]]]
    assert [circle.fill == "line" for circle in dots] == [False, True, False, True, True, True, False, True]


def test_points_of_places_stand_at_their_shares() -> None:
    places = {"n": 40, "first": 0.975, "first_right": 0.5, "interval": [0.9, 1.0]}
    run = {"model": "m", "mode": "x", "form": "zero", "order": "swapped", "places": places}
    drawn = place_chart([run, run | {"places": places | {"first": 0.25, "interval": None}}], "t")
    assert [circle.x for circle in circles(drawn)] == [390, 100]
    assert "97.5 % of 40 (90.0 to 100.0)" in texts(drawn)
    assert [shape.points for shape in drawn.shapes if isinstance(shape, Line) and shape.width == 3] == [
        [(360, 12), (400, 12)]
    ]


def test_points_of_a_reliability_diagram_stand_at_confidence_and_accuracy() -> None:
    bins = [
        {"low": 0.5, "high": 0.6, "confidence": 0.55, "accuracy": estimate(0.5, 4, [0.25, 0.75])},
        {"low": 0.9, "high": 1.0, "confidence": 0.95, "accuracy": estimate(1, 2)},
    ]
    row = {"model": "m", "mode": "x", "form": "zero", "order": "as written", "n": 6, "error": 0.1, "bins": bins}
    drawn = reliability([row] * 5, "t")
    points = [(circle.x, circle.y) for circle in circles(drawn)]
    assert points[:2] == [pytest.approx((99, 90)), pytest.approx((171, 0))]
    assert points[8] == pytest.approx((99, points[8][1]))  # the fifth diagram begins a row
    assert points[8][1] > 180
    heights = [shape.boxes[0][3] for shape in drawn.shapes if isinstance(shape, Boxes)][:2]
    assert heights[0] == 2 * heights[1]


def test_names_over_reliability_diagrams_do_not_overlap() -> None:
    row = {"form": "zero", "order": "as written", "n": 6, "error": 0.1, "mode": "full-score-per-character"}
    bins = [{"low": 0.5, "high": 0.6, "confidence": 0.55, "accuracy": estimate(0.5, 4)}]
    rows = [
        row | {"model": f"an-organisation/a-model-of-a-long-name-{number}-instruct.Q4_1", "bins": bins}
        for number in range(4)
    ]
    drawn = reliability(rows, "t")
    names = [shape for shape in drawn.shapes if isinstance(shape, Text) and shape.bold]
    assert len({(name.x, name.y) for name in names}) == 8
    for first in names:
        # a bold letter is 8 pixels wide at most
        assert first.x + 8 * len(first.text) <= drawn.left + drawn.width
        assert not [
            other for other in names if other.y == first.y and first.x < other.x < first.x + 8 * len(first.text)
        ]


def test_svg_is_well_formed_and_shows_hostile_names_as_text() -> None:
    hostile = '</text><script>alert("1")</script>&amp;\u202e\n]]>'
    drawn = Picture(
        hostile, -1, 0.5, 10, 10,
        [Text(0, -0.0, hostile, "end"), Boxes([(0, 0, 1, 1)], "ink", hostile), Boxes([], "ink"),
         Circle(1, 1, 1, "#000000", 0.5, hostile), Line([(0, 0), (1, 1)], dashed=True)],
    )  # fmt: skip
    root = ET.fromstring(svg(drawn))
    assert {element.tag for element in root.iter()} == {"svg", "text", "path", "circle", "title"}
    assert root.findtext("text") == '</text><script>alert("1")</script>&amp;⟨U+202E⟩ ]]>'
    assert root.attrib["viewBox"] == "-1 0.5 10 10"
    assert root.find("path").attrib["fill"] == "var(--ink)"  # type: ignore[union-attr]  # it is there: see the tags
