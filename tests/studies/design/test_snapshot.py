"""The snapshot of a design gives its study again."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pipeline.core.convert import to_object
from pipeline.studies.design.build import StudyLayout, checksum, make_study, read_snapshot
from pipeline.studies.model.design import read_design
from tests.support.studies import DESIGN, kites, write_design

PATH = Path("study.json")


def layout(folder: Path, design: str = DESIGN) -> StudyLayout:
    return make_study(read_design(write_design(folder, [kites(number) for number in range(16)], design)))


def row(folder: Path) -> dict[str, Any]:
    return as_read(layout(folder))


def as_read(made: StudyLayout) -> dict[str, Any]:
    value: dict[str, Any] = to_object(made.study)
    return value


def test_a_study_that_somebody_edited_has_another_checksum(tmp_path: Path) -> None:
    study = row(tmp_path)
    assert study["design"]["sha256"] == checksum(study)
    assert checksum({**study, "title": "风筝二"}) != checksum(study)
    study["design"]["selected"][""][0]["doubt"] = "edited"
    assert study["design"]["sha256"] != checksum(study)


@pytest.mark.parametrize(
    ("field", "change"),
    [
        ("design", lambda study: study.update(design=None)),
        ("seed", lambda study: study["design"].pop("seed")),
        ("seed", lambda study: study["design"].update(seed=-1)),
        ("show.text", lambda study: study["design"].update(show={"text": 1})),
        ("source", lambda study: study["design"].update(source="nowhere")),
        ("selected", lambda study: study["design"].update(selected={"ana": []})),
        ("practice", lambda study: study["design"]["practice"][0]["item"].update(answer=None)),
        ("practice.2", lambda study: study["design"]["practice"].append("p-3")),
        ("id", lambda study: study["design"]["practice"].append(study["design"]["practice"][0])),
        ("own", lambda study: study["design"]["practice"][0].update(own=2)),
        ("controls.0.name", lambda study: study.update(controls=[{}])),
        ("layout.count", lambda study: study["layout"].update(count=10**9)),
        ("controls.0.kind", lambda study: study["controls"][0].update(kind="stars")),
        ("criteria.practice", lambda study: study.update(criteria={"practice": 2})),
    ],
)
def test_a_malformed_snapshot_is_refused(field: str, change: Callable[[Any], object], tmp_path: Path) -> None:
    study = row(tmp_path)
    change(study)
    with pytest.raises(ValueError, match=rf"^\[{re.escape(field)}\] "):
        read_snapshot(study, PATH)
