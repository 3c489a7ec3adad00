"""The analysis recovers what was simulated; gpboost fits what lme4 fits."""

import json
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from pipeline.core.errors import PipelineError
from pipeline.evaluation.cloze.items import ClozeItem, read_cloze_items
from pipeline.experiment.analysis.analysis import Criteria, analyse, read_filler_answers
from pipeline.experiment.analysis.drawings import draw
from pipeline.experiment.analysis.people import item_figures, judgements, people_figures
from pipeline.experiment.analysis.relations import SECOND, fit, relations
from pipeline.statistics.mixed_models import MixedModel, crossed_logistic
from tests.support.built_experiment import cloze as cloze
from tests.support.commands import winoforge
from tests.support.needs import need
from tests.support.simulated_people import Truth, lists_of, read_lists, simulate, simulated_models, write_simulation

#: Everyone attends, nobody slips: what is left is what the mixed model describes.
ATTENTIVE = Truth(lapse=0, inattentive=0, incomplete=0)
#: What the model calls each parameter.
EFFECTS = {"intercept": "intercept", "second": SECOND, "fem": "fem", "neut": "neut"}
SEEDS = range(8)


@pytest.fixture(scope="module")
def items(cloze: Path) -> tuple[ClozeItem, ...]:
    return read_cloze_items(cloze).items


@pytest.fixture(scope="module")
def experiments(items: Sequence[ClozeItem]) -> list[tuple[Any, MixedModel]]:
    """Eight experiments of 140 people, each with its mixed model."""
    lists = lists_of(items)
    simulations = [simulate(items, lists, ATTENTIVE, people=140, seed=seed) for seed in SEEDS]
    given = [judgements(simulation.results.responses, items, Path()) for simulation in simulations]
    return [(answers, fit(answers)) for answers in given]


def test_the_intervals_hold_the_truth(experiments: Sequence[tuple[Any, MixedModel]]) -> None:
    """32 intervals of 95 %: 26 or fewer hold the truth with probability 0.003 if they are independent (binomial)."""
    held = Counter[str]()
    for _, model in experiments:
        effects = {effect.name: effect for effect in model.effects}
        for parameter, name in EFFECTS.items():
            low, high = effects[name].interval
            held[parameter] += low <= getattr(ATTENTIVE, parameter) <= high
    assert held.total() >= 27, held


def test_what_else_was_simulated_shows(experiments: Sequence[tuple[Any, MixedModel]]) -> None:
    held = 0
    for answers, _ in experiments[:3]:
        entries = item_figures(answers)
        interval = people_figures(answers, entries, 1).neither.situation.interval
        assert interval is not None
        held += interval[0] <= ATTENTIVE.situation <= interval[1]
        within = {
            row.second: row.pearson.interval
            for row in relations(answers, entries, 1)
            if (row.unit, row.first) == ("within", "accuracy") and row.pearson and row.pearson.interval
        }
        assert within["confidence"][0] > 0
        assert within["log_rt"][1] < 0
    assert held >= 2  # of 3: fewer with probability 0.007


@pytest.mark.parametrize(("right", "members", "reason"), [
    ([True] * 30, "ab" * 15, "all answers are right, or all are wrong"),
    ([True, False] * 15, "a" * 30, "one participant only"),
    ([True, False] * 5, "ab" * 5, "10 answers; expected 30 or more"),
])  # fmt: skip
def test_a_model_that_cannot_be_fitted_is_refused(right: list[bool], members: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        crossed_logistic(right, {}, {"participant": list(members)})


def test_a_predictor_that_separates_is_refused() -> None:
    """Every answer of the second kind is right: its log-odds are infinite."""
    right = [True, False] * 20 + [True] * 40
    kind = [0.0] * 40 + [1.0] * 40
    members = [str(number % 10) for number in range(80)]
    with pytest.raises(ValueError, match="separates right from wrong"):
        crossed_logistic(right, {"kind": kind}, {"participant": members})


# --- the commands -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def analysed(cloze: Path, items: Sequence[ClozeItem], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with simulated results and their analysis."""
    folder = tmp_path_factory.mktemp("experiment")
    write_simulation(folder / "simulated", items, people=80, seed=2)
    words = ("simulated", "--items", cloze, "--models", "simulated/models.jsonl", "--out", "out")
    run = winoforge("experiment", "analyse", *words, cwd=folder)
    assert run.returncode == 0, run.stderr
    assert "80 people = " in run.stdout
    return folder


def test_the_same_results_give_the_same_bytes_and_nobody_is_lost(analysed: Path, cloze: Path, tmp_path: Path) -> None:
    simulated = analysed / "simulated"
    options = ("--items", cloze, "--models", simulated / "models.jsonl", "--out", "out")
    winoforge("experiment", "analyse", simulated, *options, cwd=tmp_path)
    files = {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()}
    assert files == {path.name: path.read_bytes() for path in (analysed / "out").iterdir()}
    report = json.loads(files["report.json"])
    rows = (simulated / "responses.tsv").read_bytes().splitlines()
    assert report["responses"] == {"item": len(rows) - 1}
    assert report["everyone"]["counts"]["answers"] == len(rows) - 1
    assert report["people"]["kept"] + report["people"]["excluded"] == report["people"]["all"] == 80
    assert len(files["items.tsv"].splitlines()) - 1 == report["kept"]["counts"]["items"]
    page = files["index.html"].decode()
    assert re.search(r"<bdi lang=\"de\">[^<]*ü[^<]*___", page)
    assert (page.count("<h2"), "{{" in page) == (8, False)
    labels = re.findall('<svg role="img" aria-label="([^"]+)"', page)
    assert "Confidence in the given answer by agreement of people: simulated-large, pron" in labels
    ids = re.findall(r' id="([^"]+)"', page)
    assert len(ids) == len(set(ids))


def test_causes_that_people_filled_in_stay(analysed: Path, cloze: Path, tmp_path: Path) -> None:
    shutil.copytree(analysed, tmp_path, dirs_exist_ok=True)
    errors = tmp_path / "out" / "errors.tsv"
    lines = errors.read_text(encoding="utf-8").splitlines()
    assert len(lines) > 2
    errors.write_text("\n".join([lines[0], f"{lines[1]}situation", *lines[2:]]) + "\n", encoding="utf-8")
    filled = errors.read_bytes()
    words = ("experiment", "analyse", "simulated", "--items", cloze, "--out", "out")
    assert winoforge(*words, cwd=tmp_path).returncode == 0
    assert errors.read_bytes() == filled
    assert "<td>situation</td>" in (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    errors.write_text(filled.decode().replace("situation", "Situation?"), encoding="utf-8")
    run = winoforge(*words, cwd=tmp_path)
    assert run.returncode == 2
    assert run.stderr.startswith("out/errors.tsv:2: [cause] found 'Situation?', expected one of perspective, situation")


def test_an_experiment_gives_its_lists_and_the_answers_of_its_fillers(
    cloze: Path, items: Sequence[ClozeItem], tmp_path: Path
) -> None:
    """Two lists of two items, two fillers, an attention and a practice trial: inattentive people fail fillers and attention."""
    lists = ("de-010-a", "de-002-b"), ("de-010-b", "de-002-a")
    rows = [
        *((number, place, item, "item", "") for number, names in enumerate(lists, 1) for place, item in enumerate(names, 1)),
        *((number, place, name, part, answer) for number in (1, 2) for place, (name, part, answer) in enumerate(
            (("fl-01", "filler", "er"), ("fl-02", "filler", "sie"), ("at-1", "attention", "es"), ("pr-1", "practice", "")), 3)),
    ]  # fmt: skip
    (tmp_path / "experiment").mkdir()
    (tmp_path / "experiment" / "key.tsv").write_text(
        "list\tposition\tid\tpart\tschema\tpronoun\tplace\tregister\n"
        + "".join(f"{number}\t{place}\t{name}\t{part}\t\t{answer}\t\t\n" for number, place, name, part, answer in rows)
    )
    truth = Truth(inattentive=0.4, lapse=0, incomplete=0)
    lists_read = read_lists(tmp_path / "experiment")
    simulation = write_simulation(tmp_path / "simulated", items, people=60, seed=1, lists=lists_read, truth=truth)
    options = ("--experiment", "experiment")
    run = winoforge("experiment", "analyse", "simulated", "--items", cloze, *options, "--out", "out", cwd=tmp_path)
    assert run.returncode == 0, run.stderr
    report = json.loads((tmp_path / "out" / "report.json").read_text(encoding="utf-8"))
    assert report["responses"] == {"attention": 60, "filler": 120, "item": 120, "practice": 60}
    assert report["people"]["fillers_scored"] == 2
    # one attention item at random: two of three fail it; both fillers right at random: one of nine
    slow = len(simulation.inattentive)
    assert report["people"]["reasons"]["too fast"] == report["people"]["excluded"] == slow
    assert 0.3 * slow < report["people"]["reasons"]["attention"] <= slow
    assert 0.6 * slow < report["people"]["reasons"]["fillers"] <= slow


def test_a_key_that_is_malformed_is_refused(tmp_path: Path) -> None:
    header = "list\tposition\tid\tpart\tschema\tpronoun\tplace\tregister"
    (tmp_path / "key.tsv").write_text(f"{header}\n1\t1\ta\titem\t\t\t\n", encoding="utf-8")
    with pytest.raises(PipelineError, match=r"key.tsv:2: \[row\] wrong width"):
        read_filler_answers(tmp_path)


def test_wrong_majorities_are_red(items: Sequence[ClozeItem]) -> None:
    """The paper's Figure 2: a point for each item, red where the majority is wrong."""
    simulation = simulate(items, lists_of(items), ATTENTIVE, people=80, seed=2)
    models = simulated_models(items, simulation.difficulty, 2)
    analysis = analyse(simulation.results, items, models, Criteria(), {}, seed=1, folder=Path())
    (axes,) = draw(analysis)["agreement-1"].axes
    right, wrong, tied = (len(points.get_offsets()) for points in axes.collections)
    assert axes.collections[1].get_label() == "majority wrong"
    assert (wrong, tied) == (len(analysis.figures.kept.errors), analysis.figures.kept.agreement.tied)
    assert wrong > 0
    assert right + wrong + tied == len(analysis.items) == len(items)


# --- lme4 -------------------------------------------------------------------------------------------------------------


def _without_lme4() -> str:
    """Return why lme4 is not there; empty if it is."""
    if shutil.which("Rscript") is None:
        return "no Rscript"
    run = subprocess.run(["Rscript", "-e", "library(lme4)"], capture_output=True, text=True, check=False)
    return "no package lme4" if run.returncode else ""


def test_lme4_fits_the_same_model(analysed: Path) -> None:
    """The script beside the analysis gives the same figures to three decimals."""
    need("the mixed model beside lme4's", _without_lme4())
    run = subprocess.run(
        ["Rscript", analysed / "out" / "analysis.R", analysed / "simulated"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    table = [line.split("\t") for line in run.stdout.splitlines() if "\t" in line]
    effects = {row[0]: (float(row[1]), float(row[2])) for row in table if len(row) == 3 and row[0] != "effect"}
    deviations = {row[0]: float(row[1]) for row in table if len(row) == 2 and row[0] != "factor"}
    report = json.loads((analysed / "out" / "report.json").read_text(encoding="utf-8"))
    ours = report["kept"]["regression"]
    assert run.stdout.startswith(f"{ours['observations']} answers, {ours['groups']['participant']} people")
    names = {"intercept": "(Intercept)", SECOND: "second", "fem": "pronounsie", "neut": "pronounes"}
    assert effects.keys() == set(names.values())
    for effect in ours["effects"]:
        estimate, error = effects[names[effect["name"]]]
        assert effect["estimate"] == pytest.approx(estimate, abs=0.002)
        assert effect["standard_error"] == pytest.approx(error, rel=0.005)
    assert ours["deviations"]["participant"]["value"] == pytest.approx(deviations["participant"], abs=0.002)
    assert ours["deviations"]["item"]["value"] == pytest.approx(deviations["id"], abs=0.002)
    assert float(run.stdout.split("log-likelihood ")[1].split()[0]) == pytest.approx(ours["log_likelihood"], abs=0.002)
