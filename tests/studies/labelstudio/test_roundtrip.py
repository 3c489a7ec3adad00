"""Every design that stands alone, from its YAML over a real server to what a release says; `test_loops` has those that follow others."""

import re
from collections.abc import Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest

from pipeline.core.files import write_jsonl
from pipeline.core.model import Finding, Rejected
from pipeline.core.records import write_items, write_rejected
from pipeline.language.pronouns import pronoun_table
from pipeline.release.sources import SOURCES, read_source
from pipeline.release.winopron import release_files
from pipeline.studies.design.sources import read_practice
from pipeline.studies.model.judgements import Answer
from pipeline.studies.model.study import Study, Task
from pipeline.winograd.translation.draft import draft_rows, item_parts, write_draft
from pipeline.winograd.zero_forms import to_zero
from pipeline.winopron.instances import VERSIONS, Instance, instances, read_templates, write_instances
from tests.conftest import ROOT
from tests.support.passages import write_passages
from tests.support.rounds import (
    AGREEMENT,
    ALPHA,
    MEAN,
    RIGHT,
    Round,
    annotate,
    carry,
    cut_down,
    export_of,
    judgements_of,
    released,
    usual,
)
from tests.support.small_cloze import write_cloze_materials
from tests.support.studies import kites
from tests.support.traces import write_traces
from tests.winograd.translation.conftest import english_items
from tools.labelstudio import Account, Server

#: How each design is cut down: two lists or more, twenty tasks or more besides practice. The whole ones differ in numbers alone.
TWO_LISTS = "{scheme: balanced, count: 2}"
DESIGNS = {
    "background-en": {},
    "exclusion-audit": {"lists": TWO_LISTS},
    "upper-bound": {"lists": "{scheme: balanced, count: 2, size: 5, mirrored: true}"},
    "entailment": {"lists": "{scheme: balanced, count: 2, apart: 2}"},
    "winopron-reference": {"records": "build/few", "lists": "{scheme: balanced, count: 2, apart: 2}"},
    "winopron-pronoun": {"lists": "{scheme: balanced, count: 2, size: 10}"},
    "error-coding": {"lists": TWO_LISTS},
    "zero-labelling": {"records": "raw/few", "lists": "{scheme: sections, count: 2, common: 4}"},
    "human-evaluation": {"lists": "{scheme: rotated, count: 2, size: 10}"},
    "cloze": {"lists": "{scheme: experiment, count: 2}"},
    "translation": {"lists": TWO_LISTS},
}
KITES = [kites(number) for number in range(20)]
#: Ten pairs, six of them with the answers 0 and 1: five could not be halved.
REJECTED = [kites(number) for number in (*range(100, 118), 120, 121)]
ENGLISH = english_items(10)
#: In `upper-bound` three raters judge a list and three its twin. At five of ten sentences one of each three errs, so that 7 of 15 pairs
#: of the six agree; at the others all pairs do: (5 * 7 / 15 + 5) / 10.
AGREEMENT_OF_SIX = 0.7333
#: What a release says of each question: raters, items, answers, agreement, share of right answers and mean; see `rounds`. Without a
#: name: the items that were judged as they are released. No release has drafts, codes of explanations, or figures of running text.
RELEASED: dict[str, dict[str, tuple[Any, ...]]] = {
    # About what is not released.
    "exclusion-audit": {"verdict": (3, 20, 60, AGREEMENT, None, None), "": (0,)},
    "upper-bound": {"reference": (6, 10, 60, AGREEMENT_OF_SIX, RIGHT, None), "": (10,)},
    "entailment": {"follows": (3, 20, 60, AGREEMENT, RIGHT, None), "": (20,)},
    "winopron-reference": {
        "grammatical": (3, 20, 60, AGREEMENT, None, None),
        "refers": (3, 20, 60, AGREEMENT, RIGHT, None),
        "": (20,),
    },
    "winopron-pronoun": {"pronoun": (3, 20, 60, AGREEMENT, RIGHT, None), "": (20,)},
    # Of the twenty tasks ten are items; the others are fillers and attention trials.
    "cloze": {
        "answer": (3, 10, 30, AGREEMENT, RIGHT, None),
        "confidence": (3, 10, 30, AGREEMENT, None, MEAN),
        "": (10,),
    },
}
#: The questions to which all give one answer unless they err, and then another.
TWO_ANSWERS = {
    "exclusion-audit": ["verdict"],
    "winopron-reference": ["grammatical"],
    "error-coding": ["types"],
    "translation": ["verdict", "first-gender"],
}
#: Figures that `agree` prints.
PRINTED = {
    "exclusion-audit": ["  zh/made-up: 20 items, 73.3 % of 60 answers agree"],
    # An attention item in each of four lists, three raters.
    "upper-bound": ["fillers and attention trials, in no other figure: 12 of 12 right"],
    "entailment": ["1 rater of 3 to look at", "not above chance: 10 of 20 right"],
    # In each of two lists three fillers that have one right pronoun and an attention trial, by three raters; the fourth filler has two.
    "cloze": ["fillers and attention trials, in no other figure: 24 of 24 right"],
    # The ten ranks at which raters err fall on each system once.
    "human-evaluation": [f"  {system}: 4.200 over 10 sentences" for system in ("careful", "literal", "mixed")],
}


@cache
def sentences() -> dict[str, list[Instance]]:
    """Return twenty sentences with two people and twenty with one, of templates from all parts of ours."""
    path, table = ROOT / "raw" / "en" / "templates.yaml", pronoun_table("en")
    templates = read_templates(path, table)
    return {version: list(instances(templates, table, version, lang="en", source=path))[::73] for version in VERSIONS}


def consent(study: Study, task: Task, place: int, wrong: bool, rater: int) -> dict[str, Answer]:
    """Agree to take part and answer one question; the third rater declines."""
    language = next(control for control in study.controls if control.name == "language")
    return {"consent": "decline"} if rater == 2 else {"consent": "agree", "language": language.choices[0]}


class Room:
    """The designs, cut down, with their records; each design makes its round once."""

    def __init__(self, folder: Path, server: Server, accounts: Sequence[Account]) -> None:
        self._server, self._accounts = server, accounts
        self._rounds: dict[str, Round] = {}
        self.folder = folder
        cut_down(folder, DESIGNS)
        zh, en, few = folder / "build" / "zh", folder / "build" / "en", folder / "build" / "few"
        write_items(zh / "adjudicated.jsonl", KITES[:10])
        write_jsonl(zh / "zero.jsonl", map(to_zero, KITES[:10]))
        finding = Finding("zh/made-up", "other", None, "Nothing licenses a zero here.", {"disputed": False})
        write_rejected(zh / "rejected.jsonl", [Rejected(item, (finding,)) for item in REJECTED])
        write_items(zh / "kept.jsonl", KITES)
        write_jsonl(zh / "decisions.jsonl", [])
        for version in VERSIONS:
            write_instances(en / f"{version}.jsonl", sentences()[version])
        # Asked about both people and about one: 6 * 2 + 8 questions.
        write_instances(few / "double.jsonl", sentences()["double"][:6])
        write_instances(few / "single.jsonl", sentences()["single"][:8])
        write_traces(folder / "build" / "evaluation" / "traces.jsonl", KITES[::2])
        write_passages(folder / "raw" / "zp")
        write_passages(folder / "raw" / "few", genres=2)
        self.cloze = write_cloze_materials(
            folder, ROOT, [f"de-{number:03}" for number in (101, 2, 103, 104, 105)], items=5, fillers=4
        )
        parts = item_parts(ENGLISH)
        write_draft(
            folder / "build" / "translation" / "draft.tsv", draft_rows(parts, [f"DE: {part.shown}" for part in parts])
        )

    def round(self, name: str) -> Round:
        """Return the round of a design."""
        if name not in self._rounds:
            practice = read_practice(self.folder / "annotation" / "practice" / "en.yaml", "en")
            asked = [*(row.item for row in sentences()["double"]), *(record.item for record in practice)]
            forms = {item.id: item.target.of(item.text) for item in asked if item.target}
            answers = consent if name.startswith("background") else partial(usual, forms=forms)
            self._rounds[name] = carry(self._server, self._accounts, name, answers)
        return self._rounds[name]

    def released(self, name: str) -> dict[str, tuple[Any, ...]]:
        """Return what the releases of all collections here say of a study: at most one of them has it."""
        templates = [row.item for rows in sentences().values() for row in rows]
        rejected = [item.id for item in REJECTED]
        made = [released(name, KITES, rejected), *(released(name, items) for items in (templates, self.cloze, ENGLISH))]
        assert sum(map(bool, made)) <= 1
        return next(filter(None, made), {})


@pytest.fixture(scope="module")
def shared_room(tmp_path_factory: pytest.TempPathFactory, server: Server, raters: list[Account]) -> Room:
    """One room for all designs."""
    return Room(tmp_path_factory.mktemp("room"), server, raters)


@pytest.fixture
def room(shared_room: Room, secrets: None, monkeypatch: pytest.MonkeyPatch) -> Room:
    """The room, in which the commands run."""
    monkeypatch.chdir(shared_room.folder)
    return shared_room


@pytest.mark.parametrize("name", [name for name in DESIGNS if not name.startswith("background")])
def test_a_design_goes_from_its_layout_to_the_figures_of_a_release(name: str, room: Room) -> None:
    made = room.round(name)
    assert len(made.study.lists) >= 2
    assert sum(task.phase != "practice" for task in made.tasks) >= 20
    six = name == "upper-bound"
    for control in made.study.controls:
        if control.required:
            agreement = made.figures["controls"][control.name]["agreement"]
            assert agreement["percent"]["value"] == pytest.approx(AGREEMENT_OF_SIX if six else AGREEMENT, abs=1e-4)
            if control.name in TWO_ANSWERS.get(name, ()):
                assert agreement["alpha"]["value"] == pytest.approx(ALPHA, abs=1e-4)
    assert room.released(name) == RELEASED.get(name, {})
    for line in PRINTED.get(name, ()):
        assert line in made.printed


def test_a_form_leaves_out_who_declines_and_is_in_no_release(room: Room) -> None:
    name, form = "winopron-reference", "background-en"
    room.round(name)
    assert len(room.round(form).tasks) == 1
    printed = annotate(
        "agree", export_of(name), "--judgements", judgements_of(name), "--out", "build/report", "--resamples", 20,
        "--background", export_of(form), status=1,
    )  # fmt: skip
    # Without the rater who errs at every second item 18 + 16 of 40 answers are right.
    assert f"{name}: 40 judgements of 20 items by 2 raters" in printed
    assert "micro 0.850" in printed
    assert ": 2 raters: too few raters to show figures" in printed
    assert room.released(form) == {}


def test_the_card_of_a_release_has_the_figures(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    room.round("winopron-reference")
    room.round("winopron-pronoun")
    monkeypatch.chdir(ROOT)  # where the sources of the collections are
    source, exports = read_source(SOURCES, "en"), room.folder / "annotation" / "exports"
    files = release_files(room.folder / "build" / "en", source, "licence\n", exports)
    card = files["README.md"].decode()
    # Six of the fourteen sentences of the first study are among the twenty of the second.
    assert "Of 40 items, raters have judged 28 as they are released;\nnobody has judged 12." in card
    for row in ("winopron-reference | refers", "winopron-pronoun | pronoun"):
        assert re.search(rf"\| {re.escape(row)} \| 3 \| 20 \| 60 \| 66.7 % \| -?\d\.\d\d \| 73.3 % \| n/a \|", card)
    assert "| winopron-reference | grammatical | 3 | 20 | 60 | 66.7 % | 0.16 | n/a | n/a |" in card
