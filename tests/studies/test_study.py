"""Files of a study: read as written, and refused where somebody changed them by hand."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pipeline.core.convert import to_object
from pipeline.studies.design.build import make_study, read_snapshot
from pipeline.studies.model.design import read_design
from pipeline.studies.model.study import Study, read_study, write_study
from tests.conftest import Refused
from tests.support.small_study import study, tasks_of
from tests.support.studies import kites, write_design


@pytest.fixture
def umbrellas(tmp_path: Path) -> Study:
    """A study whose files are in the temporary folder."""
    write_study(tmp_path, study(), tasks_of(study()))
    return study()


def test_a_study_is_read_as_written(tmp_path: Path, umbrellas: Study) -> None:
    assert read_study(tmp_path) == (umbrellas, tasks_of(umbrellas))


@pytest.mark.parametrize(
    ("field", "value"),
    [("key", ["umbrellas/1/001"]), ("position", True), ("options", []), ("options", [["0", "1"]]), ("gold", ["0"]),
     ("data", None), ("phase", "rehearsal"), ("list", "nowhere")],
)  # fmt: skip
@pytest.mark.usefixtures("umbrellas")
def test_a_task_changed_by_hand_is_refused_at_its_line(
    tmp_path: Path, refused: Refused, field: str, value: object
) -> None:
    path = tmp_path / "tasks.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines()
    lines[1] = json.dumps(json.loads(lines[1]) | {field: value})
    path.write_text("\n".join(lines), encoding="utf-8")
    assert "annotate design" in refused(lambda: read_study(tmp_path), f"{path}:2", "task")


@pytest.mark.parametrize(
    ("change", "file", "expected"),
    [
        ({"screen": 0}, "study.json", "[screen] wrong value; found 0"),
        ({"screen": 3}, "tasks.jsonl", "screen of 3"),
        ({"controls": [{"name": "reference", "kind": "stars"}]}, "study.json", "[controls.0.kind] unknown value"),
    ],
)
@pytest.mark.usefixtures("umbrellas")
def test_a_study_changed_by_hand_is_refused(
    tmp_path: Path, refused: Refused, change: dict[str, Any], file: str, expected: str
) -> None:
    path = tmp_path / "study.json"
    path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8")) | change), encoding="utf-8")
    message = refused(lambda: read_study(tmp_path), f"{tmp_path / file}:1", "study" if file == path.name else "task")
    assert expected in message
    assert "annotate design" in message


def test_a_file_in_place_of_the_folder_of_a_study_is_refused(tmp_path: Path, refused: Refused) -> None:
    design = tmp_path / "demo.yaml"
    design.write_text("id: demo\n", encoding="utf-8")
    message = refused(lambda: read_study(design), str(design), "study")
    assert "expected the folder that annotate design writes" in message


def kites_study(folder: Path) -> dict[str, Any]:
    """The object of study.json of a small design."""
    value: dict[str, Any] = to_object(make_study(read_design(write_design(folder, map(kites, range(16))))).study)
    return value


@pytest.mark.parametrize(
    ("field", "change"),
    [
        ("design", lambda study: study.update(design=None)),
        ("seed", lambda study: study["design"].pop("seed")),
        ("selected", lambda study: study["design"].update(selected={"ana": []})),
        ("practice", lambda study: study["design"]["practice"][0]["item"].update(answer=None)),
        ("id", lambda study: study["design"]["practice"].append(study["design"]["practice"][0])),
        ("own", lambda study: study["design"]["practice"][0].update(own=2)),
        ("layout.count", lambda study: study["layout"].update(count=10**9)),
    ],
)
def test_a_malformed_snapshot_is_refused(field: str, change: Callable[[Any], object], tmp_path: Path) -> None:
    study = kites_study(tmp_path)
    change(study)
    with pytest.raises(ValueError, match=rf"^\[{re.escape(field)}\] "):
        read_snapshot(study, Path("study.json"))
