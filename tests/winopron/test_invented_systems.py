"""Whole systems over whole sets of sentences, ours and the published ones, with values that follow from the design."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pipeline.winopron.instances import Instance, read_instances
from tests.conftest import ROOT
from tests.support.commands import winoforge
from tests.support.winopron import SETS

CASES = ("nominative", "accusative", "possessive")
System = Callable[[Instance], str]


@pytest.fixture(scope="module", params=["ours", "published"])
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with double.jsonl and single.jsonl."""
    templates = ROOT / "raw" / "en" / "templates.yaml"
    if request.param == "published":
        templates = request.getfixturevalue("shared_data") / "winopron" / "data.zip"
    out = tmp_path_factory.mktemp(request.param)
    assert winoforge("instantiate", templates, "--out", out).returncode == 0
    return out


def answered(folder: Path, form: str, name: str, system: System) -> Path:
    rows = [
        {"id": sentence.item.id, "answer": system(sentence)} for sentence in read_instances(folder / f"{form}.jsonl")
    ]
    path = folder / f"{name}.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def run(folder: Path, command: str, *paths: Path, form: str = "double") -> dict[str, Any]:
    result = winoforge("winopron", command, *paths, "--items", folder / f"{form}.jsonl", "--json")
    assert result.returncode == 0, result.stderr
    return dict(json.loads(result.stdout))


def score(folder: Path, system: System, form: str = "double") -> dict[str, Any]:
    return run(folder, "score", answered(folder, form, "system", system), form=form)


def first(sentence: Instance) -> str:
    """Name the entity that comes first in the text."""
    places = {name: sentence.item.text.lower().find(name) for name in sentence.item.candidates}
    return min((place, name) for name, place in places.items() if place >= 0)[1]


def last(sentence: Instance) -> str:
    return next(name for name in sentence.item.candidates if name != first(sentence))


@pytest.mark.parametrize(
    "system", [lambda sentence: sentence.occupation, lambda sentence: sentence.participant, first, last]
)
def test_constant_and_positional_systems_are_right_in_half_and_never_consistent(folder: Path, system: System) -> None:
    """Both members of a pair get the same answer, since they share all up to the pronoun: one of two is right."""
    report = score(folder, system)
    counts = {"sentences": 1440, "attempted": 1440, "correct": 720}
    assert counts.items() <= report["overall"].items()
    assert report["overall"]["f1"] == 0.5
    assert [report["by_case"][case]["accuracy"] for case in CASES] == [0.5] * 3
    assert [report["by_pronouns"][name]["accuracy"] for name in SETS] == [0.5] * 4
    # a template is right with each of its pronouns or with none: 180 of 360
    right = {"groups": 360, "consistent": 180, "share": 0.5, "chance": 0.0625}
    assert right.items() <= report["pronoun_consistency"].items()
    low, high = report["pronoun_consistency"]["interval"]
    assert low + high == pytest.approx(1)
    none = {"groups": 720, "consistent": 0, "share": 0.0, "chance": 0.25}
    assert none.items() <= report["disambiguation_consistency"].items()
    # nothing is resolvable, so it cannot be told whether the system is biased
    for case in CASES:
        for name in SETS:
            bias = report["bias"][case][name]
            assert (bias["attempted"], bias["resolvable"], bias["share"]) == (60, 0, None)
    assert report["jaccard"]["between_cases"]["nominative-possessive"] == dict.fromkeys(SETS)


def test_systems_are_compared_by_their_biases(folder: Path) -> None:
    """One takes he for every occupation, the other only for those that begin with a letter up to m."""

    def all_occupations(sentence: Instance) -> str:
        return sentence.occupation if sentence.pronouns == "he" else sentence.antecedent

    def some(sentence: Instance) -> str:
        return sentence.occupation if sentence.pronouns == "he" and sentence.occupation < "n" else sentence.antecedent

    names = {sentence.occupation for sentence in read_instances(folder / "double.jsonl")}
    some_of = sum(name < "n" for name in names)
    assert 0 < some_of < 60
    all_he = answered(folder, "double", "all", all_occupations)
    report = run(folder, "compare", all_he, answered(folder, "double", "some", some))
    assert set(report) == {"all/some"}
    assert report["all/some"]["possessive"] == dict.fromkeys(SETS) | {"he": pytest.approx(some_of / 60)}
    words = winoforge("winopron", "compare", all_he, folder / "some.jsonl", "--items", folder / "double.jsonl")
    assert f"all/some, nominative: he {some_of / 60:.2f}, she n/a, they n/a, xe n/a" in words.stdout


def test_the_table_of_sentences_scores_as_the_items_do(folder: Path) -> None:
    chance = random.Random(7)
    given = {
        sentence.item.id: chance.choice(sentence.item.candidates)
        for sentence in read_instances(folder / "double.jsonl")
    }
    header, *lines = (folder / "double.tsv").read_text(encoding="utf-8").splitlines()
    path = folder / "table.tsv"
    rows = [f"{line}\t{answer}" for line, answer in zip(lines, given.values(), strict=True)]
    path.write_text("\n".join([f"{header}\tgeneration", *rows]) + "\n", encoding="utf-8")
    assert json.loads(winoforge("winopron", "score", path, "--json").stdout) == score(
        folder, lambda sentence: given[sentence.item.id]
    )
