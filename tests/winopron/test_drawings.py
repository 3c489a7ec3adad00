"""The drawings say what the measures say."""

from pathlib import Path

import pytest

from pipeline.winopron.drawings import draw
from pipeline.winopron.measures import Response, performance
from tests.conftest import Refused
from tests.support.commands import winoforge
from tests.support.winopron import TABLE, answers, table_of


def rows() -> list[Response]:
    """He goes to the occupation in one of two pairs; the accusative is answered with one set only, always wrongly."""
    return [
        *answers("baker", "occupation", "occupation", "occupation", "participant"),
        *answers("chef", "occupation", "participant", "occupation", "participant"),
        *answers("baker", "participant", "occupation", case="accusative", sets=("she",)),
    ]


def test_accuracy_has_a_point_with_its_interval_for_each_form() -> None:
    figure = draw({"first": rows(), "second": rows()}, TABLE)["accuracy"]
    assert [axis.get_title() for axis in figure.axes] == ["nominative", "accusative"]
    labels = [[label.get_text() for label in axis.get_xticklabels()] for axis in figure.axes]
    assert labels == [["he", "she"], ["her"]]
    (first, second), (wrong, _) = (axis.containers for axis in figure.axes)
    # he: 3 of 4 right, she: all; her: none of 2
    assert (list(first.lines[0].get_ydata()), list(wrong.lines[0].get_ydata())) == ([75.0, 100.0], [0.0])
    he = performance(row for row in rows() if row.pronouns == "he" and row.case == "nominative")
    assert he.accuracy_interval is not None
    interval = first.lines[2][0].get_segments()[0][:, 1]
    assert list(interval) == pytest.approx([100 * limit for limit in he.accuracy_interval])
    # one pair of templates has no spread and so no interval
    assert {float(end) for end in wrong.lines[2][0].get_segments()[0][:, 1]} == {0.0}
    # systems differ in their marks, colours and places
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["chance", "first", "second"]
    marks = [container.lines[0] for container in (first, second)]
    assert len({(mark.get_marker(), mark.get_color()) for mark in marks}) == 2
    assert len({at for mark in marks for at in mark.get_xdata()}) == 4


def test_bias_has_its_two_shares_and_tells_what_is_undefined() -> None:
    axes = draw({"first": rows()}, TABLE)["bias"].axes
    # he: one of two resolvable pairs, positive; she none
    assert [bar.get_height() for bar in axes[0].patches if bar.get_height()] == [50.0]
    assert [text.get_text() for text in axes[1].texts] == ["n/a"]  # her resolves nothing


def test_the_command_writes_both_formats(tmp_path: Path) -> None:
    path = tmp_path / "system.tsv"
    path.write_text(table_of(rows()), encoding="utf-8")
    run = winoforge("winopron", "figures", path, "--out", tmp_path / "out")
    assert run.returncode == 0, run.stderr
    names = {file.name for file in (tmp_path / "out").iterdir()}
    assert names == {"accuracy.svg", "accuracy.png", "bias.svg", "bias.png"}


def test_what_cannot_be_drawn_is_refused(refused: Refused) -> None:
    refused(lambda: draw({}, TABLE), "", "predictions")
    refused(lambda: draw({"first": []}, TABLE), "", "predictions")
    refused(lambda: draw({str(number): rows() for number in range(8)}, TABLE), "", "predictions")
