"""Whole systems over whole sets of sentences, ours and the published ones, with values that follow from the design."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from pipeline.winopron.instances import Instance, read_instances
from pipeline.winopron.report import report
from tests.conftest import ROOT
from tests.support.commands import app
from tests.support.winopron import SETS, answers

CASES = ("nominative", "accusative", "possessive")
System = Callable[[Instance], str]


@pytest.fixture(scope="module", params=["ours", "published"])
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with double.jsonl and single.jsonl."""
    templates = ROOT / "raw" / "en" / "templates.yaml"
    if request.param == "published":
        templates = request.getfixturevalue("shared_data") / "winopron" / "data.zip"
    out = tmp_path_factory.mktemp(request.param)
    run = CliRunner().invoke(app, ["instantiate", str(templates), "--out", str(out)], catch_exceptions=False)
    assert run.exit_code == 0
    return out


def answered(folder: Path, form: str, name: str, system: System) -> Path:
    rows = [{"id": one.item.id, "answer": system(one)} for one in read_instances(folder / f"{form}.jsonl")]
    path = folder / f"{name}.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def run(folder: Path, command: str, *paths: Path, form: str = "double") -> dict[str, Any]:
    arguments = ["winopron", command, *map(str, paths), "--items", str(folder / f"{form}.jsonl"), "--json"]
    result = CliRunner().invoke(app, arguments, catch_exceptions=False)
    assert result.exit_code == 0
    return dict(json.loads(result.output))


def score(folder: Path, system: System, form: str = "double") -> dict[str, Any]:
    return run(folder, "score", answered(folder, form, "system", system), form=form)


def first(one: Instance) -> str:
    """Name the entity that comes first in the text."""
    places = {name: one.item.text.lower().find(name) for name in one.item.candidates}
    return min((place, name) for name, place in places.items() if place >= 0)[1]


def last(one: Instance) -> str:
    return next(name for name in one.item.candidates if name != first(one))


def right(one: Instance) -> str:
    return one.right


@pytest.mark.parametrize("system", [lambda one: one.occupation, lambda one: one.participant, first, last])
def test_constant_and_positional_systems_are_right_in_half_and_never_consistent(folder: Path, system: System) -> None:
    """Both members of a pair get the same answer, since they share all up to the pronoun: one of two is right."""
    found = score(folder, system)
    assert (found["overall"]["sentences"], found["overall"]["attempted"], found["overall"]["correct"]) == (
        1440,
        1440,
        720,
    )
    assert found["overall"]["f1"] == 0.5
    assert [found["by_case"][case]["accuracy"] for case in CASES] == [0.5] * 3
    assert [found["by_pronouns"][name]["accuracy"] for name in SETS] == [0.5] * 4
    # a template is right with each of its pronouns or with none: 180 of 360
    assert found["pronoun_consistency"] == {"groups": 360, "consistent": 180, "share": 0.5, "chance": 0.0625}
    assert found["disambiguation_consistency"] == {"groups": 720, "consistent": 0, "share": 0.0, "chance": 0.25}
    # nothing is resolvable, so it cannot be told whether the system is biased
    for case in CASES:
        for name in SETS:
            one = found["bias"][case][name]
            assert (one["attempted"], one["resolvable"], one["share"]) == (60, 0, None)
    assert found["jaccard"]["between_cases"]["nominative-possessive"] == dict.fromkeys(SETS)


def test_the_only_entity_of_a_single_sentence_is_the_right_one(folder: Path) -> None:
    found = score(folder, first, "single")
    assert (found["overall"]["accuracy"], found["pronoun_consistency"]["share"]) == (1.0, 1.0)
    assert found["bias"]["accusative"]["xe"] == {
        "attempted": 60, "resolvable": 60, "positive": [], "negative": [],
        "positive_share": 0.0, "negative_share": 0.0, "share": 0.0,
    }  # fmt: skip


def test_a_silent_system_is_wrong_but_not_imprecise(folder: Path) -> None:
    found = score(folder, lambda _: "I cannot tell.")
    assert found["overall"]["recall"] == 0.0
    assert (found["overall"]["precision"], found["overall"]["f1"]) == (None, None)
    assert found["bias"]["nominative"]["he"]["attempted"] == 0


def test_a_random_system_is_about_as_good_as_chance(folder: Path) -> None:
    chance = random.Random(20261121)
    found = score(folder, lambda one: chance.choice(one.item.candidates))
    # standard errors: accuracy sqrt(1/4 / 1440) = 0.0132; consistency over pronouns sqrt(1/16 * 15/16 / 360) = 0.0128,
    # over members sqrt(1/4 * 3/4 / 720) = 0.0161; four of each
    assert found["overall"]["accuracy"] == pytest.approx(0.5, abs=0.053)
    assert found["pronoun_consistency"]["share"] == pytest.approx(0.0625, abs=0.051)
    assert found["disambiguation_consistency"]["share"] == pytest.approx(0.25, abs=0.065)
    # with four sets a pair is told apart by one of them with 1 - (3/4)^4 = 0.684: 41 of 60, standard error 3.6
    assert found["bias"]["nominative"]["she"]["resolvable"] == pytest.approx(41, abs=15)


def test_a_system_that_takes_he_for_every_occupation(folder: Path) -> None:
    """Right with she, they and xe; he goes to the occupation, him to the participant."""

    def system(one: Instance) -> str:
        if one.pronouns != "he" or one.case == "possessive":
            return one.right
        return one.occupation if one.case == "nominative" else one.participant

    found = score(folder, system)
    # 240 sentences have he or him, half of them wrong: 1320 of 1440
    assert found["overall"]["accuracy"] == pytest.approx(1320 / 1440)
    # of 360 templates those in two cases where he is wrong: 60 + 60 fail
    assert found["pronoun_consistency"]["consistent"] == 240
    # of 720 pairs 60 + 60 with he or him
    assert found["disambiguation_consistency"]["consistent"] == 600
    he = found["bias"]["nominative"]["he"]
    assert (len(he["positive"]), he["negative"], he["resolvable"], he["share"]) == (60, [], 60, 1.0)
    him = found["bias"]["accusative"]["he"]
    assert (him["positive"], len(him["negative"]), him["negative_share"]) == ([], 60, 1.0)
    assert found["bias"]["possessive"]["he"]["share"] == 0.0
    # the same occupations in opposite directions: nothing in common
    assert found["jaccard"]["between_cases"]["nominative-accusative"] == {
        "he": 0.0,
        "she": None,
        "they": None,
        "xe": None,
    }
    assert found["jaccard"]["between_sets"]["he-they"] == {"nominative": 0.0, "accusative": 0.0, "possessive": None}


def test_systems_are_compared_by_their_biases(folder: Path) -> None:
    """One takes he for every occupation, the other only for those that begin with a letter up to m."""

    def some(one: Instance) -> str:
        return one.occupation if one.pronouns == "he" and one.occupation < "n" else one.right

    names = {one.occupation for one in read_instances(folder / "double.jsonl")}
    some_of = sum(name < "n" for name in names)
    assert 0 < some_of < 60
    all_he = answered(folder, "double", "all", lambda one: one.occupation if one.pronouns == "he" else one.right)
    found = run(folder, "compare", all_he, answered(folder, "double", "some", some))
    assert set(found) == {"all/some"}
    assert found["all/some"]["possessive"] == {"he": pytest.approx(some_of / 60), "she": None, "they": None, "xe": None}
    words = CliRunner().invoke(
        app, ["winopron", "compare", str(all_he), str(folder / "some.jsonl"), "--items", str(folder / "double.jsonl")]
    )
    assert f"all/some, nominative: he {some_of / 60:.2f}, she n/a, they n/a, xe n/a" in words.output


def test_the_table_of_sentences_scores_as_the_items_do(folder: Path) -> None:
    chance = random.Random(7)
    told = {one.item.id: chance.choice(one.item.candidates) for one in read_instances(folder / "double.jsonl")}
    header, *lines = (folder / "double.tsv").read_text(encoding="utf-8").splitlines()
    path = folder / "table.tsv"
    rows = [f"{line}\t{answer}" for line, answer in zip(lines, told.values(), strict=True)]
    path.write_text("\n".join([f"{header}\tgeneration", *rows]) + "\n", encoding="utf-8")
    result = CliRunner().invoke(app, ["winopron", "score", str(path), "--json"], catch_exceptions=False)
    assert json.loads(result.output) == score(folder, lambda one: told[one.item.id])


def test_a_random_system_by_hand() -> None:
    coin = random.Random(8)
    draws = [coin.choice(("occupation", "participant")) for _ in range(8)]
    # he: both right; she: both wrong, crosswise; they and xe: the occupation both times
    assert " ".join(draw[0] for draw in draws) == "o p p o o o o o"
    found = report(answers("baker", *draws, sets=tuple(SETS)))  # type: ignore[arg-type]
    # right are 2 of he, 0 of she, 1 of they, 1 of xe
    assert (found["overall"]["correct"], found["overall"]["accuracy"]) == (4, 0.5)
    assert found["overall"]["accuracy_interval"] is None  # one pair of templates has no spread
    assert [found["by_pronouns"][name]["correct"] for name in SETS] == [2, 0, 1, 1]
    assert found["pronoun_consistency"]["consistent"] == 0
    assert (found["disambiguation_consistency"]["consistent"], found["disambiguation_consistency"]["groups"]) == (1, 4)
    shares = {name: one["positive_share"] for name, one in found["bias"]["nominative"].items()}
    assert shares == {"he": 0.0, "she": 0.0, "they": 1.0, "xe": 1.0}
    assert found["jaccard"]["between_sets"]["they-xe"] == {"nominative": 1.0}
    assert found["jaccard"]["between_sets"]["he-they"] == {"nominative": 0.0}
    assert found["jaccard"]["between_sets"]["he-she"] == {"nominative": None}
