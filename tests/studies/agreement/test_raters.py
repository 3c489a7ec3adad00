"""How raters answered, worked by hand and against scipy; who declines; figures by group."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core.errors import PipelineError
from pipeline.core.files import read_text, write_text
from pipeline.studies.agreement.raters import guessing_probability
from pipeline.studies.design.build import make_study
from pipeline.studies.design.fields import FORM_PARTS
from pipeline.studies.design.sources import read_form
from pipeline.studies.model.design import Criteria, read_design
from pipeline.studies.model.judgements import Answer, write_judgements
from pipeline.studies.model.study import write_study
from tests.conftest import ROOT, Refused
from tests.support.agreement import (
    REFERENCE,
    agree,
    figures_of,
    items,
    judge,
    make_task,
    measure,
    simulated,
)
from tests.support.agreement import (
    make_study as made_up_study,
)

# --- conduct ----------------------------------------------------------------------------------------------------------


def careless_study() -> tuple[Any, list[Any], list[Any]]:
    """Ten practice and forty main items, half of them right at each place, and five raters."""
    practice = [make_task(number, item, phase="practice") for number, item in enumerate(items(5), 1)]
    main = [make_task(number, item) for number, item in enumerate(items(20), 11)]
    judgements = []
    for number, task in enumerate([*practice, *main]):
        gold = task.gold[0]
        assert gold is not None
        first = task.options[0][0]
        answers = {
            "r-careful": gold if number % 10 else 1 - gold,  # wrong in 5 of 50
            "r-first": first,
            "r-wrong": 1 - gold if number % 3 == 0 else gold,
            "r-fast": gold,
            "r-untrained": gold if number > 3 else 1 - gold,  # wrong in the first four of practice
        }
        for rater, answer in answers.items():
            seconds = 1.0 if rater == "r-fast" and number % 2 else None if rater == "r-wrong" else 9.0
            judgements.append(judge(task, rater, seconds, reference=answer))
    return made_up_study(REFERENCE), [*practice, *main], judgements


def test_raters_who_do_not_read_are_brought_up(tmp_path: Path) -> None:
    run = agree(tmp_path, *careless_study())
    assert run.exit_code == 0
    figures = figures_of(tmp_path)
    raters = figures["raters"]["raters"]
    # The place of the right answer follows (0, 1) (1, 0) in pairs: A of a pair is right in its first member, so right is at the first
    # place in 20 of 40. Who always takes the first place is right in 20, at chance: P(X >= 20) = (1 + P(X = 20)) / 2 = 0.5627.
    # In practice right are the tasks 1, 2, 5, 6, 9 and 10.
    assert raters["r-first"]["main"] == {"right": 20, "n": 40}
    assert raters["r-first"]["guessing"] == pytest.approx(0.5627, abs=1e-4)
    assert raters["r-first"]["place"] == 1
    assert set(raters["r-first"]["reasons"]) == {"practice", "chance", "place"}
    # Practice 6 of 10, since 0, 3, 6 and 9 are wrong; of 10 to 49 there are 13 multiples of three
    assert raters["r-wrong"]["practice"] == {"right": 6, "n": 10}
    assert raters["r-wrong"]["main"] == {"right": 27, "n": 40}
    assert list(raters["r-wrong"]["reasons"]) == ["practice"]
    assert raters["r-wrong"]["seconds"] is None
    # 20 of 40 main items are odd: half is not more than half
    assert (raters["r-fast"]["fast"], raters["r-fast"]["seconds"], raters["r-fast"]["reasons"]) == (0.5, 5, {})
    assert raters["r-careful"]["reasons"] == {}
    assert raters["r-untrained"]["reasons"] == {"practice": "practice: 6 of 10 right"}
    without = figures["without"]
    assert list(without["raters"]) == ["r-first", "r-untrained", "r-wrong"]
    # all: 36 + 20 + 27 + 40 + 40 of 200; without the three: 76 of 80
    assert figures["controls"]["reference"]["accuracy"]["micro"]["value"] == pytest.approx(163 / 200)
    assert without["controls"]["reference"]["accuracy"]["micro"]["value"] == pytest.approx(76 / 80)
    assert without["counts"]["raters"] == 2
    assert "3 raters of 5 to look at (default criteria, the design states none)\n" in run.output
    assert "  r-first: practice: 6 of 10 right; not above chance: 20 of 40 right, p = 0.563; 100% of" in run.output
    assert "  without those raters: reference: 80 answers," in run.output
    page = (tmp_path / "report" / "index.html").read_text(encoding="utf-8")
    assert "100% of the answers at one place" in page
    assert "Without the 3 to look at" in page


def test_the_criteria_of_the_design_count(tmp_path: Path) -> None:
    study, tasks, judgements = careless_study()
    strict = Criteria(practice=0, chance=1, place=1, fast_s=2, fast_share=0.49)
    run = agree(tmp_path, _with(study, strict), tasks, judgements)
    assert (
        "1 rater of 5 to look at (criteria of the design)\n  r-fast: 50% of the items in less than 2 s\n" in run.output
    )
    assert figures_of(tmp_path)["raters"]["stated"] is True


def test_a_rater_is_left_out_by_hand(tmp_path: Path) -> None:
    study, tasks, judgements = simulated((0, 3), pairs=10)
    run = agree(tmp_path, study, tasks, judgements)
    assert "0 raters of 2 to look at" in run.output
    assert figures_of(tmp_path)["without"] is None
    without = measure(tmp_path, study, tasks, judgements, "--without", "r-1")["without"]
    assert without["raters"] == {"r-1": ["left out by --without"]}
    assert without["controls"]["reference"]["accuracy"]["micro"]["value"] == 1
    assert without["counts"]["raters"] == 1


def _with(study: Any, criteria: Criteria) -> Any:
    return replace(study, criteria=criteria)


@given(st.integers(0, 60), st.integers(0, 60))
def test_guessing_between_two_is_binomial(right: int, count: int) -> None:
    from scipy.stats import binom

    probability = guessing_probability(right, [2] * count, 0.05)
    if 0.5**count > 0.05:
        assert probability is None
    else:
        assert probability == pytest.approx(binom.sf(right - 1, count, 0.5), abs=1e-12)


def test_guessing_among_different_numbers() -> None:
    # 1/2 and four times 1/3: all right 1/162; four right: all but one: (1 * 1 + 4 * 2) / 162
    assert guessing_probability(5, [2, 3, 3, 3, 3], 0.05) == pytest.approx(1 / 162)
    assert guessing_probability(4, [2, 3, 3, 3, 3], 0.05) == pytest.approx(10 / 162)


# --- groups -----------------------------------------------------------------------------------------------------------

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
