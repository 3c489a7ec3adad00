"""Files of a study that were changed by hand."""

import json
from pathlib import Path

import pytest

from pipeline.studies.study import read_study, write_study
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
