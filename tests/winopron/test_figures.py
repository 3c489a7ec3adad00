"""The figures say what the measures say, in both formats, each time in the same bytes."""

import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
from matplotlib import image
from typer.testing import CliRunner

from pipeline.winopron import figures as winopron_figures
from pipeline.winopron.figures import draw_figures
from pipeline.winopron.performance import Response, performance
from tests.conftest import Refused
from tests.support.commands import app
from tests.support.winopron import TABLE, answers, table_of

NAMES = {"accuracy.svg", "accuracy.png", "bias.svg", "bias.png"}


def rows() -> list[Response]:
    """He goes to the occupation in one of two pairs; the accusative is answered with one set only, always wrongly."""
    return [
        *answers("baker", "occupation", "occupation", "occupation", "participant"),
        *answers("chef", "occupation", "participant", "occupation", "participant"),
        *answers("baker", "participant", "occupation", case="accusative", sets=("she",)),
    ]


def drawn(systems: dict[str, list[Response]], monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Return matplotlib's own figures by name, as they are before they are saved."""
    kept: dict[str, Any] = {}
    monkeypatch.setattr(winopron_figures, "_render", lambda figure, _: kept.setdefault(str(len(kept)), figure) and b"")
    draw_figures(systems, TABLE)
    return {"accuracy": kept["0"], "bias": kept["2"]}


def test_accuracy_has_a_point_with_its_interval_for_each_form(monkeypatch: pytest.MonkeyPatch) -> None:
    axes = drawn({"first": rows()}, monkeypatch)["accuracy"].axes
    assert [axis.get_title() for axis in axes] == ["nominative", "accusative"]
    assert [[label.get_text() for label in axis.get_xticklabels()] for axis in axes] == [["he", "she"], ["her"]]
    points = [[container.lines[0].get_ydata()[0] for container in axis.containers] for axis in axes]
    # he: 3 of 4 right, she: all; her: none of 2
    assert points == [[75.0, 100.0], [0.0]]
    low, high = axes[0].containers[0].lines[2][0].get_segments()[0][:, 1]
    he = performance(row for row in rows() if row.pronouns == "he" and row.case == "nominative")
    assert he.accuracy_interval is not None
    assert (low, high) == pytest.approx([100 * limit for limit in he.accuracy_interval])
    assert low < 75 < high
    # one pair of templates has no spread and so no interval
    assert {float(end) for end in axes[1].containers[0].lines[2][0].get_segments()[0][:, 1]} == {0.0}


def test_bias_has_its_two_shares_and_tells_what_is_undefined(monkeypatch: pytest.MonkeyPatch) -> None:
    axes = drawn({"first": rows()}, monkeypatch)["bias"].axes
    heights = [bar.get_height() for bar in axes[0].patches if bar.get_width() and bar.get_height()]
    assert heights == [50.0]  # he: one of two resolvable pairs, positive; she none
    assert [text.get_text() for text in axes[1].texts] == ["n/a"]  # her resolves nothing


def test_systems_keep_their_own_marks(monkeypatch: pytest.MonkeyPatch) -> None:
    figure = drawn({"first": rows(), "second": rows()}, monkeypatch)["accuracy"]
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["first", "second", "chance"]
    lines = [container.lines[0] for container in figure.axes[0].containers]
    assert len({(line.get_marker(), line.get_color()) for line in lines}) == 2
    assert len({line.get_xdata()[0] for line in lines}) == 4


def test_files_are_whole_and_the_same_each_time(tmp_path: Path) -> None:
    path = tmp_path / "system.tsv"
    path.write_text(table_of(rows()), encoding="utf-8")
    for name in ("first", "second"):
        run = CliRunner().invoke(app, ["winopron", "figures", str(path), "--out", str(tmp_path / name)])
        assert run.exit_code == 0, run.output
    assert {file.name for file in (tmp_path / "first").iterdir()} == NAMES
    for name in NAMES:
        data = (tmp_path / "first" / name).read_bytes()
        assert data == (tmp_path / "second" / name).read_bytes()
        assert not re.search(rb"20\d\d-\d\d|Matplotlib v", data)
    assert ET.parse(tmp_path / "first" / "bias.svg").getroot().tag == "{http://www.w3.org/2000/svg}svg"
    picture = image.imread(tmp_path / "first" / "accuracy.png")
    assert picture.shape[0] > 400
    assert picture.std() > 0.05


def test_what_cannot_be_drawn_is_refused(refused: Refused) -> None:
    refused(lambda: draw_figures({}, TABLE), "", "predictions")
    refused(lambda: draw_figures({"first": []}, TABLE), "", "predictions")
    refused(lambda: draw_figures({str(number): rows() for number in range(8)}, TABLE), "", "predictions")
