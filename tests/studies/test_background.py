"""Consent and background: a form as a study, who is left out, figures by group."""

from pathlib import Path

import pytest

from pipeline.core.errors import PipelineError
from pipeline.core.files import read_text, write_text
from pipeline.studies.design.build import make_study
from pipeline.studies.design.fields import FORM_PARTS
from pipeline.studies.design.sources import read_form
from pipeline.studies.model.design import read_design
from pipeline.studies.model.judgements import Answer, write_judgements
from pipeline.studies.model.study import write_study
from tests.conftest import ROOT, Refused
from tests.support.agreement import agree, figures_of, judge, simulated
from tests.support.agreement import make_study as made_up_study

DESIGN = ROOT / "annotation" / "designs" / "background.yaml"
FULL: dict[str, Answer] = {
    "consent": "agree",
    "region": "north",
    "age": "25-34",
    "education": "university",
    "linguistics": "no",
}


def write_export(folder: Path, answers: dict[str, dict[str, Answer]]) -> None:
    """Write the export of the form with the answers of some raters."""
    layout = make_study(read_design(DESIGN))
    write_study(folder, layout.study, layout.tasks)
    (task,) = layout.tasks
    judgements = [judge(task, rater, 60.0, skipped=not given, **given) for rater, given in answers.items()]
    write_judgements(folder / "judgements.jsonl", judgements)


@pytest.fixture(autouse=True)
def _in_the_repository(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)  # a design names its records from there


def test_figures_by_group_without_who_declined(tmp_path: Path) -> None:
    forms: dict[str, dict[str, Answer]] = {f"r-{rater}": {**FULL, "language": "mandarin"} for rater in range(3)}
    forms |= {
        "r-3": {**FULL, "language": "other-chinese", "linguistics": "yes"},
        "r-5": {"consent": "decline"},
        "r-9": {**FULL, "language": "other"},
    }
    write_export(tmp_path / "background", forms)
    study, tasks, judgements = simulated((0, 3, 6, 2, 0, 20), pairs=10)
    run = agree(tmp_path, study, tasks, judgements, "--background", str(tmp_path / "background"))
    assert run.exit_code == 1
    assert (
        "judgements.jsonl: [consent] r-5 declined to take part and is in no figure; delete their judgements"
        in run.stderr
    )
    figures = figures_of(tmp_path)
    assert figures["counts"]["raters"] == 5
    groups = figures["background"]
    assert groups["missing"] == ["r-4"]
    mandarin = groups["traits"]["language"]["mandarin"]
    # r-0 to r-2 are wrong in 0, 3 and 6 of 20: 51 of 60 are right
    right = mandarin["controls"]["reference"]["right"]
    assert (mandarin["raters"], right["right"], right["n"], right["value"]) == (3, 51, 60, 0.85)
    assert mandarin["controls"]["naturalness"]["mean"]["n"] == 20
    # one person speaks another language and has studied linguistics; r-9 judged nothing here
    assert groups["traits"]["language"] == {
        "mandarin": mandarin,
        "other-chinese": {"raters": 1, "controls": None},
    }
    assert groups["traits"]["linguistics"]["yes"] == {"raters": 1, "controls": None}
    # r-0 to r-3 come from the north, r-3 is wrong in 2: 69 of 80
    assert groups["traits"]["region"]["north"]["controls"]["reference"]["right"]["right"] == 69
    assert "language mandarin: 3 raters: reference 0.850, naturalness" in run.stdout
    assert "language other-chinese: 1 rater: too few raters to show figures\n" in run.stdout
    assert "no form of 1 rater: r-4\n" in run.stdout
    page = read_text(tmp_path / "report" / "index.html")
    assert "Groups of raters" in page
    assert "r-5" not in page


def test_another_study_is_no_background(tmp_path: Path, refused: Refused) -> None:
    study, tasks, judgements = simulated((0, 1), pairs=1)
    write_study(tmp_path / "other", made_up_study(*study.controls), tasks)
    write_judgements(tmp_path / "other" / "judgements.jsonl", judgements)
    message = refused(
        lambda: agree(tmp_path, study, tasks, judgements, "--background", str(tmp_path / "other")), "", "background"
    )
    assert "asks for no consent" in message


@pytest.mark.parametrize(("old", "new"), [("contact:", "contacts:"), ("withdrawal:", "withdrawal: ''\nx:")])
def test_a_form_without_a_part_is_refused(old: str, new: str, tmp_path: Path) -> None:
    text = read_text(ROOT / "annotation" / "forms" / "zh.yaml")
    path = tmp_path / "zh.yaml"
    write_text(path, text)
    (record,) = read_form(path, "zh")
    assert len(record.original) == len(FORM_PARTS)
    write_text(path, text.replace(old, new))
    with pytest.raises(PipelineError, match=rf"^{path}:\d+: \["):
        read_form(path, "zh")
