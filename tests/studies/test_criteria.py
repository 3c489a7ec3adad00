"""Criteria are written in the design, kept in study.json, and refused where they mean nothing."""

from pathlib import Path

import pytest

from pipeline.core.files import from_json, to_json
from pipeline.studies.design.build import make_study
from pipeline.studies.design.layout import lay_out
from pipeline.studies.design.snapshot import snapshot_from_json
from pipeline.studies.model.criteria import Criteria, criteria_from_json
from pipeline.studies.model.design import read_design
from pipeline.studies.model.study import read_study, study_to_json, write_study
from tests.conftest import Refused
from tests.support.studies import DESIGN, kites, write_design


def design(folder: Path, criteria: str) -> Path:
    escaped = criteria.replace("{", "{{").replace("}", "}}")
    return write_design(folder, [kites(number) for number in range(16)], f"{DESIGN}criteria: {escaped}\n")


def test_criteria_of_a_design_reach_the_study_and_its_snapshot(tmp_path: Path) -> None:
    layout = make_study(read_design(design(tmp_path, "{practice: 1, fast_s: 1.5}")))
    expected = Criteria(practice=1, fast_s=1.5)
    assert layout.study.criteria == expected
    write_study(tmp_path / "study", layout.study, layout.tasks)
    assert read_study(tmp_path / "study")[0].criteria == expected
    again = lay_out(*snapshot_from_json(from_json(to_json(study_to_json(layout.study))), Path("study.json")))
    assert again.study.criteria == expected


@pytest.mark.parametrize(
    ("criteria", "field"),
    [
        ("careful", "criteria"),
        ("{practise: 0.8}", "criteria"),
        ("{practice: 8}", "practice"),
        ("{attention: -0.1}", "attention"),
        ("{place: true}", "place"),
        ("{fast_s: soon}", "fast_s"),
        ("{fast_s: 601}", "fast_s"),
    ],
)
def test_criteria_out_of_range_are_refused_at_their_line(
    criteria: str, field: str, tmp_path: Path, refused: Refused
) -> None:
    path = design(tmp_path, criteria)
    line = path.read_text(encoding="utf-8").splitlines().index(f"criteria: {criteria}") + 1
    refused(lambda: read_design(path), f"{path}:{line}", field)


@pytest.mark.parametrize("value", [{}, [], {"practice": 0.8}, dict.fromkeys(Criteria.__slots__, 2)])
def test_criteria_of_an_edited_study_are_refused(value: object) -> None:
    with pytest.raises(ValueError, match=r"^\[(criteria|practice)\] found"):
        criteria_from_json(value)
