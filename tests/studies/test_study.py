"""Files of a study that were changed by hand."""

import json
from pathlib import Path

import pytest

from pipeline.studies.model.study import read_study, write_study
from tests.conftest import Refused
from tests.support.small_study import study, tasks_of


def test_a_study_is_read_as_written(tmp_path: Path) -> None:
    umbrellas = study()
    write_study(tmp_path, umbrellas, tasks_of(umbrellas))
    assert read_study(tmp_path) == (umbrellas, tasks_of(umbrellas))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("key", ["umbrellas/1/001"]),
        ("position", True),
        ("items", [7]),
        ("options", []),
        ("options", [["0", "1"]]),
        ("gold", ["0"]),
        ("data", None),
        ("phase", "rehearsal"),
        ("list", "nowhere"),
    ],
)
def test_a_task_changed_by_hand_is_refused_at_its_line(
    tmp_path: Path, refused: Refused, field: str, value: object
) -> None:
    umbrellas = study()
    write_study(tmp_path, umbrellas, tasks_of(umbrellas))
    path = tmp_path / "tasks.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines()
    lines[1] = json.dumps(json.loads(lines[1]) | {field: value})
    path.write_text("\n".join(lines), encoding="utf-8")
    assert "annotate design" in refused(lambda: read_study(tmp_path), f"{path}:2", "task")


@pytest.mark.parametrize(
    ("field", "value"),
    [("name", ["reference"]), ("kind", "stars"), ("kind", []), ("choices", [1]), ("low", None), ("high", "5")],
)
def test_a_control_changed_by_hand_is_refused(tmp_path: Path, refused: Refused, field: str, value: object) -> None:
    umbrellas = study()
    write_study(tmp_path, umbrellas, tasks_of(umbrellas))
    path = tmp_path / "study.json"
    row = json.loads(path.read_text(encoding="utf-8"))
    row["controls"][0][field] = value
    path.write_text(json.dumps(row), encoding="utf-8")
    assert "annotate design" in refused(lambda: read_study(tmp_path), f"{path}:1", "study")


@pytest.mark.parametrize("screen", [0, -1, 3])
def test_a_screen_changed_by_hand_is_refused(tmp_path: Path, refused: Refused, screen: int) -> None:
    umbrellas = study()
    write_study(tmp_path, umbrellas, tasks_of(umbrellas))
    path = tmp_path / "study.json"
    row = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps(row | {"screen": screen}), encoding="utf-8")
    place, field = (f"{path}:1", "study") if screen < 1 else (f"{tmp_path / 'tasks.jsonl'}:1", "task")
    expected = f"screen of {screen}" if screen > 1 else f"[screen] wrong value; found {screen}"
    assert expected in refused(lambda: read_study(tmp_path), place, field)


def test_a_file_in_place_of_the_folder_of_a_study_is_refused(tmp_path: Path, refused: Refused) -> None:
    design = tmp_path / "demo.yaml"
    design.write_text("id: demo\n", encoding="utf-8")
    message = refused(lambda: read_study(design), str(design), "study")
    assert "expected the folder that annotate design writes" in message
