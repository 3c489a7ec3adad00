"""Criteria are written in the design, kept in study.json, and refused where they mean nothing."""

from pathlib import Path

import pytest

from pipeline.core.convert import to_object
from pipeline.studies.design.build import make_study, read_snapshot
from pipeline.studies.design.layout import lay_out
from pipeline.studies.model.design import Criteria, read_design
from pipeline.studies.model.study import read_study, write_study
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
    again = lay_out(*read_snapshot(to_object(layout.study), Path("study.json")))
    assert again.study.criteria == expected


@pytest.mark.parametrize(
    ("criteria", "field"),
    [
        ("careful", "criteria"),
        ("{practise: 0.8}", "criteria.practise"),
        ("{practice: 8}", "criteria.practice"),
        ("{attention: -0.1}", "criteria.attention"),
        ("{place: true}", "criteria.place"),
        ("{fast_s: soon}", "criteria.fast_s"),
        ("{fast_s: 601}", "criteria.fast_s"),
    ],
)
def test_criteria_out_of_range_are_refused_at_their_line(
    criteria: str, field: str, tmp_path: Path, refused: Refused
) -> None:
    path = design(tmp_path, criteria)
    line = path.read_text(encoding="utf-8").splitlines().index(f"criteria: {criteria}") + 1
    refused(lambda: read_design(path), f"{path}:{line}", field)
