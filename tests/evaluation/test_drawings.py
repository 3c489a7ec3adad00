"""The drawings say what the figures say: their texts, bars and points; as files they are the same bytes each time, with Chinese glyphs."""

import re
import xml.etree.ElementTree as ET

import pytest
from matplotlib.figure import Figure
from matplotlib.patches import Circle
from matplotlib.text import Text

from pipeline.core import drawings
from pipeline.core.drawings import drawing_style, figure_files, inline_svg
from pipeline.core.errors import PipelineError
from pipeline.evaluation.measures.accuracy import Estimate
from pipeline.evaluation.measures.calibration import Bin, Calibration
from pipeline.evaluation.measures.comparisons import SharedErrors
from pipeline.evaluation.report.drawings import bars, overlap, reliability
from pipeline.evaluation.report.figures import BreakdownRow

SETS = [
    SharedErrors(models, number, 0, 0, 0.0, [])
    for models, number in ((("a", "b", "c"), 19), (("a", "c"), 37), (("a",), 7), (("c",), 1))
]
needs_chinese = pytest.mark.skipif(len(drawings._families()) < 2, reason="no font with Chinese glyphs is installed")


def texts(figure: Figure) -> list[str]:
    return [artist.get_text() for artist in figure.findobj(Text) if isinstance(artist, Text) and artist.get_text()]


def estimate(share: float | None, n: int = 3, interval: tuple[float, float] | None = None) -> Estimate:
    return Estimate(0, n, share, interval)


def test_bars_are_as_high_as_their_share() -> None:
    rows = [
        BreakdownRow("easy", 3, {"a": estimate(0.75, interval=(0.5, 1)), "b": estimate(None)}),
        BreakdownRow("hard", 2, {"a": estimate(0), "b": estimate(1)}),
    ]
    with drawing_style():
        figure = bars(rows, "t", 0.5)
    (axes,) = figure.axes
    assert [bar.get_height() for bar in axes.patches] == [0.75, 0, 1]
    assert {"easy (3)", "hard (2)", "a", "b"} <= set(texts(figure))
    (whiskers, _) = axes.collections
    assert [[y for _, y in segment] for segment in whiskers.get_segments()] == [[0.5, 1.0], [0, 0]]  # type: ignore[attr-defined]


def test_a_venn_diagram_of_three_has_each_number_in_its_region() -> None:
    with drawing_style():
        figure = overlap(SETS, ["a", "b", "c"], 100)
    (axes,) = figure.axes
    circles = dict(zip("abc", [patch for patch in axes.patches if isinstance(patch, Circle)], strict=True))
    # a 19 + 37 + 7, b 19, c 19 + 37 + 1
    assert {"a: 63", "b: 19", "c: 57", "wrong in no system: 36 of 100"} <= set(texts(figure))
    inside = {
        "".join(
            name
            for name, circle in circles.items()
            if sum((at - centre) ** 2 for at, centre in zip(text.get_position(), circle.center, strict=True)) < 1
        ): text.get_text()
        for text in axes.texts
        if text.get_text().isdigit()
    }
    assert inside == {"abc": "19", "ac": "37", "a": "7", "c": "1", "b": "0", "ab": "0", "bc": "0"}


def test_a_column_of_the_upset_plot_joins_its_systems() -> None:
    with drawing_style():
        above, below = overlap(SETS, ["a", "b", "c", "d"], 99).axes
    assert [bar.get_height() for bar in above.patches] == [19, 37, 7, 1]
    assert [list(line.get_ydata()) for line in below.lines[1::2]] == [[0, 1, 2], [0, 2], [0], [2]]


def test_points_of_a_reliability_diagram_stand_at_confidence_and_accuracy() -> None:
    bins = [Bin(0.5, 0.6, 0.55, estimate(0.5, 4, (0.25, 0.75))), Bin(0.9, 1.0, 0.95, estimate(1, 2))]
    row = Calibration("m", "x", "zero", "written", 6, 0.1, None, 0.1, 0.5, 0.7, 0.1, None, bins)
    with drawing_style():
        figure = reliability([row] * 5, "t")
    shown = [axes for axes in figure.axes if axes.get_visible()]
    assert len(shown) == 5
    assert list(zip(*shown[4].lines[1].get_data(), strict=True)) == [(0.55, 0.5), (0.95, 1)]
    assert [bar.get_height() for bar in shown[0].patches] == [0.2, 0.1]


def hostile(title: str) -> Figure:
    with drawing_style():
        return bars([BreakdownRow(title, 1, {title: estimate(1)})], title)


def test_svg_is_well_formed_and_shows_hostile_names_as_text() -> None:
    title = '</text><script>alert("1")</script>&amp;\u202e\n]]>'
    svg = inline_svg(hostile(title), "a")
    root = ET.fromstring(svg)
    assert not [element for element in root.iter() if element.tag.endswith("script")]
    assert root.attrib["aria-label"] == '</text><script>alert("1")</script>&amp;⟨U+202E⟩ ]]>'
    shown = [element.text for element in root.iter() if element.tag.endswith("}text")]
    assert root.attrib["aria-label"] in shown
    assert inline_svg(hostile(title), "a") == svg
    ids = [set(re.findall(r' id="(.*?)"', inline_svg(hostile(title), name))) for name in "ab"]
    assert not ids[0] & ids[1]


@needs_chinese
def test_files_have_chinese_glyphs_and_are_the_same_each_time() -> None:
    files = figure_files({"a": hostile("准确率 $x_1$")})
    assert set(files) == {"a.svg", "a.png"}
    assert files == figure_files({"a": hostile("准确率 $x_1$")})
    assert not any(re.search(rb"20\d\d-\d\d|Matplotlib v", data) for data in files.values())


def test_a_character_that_no_font_has_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(PipelineError, match=r"\[figures\] no font has '𓀀' of 'a𓀀'; found the fonts DejaVu Sans"):
        figure_files({"a": hostile("a𓀀")})
    monkeypatch.setattr(drawings, "_families", lambda: ["DejaVu Sans"])
    message = r"no font has '准' of .*; found the fonts DejaVu Sans, expected one with Chinese glyphs, such as Debian's fonts-noto-cjk"
    with pytest.raises(PipelineError, match=message):
        figure_files({"a": hostile("准确率")})
